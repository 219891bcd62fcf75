//go:build !linux

package bench

import "fmt"

// machines emulates machines of less than a core, for which there is nothing here.
type machines struct{}

func newMachines(int, float64) (*machines, error) {
	return nil, fmt.Errorf("%w: only Linux can give processes a quota of processor time", ErrNoMachines)
}

func (*machines) take(map[int]Process) error { return nil }
func (*machines) close() error               { return nil }
