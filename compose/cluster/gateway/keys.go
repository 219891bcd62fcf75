package gateway

import (
	"context"
	"fmt"
	"slices"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/operators/keyset"
)

// buildKeys returns the distinct key hashes of a join's build side, from all replicas
// that run the join.
func (g *Gateway) buildKeys(ctx context.Context, k *knownJob, join int) (*protocol.Keys, error) {
	replicas := k.spec.StageReplicas(k.spec.Plan.Nodes[join].Stage)
	answers := g.caller.askAll(ctx, replicas, protocol.Request{Action: protocol.ActionKeys, Job: k.spec.ID, Node: join}, nil)
	out := &protocol.Keys{Ready: true}
	var hashes []uint64
	for _, a := range answers {
		if a.err != nil {
			return nil, a.err
		}
		if err := bereaved(k.spec.ID, a.response); err != nil {
			return nil, err
		}
		out.Ready = out.Ready && a.response.Ready
		out.TooMany = out.TooMany || a.response.TooMany
		part, err := protocol.DecodeKeys(a.response.Data)
		if err != nil {
			return nil, fmt.Errorf("worker %d: %w", a.replica, err)
		}
		hashes = append(hashes, part...)
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	out.TooMany = out.TooMany || len(hashes) > protocol.MaxKeys
	if !out.Ready || out.TooMany {
		hashes = nil
	}
	out.Hashes, out.Count = hashes, len(hashes)
	if out.Ready {
		k.remember(join, hashes, out.TooMany, g.rt.Budget)
	}
	return out, nil
}

// filterPatience is how long an upload waits for key filters. They are optional.
const filterPatience = 500 * time.Millisecond

// scan returns the scan for an upload, with the key filters known by now.
func (g *Gateway) scan(ctx context.Context, k *knownJob, node, split int) (*scatter.Scan, error) {
	s, err := k.scan(node, split, g.rt)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, filterPatience)
	defer cancel()
	filters := k.spec.Plan.Nodes[node].Scan.Filters
	sets := make([]*keyset.Set, len(filters))
	for i, filter := range filters {
		if _, known := k.known(filter.Join); !known {
			if _, err := g.buildKeys(ctx, k, filter.Join); err != nil {
				g.log.Debug("no keys", "job", k.spec.ID, "join", filter.Join, "error", err)
			}
		}
		sets[i], _ = k.known(filter.Join)
	}
	return s, s.Know(sets)
}
