package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"analyzer/process"

	"github.com/prometheus/procfs"
)

// children returns what each descendant of this process has used since it was started, by
// process ID. Without /proc it returns none.
func children() (map[int]Process, error) {
	all, err := process.All()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := make(map[int]Process)
	for pid, s := range all {
		if pid == os.Getpid() || !all.Descends(pid, os.Getpid()) {
			continue
		}
		p, err := procfs.NewProc(pid)
		if err != nil {
			continue
		}
		line, errLine := p.CmdLine()
		status, errStatus := p.NewStatus()
		if errLine != nil || errStatus != nil {
			continue
		}
		found[pid] = Process{Name: processName(line), CPU: s.CPUTime(), Peak: int64(status.VmHWM), Program: int64(status.RssFile)}
	}
	return found, nil
}

// processName returns the name of a process of a cluster, from its command line. Processes
// that do not run this program belong to the broker.
func processName(line []string) string {
	if len(line) < 2 || line[1] != workerProcess && line[1] != gatewayProcess {
		return brokerProcess
	}
	if i := slices.Index(line, "--replica"); i > 0 && i+1 < len(line) {
		return line[1] + " " + line[i+1]
	}
	return line[1]
}

func sortedIDs(all map[int]Process) []int { return slices.Sorted(maps.Keys(all)) }

// used returns what processes used between two moments, by name. The processes of a broker are
// combined into one; gateways, which have no names, are numbered.
func used(before, after map[int]Process) []Process {
	var all []Process
	gateways := 0
	for _, pid := range sortedIDs(after) {
		p := after[pid]
		p.CPU -= before[pid].CPU
		if p.Name == gatewayProcess {
			p.Name = fmt.Sprintf("%s %d", gatewayProcess, gateways)
			gateways++
		}
		i := slices.IndexFunc(all, func(o Process) bool { return o.Name == p.Name })
		if i < 0 {
			all = append(all, p)
			continue
		}
		all[i].CPU += p.CPU
		all[i].Peak += p.Peak
		all[i].Program += p.Program
	}
	slices.SortFunc(all, func(a, b Process) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// resetPeaks resets the peak memory of all descendants of this process, since the broker
// serves many runs. See proc(5), clear_refs.
func resetPeaks() error {
	all, err := children()
	if err != nil {
		return err
	}
	for pid := range all {
		name := filepath.Join("/proc", strconv.Itoa(pid), "clear_refs")
		if err := os.WriteFile(name, []byte("5"), 0o200); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("begin a peak anew: %w", err)
		}
	}
	return nil
}
