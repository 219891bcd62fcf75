package gateway

import (
	"context"
	"maps"
	"slices"
	"testing"

	"analyzer/compose/cluster/protocol"
)

// cutter is a reader that finds ranges in files.
type cutter struct {
	Reader
	ends []int64
}

func (c cutter) Check(context.Context, map[string]protocol.Source) error { return nil }

func (c cutter) Cut(_ context.Context, r *protocol.OpenRequest) (map[string]protocol.Source, error) {
	cut := maps.Clone(r.Sources)
	for table, s := range cut {
		s.Ends = c.ends
		cut[table] = s
	}
	return cut, nil
}

// TestRangesOfAJob opens a job at one gateway and again at another, which finds other ranges in the file, or none:
// those that the job has count.
func TestRangesOfAJob(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Reader = cutter{ends: []int64{10, 20}} })
	other := c.another(2)
	r := request()
	r.Job, r.Sources = protocol.NewJobID(), map[string]protocol.Source{"sales": {SourceFile: protocol.SourceFile{Name: "/sales.csv"}}}
	for i, ends := range [][]int64{{10, 20}, nil, {7}} {
		at := c
		if i > 0 {
			at, other.gateway.cfg.Reader = other, cutter{ends: ends}
		}
		ann := at.client(annToken)
		ann.ctx = protocol.Speaking(ann.ctx)
		if got := at.open(ann, r).Sources["sales"].Ends; !slices.Equal(got, []int64{10, 20}) {
			t.Errorf("opened for time %d, the job has ranges that end before blocks %v", i, got)
		}
	}
	ann := c.client(annToken)
	r.Job = protocol.NewJobID() // for a client of the version before
	if got := c.open(ann, r).Sources["sales"].Ends; got != nil {
		t.Errorf("a job of the version before has ranges that end before blocks %v", got)
	}
}
