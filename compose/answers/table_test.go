package answers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
)

// wide is an answer of many columns: numbers, dates, decimals, and texts of wide
// characters.
func wide(columns, rows int) answer {
	a := answer{query: "q1"}
	for j := range columns {
		t := []columnar.Type{columnar.Int, columnar.Date, columnar.Text, columnar.Decimal}[j%4]
		v := columnar.NewVector(t)
		for i := range rows {
			if t == columnar.Text {
				v.AppendBytes(fmt.Appendf(nil, "漢字 of row %d and %s", i, strings.Repeat("x", j)))
			} else {
				v.AppendInt(int64(i * j * 1000))
			}
		}
		a.columns = append(a.columns, columnar.Field{Name: fmt.Sprintf("column_%d", j), Type: t})
		a.vectors = append(a.vectors, v)
	}
	return a
}

// TestTablesFitTerminals checks that every line of a table fits the terminal, and that the last
// line says what was left out.
func TestTablesFitTerminals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, most := rapid.IntRange(40, 200).Draw(t, "width"), rapid.IntRange(0, 9).Draw(t, "rows")
		a := wide(rapid.IntRange(1, 40).Draw(t, "columns"), rapid.IntRange(0, 20).Draw(t, "all rows"))
		var out bytes.Buffer
		set, err := NewStream(&out, Options{Format: Table, Width: width, Rows: most, Queries: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeAll(set, rapid.IntRange(1, 7).Draw(t, "batch"), a); err != nil {
			t.Fatal(err)
		}
		e := newTable(nil, Options{})
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for _, line := range lines {
			if e.width(line) > width {
				t.Errorf("a line is wider than %d: %q", width, line)
			}
		}
		shown, cut := a.rows(), most > 0 && a.rows() > most
		if cut {
			shown = most + 1 // and points
		}
		if _, last, _ := strings.Cut(out.String(), strings.Join(lines[:2+shown], "\n")+"\n"); !strings.HasPrefix(strings.TrimPrefix(last, "("), fmt.Sprint(a.rows(), " row")) {
			t.Errorf("%d rows, and then %q", shown, last)
		}
		if want := fmt.Sprintf("%d rows (%d shown)", a.rows(), most); cut && !strings.Contains(strings.ReplaceAll(out.String(), "\n  ", " "), want) {
			t.Errorf("%q is not said: %q", want, lines[len(lines)-1])
		}
	})
}
