package sim

import (
	"maps"
	"slices"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// joins returns the joins whose keys filter a scan, sorted.
func (in *Input) joins() []int { return slices.Sorted(maps.Keys(in.Keys)) }

// learn takes a replica's keys of a join's build side. The keys of all replicas together
// must be those that were sent, unless a replica has dropped its rows by now.
func (c *client) learn(join int, out *protocol.Response) {
	if c.keys[join] == nil {
		c.keys[join] = make(map[int][]uint64)
	}
	hashes, err := protocol.DecodeKeys(out.Data)
	if err != nil {
		panic(err)
	}
	c.keys[join][out.Replica] = hashes
	c.forgotten[join] = c.forgotten[join] || out.TooMany
	if !c.knows(join) || c.forgotten[join] {
		return
	}
	all := slices.Concat(slices.Collect(maps.Values(c.keys[join]))...)
	slices.Sort(all)
	if !slices.Equal(slices.Compact(all), c.job.Keys[join]) {
		c.fail("the keys of a build side are not those that were sent")
	}
}

// knows reports whether all replicas have told the keys of a join.
func (c *client) knows(join int) bool {
	return len(c.keys[join]) == len(c.job.Spec.StageReplicas(c.job.Spec.Plan.Nodes[join].Stage))
}

// messages returns the messages of a batch. A gateway that knows the keys of the build
// sides drops rows; one that does not know them drops none.
func (c *client) messages(t Table, i int) []broker.Message {
	if t.Filtered == nil || c.w.rng.IntN(2) == 0 {
		return t.Batches[i]
	}
	for _, join := range t.Joins {
		if !c.knows(join) {
			return t.Batches[i]
		}
	}
	c.w.note("scan %d batch %d is filtered", t.Scan, i)
	return t.Filtered[i]
}
