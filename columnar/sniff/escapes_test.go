package sniff_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/csv"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
)

// cellsWithQuotes are contents of cells by their row, in which quotes, backslashes and delimiters
// (¦) stand.
var cellsWithQuotes = map[string]func(row int) string{
	"speech":                func(int) string { return `he said "go"¦ and left` },
	"speech at the end":     func(int) string { return `he said "go"` },
	"JSON":                  func(row int) string { return fmt.Sprintf(`{"text": "quote \" inside"¦ "n": %d}`, row) },
	"JSON of words":         func(row int) string { return fmt.Sprintf(`{"text": "of words"¦ "n": %d}`, row) },
	"JSON without spaces":   func(row int) string { return fmt.Sprintf(`{"text":"quote \" inside\\"¦"n":%d}`, row) },
	"JSON with line feeds":  func(row int) string { return fmt.Sprintf(`{"text": "\"one\"\ntwo\\"¦ "n": %d}`, row) },
	"JSON over lines":       func(row int) string { return fmt.Sprintf("{\n \"a\": \"\\\"\"¦ \"b\": 2¦\n \"n\": %d\n}", row) },
	"JSON of lists":         func(row int) string { return fmt.Sprintf(`["\""¦ "\\"¦ "x"¦ [1¦ 2¦ %d]¦ "\\\""]`, row) },
	"JSON of paths":         func(row int) string { return fmt.Sprintf(`{"path": "C:\\dir\\"¦ "n": %d}`, row) },
	"JSON of many parts":    func(row int) string { return "{" + strings.Repeat(`"k": "\"v"¦ `, 20) + fmt.Sprint(row) + "}" },
	"a text of JSON":        func(row int) string { return fmt.Sprintf(`"quote \" inside %d"`, row) },
	"numbers":               func(row int) string { return fmt.Sprintf(`[1¦ 2¦ 3¦ 4¦ 5¦ %d]`, row) },
	"a quote alone":         func(int) string { return `"` },
	"an escaped quote":      func(int) string { return `\"` },
	"paths":                 func(row int) string { return fmt.Sprintf(`C:\dir\%d\`, row) },
	"paths and delimiters":  func(row int) string { return fmt.Sprintf(`C:\dir¦ %d\`, row) },
	"speech in some rows":   func(row int) string { return []string{"plain", `"so" he said`, "x¦ y"}[row%3] },
	"speech in a row of 50": func(row int) string { return []string{"plain", `he said "go"¦ and left`}[row%50/49] },
}

// writtenWith writes records with all texts in quotes. A backslash escapes, or quotes are doubled.
func writtenWith(records [][]string, delimiter string, backslash, all bool) string {
	r := strings.NewReplacer(`"`, `""`)
	if backslash {
		r = strings.NewReplacer(`"`, `\"`, `\`, `\\`)
	}
	var b strings.Builder
	for i, record := range records {
		for c, cell := range record {
			if c > 0 {
				b.WriteString(delimiter)
			}
			if all || i > 0 && c == 1 {
				cell = `"` + r.Replace(cell) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestEscapes tells doubled quotes from escaped ones in files of one row to 150, whatever
// else stands in the cells, and reads their cells.
func TestEscapes(t *testing.T) {
	for name, cell := range cellsWithQuotes {
		for d, delimiter := range sniff.Delimiters() {
			for n, rows := range []int{1, 2, 20, 90} {
				if d > 0 && d != 1+n%3 {
					continue // the comma, and one of the others in turn
				}
				two, three := [][]string{{"id", "doc"}}, [][]string{{"id", "doc", "day"}}
				for row := range rows {
					id, doc := fmt.Sprint(row), strings.ReplaceAll(cell(row), "¦", delimiter)
					two, three = append(two, []string{id, doc}), append(three, []string{id, doc, fmt.Sprintf("2024-01-%02d", row%28+1)})
				}
				for i, records := range [][][]string{two, three, two, three, two, three, two, three} {
					backslash, all := i&2 != 0, i&4 != 0
					if backslash && strings.HasPrefix(name, "paths") {
						continue // nothing tells that the backslashes are doubled
					}
					text := writtenWith(records, delimiter, backslash, all)
					if err := readsAs(t, text, records); err != nil {
						t.Errorf("%s: %v\n%s", name, err, text[:min(len(text), 300)])
					}
				}
			}
		}
	}
}

// readsAs returns an error unless a file, of which nothing is said, has these records.
func readsAs(t *testing.T, text string, records [][]string) error {
	t.Helper()
	open := opener(t, text)
	f, err := sniff.Look(t.Context(), func() (vfs.File, error) { return open(0) }, sniff.Given{})
	if err != nil {
		return err
	}
	if n := len(f.Columns); n != len(records[0]) || f.Headless {
		return fmt.Errorf("%d columns, headless %v, delimiter %q, escape %q", n, f.Headless, f.Delimiter, f.Escape)
	}
	file, err := open(0)
	if err != nil {
		return err
	}
	r, err := csv.Open(t.Context(), file, csv.Options{Dialect: f.Dialect})
	if err != nil {
		return err
	}
	defer r.Close()
	at := 1
	var b csv.Block
	for {
		if err := r.Next(context.Background(), &b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		for i := range b.Len() {
			for c, want := range records[at] {
				if got := string(b.Quoting().Append(nil, b.Cell(i, c))); got != want {
					return fmt.Errorf("record %d has %q, not %q; escape %q, spaced %v", at, got, want, f.Escape, f.Spaced)
				}
			}
			at++
		}
	}
	if at != len(records) {
		return fmt.Errorf("%d records, not %d", at, len(records))
	}
	return nil
}

// TestSpacesAroundQuotes reads cells in quotes that have spaces before or behind these, and those without.
func TestSpacesAroundQuotes(t *testing.T) {
	records := [][]string{{"id", "name", "v"}, {"1", "a,b", "2"}, {"2", "c ", "3"}, {"3", "", `4"`}}
	for _, text := range []string{
		"\"id\" ,\"name\",\"v\"\n\"1\",\"a,b\" ,\"2\"\n2,\"c \"  ,\"3\"\n3,\"\" ,\"4\"\"\"\n",
		"id,name,v\r\n1, \"a,b\" ,2\r\n2, \"c \" ,3\r\n3,   \"\",\"4\"\"\" \r\n",
		"\"id\"  ,  \"name\"  ,  \"v\"\n\"1\"  ,  \"a,b\"  ,  \"2\"\n\"2\" ,\"c \", \"3\" \n\"3\" ,\"\" ,\"4\"\"\" ",
	} {
		for _, delimiter := range sniff.Delimiters() {
			text, records := strings.ReplaceAll(text, ",", delimiter), slices.Clone(records)
			records[1] = []string{"1", "a" + delimiter + "b", "2"}
			if err := readsAs(t, text, records); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
