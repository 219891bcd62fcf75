package csv

import (
	"bytes"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"analyzer/columnar"
)

// cutByHand is what a cutter makes of a file, cell by cell; nil is a blank line.
func cutByHand(text string, widths []int) (lines [][]string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Trim(line, " \t") == "" {
			lines = append(lines, nil)
			continue
		}
		var cells []string
		rest := []rune(line)
		for _, width := range widths {
			n := min(max(width, -width), len(rest))
			if width > 0 {
				cells = append(cells, strings.Trim(string(rest[:n]), " \t"))
			}
			rest = rest[n:]
		}
		if more := strings.Trim(string(rest), " \t"); more != "" {
			cells = append(cells, more)
		}
		if strings.Join(cells, "") == "" { // of what it has, all is left out
			cells = nil
		}
		lines = append(lines, cells)
	}
	return lines
}

func compareCut(t *testing.T, text string, widths []int) {
	t.Helper()
	o, err := Options{Dialect: columnar.Dialect{Widths: widths}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	for _, line := range cutByHand(text, widths) {
		if line != nil {
			want = append(want, line)
		}
	}
	for _, from := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		out, err := io.ReadAll(newCutter(from, &o))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(out, []byte("\n")); got != len(cutByHand(text, widths))-1 {
			t.Fatalf("%q has %d line ends in %q", text, got, out)
		}
		r := csv.NewReader(bytes.NewReader(out))
		r.FieldsPerRecord = -1
		got, err := r.ReadAll()
		if err != nil {
			t.Fatalf("%q by %d is %q: %v", text, widths, out, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%q by %d is %q, not %q", text, widths, got, want)
		}
		for i := range got {
			if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
				t.Fatalf("%q by %d: line %d is %q, not %q", text, widths, i, got[i], want[i])
			}
		}
	}
}

// TestWidths cuts random lines at the same characters as by hand.
func TestWidths(t *testing.T) {
	pieces := []string{"a", "word", "é", "日本", " ", "   ", "\t", "\n", "\r\n", "\r", "\n\n", ",", `"`, `""`, "12", "#"}
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 31))
		var b strings.Builder
		if rng.IntN(4) == 0 {
			b.WriteString("\ufeff")
		}
		for range rng.IntN(60) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		var widths []int
		for range 1 + rng.IntN(4) {
			widths = append(widths, 1+rng.IntN(6))
		}
		for i := range widths[1:] {
			if rng.IntN(4) == 0 {
				widths[i] = -widths[i]
			}
		}
		compareCut(t, b.String(), widths)
	}
}

// fieldsOf reads a text, and returns its fields with bars between, and its records with semicolons.
func fieldsOf(t *testing.T, text string, d columnar.Dialect) string {
	t.Helper()
	_, blocks, err := readAll(newFile([]byte(text)), Options{Dialect: d}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range blocks {
		for _, r := range block {
			lines = append(lines, strings.Join(r.fields, "|"))
		}
	}
	return strings.Join(lines, ";")
}

// TestWidthsRead reads files of fixed widths as any other file.
func TestWidthsRead(t *testing.T) {
	for text, want := range map[string]string{
		"id name\n1  a, b\n2\n\n3  \"c\"  x\n":      "id|name;1|a, b;2|;;3|\"c\"|x",
		"title\n\nid name\n1  x\n":                  "id|name;1|x",
		"title\n\nid name\n# note, for all\n1  x\n": "id|name;;1|x",
	} {
		d := columnar.Dialect{Widths: []int{3, 5}, Comment: "#", Headless: true}
		if strings.HasPrefix(text, "title") {
			d.Skip = 2
		}
		if got := fieldsOf(t, text, d); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
	long := strings.Repeat("x", 5000)
	if _, _, err := readAll(newFile([]byte("a\n1 "+long+"\n")), Options{Dialect: columnar.Dialect{Widths: []int{2}}, MaxRecord: 1000}, 1); err == nil {
		t.Error("a record that is too long is read")
	}
	for _, d := range []columnar.Dialect{{Widths: []int{}}, {Widths: []int{0}}, {Widths: []int{-1}}, {Widths: []int{1 << 20}}, {Widths: []int{1}, Delimiter: ";"}, {Widths: []int{1}, Quote: "'"}} {
		if err := CheckDialect(d); err == nil {
			t.Errorf("%+v is accepted", d)
		}
	}
}

func FuzzWidths(f *testing.F) {
	f.Add("id name\n1  a, b\n", uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, text string, a, b uint8) {
		if strings.ContainsAny(text, "\u0085") || !bytes.Equal([]byte(text), bytes.ToValidUTF8([]byte(text), nil)) {
			return
		}
		compareCut(t, text, []int{1 + int(a)%9, 1 + int(b)%9})
	})
}
