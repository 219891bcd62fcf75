package worker

import (
	"cmp"
	"fmt"

	"analyzer/compose/cluster/protocol"
)

// Bounds say how many jobs there may be. Worker 0, which takes part in all jobs, refuses
// further ones. Cuts are counted apart, so that whoever has as many jobs as possible still
// gets their answers.
type Bounds struct {
	All int // 0: 10000
	// Owned is how many one client may have, where clients can be told apart. 0: 1000.
	Owned int
}

func (b Bounds) withDefaults() Bounds {
	b.All = cmp.Or(b.All, 10000)
	b.Owned = min(cmp.Or(b.Owned, 1000), b.All)
	return b
}

// full returns why a job cannot be opened beside those there are; "" if it can.
func (w *Worker) full(spec *protocol.Spec) string {
	if w.Replica != 0 {
		return ""
	}
	all, owned := w.count(spec.Owner, spec.Cut != nil)
	what := "jobs"
	if spec.Cut != nil {
		what = "answers of jobs that go on"
	}
	switch {
	case spec.Owner != protocol.Anyone && owned >= w.Bounds.Owned:
		return fmt.Sprintf("%s has %d %s, and one client may have %d", spec.Owner, owned, what, w.Bounds.Owned)
	case all >= w.Bounds.All:
		return fmt.Sprintf("there are %d %s, %d of them of %s, and %d are possible", all, what, owned, spec.Owner, w.Bounds.All)
	}
	return ""
}

// count counts the jobs, or the cuts, of all and of one owner.
func (w *Worker) count(owner string, cuts bool) (all, owned int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.parts {
		if m.cut != cuts {
			continue
		}
		if all++; m.owner == owner {
			owned++
		}
	}
	return all, owned
}
