package scan_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
)

// lot is files of one table, in memory. Some are compressed, some are empty, and some rows have to
// be rejected.
type lot struct {
	fs    vfs.FS
	names []string
	table *columnar.Table
}

func newLot(t *testing.T, n int) *lot {
	t.Helper()
	l := &lot{fs: vfs.NewMem(), table: &columnar.Table{Name: "t", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
		{Name: "text", Header: "text", Format: columnar.FormatOptional},
		{Name: "year", Header: "year", Format: columnar.FormatInt, OfFile: true},
		{Name: "late", Header: "late", Format: columnar.FormatOptional},
		{Name: "file", Format: columnar.FormatFile},
		{Name: "position", Format: columnar.FormatPosition},
	}}}
	for i := range n {
		var text bytes.Buffer
		text.WriteString("id,text\n")
		for row := range i * 17 % 200 {
			id := fmt.Sprint(1000*i + row)
			if row%31 == 7 {
				id = "none"
			}
			fmt.Fprintf(&text, "%s,\"%s\n%d\"\n", id, strings.Repeat("x", row%13), row)
		}
		name := fmt.Sprintf("/part-%03d.csv", i)
		data := text.Bytes()
		if i%3 > 0 {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, err := z.Write(data)
			if err := errors.Join(err, z.Close()); err != nil {
				t.Fatal(err)
			}
			data = packed.Bytes()
		}
		if err := vfs.Replace(l.fs, name, data); err != nil {
			t.Fatal(err)
		}
		l.names = append(l.names, name)
	}
	return l
}

func (l *lot) files() scan.Files {
	cells := *l.table
	cells.Columns = slices.Concat(l.table.Columns[:2], l.table.Columns[5:])
	return scan.Files{
		Len: len(l.names),
		Open: func(_ context.Context, i int) (vfs.File, *columnar.Table, error) {
			f, err := l.fs.Open(l.names[i])
			return f, &cells, err
		},
		Values: func(i int) columnar.Rows {
			v := columnar.NewVector(columnar.Int)
			v.Ints, v.Len = append(v.Ints, int64(2000+i)), 1
			return columnar.Rows{Len: 1, Cols: []*columnar.Vector{v}}
		},
	}
}

type place struct {
	block int64
	part  int
}

// readAll reads all columns of a lot, and returns the rows by block, in the order of blocks.
func (l *lot) readAll(t *testing.T, workers int, o scan.AllOptions) (rows []string, stats scan.Stats, err error) {
	t.Helper()
	var columns []string
	var every []int
	for i, c := range l.table.Columns {
		columns, every = append(columns, c.Name), append(every, i)
	}
	all := scan.OpenAll(l.files(), l.table, columns, o)
	blocks, parts := make(map[int64]string), make(map[place]string)
	var mu sync.Mutex
	errs := make([]error, workers)
	var g sync.WaitGroup
	for i := range workers {
		g.Go(func() {
			w := all.NewWorker()
			for {
				c, err := w.Next(t.Context())
				if err != nil {
					if !errors.Is(err, io.EOF) {
						errs[i] = err
					}
					return
				}
				got, err := c.Materialise(every, nil)
				if err != nil {
					errs[i] = err
					return
				}
				mu.Lock()
				part, _ := c.Part()
				parts[place{c.Index(), part}] = textOf(got)
				mu.Unlock()
			}
		})
	}
	g.Wait()
	stats = all.Stats()
	if err := all.Close(); err != nil {
		t.Fatal(err)
	}
	for at := range parts {
		blocks[at.block] = ""
	}
	var order []int64
	for k := range blocks {
		order = append(order, k)
	}
	slices.Sort(order)
	for _, k := range order {
		text := ""
		for part := 0; len(parts) > 0; part++ {
			next, ok := parts[place{k, part}]
			if !ok {
				break
			}
			text += next
			delete(parts, place{k, part})
		}
		rows = append(rows, text)
	}
	if len(parts) > 0 {
		t.Errorf("parts without those before: %v", parts)
	}
	for _, e := range errs {
		if e != nil {
			err = e
		}
	}
	return rows, stats, err
}

func textOf(rows columnar.Rows) string {
	var text []byte
	for i := range rows.Len {
		for _, c := range rows.Cols {
			text = append(c.AppendText(text, i), '|')
		}
	}
	return string(text)
}

// However many workers read files, side by side or in turn, they find the same rows, the same
// rejects in the same order, and the same statistics; also in memory of other readings, and if blocks are read in parts.
func TestFilesSideBySide(t *testing.T) {
	l, spare := newLot(t, 60), new(scan.Spare)
	skip := func(i int) bool { return i%7 == 5 }
	var wantRows, wantRejects []string
	var want scan.Stats
	for _, workers := range []int{1, 2, 5, 8, 3} {
		for _, inTurn := range []bool{true, false} {
			var rejects []string
			o := scan.AllOptions{InTurn: inTurn, Skip: skip}
			if workers > 1 {
				o.Spare = spare
			}
			o.CSV, o.Parts = csv.Options{BlockSize: 600}, workers
			o.OnReject = func(r scan.Reject) error {
				rejects = append(rejects, fmt.Sprintf("%s:%d %s", r.File, r.Line, r.Reason))
				return nil
			}
			rows, stats, err := l.readAll(t, workers, o)
			if err != nil {
				t.Fatal(err)
			}
			if wantRows == nil {
				wantRows, wantRejects, want = rows, rejects, stats
				if len(rejects) < 100 || len(rows) < 60 || stats.Rows == 0 || len(stats.Samples) != scan.DefaultSamples {
					t.Fatalf("%d rejects, %d blocks, %d rows, %d samples", len(rejects), len(rows), stats.Rows, len(stats.Samples))
				}
			}
			if !slices.Equal(rows, wantRows) || !slices.Equal(rejects, wantRejects) || !reflect.DeepEqual(stats, want) {
				t.Errorf("%d workers, in turn %v: %d rows, %d rejects, %+v; want %d, %d, %+v", workers, inTurn, len(rows), len(rejects), stats, len(wantRows), len(wantRejects), want)
			}
		}
	}
}

// What one reading leaves serves the next.
func TestSpare(t *testing.T) {
	l := newLot(t, 1)
	if err := vfs.Replace(l.fs, l.names[0], []byte("id,text\n"+strings.Repeat("1,text\n", 200_000))); err != nil {
		t.Fatal(err)
	}
	read := func(spare *scan.Spare) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			o := scan.AllOptions{Spare: spare}
			o.CSV.BlockSize = 1 << 20
			all := scan.OpenAll(l.files(), l.table, []string{"id", "text"}, o)
			for w := all.NewWorker(); ; {
				if _, err := w.Next(t.Context()); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if err := all.Close(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	without, with := read(nil), read(new(scan.Spare))
	if t.Logf("%d bytes allocated without spare memory, %d with it", without, with); with > without*3/4 {
		t.Errorf("%d bytes were allocated, and %d without spare memory", with, without)
	}
}

// The error of a reading is that of the first file that has one.
func TestFirstErrorOfFiles(t *testing.T) {
	l := newLot(t, 40)
	for _, i := range []int{37, 22, 31} { // behind the beginning of what is compressed
		f, err := l.fs.Open(l.names[i])
		if err != nil {
			t.Fatal(err)
		}
		size, err := f.Size()
		data := make([]byte, size-9)
		_, read := f.ReadAt(data, 0)
		if err := errors.Join(err, read, f.Close(), vfs.Replace(l.fs, l.names[i], data)); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{1, 2, 5, 9} {
		ended := make(map[int]bool)
		var mu sync.Mutex
		_, _, err := l.readAll(t, workers, scan.AllOptions{Ended: func(f scan.Ended) error {
			mu.Lock()
			defer mu.Unlock()
			ended[f.File] = true
			return nil
		}})
		var wrong *scan.InputError
		if !errors.As(err, &wrong) || wrong.File != l.names[22] {
			t.Errorf("%d workers: %v", workers, err)
		}
		for i := range 22 {
			if !ended[i] {
				t.Errorf("%d workers: file %d did not end before the error", workers, i)
			}
		}
	}
}

// Blocks are numbered in the order of files, without gaps if they are read in turn.
func TestNumbersOfBlocks(t *testing.T) {
	l := newLot(t, 12)
	for _, inTurn := range []bool{false, true} {
		next := int64(0)
		o := scan.AllOptions{InTurn: inTurn, Ended: func(f scan.Ended) error {
			if all := (f.Stats.Data + 99) / 100; all != max(f.Blocks-1, 0)*4+int64(f.Parts) {
				return fmt.Errorf("file %d has %d blocks and %d parts in the last one, for %d bytes", f.File, f.Blocks, f.Parts, f.Stats.Data)
			}
			if f.First != next || inTurn && f.Next != f.First+f.Blocks || f.Next < f.First+f.Blocks {
				return fmt.Errorf("file %d has numbers from %d to %d for %d blocks; want them from %d on", f.File, f.First, f.Next, f.Blocks, next)
			}
			next = f.Next
			return nil
		}}
		o.CSV.BlockSize, o.Parts = 400, 4
		if _, _, err := l.readAll(t, 1, o); err != nil {
			t.Error(err)
		}
	}
}
