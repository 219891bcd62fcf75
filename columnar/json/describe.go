package json

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

const (
	// lookBytes is how many bytes of a file are looked at.
	lookBytes = 1 << 20
	// The number and size of the samples of a large file.
	samples     = 16
	sampleBytes = 64 << 10
	// maxColumns is how many columns are found out; a table with more would not be one.
	maxColumns = 20_000
)

// describe finds the columns of a file: from its beginning and samples or, if all are asked for or the
// samples have columns that the beginning has not, from all of it.
func describe(ctx context.Context, open func() (vfs.File, error), a input.Asked) (_ *input.Description, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	root, begin, err := look(ctx, f, lookBytes, 1, 1)
	if err != nil {
		return nil, err
	}
	parts, err := sample(f)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if more, err := growth(root, part); err == nil && more {
			a.Whole = true
		}
	}
	if a.Whole {
		again, err := open()
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, again.Close()) }()
		if root, _, err = look(ctx, again, csv.DefaultBlockSize, runtime.GOMAXPROCS(0), 0); err != nil {
			return nil, err
		}
	}
	d := &input.Description{File: f.Name()}
	var headers []string
	for _, c := range root.columns(nil, nil) {
		headers = append(headers, c.header)
		d.Columns = append(d.Columns, input.Column{Name: strings.Join(c.path, "."), Header: c.header, Cells: true})
	}
	switch {
	case len(headers) == 0:
		return nil, &csv.InputError{File: f.Name(), Reason: csv.ReasonEmptyFile, Detail: "there is no object with a key in the file, and so no column"}
	case len(headers) > maxColumns:
		return nil, &csv.InputError{
			File: f.Name(), Reason: ReasonInvalid, Detail: fmt.Sprintf("the objects have %d different keys, of which %d can be columns", len(headers), maxColumns),
			Hint: "declare the columns that you want in a data set; see analyzer init",
		}
	}
	for _, part := range append(parts, begin) {
		d.Samples = append(d.Samples, cellsOf(headers, part))
	}
	return d, nil
}

// look finds the columns of blocks of a file, and returns the bytes of the last one.
func look(ctx context.Context, f vfs.File, blockSize, workers int, blocks int) (root *node, last []byte, err error) {
	r, err := openFor(f, csv.Options{BlockSize: blockSize})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	root = newNode("")
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			w := r.worker(newNode(""), true)
			for n := 0; blocks == 0 || n < blocks; n++ {
				if err := w.Next(ctx); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			root.merge(w.tree)
			last = rowsOf(&w.Block)
			return nil
		})
	}
	err = g.Wait()
	root.sort()
	return root, last, err
}

// openFor opens a file to look at all of its keys.
func openFor(f vfs.File, o csv.Options) (*reader, error) {
	return open(f, o, nil, newNode(""))
}

// rowsOf returns the rows of a block, one to a line.
func rowsOf(b *Block) []byte {
	var lines []byte
	for r := range b.Len() {
		lines = append(append(lines, b.Record(r)...), '\n')
	}
	return lines
}

// sample returns lines from samples spread over a large file, if it is one of lines that can be read
// at any offset.
func sample(f vfs.File) (parts [][]byte, err error) {
	if !f.Seekable() {
		return nil, nil
	}
	size, err := f.Size()
	if err != nil || size < lookBytes+samples*sampleBytes {
		return nil, err
	}
	r, err := openFor(f, csv.Options{})
	if err != nil {
		return nil, err
	}
	lines := r.inLines()
	if err := r.Close(); err != nil || !lines {
		return nil, err
	}
	for i := range int64(samples) {
		data := make([]byte, sampleBytes)
		if _, err := f.ReadAt(data, (size-sampleBytes)*(i+1)/samples); err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name(), err)
		}
		if at, end := bytes.IndexByte(data, '\n'), bytes.LastIndexByte(data, '\n'); at < end {
			parts = append(parts, data[at+1:end+1])
		}
	}
	return parts, nil
}

// growth reports whether rows have columns that the tree has not.
func growth(root *node, lines []byte) (more bool, err error) {
	w := (&reader{}).worker(root, false)
	w.data = bytes.Clone(lines)
	w.lines = func() int64 { return 1 }
	err = w.parse(part{})
	return w.more, err
}

// cellsOf returns rows as cells. If some are not valid, it returns those before them.
func cellsOf(headers []string, lines []byte) *Block {
	w := (&reader{headers: headers}).worker(treeOf(headers, func(int) bool { return true }), false)
	w.reset(len(headers))
	w.data = bytes.Clone(lines)
	w.lines = func() int64 { return 1 }
	_ = w.parse(part{}) // whoever reads the file gets the error
	return &w.Block
}
