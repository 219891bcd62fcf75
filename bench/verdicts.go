package bench

import (
	"fmt"
	"math"
)

// where describes the machine, the program and the data.
func (r *Report) where() string {
	data := "data of " + r.Data.Dir
	if r.Data.Dir == "" {
		data = fmt.Sprintf("generated data, seed %d", r.Data.Seed)
	}
	machine := fmt.Sprint(r.Machine)
	if r.MachineCores > 0 {
		machine += fmt.Sprintf(" (of a cluster, each replica is a machine with %g cores, whose gateway reads)", r.MachineCores)
	}
	return fmt.Sprintf("%s; %s; %s", machine, r.Program, data)
}

// verdicts says whether each workload's answers are the same, whether its memory limits were
// kept and, if limits were compared, whether they made a difference.
func (r *Report) verdicts() []string {
	var lines []string
	for _, w := range r.Workloads {
		runs, worst := 0, 1
		for _, c := range w.Cells {
			runs += len(c.Runs)
		}
		for _, n := range w.answers() {
			worst = max(worst, n)
		}
		line := fmt.Sprintf("%s: all %d runs gave the same answers, byte by byte", w.Name, runs)
		if worst > 1 {
			line = fmt.Sprintf("%s: THE ANSWERS DIFFER: of %d runs there are %d different ones", w.Name, runs, worst)
		}
		lines = append(lines, line+w.excess())
	}
	for _, f := range r.Floors {
		lines = append(lines, r.distance(f))
	}
	if hint := r.spillHint(); hint != "" {
		lines = append(lines, hint)
	}
	return lines
}

// distance compares the fastest cell of a workload in one process with the workload's floor.
func (r *Report) distance(f Floor) string {
	best := math.Inf(1)
	for w, c := range r.cells() {
		if w.Name == f.Workload && c.Scale == f.Scale && c.Transport == InMemory {
			best = min(best, c.MedianRun().Wall)
		}
	}
	text := fmt.Sprintf("%s%s: reading its %.0f MB takes %.3f s, finding their cells %.3f s", f.Workload, atScale(f.Scale), float64(f.Bytes)/1e6, f.Read, f.Index)
	if math.IsInf(best, 1) {
		return text
	}
	return text + fmt.Sprintf("; the fastest answer took %.1f times the one, %.1f times the other", best/f.Read, best/f.Index)
}

// excess says whether the runs kept their memory limits.
func (w *Result) excess() string {
	worst, who, limited := int64(0), "", false
	for _, c := range w.Cells {
		limited = limited || c.Memory > 0
		if excess, name := c.Excess(); excess > worst {
			worst, who = excess, name
		}
	}
	switch {
	case !limited:
		return ""
	case worst == 0:
		return "; every process stayed within its memory limit"
	case worst > MemorySlack:
		return fmt.Sprintf("; MORE MEMORY THAN ALLOWED: %s MiB over the limit%s", mib(worst), inCluster(who))
	}
	return fmt.Sprintf("; at most %s MiB over the memory limit%s", mib(worst), inCluster(who))
}

// inCluster names a process that has a limit; "" without a cluster, where there is only one.
func inCluster(process string) string {
	if process == clientProcess {
		return ""
	}
	return ", by " + process
}

// spillHint says that nothing spilled under the memory limits compared, and what would make
// it spill; "" if something did spill, or there were no limits.
func (r *Report) spillHint() string {
	least, scale, size := int64(0), 0.0, int64(0)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if w.spilled() {
			return ""
		}
		for _, c := range w.Cells {
			size = max(size, c.MedianRun().Bytes)
			if c.Memory > 0 && (least == 0 || c.Memory < least) {
				least = c.Memory
			}
			scale = max(scale, c.Scale)
		}
	}
	switch {
	case least == 0:
		return ""
	case scale > 0:
		return fmt.Sprintf("NOTHING SPILLED: these limits are compared by nothing. Take --memory %dMiB or less, or --scale %.2g, "+
			"and one of the workloads groups, selfjoin and listagg.", max(least>>22, 1), max(scale*4, 0.1))
	}
	return fmt.Sprintf("NOTHING SPILLED: these limits are compared by nothing. Of input of %s MiB, take --memory %dMiB or less "+
		"and one of the workloads groups, selfjoin and listagg.", mib(size), max(least>>22, 1))
}
