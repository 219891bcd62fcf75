package join

import "analyzer/columnar"

// mostShared is how many rows a shared build side has at most whose keys are found by their
// hashes: one goroutine makes its directory while others wait.
const mostShared = 1 << 20

// Shared is the build side of all replicas of a join as one, in memory. It does not change:
// any number of operators probe it at a time (Operator.Probe).
type Shared struct {
	rows      *columnar.Pages
	directory directory
	longest   int64
}

// Share makes one of what the replicas of a join have built, of which o is one, before any
// of them is probed. It returns nil if that does not lie in memory, or is marked by probe
// rows, or takes too long. The replicas hold its memory until their probe sides end, o more
// bytes beside it; by then all who probe it are to be done.
func (o *Operator) Share(replicas []*Operator, more int64) *Shared {
	whole, keys := columnar.NewPages(o.build.schema), newSpan(o.build)
	for _, r := range replicas {
		if r.grace != nil {
			return nil
		}
		for i := range r.rows.Count() {
			whole.Put(whole.Count(), r.rows.Page(i))
		}
		keys.least, keys.most = min(keys.least, r.keys.least), max(keys.most, r.keys.most)
	}
	short := whole.Len() <= mostShared || keys.isClose(whole.Len(), whole.IDs())
	if !short || o.cfg.Kind.KeepsBuild() || !o.reserved.TryGrow(more) {
		return nil
	}
	p := newProber(o.cfg, o.build)
	if whole.Len() > 0 {
		p.build(whole, keys)
	}
	return &Shared{rows: whole, directory: p.directory, longest: p.longestBuild}
}

// Probe has o, to which no rows were pushed, probe a build side that others have built. It
// takes rows of the probe side alone then.
func (o *Operator) Probe(s *Shared) {
	o.prober.rows, o.prober.directory, o.prober.longestBuild = s.rows, s.directory, s.longest
	o.ready = s.rows.Len() > 0
}
