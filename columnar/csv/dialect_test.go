package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"analyzer/columnar"
)

// dialects lists dialects of all kinds, each with the pieces from which cells are built.
var dialects = []columnar.Dialect{
	{Delimiter: ";"},
	{Delimiter: "::"},
	{Delimiter: "§"},
	{Delimiter: columnar.Blanks},
	{Quote: "'"},
	{Quote: "'", Escape: `\`},
	{Escape: `\`},
	{Unquoted: true, Delimiter: "\t"},
	{Spaced: true},
	{Spaced: true, Delimiter: "::", Quote: "'"},
	{Spaced: true, Delimiter: ";", Escape: `\`, Comment: "#", Pad: 3},
	{Comment: "#"},
	{Skip: 2},
	{Skip: 1, Comment: "%", Quote: "|", Delimiter: ";"},
	{Encoding: "utf-16le", Delimiter: ";"},
	{Encoding: "utf-16be", Quote: "'"},
	{Encoding: "latin-1"},
	{Delimiter: "||"},
	{Delimiter: "-->", Escape: `\`, Comment: "#"},
	{Comment: "#", Pad: 3, Delimiter: ";"},
	{Comment: "#", Trailing: true},
	{Comment: "#", Trailing: true, Delimiter: columnar.Blanks},
	{Comment: "%", Trailing: true, Spaced: true, Delimiter: "::"},
	{Escape: `\`, Comment: "#", Pad: 2, Delimiter: "::", Quote: "'"},
}

// writeDialect writes records in a dialect.
func writeDialect(rng *rand.Rand, d columnar.Dialect, records [][]string) string {
	delimiter, quote := d.Delimiter, d.Quote
	if delimiter == "" {
		delimiter = ","
	}
	if quote == "" {
		quote = `"`
	}
	end := []string{"\n", "\r\n", "\r"}[rng.IntN(3)]
	var b strings.Builder
	for i := range d.Skip {
		fmt.Fprintf(&b, "title \"%d, ;'%s", i, end)
	}
	for _, r := range records {
		if d.Comment != "" && rng.IntN(3) == 0 {
			b.WriteString(d.Comment + " said, \"thus' ;" + end)
		}
		if delimiter == columnar.Blanks && rng.IntN(3) == 0 {
			b.WriteString("  ")
		}
		for i, cell := range r {
			if i > 0 && delimiter == columnar.Blanks {
				b.WriteString([]string{" ", "\t", " \t  "}[rng.IntN(3)])
			} else if i > 0 {
				b.WriteString(delimiter)
			}
			if !d.Unquoted && (cell == "" || strings.ContainsAny(cell, " \t\r\n;:§,|#%\"'\\") || rng.IntN(4) == 0) {
				if d.Escape != "" {
					cell = strings.NewReplacer(d.Escape, d.Escape+d.Escape, quote, d.Escape+quote).Replace(cell)
				} else {
					cell = strings.ReplaceAll(cell, quote, quote+quote)
				}
				cell = quote + cell + quote
				if d.Spaced {
					cell = strings.Repeat(" ", rng.IntN(3)) + cell + strings.Repeat(" ", rng.IntN(3))
				}
			}
			b.WriteString(cell)
		}
		if d.Trailing && rng.IntN(2) == 0 {
			b.WriteString([]string{" ", "\t "}[rng.IntN(2)] + d.Comment + []string{"", " said, \"thus' ; # % ::", "\t"}[rng.IntN(3)])
		}
		b.WriteString(end)
		for rng.IntN(4) == 0 {
			b.WriteString(end)
		}
	}
	text := b.String()
	var err error
	switch d.Encoding {
	case "utf-16le":
		text, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	case "utf-16be":
		text, err = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	case "latin-1":
		text, err = charmap.ISO8859_1.NewEncoder().String(text)
	}
	if err != nil {
		panic(err)
	}
	return text
}

// TestDialects writes files in each dialect and reads them in blocks of various sizes, plain,
// as a pipe and compressed.
func TestDialects(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for _, d := range dialects {
		t.Run(fmt.Sprintf("%+v", d), func(t *testing.T) {
			for seed := range uint64(rounds) {
				rng := rand.New(rand.NewPCG(seed, 9))
				pieces := []string{"a", "bc", "1", "é", "\"", "'", "\\", ",", ";", "|", ":", "::", "#", "%", "\n", "\r\n", " ", "\t"}
				if d.Unquoted {
					pieces = []string{"a", "b c", "1", "\"", "'", "\\", ",", "\"\""}
				}
				records := [][]string{{"h1", "h2", "h3"}}
				for range 1 + rng.IntN([]int{8, 80}[rng.IntN(2)]) {
					r := make([]string, 3)
					for i := range r {
						for range rng.IntN(4) {
							r[i] += pieces[rng.IntN(len(pieces))]
						}
					}
					records = append(records, r)
				}
				text := []byte(writeDialect(rng, d, records))
				files := []*memFile{newFile(text), newPipe(text), newFile(compressed(text))}
				f := files[rng.IntN(3)]
				header, blocks, err := readAll(f, Options{Dialect: d, BlockSize: 1 + rng.IntN(1+rng.IntN(1000)), SkipBlank: rng.IntN(2) == 0}, 1+rng.IntN(3))
				if err != nil {
					t.Fatalf("seed %d: %q: %v", seed, text, err)
				}
				got := [][]string{header}
				for _, block := range blocks {
					for _, r := range block {
						if len(r.fields) > 0 {
							got = append(got, r.fields)
						}
					}
				}
				if !reflect.DeepEqual(got, records) {
					t.Fatalf("seed %d: %q was read as\n%q, not\n%q", seed, text, got, records)
				}
			}
		})
	}
}

// TestSpaces leaves out spaces before and behind quotes, and no others.
func TestSpaces(t *testing.T) {
	text := "a, b,  \"c\"\n 1,  , \n  \n \"x, y\",  \" z\", 2 \n  \"\", \"\"\"\", 'w'\n\"a\" ,\"b\"  , \"c, \" \n\"d\" e ,\"f\" \"g\",\"h \"\n\"i\" ,\"j\" \n   "
	_, blocks, err := readAll(newFile([]byte(text)), Options{Dialect: columnar.Dialect{Spaced: true, Headless: true}, BlockSize: 1 << 20}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a", " b", "c"}, {" 1", "  ", " "}, {"  "}, {"x, y", " z", " 2 "}, {"", `"`, " 'w'"}, {"a", "b", "c, "}, {"d e ", `f "g"`, "h "}, {"i", "j"}, {"   "}}
	var got [][]string
	for _, r := range blocks[0] {
		got = append(got, r.fields)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDialectLines checks that Line returns the lines of the original file.
func TestDialectLines(t *testing.T) {
	text := "one\ntwo \"\n# three\na;b\n# \"five\n1;'x\n\ny'\n# nine\n2;z"
	_, blocks, err := readAll(newFile([]byte(text)), Options{Dialect: columnar.Dialect{Skip: 2, Comment: "#", Quote: "'", Delimiter: ";"}, BlockSize: 1 << 20}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range blocks[0] {
		if len(r.fields) > 0 {
			lines = append(lines, fmt.Sprintf("%d %q", r.line, r.fields))
		}
	}
	if got, want := strings.Join(lines, ", "), `6 ["1" "x\n\ny"], 10 ["2" "z"]`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestWrongDialects(t *testing.T) {
	for _, d := range []columnar.Dialect{
		{Delimiter: "\""},
		{Delimiter: "\n"},
		{Delimiter: "a\nb"},
		{Delimiter: "12345"},
		{Quote: "ab"},
		{Quote: "é"},
		{Quote: ","},
		{Escape: "xx"},
		{Comment: "//"},
		{Comment: "\n"},
		{Encoding: "utf-7"},
		{Skip: -1},
		{Quote: "'", Delimiter: "'"},
	} {
		if CheckDialect(d) == nil {
			t.Errorf("%+v is taken", d)
		}
	}
	trailing := columnar.Dialect{Delimiter: "::", Comment: "#", Trailing: true} // is rewritten
	_, _, err := readAll(newFile([]byte("a::b\n1\x1f::2\n")), Options{Dialect: trailing, BlockSize: 100}, 1)
	var wrong *InputError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "0x1f") {
		t.Errorf("a file with the byte that stands for the delimiter: %v", err)
	}
}

// FuzzDialects checks that rewriting does not depend on how the bytes arrive, and that it is
// idempotent.
func FuzzDialects(f *testing.F) {
	for i := range dialects {
		f.Add([]byte("a,b;c::d\n'x''y',\"z\\\"\"\n# w\r\n \t1 2\n§"), uint8(i))
		f.Add([]byte("a\r \n#b\r\t\nc\r\n d"), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		o, err := Options{Dialect: dialects[int(which)%len(dialects)], Rewrite: true}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		rewritten := func(r io.Reader) (string, error) {
			text, err := io.ReadAll(newNormalizer("f", r, &o))
			return string(text), err
		}
		whole, err := rewritten(bytes.NewReader(data))
		single, failed := rewritten(iotest.OneByteReader(bytes.NewReader(data)))
		if whole != single && err == nil || (err == nil) != (failed == nil) {
			t.Fatalf("%q is %q, %v at once and %q, %v byte by byte", data, whole, err, single, failed)
		}
		if n, m := lines([]byte(whole)), lines(data); err == nil && n != m && o.Escape == "" {
			t.Fatalf("%q of %d lines became %q of %d", data, m, whole, n)
		}
	})
}

// lines counts line ends.
func lines(data []byte) int {
	return bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) - bytes.Count(data, []byte("\r\n"))
}

// TestShortRecordsArePadded checks that records are padded with empty fields, and that blank
// lines and comments are not.
func TestShortRecordsArePadded(t *testing.T) {
	text := "a;b\n1\r\n\n'x;\ny'\n# none\n;;;\n'z'"
	want := [][]string{{"a", "b", ""}, {"1", "", ""}, {"x;\ny", "", ""}, {"", "", "", ""}, {"z", "", ""}}
	d := columnar.Dialect{Delimiter: ";", Quote: "'", Comment: "#", Pad: 3}
	for size := 1; size < 40; size++ {
		header, blocks, err := readAll(newFile([]byte(text)), Options{Dialect: d, BlockSize: size}, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := [][]string{header}
		for _, block := range blocks {
			for _, r := range block {
				if len(r.fields) > 0 {
					got = append(got, r.fields)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("blocks of %d bytes: %q, not %q", size, got, want)
		}
	}
}
