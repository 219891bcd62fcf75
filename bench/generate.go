package bench

import (
	"context"
	"io"
	"path/filepath"

	"analyzer/columnar/vfs"
	"analyzer/datasets"
	"analyzer/datasets/generate"
)

// generateInto writes a data set's files into the directory of its name below
// dir.
func generateInto(ctx context.Context, files vfs.FS, dir string, d *datasets.Dataset, scale float64, seed uint64) error {
	into := filepath.Join(dir, d.Name)
	if err := files.MkdirAll(into); err != nil {
		return err
	}
	return d.Generate(ctx, generate.Options{
		Scale: scale, Seed: seed,
		Create: func(name string) (io.WriteCloser, error) { return files.Create(filepath.Join(into, name)) },
	})
}
