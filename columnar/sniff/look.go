package sniff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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
	given     *Given
	anywhere  bool    // samples may be taken of the file, whose lines are cut at its delimiter alone
	whole     bool    // the beginning is all of the file
	letters   letters // counted only if the beginning is not valid UTF-8
	dialect   columnar.Dialect
	table     table       // the part of the beginning that is read
	headAbove []byte      // the header, if the table begins below it
	tables    []place     // all tables in it
	score     float64     // how well the dialect explains the beginning, from 0 to 1
	header    []string    // the cells of the first record of the table
	records   int         // number of records after the header
	uniform   int         // how many of these have the table's number of fields
	fields    map[int]int // number of records by number of fields
	typed     int         // cells that are numbers, dates or truth values
	irregular int         // cells with text after their closing quote
	explained int         // uniform records whose quotes all enclose cells
	yearly    int         // records that hold years where the header does
	columns   []kinds
	values    []values
	counted   *counted
	notes     []Note
	headless  bool
	quoted    bool     // the names stand in quotes, and the values in a column below them do not
	parted    int      // how many delimiters before the first column begin each line
	renamed   bool     // the names are not those of the header
	joint     []string // the names of the columns, if they stand in several lines
	captions  []string // the names in a line above the table, if there are any
	captioned Note     // which line that is
	inComment []string // the names of the columns, if they stand in a comment
	described []string // likewise, in a description above the rows
	bars      *bars    // above the rows; nil: there are none

	captionComment bool                   // the line above the table is a comment
	inBox          bool                   // it is that of a box
	unnumbered     bool                   // the first cell of a record is empty
	backslash      bool                   // a backslash precedes a quote
	escapes        bool                   // a backslash precedes an apostrophe
	begins         [len(otherQuotes)]bool // which of these begin a cell
	beginsApart    [len(otherQuotes)]bool // which do behind spaces
	spaced         bool                   // spaces stand before or behind the quotes of a cell
	commented      byte                   // lines within the table begin with it: #, %, or + where these are drawn
	signed         bool                   // so do rows
	tail           int64                  // the line of the first record that a comment may follow; 0: there is none
	allTailed      bool                   // one may follow each, and lines are comments
	above          byte                   // so do lines above the table; 0: none
	lines          string                 // the first two that are neither blank nor comments
	quotesFit      bool                   // the quotes, if they are other than usual, explain the records
	unclosed       bool                   // the last record is cut off within quotes
	swallowed      int                    // lines of the last record, if it is cut off

	data   []byte // the beginning, as the dialect reads it
	found  marked
	column csv.Column // memory for those of a column
	text   []byte     // and for the text of a cell
}

// otherQuotes are quotes that are tried if they begin a cell.
const otherQuotes = "'~`"

// values counts the cells of a column that are not empty, those of them that have a type, and words for null, those that show
// whether spaces are left out around values, those of these that have some, and texts such as ="007".
type values struct {
	cells, typed, nulls, shown, apart, formulas int
	marks                                       int  // such as 1-
	long                                        bool // a value has more than one character beside such a sign

	months monthly // of dates that may have the day or the month first
}

// mostlyTyped says of each column whether most cells have a type.
func (l *looked) mostlyTyped() []bool {
	out := make([]bool, len(l.columns))
	for c := range min(len(out), len(l.values)) {
		out[c] = 2*l.values[c].typed > l.values[c].cells-l.values[c].nulls
	}
	return out
}

// lookBytes is how many bytes of a file are looked at in each dialect.
const lookBytes = 1 << 20

// raw returns the text of a file of which nothing separates fields; nil of others.
func (l *looked) raw() []byte {
	if len(l.header) == 1 && l.dialect.Widths == nil {
		return l.data
	}
	return nil
}

// look reads the beginning of a file into a block. It returns nil if hopeless, which may be nil, says so as soon as the
// table was found.
func look(ctx context.Context, open func() (vfs.File, error), d columnar.Dialect, given *Given, b *csv.Block, hopeless func(*looked) bool) (l *looked, err error) {
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
	l = &looked{name: f.Name(), given: given, anywhere: r.Anywhere() && d.Pad == 0 && !d.Spaced, dialect: d}
	l.dialect.Encoding = r.Encoding()
	l.notes = columnar.Each(r.Notes(), noteOf)
	if err := r.Next(ctx, b); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	l.data, l.found = b.Data(), marksIn(b.Data())
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
	l.whole, l.unclosed = b.End() < lookBytes, b.Unclosed()
	l.backslash, l.escapes = bytes.Contains(b.Data(), []byte(`\"`)), bytes.Contains(b.Data(), []byte(`\'`))
	l.tail, l.allTailed = l.tailOf(b, first)
	if d.Delimiter == "|" {
		l.bars = barsOf(b, first)
	}
	if l.place(b, first); hopeless != nil && hopeless(l) {
		return nil, nil
	}
	l.read(b)
	l.endSigned(b)
	l.caption(b, first)
	l.fit(b)
	l.inComment = l.commentNames(b)
	if given.Count {
		l.counted = countedOf(b, l.table.first+1, l.table.end, l.table.fields)
	}
	l.quotesFit = d.Quote == "" || quotesFit(b, l.table.first, d)
	return l, nil
}

// read analyses the records of the table.
func (l *looked) read(b *csv.Block) {
	first, width := l.table.first, l.table.fields
	var years []int // the columns that have a year above them
	l.header, l.columns, l.values = nil, newKinds(width), make([]values, width)
	l.spaced = l.hasSpaced(b, first)
	for c := range b.Fields(first) {
		l.header = append(l.header, visible(string(csv.AppendUnquoted(nil, b.Cell(first, c)))))
		if c < width && isYear(l.header[c]) {
			years = append(years, c)
		}
	}
	l.records, l.uniform, l.typed, l.irregular, l.explained, l.yearly, l.signed = 0, 0, 0, 0, 0, 0, false
	l.fields = make(map[int]int)
	rows := make([]int32, 0, max(0, l.table.end-first))
	var signed []int32 // which begin like comments and have as many fields as the table
	head, comment := b.Record(first), l.isComment(b, first)
	again := func(i int) bool {
		return csv.Repeats(b.Record(i), head) || l.headAbove != nil && csv.Repeats(b.Record(i), l.headAbove)
	}
	for i := max(first+1, l.table.row); i < l.table.end; i++ {
		if next := l.behindPage(b, i); next > i {
			i, l.commented = next, '\f'
		}
		n := b.Fields(i)
		l.spaced = l.spaced || l.hasSpaced(b, i)
		switch {
		case n == 0 || width > 1 && again(i):
			continue
		case l.isComment(b, i) && (n != width || b.Record(i)[0] == l.above):
			l.commented = b.Record(i)[0]
			continue
		case n != width && drawn(b.Record(i)):
			if l.boxed(b, i) {
				l.commented = '+'
			}
			continue
		case l.isComment(b, i) && i > first+1 && !comment: // else it may hold units
			signed = append(signed, int32(i))
			continue
		}
		l.signed = l.signed || n == width && l.isComment(b, i)
		rows = append(rows, int32(i))
	}
	begin := rows[:min(len(rows), comparedQuotes)]
	l.readRows(b, rows, years)
	l.readSigned(b, signed, years)
	l.quoted = l.headQuoted(b, first, begin)
	if l.uniform < l.records { // these may begin cells of records with other numbers of fields
		for i, quote := range otherQuotes {
			l.begins[i] = l.begins[i] || bytes.Contains(b.Data(), []byte(l.dialect.Delimiter+string(quote))) || bytes.Contains(b.Data(), []byte("\n"+string(quote)))
		}
	}
}

// readSigned reads records that begin like comments and have as many fields as the table: they are some if
// rows have types that none of these fits.
func (l *looked) readSigned(b *csv.Block, records []int32, years []int) {
	switch {
	case len(records) == 0:
	case slices.ContainsFunc(records, func(i int32) bool { return l.fitting(b, int(i), l.columns) != nil }):
		l.signed = true
		l.readRows(b, records, years)
	default:
		l.commented = b.Record(int(records[len(records)-1]))[0]
	}
}

// hasSpaced reports whether spaces stand before the opening quote of a cell of a record, or behind the
// closing one.
func (l *looked) hasSpaced(b *csv.Block, i int) bool {
	if !l.found.spaced || l.dialect.Spaced {
		return false
	}
	for c := range b.Fields(i) {
		cell := b.Cell(i, c)
		if len(cell) < 2 {
			continue
		}
		if cell[0] == ' ' && bytes.HasPrefix(bytes.TrimLeft(cell, " "), []byte(`"`)) {
			return true
		}
		if cell[0] == '"' && cell[len(cell)-1] == ' ' && closed(bytes.TrimRight(cell, " ")) {
			return true
		}
	}
	return false
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

// isComment reports whether a record begins like a comment: with # or %, or with ; where blanks separate
// fields.
func (l *looked) isComment(b *csv.Block, i int) bool {
	if !l.found.comments {
		return false
	}
	record := b.Record(i)
	return len(record) > 0 && (record[0] == '#' || record[0] == '%' && l.dialect.Widths == nil || record[0] == ';' && l.blank())
}

// firstLines returns the first two records from first on that are neither comments nor drawn.
func (l *looked) firstLines(b *csv.Block, first int) string {
	var lines []string
	for i := first; i < b.Len() && len(lines) < 2; i++ {
		if b.Fields(i) > 0 && !l.isComment(b, i) && !drawn(b.Record(i)) {
			lines = append(lines, string(b.Record(i)))
		}
	}
	return strings.Join(lines, "\n")
}

// tailOf returns the line of the first record from first on behind which a comment may stand, or 0, and whether
// that is so of all but a few, and lines are comments.
func (l *looked) tailOf(b *csv.Block, first int) (line int64, all bool) {
	comment := cmp.Or(l.given.Comment, "#")
	if l.dialect.Trailing || !bytes.Contains(b.Data(), []byte(comment)) {
		return 0, false
	}
	tails, records, comments := 0, 0, 0
	for i := first; i < b.Len(); i++ {
		before, behind, found := bytes.Cut(b.Record(i), []byte(comment))
		switch {
		case b.Fields(i) == 0:
		case found && len(before) == 0:
			comments++
		case found && endsBlank(before) && (len(behind) == 0 || behind[0] == ' ' || behind[0] == '\t'):
			line = cmp.Or(line, b.Line(i))
			tails++
			records++
		default:
			records++
		}
		if line > 0 && 10*tails < records { // most files with such a sign have only a few
			return line, false
		}
	}
	return line, comments > 0 && 20*(tails+1) > 19*records // a header may have none
}

// endsBlank reports whether a text ends with a blank behind something else.
func endsBlank(text []byte) bool {
	something := bytes.TrimRight(text, " \t")
	return len(something) > 0 && len(something) < len(text)
}

// namesDelimiter reports whether a record is a line such as sep=; that tells Excel the
// separator. Which one it names does not matter: the table after it shows it.
func namesDelimiter(record []byte) bool {
	record = bytes.Trim(record, "\"\r\n")
	name, delimiter, found := bytes.Cut(record, []byte("="))
	return found && bytes.EqualFold(name, []byte("sep")) && slices.Contains(append(Delimiters(), rareDelimiters()...), string(delimiter))
}

// better reports whether l is a more likely reading of a file than best, whose dialect was
// tried earlier.
func (l *looked) better(best *looked) bool {
	if l.score == 0 && best.score == 0 {
		return l.share() > best.share()
	}
	return l.score > best.score+1e-9
}

// cells returns the total number of fields of all records.
func (l *looked) cells() int {
	cells := len(l.header)
	for fields, records := range l.fields {
		cells += fields * records
	}
	return cells
}

// explains returns the share of records that have as many fields as the table, and no quote in or
// behind the cells that it does not enclose. The lines that an open quote swallows are not explained.
func (l *looked) explains() float64 {
	return float64(l.explained) / float64(max(1, l.records+l.swallowed))
}

func (l *looked) share() float64 {
	if l.records == 0 {
		return 1
	}
	return float64(l.uniform) / float64(l.records)
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
