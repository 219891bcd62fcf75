package reader

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input/known"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/fence"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/inputs"
)

// markRanged finds out which files can be read in ranges.
func markRanged(ctx context.Context, files *fence.FS, b *protocol.Bound, tables []*columnar.Table) error {
	for _, t := range tables {
		source, read := b.Sources[t.Name]
		if !read || source.Files != nil {
			continue
		}
		f, err := inputs.OpenFile(vfs.With(ctx, files), source.Name)
		if err != nil {
			return err
		}
		source.Ranged, err = known.Ranged(ctx, f, t)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		b.Sources[t.Name] = source
	}
	return nil
}

// Survey finds out what a range of a file makes of what precedes it.
func (r *Reader) Survey(ctx context.Context, owner string, spec *protocol.Spec, asked *protocol.FeedRequest) (*csv.Passage, error) {
	job, table, split := r.client.JobOf(spec), spec.Plan.Stages[asked.Stage].Table, spec.SplitOf(asked.Unit)
	if !split.Ranged() {
		return nil, protocol.Errorf(protocol.Refused, "job %s reads table %s as a whole", spec.ID, table)
	}
	workers, give, err := r.take(owner, spec.Block)
	if err != nil {
		return nil, err
	}
	defer give()
	in, err := r.inputs(job, asked.Unit)
	if err != nil {
		return nil, refused(err)
	}
	o := csv.Options{BlockSize: spec.Block, First: split.Begin, Blocks: split.Begin + split.Blocks}
	p, err := r.passage(ctx, asked.Unit, job, in, spec.Table(table), o, workers)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, refused(r.changed(ctx, job, err))
	}
	r.cfg.Crash(gateway.PointSurveyed)
	return &p, nil
}

func (r *Reader) passage(ctx context.Context, u protocol.Unit, job *client.Job, in *inputs.Inputs, t *columnar.Table, o csv.Options, workers int) (p csv.Passage, err error) {
	journal, err := job.SourceJournal(u)
	if err != nil {
		return p, err
	}
	f, err := in.Open(ctx, t.Name)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := journal.Check(ctx, t.Name, f); err != nil {
		return p, err
	}
	return known.Survey(ctx, f, t, o, workers)
}
