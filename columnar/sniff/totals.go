package sniff

import (
	"slices"
	"strings"

	"analyzer/columnar/csv"
)

// totals are what rows are called that add up those above them, in small letters.
var totals = strings.Split("total|totals|grand total|overall|sum|summe|gesamt|gesamtsumme|insgesamt|zusammen|"+
	"total général|ensemble|total general|suma|suma total|totale|totale generale|total geral|soma|totaal|totalt|summa|yhteensä|"+
	"razem|ogółem|celkem|spolu|ukupno|skupaj|összesen|toplam|genel toplam|σύνολο|итого|всего|разом|усього|"+
	"合计|总计|合計|總計|総計|합계|총계", "|")

// subtotals are what rows are called that add up a group, in small letters.
var subtotals = strings.Split("subtotal|sub-total|sous-total|zwischensumme|teilsumme|subtotale|subtotaal|delsumma", "|")

// isTotal reports whether a row of this name adds up those above it: it is, or ends with, one of these words.
func isTotal(name string) bool {
	name = strings.ToLower(strings.TrimRight(strings.TrimSpace(name), " :"))
	last := name[strings.LastIndexByte(name, ' ')+1:]
	return slices.Contains(totals, name) || slices.Contains(subtotals, last) || slices.Contains(totals, last)
}

// noteTotals says that rows may hold totals: the last one of a file, and others that stand between groups, which
// have nothing but a name and numbers. They stay rows, but sums would count them.
func (l *looked) noteTotals(b *csv.Block) {
	if !l.whole || l.records < 3 {
		return
	}
	last := l.table.end - 1
	for last > l.table.first && b.Fields(last) != l.table.fields { // notes
		last--
	}
	if last <= l.table.first+1 {
		return
	}
	first, found := 0, 0
	for i := l.table.first + 1; i < last; i++ {
		if l.totalOf(b, i) == "" {
			continue
		}
		if found++; found == 1 {
			first = i
		}
	}
	switch name := l.totalOf(b, last); {
	case found > 0 && found < l.records/2:
		l.note(b, first, "this row, %q, and perhaps others may hold totals, and are read as they are", l.totalOf(b, first))
	case name != "":
		l.note(b, last, "the last row, %q, may hold totals of the others, and is read as they are", name)
	}
}

// totalOf returns the name of a record that may hold totals: its only text, before numbers; "" for others.
func (l *looked) totalOf(b *csv.Block, i int) (name string) {
	if b.Fields(i) != l.table.fields {
		return ""
	}
	numbers := false
	for c, k := range l.columns[:min(len(l.columns), l.table.fields)] {
		cell := strings.TrimRight(strings.TrimSpace(string(csv.AppendUnquoted(nil, b.Cell(i, c)))), " :")
		switch {
		case cell == "":
		case k.typed() && name != "":
			numbers = true
		case k != text0 || name != "" || !isTotal(cell):
			return ""
		default:
			name = cell
		}
	}
	if !numbers {
		return ""
	}
	return name
}
