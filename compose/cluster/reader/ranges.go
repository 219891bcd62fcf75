package reader

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/input/known"
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
