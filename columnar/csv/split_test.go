package csv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// Wherever a Splitter cuts a file, the parts together have its records, if each part begins
// with the header.
func TestSplitterCutsBetweenRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cuts := 0
	for range 1000 {
		file := splitFile(rng)
		whole, ok := recordsOf(t, file)
		if !ok {
			continue // no file of the kind that is read
		}
		s, _ := NewSplitter(columnar.Dialect{})
		var parts []string
		from := int64(0)
		for rest := file; len(rest) > 0; {
			n := 1 + rng.IntN(len(rest))
			s.Write(rest[:n])
			if rest = rest[n:]; s.Header() == 0 || s.End() <= s.Header() || rng.IntN(2) == 0 {
				continue
			}
			header := file[:s.Header()]
			part, ok := recordsOf(t, slices.Concat(header, file[max(from, s.Header()):s.End()]))
			if !ok {
				t.Fatalf("%q cannot be read up to %d", file, s.End())
			}
			parts, from = append(parts, part...), s.End()
			cuts++
		}
		if s.Header() == 0 {
			continue
		}
		last, ok := recordsOf(t, slices.Concat(file[:s.Header()], file[max(from, s.Header()):]))
		if parts = append(parts, last...); !ok || !slices.Equal(parts, whole) {
			t.Fatalf("%q\nhas the records %q\nin parts %q", file, whole, parts)
		}
	}
	if cuts < 500 {
		t.Errorf("%d cuts", cuts)
	}
}

func splitFile(rng *rand.Rand) []byte {
	var b bytes.Buffer
	if rng.IntN(4) == 0 {
		b.Write(byteOrderMark)
	}
	pieces := []string{"a", "b,", ",", "\n", "\r\n", "\r", `"`, `""`, `"x,y"`, "\"l\nm\"", "é"}
	for range 2 + rng.IntN(30) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.Bytes()
}

// recordsOf returns the records of a file without blank lines, and whether the file can be
// read.
func recordsOf(t *testing.T, file []byte) (records []string, ok bool) {
	t.Helper()
	fs := vfs.NewMem()
	if err := vfs.Replace(fs, "/file", file); err != nil {
		t.Fatal(err)
	}
	f, err := fs.Open("/file")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := Open(context.Background(), f, Options{BlockSize: 64})
	if err != nil {
		return nil, false
	}
	defer func() { _ = r.Close() }()
	b := new(Block)
	for {
		err := r.Next(context.Background(), b)
		if errors.Is(err, io.EOF) {
			return records, true
		}
		if err != nil {
			return nil, false
		}
		for i := range b.Len() {
			if b.Fields(i) > 0 {
				records = append(records, string(bytes.TrimRight(b.Record(i), "\r\n")))
			}
		}
	}
}
