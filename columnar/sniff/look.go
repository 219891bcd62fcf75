package sniff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// looked describes the beginning of a file, read in one dialect.
type looked struct {
	name      string
	anywhere  bool
	letters   letters // counted only if the beginning is not valid UTF-8
	dialect   columnar.Dialect
	header    []string    // the cells of the first record of the table
	records   int         // number of records after the header
	uniform   int         // how many of these have as many fields as the header
	fields    map[int]int // number of records by number of fields
	typed     int         // cells that are numbers, dates or truth values
	irregular int         // cells with text after their closing quote
	yearly    int         // records that hold years where the header does
	columns   []kinds

	unnumbered bool // the first cell of a record is empty
	backslash  bool // a backslash precedes a quote
	escapes    bool // a backslash precedes an apostrophe
	apostrophe bool // an apostrophe begins a cell
	spaced     bool // a quote follows a delimiter and a space
	commented  bool // lines within the table begin with #
	quotesFit  bool // the quotes, if they are other than usual, explain the records
	tables     []run
}

// run is a series of records with the same number of fields.
type run struct {
	line    int64 // line of the first record
	fields  int
	records int
}

// lookBytes is how many bytes of a file are looked at in each dialect.
const lookBytes = 1 << 20

// look reads the beginning of a file.
func look(ctx context.Context, open func() (vfs.File, error), d columnar.Dialect, given *Given) (l *looked, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := csv.Open(ctx, f, csv.Options{Dialect: d, BlockSize: lookBytes, Rewrite: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	l = &looked{name: f.Name(), anywhere: r.Anywhere(), dialect: d, fields: make(map[int]int)}
	l.dialect.Encoding = r.Encoding()
	var b csv.Block
	if err := r.Next(ctx, &b); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	first := 0
	for first < b.Len() && b.Fields(first) == 0 {
		first++
	}
	if first == b.Len() { // impossible unless the file is one unclosed record
		l.header = slices.Clone(r.Header())
		l.columns = newKinds(len(l.header))
		return l, nil
	}
	if !utf8.Valid(b.Data()) {
		l.letters.add(b.Data())
	}
	l.backslash, l.escapes = bytes.Contains(b.Data(), []byte(`\"`)), bytes.Contains(b.Data(), []byte(`\'`))
	l.spaced = bytes.Contains(b.Data(), []byte(cmp.Or(d.Delimiter, ",")+` "`))
	l.tables = tablesOf(&b, first)
	if !given.Skipped && !given.Padded && given.Comment == "" {
		if at := preamble(&b, first, given); at > first {
			first = at
			l.dialect.Skip = int(b.Line(at)) - 1
		}
	}
	l.read(&b, first, given)
	l.quotesFit = d.Quote == "" || quotesFit(&b, first, d)
	return l, nil
}

// read analyses the table that begins with record first.
func (l *looked) read(b *csv.Block, first int, given *Given) {
	var years []int // the columns that have a year above them
	for c := range b.Fields(first) {
		l.header = append(l.header, string(csv.AppendUnquoted(nil, b.Cell(first, c))))
		if isYear(l.header[c]) {
			years = append(years, c)
		}
	}
	l.columns = newKinds(len(l.header))
	var text []byte
	for i := first + 1; i < b.Len(); i++ {
		n := b.Fields(i)
		if n == 0 {
			continue
		}
		if n != len(l.header) && isComment(b, i) {
			l.commented = true
			continue
		}
		l.records++
		l.fields[n]++
		if n != len(l.header) || b.Unclosed() && i == b.Len()-1 {
			continue
		}
		l.uniform++
		l.unnumbered = l.unnumbered || csv.IsEmpty(b.Cell(i, 0))
		if areYears(b, i, years) {
			l.yearly++
		}
		for c := range n {
			cell := b.Cell(i, c)
			if len(cell) == 0 {
				l.columns[c] &= kindsOfEmpty(given.Nulls)
				continue
			}
			l.apostrophe = l.apostrophe || cell[0] == '\''
			if cell[0] == '"' {
				if !closed(cell) {
					l.irregular++
				}
			}
			text = csv.AppendUnquoted(text[:0], cell)
			if len(text) == 0 {
				l.columns[c] &= kindsOfEmpty(given.Nulls)
				continue
			}
			k := given.kindsOf(text)
			l.columns[c] &= k
			if k&^text0 != 0 && k != allKinds {
				l.typed++
			}
		}
	}
	if l.uniform < l.records { // apostrophes may begin cells of records with other numbers of fields
		l.apostrophe = l.apostrophe || bytes.Contains(b.Data(), []byte(l.dialect.Delimiter+"'")) || bytes.Contains(b.Data(), []byte("\n'"))
	}
}

// tablesOf returns the tables of a block that holds several, separated by blank lines or
// comments. Each has two or more records, all with the same number of fields, at least two.
// It returns nil if the block holds anything else.
func tablesOf(b *csv.Block, first int) []run {
	const most = 20
	var tables []run
	parted := true
	for i := first; i < b.Len(); i++ {
		n := b.Fields(i)
		switch {
		case n == 0 || isComment(b, i):
			parted = true
			continue
		case n < 2 || len(tables) == most:
			return nil
		}
		if last := len(tables) - 1; last >= 0 && tables[last].fields == n {
			tables[last].records++
		} else if parted && (last < 0 || tables[last].records > 1) {
			tables = append(tables, run{line: b.Line(i), fields: n, records: 1})
		} else {
			return nil
		}
		parted = false
	}
	return tables
}

// doubled reports whether all quotes within a quoted cell are doubled and the closing quote is
// at its end.
func doubled(cell []byte) bool {
	inner := cell[1:]
	for {
		i := bytes.IndexByte(inner, '"')
		if i < 0 || i == len(inner)-1 {
			return i >= 0
		}
		if inner[i+1] != '"' {
			return false
		}
		inner = inner[i+2:]
	}
}

// isComment reports whether a record begins with #.
func isComment(b *csv.Block, i int) bool { return bytes.HasPrefix(b.Record(i), []byte("#")) }

// maxPreamble is the maximum number of records before a table.
const maxPreamble = 50

// namesDelimiter reports whether a record is a line such as sep=; that tells Excel the
// separator. Which one it names does not matter: the table after it shows it.
func namesDelimiter(record []byte) bool {
	record = bytes.Trim(record, "\"\r\n")
	name, delimiter, found := bytes.Cut(record, []byte("="))
	return found && bytes.EqualFold(name, []byte("sep")) && slices.Contains(append(Delimiters(), rareDelimiters()...), string(delimiter))
}

// preamble returns the first record of the table, after titles, notes and comments, which have
// another number of fields than most records. first is the first record that is not blank.
func preamble(b *csv.Block, first int, given *Given) int {
	if namesDelimiter(b.Record(first)) {
		table := first + 1
		for table < b.Len() && b.Fields(table) == 0 {
			table++
		}
		if table < b.Len() {
			return table
		}
	}
	usual, table := usualFields(b), first
	for table < b.Len() && table-first <= maxPreamble && titleFields(b, table, usual) != usual {
		table++
	}
	for table < b.Len() && bytes.HasPrefix(b.Record(table), []byte("# ")) && b.Fields(table) == usual {
		table++ // a note with as many commas as a record
	}
	if table == first || table >= b.Len()-1 || usual < 2 {
		return first
	}
	titles, comments, gap, data := true, true, false, false
	for i := first; i < table; i++ {
		n := titleFields(b, i, usual)
		if n > usual {
			return first
		}
		gap = gap || n == 0
		titles = titles && n <= 1
		comments = comments && (n == 0 || isComment(b, i))
		for c := range n {
			cell := b.Cell(i, c)
			data = data || n > 1 && 2*n > usual && !csv.IsEmpty(cell) && given.kindsOf(csv.AppendUnquoted(nil, cell)) != text0
		}
	}
	gap = gap && titleFields(b, table-1, usual) == 0
	behind := &looked{dialect: given.Dialect, fields: make(map[int]int)}
	behind.read(b, table, given)
	header, _ := behind.headerByTypes(given)
	if behind.fits() && (comments || titles && gap || header && (titles || gap && !data)) {
		return table
	}
	return first
}

// titleFields returns how many fields a record has, without the empty ones that spreadsheets
// add to a title: if all cells after the first are empty, only the first counts.
func titleFields(b *csv.Block, i, usual int) int {
	n := b.Fields(i)
	if n != usual || n < 3 {
		return n
	}
	for c := 1; c < n; c++ {
		if !csv.IsEmpty(b.Cell(i, c)) {
			return n
		}
	}
	if csv.IsEmpty(b.Cell(i, 0)) {
		return 0
	}
	return 1
}

// usualFields returns the most common number of fields.
func usualFields(b *csv.Block) int {
	counts, usual := make(map[int]int), 0
	for i := range b.Len() {
		if n := b.Fields(i); n > 0 {
			counts[n]++
		}
	}
	for n, records := range counts {
		if records > counts[usual] || records == counts[usual] && n > usual {
			usual = n
		}
	}
	return usual
}

// better reports whether l is a more likely reading of a file than best, whose dialect was
// tried earlier.
func (l *looked) better(best *looked) bool {
	if (len(l.header) > 1) != (len(best.header) > 1) {
		return len(l.header) > 1 && l.fits()
	}
	if a, b := l.share(), best.share(); a != b {
		return a > b
	}
	return l.typed > best.typed
}

// cells returns the total number of fields of all records.
func (l *looked) cells() int {
	cells := len(l.header)
	for fields, records := range l.fields {
		cells += fields * records
	}
	return cells
}

// fits reports whether nearly all records have as many fields as the first.
func (l *looked) fits() bool {
	return l.share() > 0.9 || l.records-l.uniform == 1 && l.uniform > 1 // such as a total at the end
}

func (l *looked) share() float64 {
	if l.records == 0 {
		return 1
	}
	return float64(l.uniform) / float64(l.records)
}

// misaligned returns an error if most records have the same number of fields, but not that of
// the header: it is then unknown which name belongs to which field.
func (l *looked) misaligned() error {
	for n, records := range l.fields {
		if n != len(l.header) && 2*records > l.records {
			return &csv.InputError{
				File: l.name, Line: 1, Reason: ReasonMisaligned,
				Detail: fmt.Sprintf("the first record has %d fields, and most of the others have %d", len(l.header), n),
				Hint:   "mend the header, or leave out what stands before it by read_csv(…, skip = N)",
			}
		}
	}
	return nil
}

// askew reports whether nearly all records have the same number of fields, but not that of the
// header, and all of them several.
func (l *looked) askew() bool {
	for n, records := range l.fields {
		if n > 1 && n != len(l.header) && 10*records > 9*l.records {
			return len(l.header) > 1
		}
	}
	return false
}

// several returns the error for a file that holds several tables.
func (l *looked) several() error {
	var at []string
	for _, t := range l.tables {
		at = append(at, fmt.Sprintf("of %d columns from line %d on", t.fields, t.line))
	}
	return &csv.InputError{
		File: l.name, Line: 1, Reason: ReasonMisaligned,
		Detail: "there are several tables in it: " + strings.Join(at, ", "),
		Hint:   fmt.Sprintf("put each into a file of its own, or read the last one by read_csv(…, skip = %d)", l.tables[len(l.tables)-1].line-1),
	}
}

// Reasons of an InputError for a header that does not match the records, and for a file that
// does not match what is given.
const (
	ReasonMisaligned = "misaligned-header"
	ReasonColumns    = "wrong-columns"
)

func wrongColumns(f *File, detail string) error {
	return &csv.InputError{File: f.Name, Reason: ReasonColumns, Detail: detail, Hint: "analyzer sniff shows them"}
}
