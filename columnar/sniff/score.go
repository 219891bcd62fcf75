package sniff

import (
	"bytes"
	"iter"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// The least score of a dialect that separates fields, below which a file is a list of texts; and
// how many records are rated.
const (
	leastScore   = 0.1
	ratedRecords = 2000
)

// rate says how well a dialect explains a block: by the share of records that have as many fields
// as the one before, or half of those that have as many as another, more if these are many, and by
// the share of cells that look like one value.
func (l *looked) rate(b *csv.Block, runs iter.Seq[run]) float64 {
	records, regular := 0, 0.0
	alike, series := make(map[int]int), make(map[int]int) // by the number of fields
	for r := range runs {
		records += r.records
		alike[r.fields] += r.records
		series[r.fields]++
	}
	for fields, n := range alike {
		if n > 1 {
			regular += max(float64(n-series[fields]), float64(n)/2) * float64(fields-1) / float64(fields)
		}
	}
	if records == 1 {
		for fields := range alike {
			regular, records = float64(fields-1)/float64(fields), 2
		}
	}
	if b.Unclosed() { // the lines that an open quote swallows are not explained
		records += bytes.Count(b.Record(b.Len()-1), []byte("\n"))
	}
	if regular == 0 {
		return 0
	}
	score := regular / float64(records-1) * l.clean(b, runs)
	if score < leastScore {
		return 0
	}
	return score
}

// clean returns how much the cells of a block look like values, from 0 to 1.
func (l *looked) clean(b *csv.Block, runs iter.Seq[run]) float64 {
	sum, cells, rated := 0.0, 0, 0
	for r := range runs {
		if rated == ratedRecords {
			break
		}
		if r.fields < 2 {
			continue
		}
		for i := r.first; i < r.end && rated < ratedRecords; i++ {
			for c := range b.Fields(i) {
				sum += l.likeValue(b.Cell(i, c))
				cells++
			}
			rated++
		}
	}
	return sum / float64(max(1, cells))
}

// likeValue says how much a cell looks like one value, from 0 to 1: one in proper quotes or with a
// type does, one with other delimiters or quotes in it does not.
func (l *looked) likeValue(cell []byte) float64 {
	switch {
	case len(cell) == 0:
		return 0.8
	case cell[0] == '"':
		switch {
		case l.dialect.Unquoted: // the quote is text
			return 0.3
		case closed(cell):
			return 1
		}
		return 0
	}
	k := l.given.kindsOf(cell)
	comma := bytes.IndexByte(cell, ',')
	switch {
	case k != text0:
		return 1
	case columnar.IsFormula(cell):
		return 0.9
	case bytes.ContainsAny(cell, ";\t|"):
		return 0.1
	case comma > 0 && comma+1 < len(cell) && isDigit(cell[comma-1]) && isDigit(cell[comma+1]):
		return 0.9 // a decimal comma
	case comma >= 0 && comma+1 < len(cell) && cell[comma+1] == ' ':
		return 0.5 // a sentence
	case comma >= 0 || cell[len(cell)-1] == '"':
		return 0.3
	case len(cell) > 60:
		return 0.6
	}
	return 0.9
}

func isDigit(c byte) bool { return c-'0' <= 9 }
