//go:build !linux

package bench

import "errors"

// machines emulates machines of less than a core, for which there is nothing here.
type machines struct{}

func newMachines(int, float64) (*machines, error) {
	return nil, errors.New("only Linux can give processes a quota of processor time")
}

func (*machines) take(map[int]Process) error { return nil }
func (*machines) close() error               { return nil }
