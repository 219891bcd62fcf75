package reader

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/input/known"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/fence"
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

// number gives an error in a range, whose reader guessed what precedes it, its line in the file.
func (r *Reader) number(ctx context.Context, in *inputs.Inputs, spec *protocol.Spec, asked *protocol.FeedRequest, err error) error {
	split, table := spec.SplitOf(asked.Unit), spec.Plan.Stages[asked.Stage].Table
	var wrong *scan.InputError
	if asked.Before != nil || split.Begin == 0 || !errors.As(err, &wrong) || wrong.Line == 0 {
		return err
	}
	f, failed := in.Open(ctx, table)
	if failed != nil {
		return errors.Join(err, failed)
	}
	line, failed := known.LineOf(ctx, f, spec.Table(table), split.Begin, spec.Block)
	wrong.Line += line - 1
	return errors.Join(err, failed, f.Close())
}
