package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// Floor is what a workload's files cost without any query: reading them from the page cache
// with all cores, and also finding the ends of their records and cells. No answer over them
// can be faster on this machine.
type Floor struct {
	Workload string  `json:"workload"`
	Scale    float64 `json:"scale,omitempty"`
	Bytes    int64   `json:"bytes"`
	Read     float64 `json:"read"`  // seconds
	Index    float64 `json:"index"` // seconds, including reading
}

// floor reads each of a workload's files Config.Repeat times, and takes the median.
func (c Config) floor(ctx context.Context, w *Workload, scale float64, dir string) (Floor, error) {
	paths, err := w.find(c.FS, dir)
	if err != nil {
		return Floor{}, err
	}
	f := Floor{Workload: w.Name, Scale: scale}
	for _, path := range paths {
		var read, index Cell
		for range c.Repeat {
			n, seconds, err := timed(ctx, c.FS, path, readAll)
			if err != nil {
				return f, err
			}
			read.Runs = append(read.Runs, Run{Wall: seconds, Bytes: n})
			if _, seconds, err = timed(ctx, c.FS, path, indexAll); err != nil {
				return f, err
			}
			index.Runs = append(index.Runs, Run{Wall: seconds})
		}
		f.Bytes += read.Runs[0].Bytes
		f.Read += read.MedianRun().Wall
		f.Index += index.MedianRun().Wall
	}
	return f, nil
}

// timed reads a file with read, and returns the file's size and the seconds that took.
func timed(ctx context.Context, files vfs.FS, path string, read func(context.Context, vfs.File) error) (n int64, seconds float64, err error) {
	f, err := files.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if n, err = f.Size(); err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := read(ctx, f); err != nil {
		return 0, 0, fmt.Errorf("read %s: %w", path, err)
	}
	return n, time.Since(began).Seconds(), nil
}

// readAll copies all bytes of a file into buffers, block by block, with all cores.
func readAll(ctx context.Context, f vfs.File) error {
	var next atomic.Int64
	return onAllCores(ctx, func(ctx context.Context) error {
		buf := make([]byte, csv.DefaultBlockSize)
		for ctx.Err() == nil {
			n, err := f.ReadAt(buf, (next.Add(1)-1)*int64(len(buf)))
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if n < len(buf) {
				return nil
			}
		}
		return context.Cause(ctx)
	})
}

// indexAll finds all records and cells of a file.
func indexAll(ctx context.Context, f vfs.File) error {
	r, err := csv.Open(ctx, f, csv.Options{})
	if err != nil {
		return err
	}
	err = onAllCores(ctx, func(ctx context.Context) error {
		var block csv.Block
		for {
			if err := r.Next(ctx, &block); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	return errors.Join(err, r.Close())
}

func onAllCores(ctx context.Context, work func(context.Context) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error { return work(ctx) })
	}
	return g.Wait()
}
