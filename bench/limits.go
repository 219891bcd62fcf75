package bench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Limits are upper bounds on the ratios of a sweep; 0: no bound. Ratios are comparable between
// machines, so that continuous integration can check them.
type Limits struct {
	MemoryCost  float64 // times as slow as without a memory limit, at most
	ReplicaCost float64 // times as slow as with one replica in one process, at most
	Cluster     float64 // for a cluster: times as slow as one process, at most
	FollowCost  float64 // for a cluster: times as slow as with answers only at the end, at most
}

// Held is the ratio of two cells of a workload, beside its limit.
type Held struct {
	Workload string
	Setting  Setting
	Beside   string // the other cell, such as "one process"
	Ratio    float64
	Most     float64
}

// Broken reports whether the ratio exceeds its limit.
func (h Held) Broken() bool { return h.Ratio > h.Most }

// Hold returns the ratios of a report that have a limit.
//
// It divides a cell's fastest run by the median of the other cell. Disturbances by the machine
// only ever make a run slower, so the fastest of several runs is what the program itself takes;
// the more disturbed the runs are, the higher is the median it is divided by. Cells run in
// turn, so that a lasting disturbance affects both.
func (l Limits) Hold(r *Report) []Held {
	var all []Held
	for w, c := range r.cells() {
		hold := func(beside string, change func(*Setting), most float64) {
			if other := w.other(c, change); most > 0 && other != nil {
				all = append(all, Held{w.Name, c.Setting, beside, c.Wall().Fastest / other.Wall().Median, most})
			}
		}
		hold("no memory limit", unlimited, l.MemoryCost)
		if c.Transport == InMemory {
			hold("one replica", oneReplica, l.ReplicaCost)
		}
		hold("one process", oneProcess, l.Cluster)
		if c.Transport == RabbitMQ {
			hold("answers at the end alone", atEnd, l.FollowCost)
		}
	}
	return all
}

// Check returns an error if limits were given and the sweep has no cells to hold to them, and for
// each workload that spilled nothing if MemoryCost is set.
func (l Limits) Check(r *Report) error {
	var errs []error
	for _, w := range r.Workloads {
		if l.MemoryCost > 0 && !w.spilled() {
			errs = append(errs, fmt.Errorf("%s spilled nothing, so that what its memory limits cost means nothing: take smaller ones, or a larger scale", w.Name))
		}
	}
	if l != (Limits{}) && len(l.Hold(r)) == 0 {
		errs = append(errs, errors.New("there are no two cells whose ratio could be held to a limit: sweep --memory, --replicas, --transport or --follow"))
	}
	return errors.Join(errs...)
}

// Broken returns an error for each ratio above its limit. Another program that takes the
// machine for a while can cause one, so a second sweep should confirm it.
func Broken(held []Held) error {
	var errs []error
	for _, h := range held {
		if h.Broken() {
			errs = append(errs, fmt.Errorf("%s with %s takes %.2f times as long as with %s even at its best, and %.2f is allowed",
				h.Workload, h.Setting, h.Ratio, h.Beside, h.Most))
		}
	}
	return errors.Join(errs...)
}

// WriteHeld writes each ratio, its limit and the verdict, those nearest to their limit first.
func WriteHeld(w io.Writer, held []Held) error {
	held = slices.SortedStableFunc(slices.Values(held), func(a, b Held) int {
		return cmp.Compare(b.Ratio/b.Most, a.Ratio/a.Most)
	})
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, h := range held {
		verdict := "kept"
		if h.Broken() {
			verdict = "TOO SLOW"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%.2f of %.2f times %s\t%s\n", h.Workload, h.Setting, h.Ratio, h.Most, h.Beside, verdict)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the ratios: %w", err)
	}
	return writeAll(w, b.Bytes())
}
