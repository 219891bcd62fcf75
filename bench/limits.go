package bench

import (
	"errors"
	"fmt"
)

// Limits are ratios that a sweep has to keep; 0 leaves one out. They mean the same on
// every machine, so that a continuous integration can hold a change to them.
type Limits struct {
	MemoryCost  float64 // times as slow as without a memory limit, at most
	ReplicaCost float64 // times as slow as with one replica in one process, at most
	Cluster     float64 // times as slow as one process, at most, for a cluster
}

// Check returns an error for each cell that is over a limit even by the most
// favourable of its runs' combinations, and one if a sweep of memory limits spilled
// nothing, or had nothing to hold to a limit.
func (l Limits) Check(r *Report) error {
	var errs []error
	checked := 0
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for j := range w.Cells {
			c := &w.Cells[j]
			ratios := w.RatiosOf(c)
			hold := func(what string, ratio Ratio, most float64) {
				if most == 0 || ratio.Value == 0 {
					return
				}
				checked++
				if ratio.Value > most && ratio.Low > most {
					errs = append(errs, fmt.Errorf("%s with %s takes %.2f times as long as %s (%.2f at best), and %.2f is allowed",
						w.Name, c.Setting, ratio.Value, what, ratio.Low, most))
				}
			}
			hold("without a memory limit", ratios.Memory, l.MemoryCost)
			if c.Transport == InMemory {
				hold("with one replica", ratios.Replicas, l.ReplicaCost)
			}
			hold("one process", ratios.Cluster, l.Cluster)
		}
	}
	if hint := r.spillHint(); l.MemoryCost > 0 && hint != "" {
		errs = append(errs, errors.New(hint))
	}
	if l != (Limits{}) && checked == 0 {
		errs = append(errs, errors.New("there are no two cells whose ratio could be held to a limit: sweep --memory, --replicas or --transport"))
	}
	return errors.Join(errs...)
}
