package csv

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"testing"

	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// memFile is a file in memory: seekable, or a pipe.
type memFile struct {
	*bytes.Reader
	pipe bool
	name string
}

func newFile(data []byte) *memFile {
	return &memFile{Reader: bytes.NewReader(data), name: "test.csv"}
}

func newPipe(data []byte) *memFile {
	return &memFile{Reader: bytes.NewReader(data), name: "standard input", pipe: true}
}

func (f *memFile) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (f *memFile) Close() error              { return nil }
func (f *memFile) Sync() error               { return nil }
func (f *memFile) Seekable() bool            { return !f.pipe }
func (f *memFile) Name() string              { return f.name }
func (f *memFile) Size() (int64, error) {
	if f.pipe {
		return 0, errors.ErrUnsupported
	}
	return f.Reader.Size(), nil
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	if f.pipe {
		return 0, errors.ErrUnsupported
	}
	return f.Reader.ReadAt(p, off)
}

func compressed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// readAll reads a file with several workers and returns the records of each
// block, in order.
func readAll(f vfs.File, opts Options, workers int) (header []string, blocks [][]refRecord, err error) {
	header, blocks, _, err = readTo(f, opts, workers)
	return header, blocks, err
}

// readTo is readAll that also returns the end of the last record.
func readTo(f vfs.File, opts Options, workers int) (header []string, blocks [][]refRecord, end int64, err error) {
	found := map[int64][]refRecord{}
	r, err := readWith(f, opts, workers, func(b *Block) error {
		if _, twice := found[b.Index()]; twice {
			return fmt.Errorf("block %d was read twice", b.Index())
		}
		found[b.Index()] = copyBlock(b)
		return nil
	})
	if r == nil {
		return nil, nil, 0, err
	}
	for k := int64(0); err == nil && k < int64(len(found)); k++ {
		records, ok := found[k]
		if !ok {
			return nil, nil, 0, fmt.Errorf("block %d is missing", k)
		}
		blocks = append(blocks, records)
	}
	return r.Header(), blocks, r.Progress().End, err
}

// readWith reads a file with several workers, hands each block to take, one at a time, and closes
// the file. The reader is nil if the file could not be opened.
func readWith(f vfs.File, opts Options, workers int, take func(*Block) error) (r *Reader, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r, err = Open(ctx, f, opts); err != nil {
		return nil, err
	}
	defer r.Close()
	var mu sync.Mutex
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			var b Block
			for {
				e := r.Next(ctx, &b)
				if errors.Is(e, io.EOF) {
					return
				}
				mu.Lock()
				if e == nil {
					e = take(&b)
				}
				err = cmp.Or(err, e)
				mu.Unlock()
				if e != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return r, err
}

// copyBlock copies the content of a block, and checks that its methods agree.
func copyBlock(b *Block) []refRecord {
	var records []refRecord
	for i := range b.Len() {
		rec := refRecord{raw: string(b.Record(i)), line: b.Line(i), offset: b.offset + int64(b.bounds[b.records.row(i)]) + 1}
		rec.unclosed = b.Unclosed() && i == b.Len()-1
		for c := range b.Fields(i) {
			cell := b.Cell(i, c)
			var column Column
			if b.Column(&column, c, []int32{int32(i)}); !bytes.Equal(cell, column.Cell(0)) {
				panic(fmt.Sprintf("cell %q is %q in its column", cell, column.Cell(0)))
			}
			q := b.Quoting()
			text := q.Append(nil, cell)
			if part, ok := q.Text(cell); ok && !bytes.Equal(text, part) {
				panic(fmt.Sprintf("cell %q: %q and %q", cell, text, part))
			}
			if q.IsEmpty(cell) != (len(text) == 0) {
				panic(fmt.Sprintf("cell %q: IsEmpty is %v", cell, q.IsEmpty(cell)))
			}
			rec.fields = append(rec.fields, string(text))
		}
		records = append(records, rec)
		for j := i; j < i+b.Alike(i); j++ {
			if b.Fields(j) != b.Fields(i) {
				panic(fmt.Sprintf("record %d has %d fields, and %d alike has %d", i, b.Fields(i), j, b.Fields(j)))
			}
		}
	}
	for n := range 5 {
		uniform := n > 0 && b.Len() > 0
		for i := range b.Len() {
			uniform = uniform && b.Fields(i) == n
		}
		if b.Uniform(n) != uniform {
			panic(fmt.Sprintf("Uniform(%d) is %v", n, !uniform))
		}
	}
	for c := 0; ; c++ {
		var all, some []int32
		for i := range b.Len() {
			if b.Fields(i) > c {
				all = append(all, int32(i))
			}
			if b.Fields(i) > c && i%3 > 0 {
				some = append(some, int32(i))
			}
		}
		if len(all) == 0 {
			break
		}
		checkColumn(b, c, all)
		checkColumn(b, c, some)
		at := 0
		for first, part := range b.Parts(all) {
			if first != at || at+len(part) > len(all) || !slices.Equal(part, all[at:at+len(part)]) {
				panic(fmt.Sprintf("part %v at %d of %v", part, first, all))
			}
			checkColumn(b, c, part)
			at += len(part)
		}
		if at != len(all) {
			panic(fmt.Sprintf("parts are %d records of %d", at, len(all)))
		}
	}
	_ = b.data[:len(b.data)+number.Behind]
	return records
}

// checkColumn compares the cells of a column with those that are read one by one.
func checkColumn(b *Block, c int, records []int32) {
	var column, values, again Column
	b.Column(&column, c, records)
	b.Values(&values, c, records)
	b.Values(&again, c, records)
	q, unquoted := b.Quoting(), column.beginsWith(b.Quoting().quote, len(records))
	for i, r := range records {
		cell, value := b.Cell(int(r), c), values.Cell(i)
		if !bytes.Equal(cell, column.Cell(i)) {
			panic(fmt.Sprintf("cell %q is %q in its column", cell, column.Cell(i)))
		}
		if !bytes.Equal(value, again.Cell(i)) {
			panic(fmt.Sprintf("the value of cell %q is %q and then %q", cell, value, again.Cell(i)))
		}
		n := len(cell)
		switch bare := unquoted && n > 1 && cell[0] == q.quote && cell[n-1] == q.quote && q.encloses(cell[1:n-1]); {
		case bare && !bytes.Equal(value, cell[1:n-1]), !bare && !bytes.Equal(value, cell):
			panic(fmt.Sprintf("the value of cell %q is %q", cell, value))
		}
	}
}

// withoutBlank drops the blank lines from the records of each block.
func withoutBlank(blocks [][]refRecord) {
	for k, records := range blocks {
		var rows []refRecord
		for _, r := range records {
			if len(r.fields) > 0 {
				rows = append(rows, r)
			}
		}
		blocks[k] = rows
	}
}

// checkBlank compares how many blank lines there are with the reference.
func checkBlank(t *testing.T, data []byte, opts Options, want []refRecord) {
	t.Helper()
	got := 0
	if _, err := readWith(newFile(data), opts, 1, func(b *Block) error {
		got += b.Blank()
		for i := range b.Len() {
			if b.Fields(i) == 0 {
				got++
			}
		}
		return nil
	}); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	for _, r := range want {
		if len(r.fields) == 0 {
			got--
		}
	}
	if got != 0 {
		t.Fatalf("%q in blocks of %d: %d blank lines too many are counted", data, opts.BlockSize, got)
	}
}

// check compares what is read of data with the reference.
func check(t *testing.T, data []byte, f vfs.File, opts Options, workers int) {
	t.Helper()
	want, begins := reference(data)
	header, blocks, err := readAll(f, opts, workers)
	if len(want) == 0 || want[0].unclosed || noText(data[:min(len(data), minTail)]) != "" {
		var e *InputError
		if !errors.As(err, &e) {
			t.Fatalf("%q: no InputError but %v", data, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if fmt.Sprint(header) != fmt.Sprint(want[0].fields) {
		t.Fatalf("%q: header %q, not %q", data, header, want[0].fields)
	}
	if n := (len(data) + opts.BlockSize - 1) / opts.BlockSize; len(blocks) != n {
		t.Fatalf("%q: %d blocks, not %d", data, len(blocks), n)
	}
	perBlock := make([][]refRecord, len(blocks))
	for i, rec := range want[1:] {
		k := begins[i+1] / int64(opts.BlockSize)
		perBlock[k] = append(perBlock[k], rec)
	}
	if opts.SkipBlank {
		checkBlank(t, data, opts, want[1:])
		withoutBlank(blocks)
		withoutBlank(perBlock)
	}
	for k := range perBlock {
		if !reflect.DeepEqual(blocks[k], perBlock[k]) {
			t.Fatalf("%q in blocks of %d: block %d is\n%#v, not\n%#v", data, opts.BlockSize, k, blocks[k], perBlock[k])
		}
	}
}
