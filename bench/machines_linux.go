package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"analyzer/columnar"
)

// quotaPeriod is how often a group gets its share of processor time. In a shorter one, threads that begin
// would take more than their share; in a longer one, a process that used it up would wait for a time that
// no slow machine waits for.
const quotaPeriod = 20 * time.Millisecond

// machines emulates machines of less than a core: groups of processes with a quota of processor time, of
// cgroups(7) in version 1 or 2.
type machines struct {
	dir    string // has a directory for each
	groups []string
}

// newMachines makes n machines with some cores each. Its error wraps ErrNoMachines if this process may not.
func newMachines(n int, cores float64) (_ *machines, err error) {
	above, unified, err := processorGroups()
	if err != nil {
		return nil, err
	}
	m := new(machines)
	if m.dir, err = os.MkdirTemp(above, "analyzer-bench-"); err != nil {
		return nil, fmt.Errorf("%w: make a group of processes: %w", ErrNoMachines, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	if unified {
		for _, dir := range []string{above, m.dir} {
			if err := control(dir, "cgroup.subtree_control", "+cpu"); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNoMachines, err)
			}
		}
	}
	for i := range n {
		group := filepath.Join(m.dir, strconv.Itoa(i))
		if err := os.Mkdir(group, 0o755); err != nil {
			return nil, fmt.Errorf("make a group of processes: %w", err)
		}
		m.groups = append(m.groups, group)
		if err := limit(group, unified, cores); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// processorGroups returns the directory where groups with a quota of processor time are made, and whether
// it is of version 2.
func processorGroups() (dir string, unified bool, err error) {
	mounts, err := procfs.GetMounts()
	if err != nil {
		return "", false, fmt.Errorf("%w: look for groups of processes: %w", ErrNoMachines, err)
	}
	for _, m := range mounts {
		_, processor := m.SuperOptions["cpu"]
		if m.FSType == "cgroup" && processor {
			return m.MountPoint, false, nil
		}
	}
	for _, m := range mounts {
		text, err := os.ReadFile(filepath.Join(m.MountPoint, "cgroup.controllers"))
		if m.FSType == "cgroup2" && err == nil && slices.Contains(strings.Fields(string(text)), "cpu") {
			return m.MountPoint, true, nil
		}
	}
	return "", false, fmt.Errorf("%w: this system has no groups of processes with a quota of processor time", ErrNoMachines)
}

// limit gives the processes of a group some cores together.
func limit(group string, unified bool, cores float64) error {
	period := quotaPeriod.Microseconds()
	quota := int64(cores * float64(period))
	if unified {
		return control(group, "cpu.max", fmt.Sprint(quota, " ", period))
	}
	return errors.Join(control(group, "cpu.cfs_period_us", fmt.Sprint(period)), control(group, "cpu.cfs_quota_us", fmt.Sprint(quota)))
}

func control(group, file, value string) error {
	if err := os.WriteFile(filepath.Join(group, file), []byte(value), 0o644); err != nil {
		return fmt.Errorf("give processes a quota: %w", err)
	}
	return nil
}

// take puts worker and gateway i of a cluster on machine i. Gateways are told apart by their process IDs.
func (m *machines) take(all map[int]Process) error {
	gateways := 0
	for _, pid := range sortedIDs(all) {
		kind, i := all[pid].kind(), gateways
		switch kind {
		case gatewayProcess:
			gateways++
		case workerProcess:
			var err error
			if i, err = strconv.Atoi(strings.TrimPrefix(all[pid].Name, workerProcess+" ")); err != nil {
				return fmt.Errorf("tell workers apart: %w", err)
			}
		default:
			continue
		}
		if err := control(m.groups[i], "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
	}
	return nil
}

// close removes the machines, whose processes have ended.
func (m *machines) close() error {
	errs := columnar.Each(append(m.groups, m.dir), os.Remove)
	return errors.Join(errs...)
}
