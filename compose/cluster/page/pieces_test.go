package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
)

// readPieces reads a file in pieces, from where a note says, and returns the records of
// each and the notes behind them.
func readPieces(t *testing.T, in io.Reader, table *columnar.Table, block int, at note) (pieces [][]string, notes []note) {
	t.Helper()
	cut, err := newPieces(in, table, block, &at)
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; notes = append(notes, at) {
		if more, err = cut.next(); err != nil {
			t.Fatal(err)
		} else if !more {
			break
		}
		r, err := csv.Open(context.Background(), vfs.Stdin(cut), csv.Options{BlockSize: block, Blocks: cut.blocks(), Dialect: table.Dialect})
		if err != nil {
			t.Fatal(err)
		}
		records := []string{}
		for b := new(csv.Block); ; {
			if err := r.Next(context.Background(), b); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			for i := range b.Len() {
				records = append(records, fmt.Sprintf("%s|%s", b.Record(i), r.Header()))
			}
		}
		pieces = append(pieces, records)
		if more, err = cut.end(&scan.Stats{Progress: scan.Progress{Progress: r.Progress()}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return pieces, notes
}

// Pieces are a function of the file: however its bytes come, and from whichever note
// somebody goes on. Together they are the file.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("\xef\xbb\xbf\"a\nb\",c\r\n")
	for text.Len() < 40<<10 {
		fmt.Fprintf(&text, "%d,\"%s\"\n%s", random.IntN(1000), strings.Repeat("x\n", random.IntN(60)), strings.Repeat("\n", random.IntN(100)/98))
	}
	text.WriteString("last,one")
	table, content := &columnar.Table{Name: "t"}, text.String()
	const block = 64
	want, notes := readPieces(t, strings.NewReader(content), table, block, note{})
	if len(want) < 5 {
		t.Fatalf("%d pieces", len(want))
	}
	var all int
	for _, records := range want {
		all += len(records)
	}
	plain, _ := readPieces(t, strings.NewReader(content), table, 1<<20, note{})
	if len(plain) != 1 || len(plain[0]) != all {
		t.Errorf("the pieces have %d records, the file %d", all, len(plain[0]))
	}
	again, _ := readPieces(t, iotest.OneByteReader(strings.NewReader(content)), table, block, note{})
	if fmt.Sprint(again) != fmt.Sprint(want) {
		t.Error("byte by byte it has other pieces")
	}
	for i, from := range notes[:len(notes)-1] {
		sum, err := from.digest()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(from.Header, notes[0].Header) || sum.Sum64() != xxhash.Sum64String(content[:from.Offset]) {
			t.Errorf("note %d: the header %q, or the sum, is wrong", i, from.Header)
		}
		rest, _ := readPieces(t, strings.NewReader(content[from.Offset:]), table, block, from)
		if fmt.Sprint(rest) != fmt.Sprint(want[i+1:]) {
			t.Errorf("from note %d on, byte %d, there are other pieces", i, from.Offset)
		}
	}
}

// What a file is begun as does not depend on how its bytes come, and tells it from others.
func TestLook(t *testing.T) {
	text := strings.Repeat("a,b\n", headBytes)
	first := lookAt(t, strings.NewReader(text), 9)
	for _, other := range []struct {
		in   io.Reader
		size int64
		same bool
	}{
		{iotest.OneByteReader(strings.NewReader(text)), 9, true},
		{strings.NewReader(text), -1, true},
		{strings.NewReader(text), 10, false},
		{strings.NewReader("b" + text), 9, false},
		{strings.NewReader(""), 9, false},
	} {
		if l := lookAt(t, other.in, other.size); first.isOf(l) != other.same || l.isOf(first) != other.same {
			t.Errorf("%+v beside %+v", l, first)
		}
	}
}

func lookAt(t *testing.T, in io.Reader, size int64) beginning {
	t.Helper()
	p, err := newPieces(in, &columnar.Table{Name: "t"}, 64, &note{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.beginning(size)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A file in which nobody knows where the records stand that are read is one piece.
func TestPiecesOfOtherDialects(t *testing.T) {
	var plain strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&plain, "%d,'x\n\"y',z\n", i)
	}
	utf16 := "\xff\xfe"
	for _, c := range "a,b,c\n" + plain.String() {
		utf16 += string([]byte{byte(c), 0})
	}
	for name, f := range map[string]struct {
		dialect columnar.Dialect
		content string
	}{
		"other quotes":   {columnar.Dialect{Quote: "'"}, "a,b,c\n" + plain.String()},
		"no quotes":      {columnar.Dialect{Unquoted: true}, "a,b,c\n" + plain.String()},
		"a preamble":     {columnar.Dialect{Skip: 2}, "a title\nof two lines\na,b,c\n" + strings.ReplaceAll(plain.String(), "\"", "")},
		"comments":       {columnar.Dialect{Comment: "#", Quote: "'"}, "# \"\na,b,c\n" + plain.String()},
		"long delimiter": {columnar.Dialect{Delimiter: "::", Quote: "'"}, strings.ReplaceAll("a,b,c\n"+plain.String(), ",", "::")},
		"an encoding":    {columnar.Dialect{Encoding: "latin-1", Quote: "'"}, "a,b,\xe9\n" + plain.String()},
		"UTF-16":         {columnar.Dialect{Quote: "'"}, utf16},
		"UTF-16, quotes": {columnar.Dialect{}, strings.ReplaceAll(utf16, "'\x00", "")},
	} {
		t.Run(name, func(t *testing.T) {
			table := &columnar.Table{Name: "t", Dialect: f.dialect}
			want, _ := readPieces(t, strings.NewReader(f.content), table, 1<<20, note{})
			if got, _ := readPieces(t, strings.NewReader(f.content), table, 64, note{}); len(want) != 1 || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d records in %d pieces, the first of them %.200q", len(slices.Concat(got...)), len(got), got)
			}
		})
	}
}
