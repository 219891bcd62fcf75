package client

import (
	"context"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
)

// survey finds out what precedes each of the units that are ranges of files. All but the last range of a
// file are looked through for that, at several gateways at a time.
func (f *feeding) survey(ctx context.Context, units []protocol.Unit) error {
	passages := make(map[string][]csv.Passage)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(len(f.job.client.gateways))
	for _, u := range units {
		table, splits := f.table(u), f.job.Spec.Splits(f.table(u))
		if f.before[table] != nil || passages[table] != nil || !splits[0].Ranged() {
			continue
		}
		of := make([]csv.Passage, len(splits))
		passages[table] = of
		for i := range len(of) - 1 {
			g.Go(func() (err error) {
				of[i], err = f.passage(ctx, protocol.Unit{Stage: u.Stage, Split: i})
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for table, of := range passages {
		edges := make([]csv.Edge, len(of))
		edges[0].Line = 1
		for i, p := range of[:len(of)-1] {
			edges[i+1] = p.After(edges[i])
		}
		f.before[table] = edges
	}
	return nil
}

// passage asks what a unit makes of what precedes it.
func (f *feeding) passage(ctx context.Context, u protocol.Unit) (p csv.Passage, err error) {
	request := func() (any, string) {
		return protocol.FeedRequest{Job: f.job.Spec.ID, Unit: u, Survey: true}, protocol.ActionFeed
	}
	err = f.job.client.hear(ctx, "have a gateway look through the files", f.job.client.choice(), request, func(n *protocol.News) (moved, last bool, err error) {
		if n.Passage != nil {
			p, last = *n.Passage, true
		}
		return false, last, nil
	})
	return p, err
}

// endRange tells the cluster how many batches a range of the table of a stage has.
func (j *Job) endRange(ctx context.Context, stage, i int, split protocol.Split, s *scan.Stats) error {
	table := j.Spec.Plan.Stages[stage].Table
	for _, n := range j.Spec.Scans(stage) {
		e := protocol.TableEnd{Node: n.ID, Split: i, Batches: uint64(split.Blocks), Read: &protocol.TableRead{
			Table: table, Split: i, Rows: s.Rows, Rejected: first(s.Rejected), Warnings: first(s.Warnings),
		}}
		if err := j.endTable(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
