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
	FollowCost  float64 // times as slow as with answers at the end alone, at most, for a cluster
}

// Check returns an error for each cell that is over a limit, for each workload that is
// held to what memory limits cost and spilled nothing, and if there was nothing to hold
// to a limit.
//
// It takes a cell's fastest run over the median of the other cell. Whatever else a
// machine does only ever makes a run slower, and cells are run in turn, so that what
// lasts hits both: the fastest of several runs is what the program takes, and the more
// the machine disturbs them, the higher is the median beside it.
func (l Limits) Check(r *Report) error {
	var errs []error
	checked := 0
	for w, c := range r.cells() {
		hold := func(what string, change func(*Setting), most float64) {
			other := w.other(c, change)
			if most == 0 || other == nil {
				return
			}
			checked++
			if ratio := c.Wall().Fastest / other.Wall().Median; ratio > most {
				errs = append(errs, fmt.Errorf("%s with %s takes %.2f times as long as %s even at its best, and %.2f is allowed",
					w.Name, c.Setting, ratio, what, most))
			}
		}
		hold("without a memory limit", unlimited, l.MemoryCost)
		if c.Transport == InMemory {
			hold("with one replica", oneReplica, l.ReplicaCost)
		}
		hold("one process", oneProcess, l.Cluster)
		if c.Transport == RabbitMQ {
			hold("with answers at the end alone", atEnd, l.FollowCost)
		}
	}
	for _, w := range r.Workloads {
		if l.MemoryCost > 0 && !w.spilled() {
			errs = append(errs, fmt.Errorf("%s spilled nothing, so that what its memory limits cost means nothing: take smaller ones, or a larger scale", w.Name))
		}
	}
	if l != (Limits{}) && checked == 0 {
		errs = append(errs, errors.New("there are no two cells whose ratio could be held to a limit: sweep --memory, --replicas, --transport or --follow"))
	}
	return errors.Join(errs...)
}
