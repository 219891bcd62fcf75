package sniff

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// fit makes the header as long as the records, and finds the records behind it that are no rows:
// units and other lines of the header, and the header once more.
func (l *looked) fit(b *csv.Block) {
	first := l.table.first
	n, width := len(l.header), l.table.fields
	if l.records == 0 && n > 0 { // other records have other numbers of fields
		l.columns, l.values = newKinds(n), make([]values, n)
	}
	if l.records == 0 || n == 0 {
		return
	}
	l.under(b)
	if l.joint != nil {
		l.header, l.renamed = l.joint, true
	}
	l.align(b)
	dropped := len(l.columns) < width
	width = len(l.columns)
	if l.dialect.Unquoted && !l.given.Unquoted {
		l.note(b, l.firstQuote(b), "quotes here and elsewhere do not enclose cells: they are read as text, as by quote = ''")
	}
	if l.headless = !l.hasHeader() || l.inBox || l.firstIsRow(b); !l.headless {
		l.uncomma(b)
	} else {
		l.header = l.header[:min(len(l.header), width)]
	}
	l.edges(b)
	if more := len(l.captions) - len(l.header); more > 0 && len(strings.Join(l.captions[len(l.header):], "")) == 0 {
		l.captions = l.captions[:len(l.header)] // a delimiter ends that line too
	} else if more != 0 {
		l.captions = nil
	}
	if more := len(l.header) - width; more > 0 {
		l.note(b, first, "the header has %d names and the rows have %d fields: %s null", len(l.header), width, areNull(l.header[width:]))
		l.columns = append(l.columns, newKinds(more)...)
		l.dialect.Pad, l.anywhere = len(l.header), false
	}
	if n != len(l.columns) {
		l.dialect.Fields = len(l.columns)
	}
	dropped = dropped || len(l.columns) < width
	if short := l.table.short; l.dialect.Pad == 0 && !dropped && 10*short > l.table.records && (short >= leastShort || l.headless && n < width) {
		l.note(b, first, "many rows have fewer fields than %d: what they lack is null", width)
		l.dialect.Pad, l.anywhere = width, false
	}
	l.repeated(b)
	l.noteTotals(b)
}

// firstQuote returns the first record that holds a quote.
func (l *looked) firstQuote(b *csv.Block) int {
	for i := l.table.first; i < l.table.end; i++ {
		if bytes.IndexByte(b.Record(i), '"') >= 0 {
			return i
		}
	}
	return l.table.first
}

// leastShort is how many records must be short before that is taken for a habit.
const leastShort = 3

func areNull(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("%q is", names[0])
	}
	return fmt.Sprintf("%q are", names)
}

// align gives names to the columns that the header does not name, and drops empty names for which
// there are no columns. If one name is missing, it is that of row names, as R writes
// them, or two names are written as one.
func (l *looked) align(b *csv.Block) {
	width, first := l.table.fields, l.table.first
	for len(l.header) > width && strings.TrimSpace(l.header[len(l.header)-1]) == "" {
		l.header = l.header[:len(l.header)-1]
	}
	missing := width - len(l.header)
	switch {
	case missing == -1 && l.blank():
		l.joinName(b)
	case missing < 0 && l.dialect.Delimiter == "\t" && isNamed(l.header[0]) && count(l.header, isNamed) == width && l.named():
		l.header, l.renamed = columnar.Only(l.header, isNamed), true
		l.note(b, first, "the header has %d cells and the rows have %d fields: tabs that align its names are no names", width-missing, width)
	}
	if missing < 1 {
		return
	}
	if l.whole && !slices.ContainsFunc(l.columns[len(l.header):], func(k kinds) bool { return k != allKinds }) {
		l.columns = l.columns[:len(l.header)] // delimiters that end the lines
		return
	}
	if !l.named() {
		l.header = append(l.header, make([]string, missing)...)
		return
	}
	at, cut := fused(l.header)
	ofOne := missing == 1 && len(l.header) == 1 && l.namesRows(b, first)
	switch {
	case missing == 1 && at >= 0 && !ofOne && l.columns[width-1] != allKinds:
		name := l.header[at]
		l.header = slices.Insert(slices.Clone(l.header), at+1, name[cut:])
		l.header[at] = name[:cut]
		l.note(b, first, "the header has a name less than the rows have fields: %q is taken for two, %q and %q", name, name[:cut], name[cut:])
	case ofOne || missing == 1 && width > 2 && l.columns[width-1] != allKinds && l.rowNames(b):
		l.header = slices.Insert(l.header, 0, "")
		l.note(b, first, "the header has no name for the first column, which is column0")
	default:
		l.note(b, first, "the header names %d of %d columns, perhaps not the first ones: the others are column%d …", len(l.header), width, len(l.header))
		l.header = append(l.header, make([]string, missing)...)
	}
}

// joinName makes one name of two, of which blanks separate the words, if the second is the only one in small letters, as in
// Mounted on.
func (l *looked) joinName(b *csv.Block) {
	small := func(name string) bool { return strings.IndexFunc(name, unicode.IsLower) == 0 }
	at := slices.IndexFunc(l.header, small)
	if at < 1 || count(l.header, small) > 1 {
		return
	}
	name := l.header[at-1] + " " + l.header[at]
	l.header, l.renamed = slices.Replace(slices.Clone(l.header), at-1, at+1, name), true
	l.note(b, l.table.first, "the header has a name more than the rows have fields: %q is taken for one", name)
}

// uncomma takes the commas off names between which blanks stand too, if only blanks separate the fields
// of the rows.
func (l *looked) uncomma(b *csv.Block) {
	names := withoutCommas(l.header)
	if !l.blank() || slices.Equal(names, l.header) {
		return
	}
	l.header = names
	l.renamed = true
	l.note(b, l.table.first, "the commas between the names are none of theirs")
}

// named reports whether the cells of the first record are texts or years, as names are, or the numbers of
// channels behind a text, as oscilloscopes write them: x-axis,1,2; or whether quotes show that they are names.
func (l *looked) named() bool {
	if l.quoted {
		return true
	}
	if len(l.header) > 1 && !l.given.typed(l.header[0]) {
		channels := true
		for i, name := range l.header[1:] {
			channels = channels && name == strconv.Itoa(i+1)
		}
		if channels {
			return true
		}
	}
	return !slices.ContainsFunc(l.header, l.given.isValue)
}

// fused returns the name in which a capital follows a small letter, and where: two names between
// which the delimiter is missing. Of several such names it is the only one with a space, which the
// others, as IDs and the like, have not.
func fused(names []string) (at, cut int) {
	var found, spaced [][2]int
	for i, name := range names {
		small := false
		for j, r := range name {
			if small && unicode.IsUpper(r) {
				found = append(found, [2]int{i, j})
				if strings.Contains(name, " ") {
					spaced = append(spaced, [2]int{i, j})
				}
				break
			}
			small = unicode.IsLower(r)
		}
	}
	switch {
	case len(found) == 1:
		return found[0][0], found[0][1]
	case len(spaced) == 1:
		return spaced[0][0], spaced[0][1]
	}
	return -1, 0
}

// rowNames reports whether the first cells of all records are different names of rows, as R writes
// them: in quotes, words where blanks separate the fields, or numbers from 1 or 0 on. Of such numbers a header
// may well have the name, and the one that it lacks is the last.
func (l *looked) rowNames(b *csv.Block) bool {
	taken := make(map[string]bool)
	blank := strings.TrimSpace(l.dialect.Delimiter) == "" || columnar.IsBlanks(l.dialect.Delimiter)
	words := blank && l.columns[0] == text0
	numbered := !slices.Contains(strings.Fields(numberNames), strings.ToLower(l.header[0]))
	quoted, from := true, 1
	for i := l.table.first + 1; i < l.table.end; i++ {
		if b.Fields(i) != l.table.fields {
			continue
		}
		cell := string(b.Cell(i, 0))
		if cell == "" || taken[cell] {
			return false
		}
		taken[cell] = true
		quoted = quoted && cell[0] == '"'
		if len(taken) == 1 && cell == "0" && len(l.header) > 1 {
			from = 0
		}
		numbered = numbered && cell == strconv.Itoa(len(taken)-1+from)
	}
	return quoted || words || numbered && len(taken) >= leastNumbered
}

// leastNumbered is how many rows must be numbered before that is no chance.
const leastNumbered = 3

// numberNames are names of columns of numbers of rows.
const numberNames = "# case column count counter day hour id idx index item key lfd line month n nr nº no no. num number nummer obs order pk pos " +
	"position rank row rowid sample seq sequence step t time week year №"

// namesRows reports whether record at, a single name, stands over rows of two fields as R writes them, of
// which the first has no name: in quotes as the name is, or numbers where blanks separate the fields.
func (l *looked) namesRows(b *csv.Block, at int) bool {
	name := b.Cell(at, 0)
	if l.table.fields != 2 || len(name) == 0 || l.given.kindsOf(name).typed() {
		return false
	}
	behind := l.part(run{})
	behind.table, behind.header = l.table, []string{""}
	behind.table.first = at
	behind.columns = newKinds(2)
	quoted := name[0] == '"'
	for i := at + 1; i < l.table.end && quoted; i++ {
		quoted = b.Fields(i) != 2 || bytes.HasPrefix(b.Cell(i, 0), []byte(`"`))
	}
	return (quoted || l.blank() || l.dialect.Delimiter == "\t") && behind.rowNames(b)
}

// edges drops the columns without names and cells that delimiters at the ends of lines, or at their
// beginnings, make, unless so many columns are given. Of a long file the end is not seen, so
// that there must be as many given as remain, and so of one of several files.
func (l *looked) edges(b *csv.Block) {
	nothing := func(c int) bool {
		named := c < len(l.captions) && l.captions[c] != ""
		return !named && l.columns[c] == allKinds && l.values[c].cells == 0 && strings.TrimSpace(l.header[c]) == ""
	}
	n, given := len(l.columns), max(len(l.given.Columns), len(l.given.Names))
	if n < 2 || len(l.header) < n || len(l.values) != n || given == n || given == 0 && (!l.whole || l.given.Several) || l.records == 0 {
		return
	}
	last := n
	for last > 1 && len(l.header) == n && nothing(last-1) {
		last--
	}
	if last < n {
		l.columns, l.header = l.columns[:last], l.header[:last]
		l.note(b, l.table.first, "each line ends with a delimiter, behind which there is no column")
	}
	for l.parted < last-1 && nothing(l.parted) {
		l.parted++
	}
	if l.parted == 0 && last > 1 && l.beginBlank(b) {
		l.parted = 1
	}
	if l.parted > 0 {
		l.note(b, l.table.first, "each line begins with a delimiter, before which there is no column")
	}
}

// beginBlank reports whether a space or more, and nothing else, stand before the first delimiter of all records, as where
// a drawn table is set in.
func (l *looked) beginBlank(b *csv.Block) bool {
	if strings.TrimSpace(l.header[0]) != "" || l.blank() || l.dialect.Widths != nil {
		return false
	}
	for i := l.table.first; i < l.table.end; i++ {
		if b.Fields(i) == l.table.fields && (len(b.Cell(i, 0)) == 0 || !isBlank(b.Cell(i, 0))) {
			return false
		}
	}
	return true
}

// repeated has records left out that repeat the header, as in files that were put together, and tells of the first.
func (l *looked) repeated(b *csv.Block) {
	first := l.table.first
	if l.headless || l.given.Header != nil && !*l.given.Header || len(l.header) < 2 {
		return
	}
	l.dialect.Repeated = true
	l.leavePages(b)
	for i := first + 1; i < l.table.end; i++ {
		if csv.Repeats(b.Record(i), b.Record(first)) {
			l.notes = append(l.notes, headerAgain(b.Line(i)))
			return
		}
	}
}

// mostPage is how many records the title of a page has at most.
const mostPage = 10

// behindPage returns the header that stands again behind the title of a page that begins with a record, or the record.
func (l *looked) behindPage(b *csv.Block, i int) int {
	if !l.found.pages || !bytes.HasPrefix(b.Record(i), []byte("\f")) {
		return i
	}
	for at := i; at < min(l.table.end, i+mostPage); at++ {
		if csv.Repeats(b.Record(at), b.Record(l.table.first)) {
			return at
		}
	}
	return i
}

// leavePages leaves out titles of pages at the beginning of a file, and tells of the first.
func (l *looked) leavePages(b *csv.Block) {
	first := true
	for i := l.table.first + 1; i < l.table.end && l.found.pages; i++ {
		next := l.behindPage(b, i)
		if next == i {
			continue
		}
		l.dialect.Omit = append(l.dialect.Omit, columnar.Lines{From: b.Line(i), To: b.Line(next) - 1})
		if first {
			l.note(b, i, "the title of a page (%s), as of others further on, and no row", excerpt(bytes.TrimLeft(b.Record(i), "\f")))
		}
		i, first = next, false
	}
}

// under leaves out what stands right below the header and is no row: a line drawn under the names, units, or
// further lines of names.
func (l *looked) under(b *csv.Block) {
	at, width := l.table.first+1, l.table.fields
	for at < l.table.end && b.Fields(at) == 0 {
		at++
	}
	switch {
	case l.given.Header != nil || l.table.row > 0 || at >= l.table.end, l.otherUnder(b, at):
	case b.Fields(at) != width || len(l.header) < width-1 || width < 2 || l.given.Skipped && len(l.given.Omit) > 0:
	case l.importsUnder(b, at):
	default:
		if why := l.noRow(b, at); why != "" {
			l.leaveOut(b, at, why)
		} else if isBlank(b.Cell(at, 0)) || l.named() && l.mayBeUnits(b, at) {
			l.namesUnder(b, at)
		}
	}
}

// otherUnder leaves out lines from a record on that have another number of fields than the table, if they are
// a line drawn under the names, with what stands between, or units.
func (l *looked) otherUnder(b *csv.Block, at int) (found bool) {
	fields := b.Fields(at)
	rule := l.onlyDrawn(b, at)
	switch {
	case fields != l.table.fields && drawn(b.Record(at)) && l.commented != '+':
		l.omit(b, at, "a line drawn under the names")
	case rule > at:
		l.omit(b, rule, "a line drawn under the header")
		for ; at < rule; at++ {
			l.leaveOut(b, at, "another line of the header")
		}
	case fields > 1 && fields < l.table.fields && l.units(b, at) == fields:
		l.leaveOut(b, at, "units")
	default:
		return false
	}
	return true
}

// importsUnder leaves out the lines from a record on to the one by which Qualtrics imports what it wrote.
func (l *looked) importsUnder(b *csv.Block, at int) (found bool) {
	for last := min(at+1, l.table.end-1); last >= at; last-- {
		if l.areImportIDs(b, last) {
			for ; at <= last; at++ {
				l.leaveOut(b, at, "questions, or what Qualtrics imports them by")
			}
			return true
		}
	}
	return false
}

// noRow says what a record below the header is, "" if it may be a row.
func (l *looked) noRow(b *csv.Block, at int) string {
	switch {
	case drawn(b.Record(at)):
		return "a line drawn under the names"
	case filled(b, at) == 0 && l.uniform > 1:
		return "nothing but delimiters under the names"
	case l.areTags(b, at):
		return "tags of HXL"
	case l.areWidths(b, at):
		return "widths of RDB"
	}
	return ""
}

// namesUnder leaves out a record below the header that is units or a second line of names, by what is behind it.
func (l *looked) namesUnder(b *csv.Block, at int) {
	width := l.table.fields
	behind := l.part(run{first: at, end: l.table.end, fields: width})
	behind.headAbove = b.Record(l.table.first)
	behind.read(b)
	if behind.uniform < 2 || !l.areNamesOver(b, behind) {
		return
	}
	last := min(len(l.header), width)
	for last > 1 && l.header[last-1] == "" && behind.columns[last-1] == allKinds { // a delimiter ends the lines
		last--
	}
	index := l.header[0] == "" && behind.header[0] != "" && filled(b, at) == 1 // what the rows are called by
	if index || slices.Contains(l.header[min(1, last-1):last], "") || repeats(l.header) {
		l.header = joined(l.header, behind.header)
		l.renamed = true
		l.leaveOut(b, at, "a second line of the header")
	} else {
		l.leaveOut(b, at, "units, or a second line of the header")
	}
}

// areNamesOver reports whether the first record of a part is none of the rows behind it: it has texts where these have
// types, or are alike, or the parts of names.
func (l *looked) areNamesOver(b *csv.Block, behind *looked) bool {
	misfits, fits := 0, 0
	for c, name := range behind.header {
		k := behind.columns[c]
		switch {
		case strings.TrimSpace(name) == "" || isYear(name) && 2*behind.yearly < behind.uniform && strings.TrimSpace(behind.header[0]) == "":
		case k == allKinds || k == text0:
		case l.given.kindsOf([]byte(name)).and(k) == text0 && (!l.given.typed(name) || isYear(name)):
			misfits++
		case l.isDay(name) && k&float != 0 && strings.TrimSpace(behind.header[0]) == "":
			misfits++
		default:
			fits++
		}
	}
	if misfits == 1 {
		for c, k := range behind.columns {
			if k == text0 && behind.header[c] != "" && behind.likeRows(b, c).other {
				misfits++
			}
		}
	}
	parts := l.namesParts(behind)
	return fits == 0 && (parts || misfits > 1 || misfits == 1 && haveUnit(behind.header))
}

// mostTypes is how many lines may stand between names and a line drawn under them, such as types.
const mostTypes = 2

// onlyDrawn returns the only line that is drawn in the table, if it is one of the first from a record on, or 0.
func (l *looked) onlyDrawn(b *csv.Block, at int) int {
	isDrawn := func(i int) bool {
		n := b.Fields(i)
		return n > 0 && (n != l.table.fields || filled(b, i) == n) && drawn(b.Record(i))
	}
	for rule := at; rule < min(l.table.end, at+mostTypes+1); rule++ {
		if isDrawn(rule) {
			for i := rule + 1; i < l.table.end; i++ {
				if isDrawn(i) {
					return 0
				}
			}
			return rule
		}
	}
	return 0
}

// areTags reports whether all cells of a record that say something are tags of the Humanitarian Exchange Language
// (https://hxlstandard.org), as #affected+f, of which there are two or more, and none of the next one begins with the sign.
func (l *looked) areTags(b *csv.Block, at int) bool {
	tags := 0
	for _, cell := range l.namesOf(b, at) {
		if cell == "" {
			continue
		}
		if tags++; len(cell) < 2 || cell[0] != '#' || !unicode.IsLetter(rune(cell[1])) || strings.Count(cell, "#") > 1 {
			return false
		}
	}
	signed := func(cell string) bool { return strings.HasPrefix(cell, "#") }
	return tags > 1 && at+1 < l.table.end && !slices.ContainsFunc(l.namesOf(b, at+1), signed)
}

// areImportIDs reports whether all cells of a record are such as {"ImportId":"QID1"}, which files of Qualtrics have below
// names and questions.
func (l *looked) areImportIDs(b *csv.Block, at int) bool {
	return b.Fields(at) == l.table.fields && !slices.ContainsFunc(l.namesOf(b, at), func(cell string) bool { return !strings.HasPrefix(cell, `{"ImportId":`) })
}

// areWidths reports whether all cells of a record are widths of strings, numbers and dates, as in 5s and 14n, which files
// of RDB have below the names (https://waterdata.usgs.gov).
func (l *looked) areWidths(b *csv.Block, at int) bool {
	return !slices.ContainsFunc(l.namesOf(b, at), func(cell string) bool {
		digits, kind := leadingDigits([]byte(cell)), len(cell)-1
		return kind < 1 || digits != kind || strings.IndexByte("snd", cell[kind]) < 0
	})
}

// namesParts reports whether a record has nothing in the first cell, where all others have a number, and a text for
// each column that the header does not name, as surveys have the answers to choose from below the questions; or
// nothing but years below names of groups, and nothing below names of columns, where all others have a name.
func (l *looked) namesParts(behind *looked) bool {
	if behind.header[0] != "" || behind.unnumbered || len(l.header) != len(behind.header) {
		return false
	}
	noYear := func(part string) bool { return part != "" && !isYear(part) }
	if years := !slices.ContainsFunc(behind.header[1:], noYear) && 2*behind.yearly < behind.uniform; !behind.columns[0].typed() && !years {
		return false
	}
	parts := 0
	for c, name := range l.header {
		switch {
		case name != "":
		case behind.header[c] != "":
			parts++
		case behind.columns[c] != allKinds:
			return false
		}
	}
	return parts > 0
}

// mayBeUnits reports whether a record may not fit the types of those behind it, going by the first
// few. In most files it fits, and the others need not be read.
func (l *looked) mayBeUnits(b *csv.Block, at int) bool {
	const few = 8
	columns, seen := newKinds(b.Fields(at)), 0
	for i := at + 1; i < l.table.end && seen < few; i++ {
		if b.Fields(i) != len(columns) || csv.Repeats(b.Record(i), b.Record(at)) || csv.Repeats(b.Record(i), b.Record(l.table.first)) || b.Unclosed() && i == b.Len()-1 {
			continue
		}
		seen++
		for c := range columns {
			columns[c] = columns[c].and(l.kindsIn(b.Cell(i, c)))
		}
	}
	for c, k := range columns {
		if in := l.kindsIn(b.Cell(at, c)); k&^in&(boolean|moments|plain) != 0 || k != text0 && k.and(in) == text0 {
			return seen > 0
		}
	}
	return false
}

// kindsIn returns the kinds of values that a cell may be.
func (l *looked) kindsIn(cell []byte) kinds {
	if l.text = csv.AppendUnquoted(l.text[:0], cell); len(l.text) == 0 {
		return kindsOfEmpty(l.given.Nulls)
	}
	return l.given.kindsOf(l.text)
}

// leaveOut leaves out a record, and reads the others again.
func (l *looked) leaveOut(b *csv.Block, at int, why string) {
	l.omit(b, at, why)
	header, records := l.header, l.records
	behind := l.table
	behind.first = at
	all := l.table
	l.table, l.headAbove = behind, b.Record(all.first)
	l.read(b)
	l.table, l.headAbove, l.header, l.records = all, nil, header, records-1
}

// omit leaves out a record that was not read.
func (l *looked) omit(b *csv.Block, at int, why string) {
	l.dialect.Omit = append([]columnar.Lines{{From: b.Line(at), To: b.Line(at+1) - 1}}, l.dialect.Omit...)
	record := b.Record(at)
	if d := l.dialect.Delimiter; d != "" && !l.blank() {
		record = bytes.ReplaceAll(record, []byte(csv.Separator), []byte(d))
	}
	l.note(b, at, "%s (%s), and no row", why, excerpt(record))
}

// boxed reports whether record i is one of the lines drawn around a table that begin with +, where those of
// the table begin with the delimiter.
func (l *looked) boxed(b *csv.Block, i int) bool {
	return l.dialect.Delimiter == "|" && b.Record(i)[0] == '+' && b.Record(l.table.first)[0] == '|'
}

// These are the signs of which lines are drawn, three dashes or more of each.
const (
	dashes  = "-=─━═"
	drawing = dashes + "+|:;,\t \"_│┃║┆┊┌┐└┘├┤┬┴┼╞╪╡╭╮╰╯╒╕╘╛┏┓┗┛┡╇┩┠┨╔╗╚╝╠╣╦╩╬"
)

// drawn reports whether a record is a line of dashes.
func drawn(record []byte) bool {
	if len(record) == 0 || strings.IndexByte("-=+|:;,\t \"_\xe2", record[0]) < 0 || len(bytes.Trim(record, drawing)) > 0 {
		return false
	}
	drawn := 0
	for _, r := range string(record) {
		if strings.ContainsRune(dashes, r) {
			drawn++
		}
	}
	return drawn > 2
}

// haveUnit reports whether the only text is a unit in brackets, or stands alone in its record.
func haveUnit(cells []string) bool {
	texts, bracket := 0, false
	for _, cell := range cells {
		if cell = strings.TrimSpace(cell); cell != "" {
			texts++
			bracket = bracket || strings.HasPrefix(cell, "(") || strings.HasPrefix(cell, "[") || cell == "%"
		}
	}
	return texts == 1 || bracket
}

func repeats(names []string) bool {
	taken := make(map[string]bool)
	for _, name := range names {
		if name != "" && taken[name] {
			return true
		}
		taken[name] = true
	}
	return false
}

// joined puts two lines of a header together; an empty name above another means the one before it.
func joined(above, below []string) []string {
	out := make([]string, len(below))
	group := ""
	for i, name := range below {
		if i < len(above) && above[i] != "" {
			group = above[i]
		}
		if out[i] = strings.TrimSpace(name); out[i] != "" || i < len(above) && above[i] != "" {
			out[i] = strings.TrimSpace(strings.TrimSpace(group) + " " + out[i])
		}
	}
	return out
}
