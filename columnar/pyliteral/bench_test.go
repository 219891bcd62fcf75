package pyliteral

import (
	"bytes"
	"os"
	"testing"
)

// cells is the sample cells of testdata/name, one a line.
func cells(tb testing.TB, name string) [][]byte {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

func benchmarkCells(b *testing.B, name string, read func(*Strings, []byte) error) {
	sample := cells(b, name)
	size := 0
	for _, cell := range sample {
		size += len(cell)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var dst Strings
	for b.Loop() {
		dst.Reset()
		for _, cell := range sample {
			if err := read(&dst, cell); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func appendName(dst *Strings, cell []byte) error { return AppendNames(dst, cell, "name") }

func BenchmarkAppendNamesCredits(b *testing.B)  { benchmarkCells(b, "credits.txt", appendName) }
func BenchmarkAppendNamesMetadata(b *testing.B) { benchmarkCells(b, "metadata.txt", appendName) }
func BenchmarkAppendStringsBooks(b *testing.B)  { benchmarkCells(b, "books.txt", AppendStrings) }
