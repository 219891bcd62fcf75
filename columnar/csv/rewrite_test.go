package csv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
)

// oddDialects have bytes that overlap or mean two things.
var oddDialects = []columnar.Dialect{
	{Delimiter: "aba", Quote: "'"},
	{Delimiter: "::::", Unquoted: true, Comment: "#"},
	{Delimiter: "aab", Escape: "b"},
	{Escape: `\`, Delimiter: `\`},
	{Escape: `\`, Delimiter: `:\`},
	{Comment: "'", Quote: "'"},
	{Comment: ":", Delimiter: "::"},
	{Comment: `\`, Escape: `\`},
	{Comment: "#", Pad: 5, Delimiter: ";", Headless: true},
	{Unquoted: true, Escape: `\`, Pad: 2},
	{Quote: "a", Escape: "b", Comment: "c", Delimiter: "::"},
	{Spaced: true, Delimiter: " "},
	{Spaced: true, Delimiter: ": "},
	{Spaced: true, Quote: " "},
	{Spaced: true, Unquoted: true},
}

// compareRewritten compares what is read of a file as it is stored with what is read when it is
// rewritten, byte by byte, to double quotes.
func compareRewritten(data []byte, d columnar.Dialect, f *memFile, opts Options, workers int) error {
	opts.Dialect = d
	wantHeader, blocks, wantErr := readAll(newFile(data), Options{Dialect: d, Rewrite: true, BlockSize: 4096}, 1)
	want := slices.Concat(blocks...)
	header, blocks, err := readAll(f, opts, workers)
	got := slices.Concat(blocks...)
	if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(header, wantHeader) {
		return fmt.Errorf("header %q and error (%w), not %q and (%w)", header, err, wantHeader, wantErr)
	}
	if _, stored := newSyntax(&d); stored && err == nil {
		if err := checkPlaces(data, got); err != nil {
			return err
		}
	}
	for _, records := range [][]refRecord{want, got} {
		for i := range records {
			// A rewritten file has other bytes, and other lines if an escape stands in a CRLF.
			records[i].offset, records[i].raw, records[i].line = 0, "", 0
			if records[i].unclosed && d.Pad > 0 { // it is rejected, padded or not
				records[i].fields = nil
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("read as\n%v, not\n%v", got, want)
	}
	return nil
}

// checkPlaces checks that records are where they are said to be.
func checkPlaces(data []byte, records []refRecord) error {
	last := int64(-1)
	for i, r := range records {
		if r.offset <= last || !bytes.HasPrefix(data[r.offset:], []byte(r.raw)) {
			return fmt.Errorf("record %d, %q, is said to begin at %d, after %d", i, r.raw, r.offset, last)
		}
		if line := int64(1 + lines(data[:r.offset])); line != r.line {
			return fmt.Errorf("record %d, %q, is said to begin on line %d, not %d", i, r.raw, r.line, line)
		}
		last = r.offset
	}
	return nil
}

// TestDialectsAsStored reads random files in all dialects as they are stored and rewritten.
func TestDialectsAsStored(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 25
	}
	for _, d := range slices.Concat(dialects, oddDialects) {
		if d.Encoding != "" {
			continue
		}
		t.Run(fmt.Sprintf("%+v", d), func(t *testing.T) {
			for seed := range uint64(rounds) {
				rng := rand.New(rand.NewPCG(seed, 11))
				data := randomDialect(rng, d)
				opts := Options{BlockSize: 1 + rng.IntN(200), portable: rng.IntN(2) == 0}
				if rng.IntN(3) == 0 {
					opts.BlockSize = 4096
				}
				f := newFile(data)
				if f.pipe = rng.IntN(3) == 0; rng.IntN(30) == 0 {
					f = newFile(compressed(data))
				}
				if err := compareRewritten(data, d, f, opts, 1+rng.IntN(3)); err != nil {
					t.Fatalf("seed %d: %q in blocks of %d: %v", seed, data, opts.BlockSize, err)
				}
			}
		})
	}
}

// randomDialect makes a file of the pieces that mean something in a dialect, many or few, and of
// whole cells that are written as they should be.
func randomDialect(rng *rand.Rand, d columnar.Dialect) []byte {
	delimiter, quote := strings.ReplaceAll(d.Delimiter, `\s+`, " "), d.Quote
	if delimiter == "" {
		delimiter = ","
	}
	if quote == "" {
		quote = `"`
	}
	pieces := []string{delimiter, delimiter, delimiter[:1], quote, quote + quote, `"`, d.Escape, d.Escape + quote, d.Comment, "\n" + d.Comment, "\n", "\r\n", "\r", "a", " "}
	plain := []string{delimiter, "\n", "\n" + d.Comment + "it's \"so\"\n", "text", delimiter + quote + "more of it" + quote + delimiter, "1.5", quote + "two\nlines" + quote}
	if d.Spaced {
		gap := strings.Repeat(" ", 1+rng.IntN(150))
		pieces, plain = append(pieces, gap+quote, quote+gap), append(plain, delimiter+gap+quote+"apart"+quote+gap+delimiter)
	}
	some := pieces
	if rng.IntN(2) == 0 {
		some = plain
	}
	b := bytes.NewBufferString("h1" + delimiter + "h2" + delimiter + "h3\n")
	for range d.Skip {
		b.WriteString("title \" " + quote + "\n")
	}
	for range rng.IntN(300) {
		if rng.IntN(40) == 0 {
			some = [][]string{pieces, plain}[rng.IntN(2)]
		}
		b.WriteString(some[rng.IntN(len(some))])
	}
	return b.Bytes()
}

// FuzzDialectsAsStored does the same with any bytes, whatever follows a header.
func FuzzDialectsAsStored(f *testing.F) {
	for i := range len(dialects) + len(oddDialects) {
		f.Add([]byte("a,b;c::d\n'x''y',\"z\\\"\"\n# w\r\n \t1 2\n§"), uint8(i), uint8(3))
		f.Add([]byte("a\r \n#b\r\t\nc\r\n d\"::::'\\\\'\n#'"), uint8(i), uint8(70))
	}
	all := slices.Concat(dialects, oddDialects)
	f.Fuzz(func(t *testing.T, data []byte, which, blockSize uint8) {
		d := all[int(which)%len(all)]
		if d.Encoding != "" || bytes.IndexByte(data, Separator[0]) >= 0 || bytes.IndexByte(data, 0) >= 0 {
			return // what stands for a delimiter, or in a binary file
		}
		data = append([]byte("h1,h2\n"), data...)
		for _, file := range []*memFile{newFile(data), newPipe(data)} {
			if err := compareRewritten(data, d, file, Options{BlockSize: 1 + int(blockSize), portable: file.pipe}, 1+int(which%3)); err != nil {
				t.Fatalf("%+v: %q in blocks of %d: %v", d, data, 1+int(blockSize), err)
			}
		}
	})
}
