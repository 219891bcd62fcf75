package answers

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Tolerance is the relative difference that two means or ratios may have.
const Tolerance = 1e-9

// Difference is one place where two answers differ.
type Difference struct {
	Query string // name of the query
	Where string // "columns", "rows", or the row and column
	Got   string
	Want  string
}

// String shows the difference on one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s: got %s, want %s", d.Query, d.Where, d.Got, d.Want)
}

// Compare returns all differences of the named answers, in the order of names. A name that either side lacks is a
// difference.
func Compare(got, want Answers, names []string) []Difference {
	var all []Difference
	for _, name := range names {
		g, inGot := got[name]
		w, inWant := want[name]
		if !inGot || !inWant {
			all = append(all, Difference{name, "answer", presence(inGot), presence(inWant)})
			continue
		}
		all = append(all, compareTables(name, g, w)...)
	}
	return all
}

func presence(there bool) string {
	if there {
		return "one"
	}
	return "none"
}

func compareTables(name string, got, want Table) []Difference {
	if !slices.Equal(got.Columns, want.Columns) {
		return []Difference{{name, "columns", strings.Join(got.Columns, ", "), strings.Join(want.Columns, ", ")}}
	}
	var all []Difference
	if len(got.Rows) != len(want.Rows) {
		all = append(all, Difference{name, "rows", fmt.Sprint(len(got.Rows)), fmt.Sprint(len(want.Rows))})
	}
	for i := range min(len(got.Rows), len(want.Rows)) {
		for j, column := range want.Columns {
			if equalCells(got.Rows[i][j], want.Rows[i][j], isQuotient(column)) {
				continue
			}
			all = append(all, Difference{
				name, fmt.Sprintf("row %d, %s", i+1, column), show(got.Rows[i][j]), show(want.Rows[i][j]),
			})
		}
	}
	return append(all, unpaired(name, got, want)...)
}

// unpaired returns the first row that only the longer side has.
func unpaired(name string, got, want Table) []Difference {
	n := min(len(got.Rows), len(want.Rows))
	switch {
	case len(got.Rows) > n:
		return []Difference{{name, fmt.Sprintf("row %d", n+1), show(got.Rows[n]), "nothing"}}
	case len(want.Rows) > n:
		return []Difference{{name, fmt.Sprintf("row %d", n+1), "nothing", show(want.Rows[n])}}
	}
	return nil
}

func isQuotient(column string) bool {
	return strings.HasPrefix(column, "mean_") || column == "ratio"
}

func show(cell any) string {
	text, err := json.Marshal(cell)
	if err != nil {
		return fmt.Sprint(cell)
	}
	return string(text)
}

func equalCells(got, want any, quotient bool) bool {
	switch w := want.(type) {
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		if quotient {
			return near(g, w)
		}
		return equalNumbers(g, w)
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, func(a, b any) bool { return equalCells(a, b, quotient) })
	case nil, string, bool:
		return got == want
	}
	return false
}

// equalNumbers compares by exact value. Numbers with exponents beyond those of a double are compared as text, since
// their fractions would need gigabytes.
func equalNumbers(got, want json.Number) bool {
	if got == want {
		return true
	}
	if wide(got) || wide(want) {
		return false
	}
	g, okGot := new(big.Rat).SetString(got.String())
	w, okWant := new(big.Rat).SetString(want.String())
	return okGot && okWant && g.Cmp(w) == 0
}

func wide(n json.Number) bool {
	f, err := n.Float64()
	return err != nil || f == 0 && strings.ContainsAny(n.String(), "eE")
}

func near(got, want json.Number) bool {
	g, errGot := got.Float64()
	w, errWant := want.Float64()
	return errGot == nil && errWant == nil && Near(g, w)
}

// Near reports whether two quotients are equal within [Tolerance].
func Near(a, b float64) bool {
	return math.Abs(a-b) <= Tolerance*max(math.Abs(a), math.Abs(b))
}
