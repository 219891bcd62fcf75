package sniff

import (
	"bytes"
	"slices"
	"strings"

	"analyzer/columnar/csv"
)

// totals are what rows are called that add up those above them, in small letters.
var totals = strings.Split("total|totals|grand total|overall|sum|summe|gesamt|gesamtsumme|insgesamt|zusammen|"+
	"total général|ensemble|total general|suma|suma total|totale|totale generale|total geral|soma|totaal|totalt|summa|yhteensä|"+
	"razem|ogółem|celkem|spolu|ukupno|skupaj|összesen|toplam|genel toplam|σύνολο|итого|всего|разом|усього|"+
	"合计|总计|合計|總計|総計|합계|총계", "|")

// noteTotals says that the last row of a file may hold totals: it stays a row, but sums would count it.
func (l *looked) noteTotals(b *csv.Block) {
	if !l.whole || l.records < 3 {
		return
	}
	i := l.table.end - 1
	for i > l.table.first && b.Fields(i) != l.table.fields { // notes
		i--
	}
	if i <= l.table.first+1 {
		return
	}
	for c, k := range l.columns {
		cell := csv.AppendUnquoted(nil, b.Cell(i, c))
		name := string(bytes.TrimRight(bytes.TrimSpace(cell), " :"))
		switch {
		case name == "":
			continue
		case k != text0 || !slices.Contains(totals, strings.ToLower(name)) || !slices.ContainsFunc(l.columns[c+1:], kinds.typed):
			return
		}
		l.note(b, i, "the last row, %q, may hold totals of the others, and is read as they are", name)
		return
	}
}
