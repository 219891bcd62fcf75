package gateway

import (
	"context"
	"slices"

	"analyzer/compose/cluster/protocol"
)

// version returns the version of the protocol for a new job: the newest that its client, all
// workers and this gateway speak.
func (g *Gateway) version(ctx context.Context) (int, error) {
	workers, err := g.caller.spoken(ctx, protocol.FirstReplicas(g.cfg.Replicas))
	return protocol.Spoken(workers, protocol.SpokenBy(ctx)), err
}

// spoken returns the newest version of the protocol that all replicas speak. Each of their
// answers says it; who has not answered yet is asked. If an older program takes the place of a
// worker, it refuses the next job, and that is an answer, too.
func (c *caller) spoken(ctx context.Context, replicas []int) (int, error) {
	// Whatever a worker answers about a job that cannot exist, it says what it speaks.
	unknown := slices.DeleteFunc(slices.Clone(replicas), c.heard)
	for _, a := range c.askAll(ctx, unknown, protocol.Request{Action: protocol.ActionDescribe}, nil) {
		if a.err != nil {
			return 0, a.err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var said []int
	for _, replica := range replicas {
		said = append(said, c.speaks[replica])
	}
	return protocol.Spoken(said...), nil
}

func (c *caller) heard(replica int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, known := c.speaks[replica]
	return known
}
