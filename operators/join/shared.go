package join

import "analyzer/columnar"

// mostShared limits the rows of a shared build side whose keys are found by hash, because a
// single goroutine makes the directory while others wait.
const mostShared = 1 << 20

// Shared is one build side made of those of all replicas of a join, in memory. It is immutable:
// any number of operators may probe it concurrently (Operator.Probe).
type Shared struct {
	rows      *columnar.Pages
	directory directory
	ranges    *ranges
	longest   int64
}

// Share combines the build sides of the replicas of a join, of which o is one, before any of
// them is probed. It returns nil if one of them is not in memory, if probe rows would mark it,
// or if combining would take too long. The replicas hold its memory, and o reserves more bytes,
// until their probe sides end. By then no operator may probe it any more.
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
	return &Shared{rows: whole, directory: p.directory, ranges: p.ranges, longest: p.longestBuild}
}

// Probe makes o probe a shared build side. No rows may have been pushed to o, and from then on
// it takes rows of the probe side only.
func (o *Operator) Probe(s *Shared) {
	o.prober.rows, o.prober.directory, o.prober.ranges, o.prober.longestBuild = s.rows, s.directory, s.ranges, s.longest
	o.ready = s.rows.Len() > 0
}
