package sniff

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strings"

	"analyzer/columnar/csv"
)

// run is a series of records with the same number of fields.
type run struct {
	first, end int // its records are from first up to end
	fields     int
	records    int
	gap        bool // a blank line or a comment precedes it
}

// table is the part of a block that holds one table, with its header.
type table struct {
	run
	short int // its records with fewer fields, two at least
	row   int // its first row, if lines of the header stand before it; 0: behind the first record
}

// runsOf divides the records of a block from first on into runs; usual is the most common number
// of fields. Blank lines and comments
// belong to none, nor do lines drawn between records. The titles of a spreadsheet count as one field.
func (l *looked) runsOf(b *csv.Block, first, usual int) iter.Seq[run] {
	return func(yield func(run) bool) {
		var last run
		gap, begun := false, false // whether a gap stands before the next record, and more than one record before it
		for i := first; i < b.Len(); i++ {
			n := titleFields(b, i)
			if n != usual && b.Fields(i) != usual && drawn(b.Record(i)) {
				gap = gap || begun // else it is drawn under the header
				continue
			}
			if n == 0 || l.isComment(b, i) && b.Fields(i) != usual {
				gap = true
				continue
			}
			begun = last.records > 0
			if last.fields == n && !gap {
				last.end, last.records = i+1, last.records+1
				continue
			}
			if last.records > 0 && !yield(last) {
				return
			}
			last, gap = run{first: i, end: i + 1, fields: n, records: 1, gap: gap}, false
		}
		if last.records > 0 {
			yield(last)
		}
	}
}

// collected lists runs of n records at most. If they are many, there is room for as many more as there will be if it goes on
// like this.
func collected(all iter.Seq[run], n int) (runs []run) {
	for r := range all {
		if listed := len(runs); listed == cap(runs) && listed > ratedRecords {
			likely := listed * (n - r.first) / (r.first + 1)
			runs = slices.Grow(runs, 1+likely+likely/16)
		}
		runs = append(runs, r)
	}
	return runs
}

// tablesOf divides runs where another table begins: behind a gap or a title, with two records or
// more of another number of fields, or under a header of its own, which a title may precede, or with other types behind a larger
// table. It returns the tables that have two records or more, and two fields.
func (l *looked) tablesOf(b *csv.Block, runs []run) (tables []table) {
	end := func(runs []run) {
		if t := tableOf(b, runs); t.fields > 1 && t.records > 1 {
			tables = append(tables, t)
		}
	}
	begin, records := 0, make(map[int]int)
	var usual run // the fields that explain most since begin
	for i, r := range runs {
		parted := i > begin && r.fields > 1 && r.records > 1 && (r.gap || runs[i-1].fields < 2 || r.fields < usual.fields && r.records > leastRows && l.areWords(b, r.first) && l.headed(b, r))
		parted = parted && !goesOn(b, runs[begin:i], r)
		if i > begin && isSection(b, runs[i-1]) || parted && usual.fields > 1 && (usual.records > 1 && r.fields != usual.fields || !l.beginsAsRow(b, r, usual.fields) && !l.isBelowNames(b, runs[i-1], r) && l.headed(b, r) || 2*r.records < usual.records && l.unlike(b, runs[i-1], r)) {
			at := i - l.headsOver(b, runs[begin:i], r, usual.fields)
			end(runs[begin:at])
			begin, records, usual = at, make(map[int]int), run{}
		}
		records[r.fields] += r.records
		if now := (run{fields: r.fields, records: records[r.fields]}); usual.fields == 0 || now.weight() > usual.weight() {
			usual = now
		}
	}
	end(runs[begin:])
	return tables
}

// isSection reports whether a run is the name of a section in brackets, as [Data].
func isSection(b *csv.Block, r run) bool {
	name := csv.AppendUnquoted(nil, b.Cell(r.end-1, 0))
	return r.fields == 1 && len(name) > 2 && name[0] == '[' && name[len(name)-1] == ']'
}

// goesOn reports whether a run begins with the header of a table again, of which the runs before it are, with no title
// in between, or with a record that has nothing in the first cell, as rows of these have.
func goesOn(b *csv.Block, before []run, r run) bool {
	if isBlank(b.Cell(r.first, 0)) && beginsBlank(b, before, r.fields) {
		return true
	}
	above, page := before[len(before)-1].end-1, func(of run) bool { return beginsPage(b, of) }
	if filled(b, above) < 2 && !slices.ContainsFunc(before, page) {
		return false
	}
	for _, of := range before {
		if of.fields == r.fields {
			return csv.Repeats(b.Record(r.first), b.Record(of.first))
		}
	}
	return false
}

// beginsPage reports whether the last record of a run begins a page, as reports that are printed have titles on each.
func beginsPage(b *csv.Block, r run) bool { return bytes.HasPrefix(b.Record(r.end-1), []byte("\f")) }

// beginsBlank reports whether a row of some runs has as many fields and nothing in the first cell.
func beginsBlank(b *csv.Block, runs []run, fields int) bool {
	for _, r := range runs {
		for i := r.first + 1; i < r.end && r.fields == fields; i++ {
			if b.Fields(i) == fields && isBlank(b.Cell(i, 0)) && filled(b, i) > 1 {
				return true
			}
		}
	}
	return false
}

// headed reports whether a run begins with texts that stand over something else, perhaps with units between.
func (l *looked) headed(b *csv.Block, r run) bool {
	behind := l.part(r)
	behind.read(b)
	header, _ := behind.headerByTypes()
	if units := r.first + 1; !header && r.records > leastRows && units < r.end && b.Fields(units) == r.fields && l.units(b, units) == r.fields {
		behind.table.row = units + 1
		behind.read(b)
		header, _ = behind.headerByTypes()
	}
	return header
}

// headedFrom reports whether a record would be the header of the table.
func (l *looked) headedFrom(b *csv.Block, at int) bool {
	return l.headed(b, run{first: at, end: l.table.end, fields: l.table.fields})
}

// headsOver returns how many of the runs before another one, which has more records of another number of fields than a table,
// are its header: one record of names with a blank line behind it, or with one of what the rows are called by.
func (l *looked) headsOver(b *csv.Block, before []run, r run, fields int) (n int) {
	last := before[len(before)-1]
	index := len(before) > 1 && last.records == 1 && last.fields == 1 && b.Fields(last.first) == r.fields && !r.gap
	if n = 1; index {
		n = 2
	}
	above := before[len(before)-n]
	if above.records != 1 || above.fields != r.fields || r.fields == fields || !r.gap && !index {
		return 0
	}
	names := l.namesOf(b, above.first)
	isNone := func(name string) bool { return name == "" && !index || l.given.isValue(name) }
	if slices.ContainsFunc(names, isNone) || repeats(names) || l.headed(b, r) {
		return 0
	}
	return n
}

// isBelowNames reports whether a run begins with a record of fewer cells than a record of names above it, such as
// a balance that is carried forward.
func (l *looked) isBelowNames(b *csv.Block, above, r run) bool {
	return above.records == 1 && above.fields == r.fields && l.areWords(b, above.first) && 2*filled(b, r.first) < filled(b, above.first)
}

// beginsAsRow reports whether a run of the given number of fields begins with digits, or most cells of its first record
// do or have a type, as those of no header but years.
func (l *looked) beginsAsRow(b *csv.Block, r run, fields int) bool {
	cell := csv.AppendUnquoted(nil, b.Cell(r.first, 0))
	if r.fields != fields || len(cell) == 0 || isDigit(cell[0]) {
		return r.fields == fields && len(cell) > 0
	}
	values := 0
	for _, name := range l.namesOf(b, r.first) {
		if digits := strings.TrimLeft(name, "+-"); l.given.typed(name) || digits != "" && isDigit(digits[0]) {
			values++
		}
		if isPeriod(name) {
			values--
		}
	}
	return 2*values > filled(b, r.first)
}

// comparedRecords is how many records of a run are compared with those of another.
const comparedRecords = 50

// unlike reports whether no record of a run fits the types that a run right before it has in a column, and so in half
// of those that have one.
func (l *looked) unlike(b *csv.Block, before, r run) bool {
	if before.fields != r.fields || before.records < r.records || !r.gap {
		return false
	}
	other := l.part(before)
	other.table.first = max(before.first, before.end-comparedRecords) // which passes for a header
	other.read(b)
	typed, misfits := 0, 0
	for c, k := range other.columns {
		if !k.typed() {
			continue
		}
		typed++
		fits := false
		for i := r.first; !fits && i < min(r.end, r.first+comparedRecords); i++ {
			cell := csv.AppendUnquoted(nil, b.Cell(i, c))
			fits = len(cell) == 0 || l.given.kindsOf(cell).and(k) != text0
		}
		if !fits {
			misfits++
		}
	}
	return misfits > 0 && 2*misfits >= typed
}

// weight says how much of a file a run explains.
func (r run) weight() float64 { return float64(r.records) * math.Log2(float64(r.fields)) }

// says is weight of a table whose cells are not empty, for the first of its records.
func (t *table) says(b *csv.Block) float64 {
	cells, records := 0, 0
	for i := t.first; i < t.end && records < comparedRecords; i++ {
		if n := titleFields(b, i); n > 1 && n == b.Fields(i) {
			cells += filled(b, i)
			records++
		}
	}
	return t.weight() * math.Log2(1+float64(cells)/float64(max(1, records))) / math.Log2(1+float64(t.fields))
}

// tableOf returns the table that runs hold: its records have the number of fields that explains
// most of it. What precedes and follows them directly, and has several fields too, belongs to it.
func tableOf(b *csv.Block, runs []run) (t table) {
	if len(runs) == 0 {
		return t
	}
	records := make(map[int]int)
	for _, r := range runs {
		records[r.fields] += r.records
	}
	for fields, n := range records {
		r := run{fields: fields, records: n}
		if a, b := r.weight(), t.weight(); t.fields == 0 || a > b || a == b && fields > t.fields {
			t.run = r
		}
	}
	at, to := 0, len(runs)-1
	for runs[at].fields != t.fields {
		at++
	}
	for runs[to].fields != t.fields {
		to--
	}
	for at > 0 && !runs[at].gap && runs[at-1].fields > 1 {
		at--
	}
	for to+1 < len(runs) && !runs[to+1].gap && runs[to+1].fields > 1 {
		to++
	}
	t.first, t.end, t.gap = runs[at].first, runs[to].end, runs[at].gap
	for _, r := range runs[at : to+1] {
		if r.fields > 1 && r.fields < t.fields && !beginsPage(b, r) {
			t.short += r.records
		}
	}
	return t
}

// usualFields returns the most common number of fields of records that do not begin like comments.
func (l *looked) usualFields(b *csv.Block) int {
	counts, usual := make(map[int]int), 0
	for i := 0; i < b.Len(); {
		n, alike := b.Fields(i), 1
		if !l.found.comments {
			alike = b.Alike(i)
		}
		if n > 0 && !l.isComment(b, i) {
			counts[n] += alike
		}
		i += alike
	}
	for n, records := range counts {
		if records > counts[usual] || records == counts[usual] && n > usual {
			usual = n
		}
	}
	return usual
}

// titleFields returns how many fields a record has, without the empty ones that spreadsheets add
// to a title: if all cells after the first are empty, only the first counts, unless there are two.
func titleFields(b *csv.Block, i int) int {
	n := b.Fields(i)
	for c := 1; c < n; c++ {
		if !isBlank(b.Cell(i, c)) {
			return n
		}
	}
	switch {
	case n > 1 && isBlank(b.Cell(i, 0)):
		return 0
	case n == 2:
		return n
	}
	return min(n, 1)
}
