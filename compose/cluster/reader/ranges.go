package reader

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/input/known"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/inputs"
)

// Cut returns the sources of a request with the ranges in which large files are read. A file that cannot be opened
// is not cut: whoever reads it says why.
func (r *Reader) Cut(ctx context.Context, asked *protocol.OpenRequest) (map[string]protocol.Source, error) {
	cut := protocol.Whole(asked.Sources)
	for _, t := range asked.Tables {
		source := asked.Sources[t.Name]
		if !source.Cuttable(asked.Block) {
			continue
		}
		at, err := r.rangesOf(ctx, source.Name, t, asked.Block)
		if ctx.Err() != nil || protocol.CodeOf(err) != "" {
			return nil, err
		}
		source.Cut(at)
		cut[t.Name] = source
	}
	return cut, nil
}

// rangesOf says where the file of a table can be cut.
func (r *Reader) rangesOf(ctx context.Context, name string, t *columnar.Table, block int) (at input.Ranges, err error) {
	sources, _, done, err := r.looking(ctx)
	if err != nil {
		return at, err
	}
	defer func() { err = errors.Join(err, done()) }()
	f, err := inputs.OpenFile(vfs.With(ctx, sources.At("")), name)
	if err != nil {
		return at, err
	}
	at, err = known.Ranges(ctx, f, t, block)
	return at, errors.Join(err, f.Close())
}
