package bench

import (
	"errors"
	"fmt"
)

// Limits are upper bounds on the ratios of a sweep; 0: no bound. Ratios are comparable between
// machines, so that continuous integration can check them.
type Limits struct {
	MemoryCost  float64 // times as slow as without a memory limit, at most
	ReplicaCost float64 // times as slow as with one replica in one process, at most
	Cluster     float64 // for a cluster: times as slow as one process, at most
	FollowCost  float64 // for a cluster: times as slow as with answers only at the end, at most
}

// Check returns an error for each cell that exceeds a limit, for each workload that spilled
// nothing if MemoryCost is set, and if there was nothing to check.
//
// It divides a cell's fastest run by the median of the other cell. Disturbances by the machine
// only ever make a run slower, so the fastest of several runs is what the program itself takes;
// the more disturbed the runs are, the higher is the median it is divided by. Cells run in
// turn, so that a lasting disturbance affects both.
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
