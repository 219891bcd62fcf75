package sniff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// Delimiters returns the usual delimiters, the most usual first.
func Delimiters() []string { return []string{",", ";", "\t", "|"} }

// finder looks at a file in one dialect after another, and keeps the most likely one.
type finder struct {
	ctx   context.Context
	open  func() (vfs.File, error)
	given *Given
	best  *looked
	// encoding is that of the file; "" if it is given, or is UTF-8.
	encoding string
	bars     *bars  // above the rows; nil: there are none
	text     []byte // the beginning of the file, in that encoding
	inner    bool   // what is looked for stands behind titles
	failed   error  // the first error of a dialect in which the file cannot be read
	blocks   []*csv.Block
}

// blocks are those of earlier looks, whose memory new ones use again.
var blocks = sync.Pool{New: func() any { return new(csv.Block) }}

// block returns a block that is the finder's until it closes.
func (f *finder) block() *csv.Block {
	b := blocks.Get().(*csv.Block)
	f.blocks = append(f.blocks, b)
	return b
}

// close ends the use of all that was looked at.
func (f *finder) close() {
	for _, b := range f.blocks {
		blocks.Put(b)
	}
}

// find looks at the file in each plausible dialect, and returns the most likely one.
func (f *finder) find() (*looked, error) {
	if f.given.Widths != nil {
		return f.cut()
	}
	if err := f.usual(); err != nil {
		return nil, err
	}
	if f.best == nil {
		return nil, f.failed
	}
	for _, step := range []func() error{f.encoded, f.barred, f.lineQuoted, f.enquoted, f.ruled, f.rare, f.tabbed, f.below, f.framed, f.aligned, f.spilled, f.behindTitle, f.longer, f.trailing, f.commented, f.padded} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	f.best.noteOtherwise(f.text)
	f.best.noteSeparators(f.text)
	if f.encoding != "" {
		note := fmt.Sprintf("it is no UTF-8, and read as %s: read_csv(…, encoding = …) names another encoding", f.encoding)
		f.best.notes = append(f.best.notes, Note{Text: note})
	}
	return f.best, nil
}

// cut looks at a file whose fields have given widths.
func (f *finder) cut() (*looked, error) {
	d := f.given.Dialect
	d.Headless = true
	l, err := f.look(d, nil)
	if l == nil && err == nil {
		err = f.failed
	}
	return l, err
}

// look looks at the file in one dialect. It returns nil if the file cannot be read in it, or if hopeless says so.
func (f *finder) look(d columnar.Dialect, hopeless func(*looked) bool) (*looked, error) {
	return f.lookAt(d, f.given, hopeless)
}

// lookAt is look with other things given.
func (f *finder) lookAt(d columnar.Dialect, given *Given, hopeless func(*looked) bool) (*looked, error) {
	l, err := look(f.ctx, f.open, d, given, f.block(), hopeless)
	var input *csv.InputError
	if errors.As(err, &input) {
		f.failed = cmp.Or(f.failed, err)
		err = nil
	}
	if l != nil && l.bars != nil {
		f.bars = l.bars
	}
	if l != nil && f.text == nil {
		f.text = l.data
	}
	return l, err
}

// lacks reports whether no dialect with a delimiter is better than the best so far, since the delimiter does not
// occur: each record has one field.
func (f *finder) lacks(delimiter string) bool {
	if f.best == nil || f.given.Padded || bytes.Contains(f.text, []byte(delimiter)) {
		return false
	}
	return f.best.score > 0 || f.best.share() == 1
}

// hopeless reports whether a dialect of which only the table is known is no better than the best so far, and
// nothing suggests other quotes.
func (f *finder) hopeless(l *looked) bool {
	if f.best == nil || f.given.Padded || l.bars != nil || f.best.score == 0 || f.best.dialect.Skip > f.given.Skip {
		return false
	}
	return !l.better(f.best) && !l.mayQuote()
}

// try looks at the file in one dialect, if it is one, which becomes the best if accept returns true.
func (f *finder) try(d columnar.Dialect, accept func(l *looked) bool) error {
	if !isDialect(d) {
		return nil
	}
	l, err := f.look(d, nil)
	if l != nil && accept(l) {
		f.best = l
	}
	return err
}

// isDialect reports whether files may be written so: a delimiter is no quote.
func isDialect(d columnar.Dialect) bool { return csv.CheckDialect(d) == nil }

// parted returns the given dialect with another delimiter.
func (f *finder) parted(delimiter string) columnar.Dialect {
	d := f.given.Dialect
	d.Delimiter, d.Headless = delimiter, true
	if f.encoding != "" {
		d.Encoding = f.encoding
	}
	return d
}

// usual tries the given delimiter, or else the usual ones, each also with the quotes and
// escapes that the file suggests.
func (f *finder) usual() error {
	usual := Delimiters()
	if f.given.Delimiter != "" {
		usual = []string{f.given.Delimiter}
	}
	for _, delimiter := range usual {
		d := f.parted(delimiter)
		if f.given.Delimiter == "" && (!isDialect(d) || f.lacks(delimiter)) {
			continue // the delimiter is the quote, or nowhere
		}
		l, err := f.look(d, f.hopeless)
		if l != nil && f.likelier(l) {
			f.best = l
		}
		if l != nil && f.given.Quote == "" && !f.given.Unquoted {
			err = f.quoted(d, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// likelier reports whether a dialect with another delimiter is better than the best so far.
// If records may be short, the dialect that yields more fields is better.
func (f *finder) likelier(l *looked) bool {
	switch {
	case f.best == nil:
		return true
	case f.given.Padded:
		return l.cells() > f.best.cells()
	case l.headsAll() && f.best.leavesAbove(l) && !f.best.headsAll():
		return true
	case f.best.headsAll() && l.leavesAbove(f.best) && !l.headsAll():
		return false
	}
	return l.better(f.best)
}

// headsAll reports whether the first line of the file has words, three or over other types, and all others are
// rows with as many cells. Behind titles and comments the words must stand over other types.
func (l *looked) headsAll() bool {
	if l.records == 0 || l.uniform < l.records || len(l.header) != l.table.fields {
		return false
	}
	alone := l.dialect.Skip <= l.given.Skip // nothing stands above
	if few := l.records < leastRows; few && alone {
		return false
	}
	return l.names() > 1 || alone && len(l.header) > 2 && !slices.ContainsFunc(l.header, isNoWord)
}

// isNoWord reports whether a text does not begin with a letter.
func isNoWord(text string) bool { return text == "" || !unicode.IsLetter([]rune(text)[0]) }

// leavesAbove reports whether a dialect reads fewer rows than another, since it leaves out more lines above them: it
// separates lists that are cells of the other, as in 1;2;3,4;5;6.
func (l *looked) leavesAbove(other *looked) bool {
	return l.dialect.Skip > other.dialect.Skip && l.uniform <= other.records
}

// quoted tries other quotes and escapes that the file suggests. plain is what it is without them.
func (f *finder) quoted(d columnar.Dialect, plain *looked) error {
	if plain.spaced {
		spaced := d
		spaced.Spaced = true
		same := func(l *looked) bool { return f.best == plain && l.score == plain.score }
		if err := f.try(spaced, func(l *looked) bool { return l.irregular == 0 && (l.better(f.best) || same(l)) }); err != nil {
			return err
		}
		d.Spaced = f.best.dialect.Spaced && f.best.dialect.Delimiter == d.Delimiter
	}
	if f.given.Escape != "" {
		return nil
	}
	err := f.unquoted(d, plain)
	for i := 0; i < len(otherQuotes) && err == nil; i++ {
		err = f.otherwiseQuoted(d, plain, i)
	}
	if d.Escape = `\`; err != nil || !plain.backslash {
		return err
	}
	return f.try(d, func(l *looked) bool {
		return l.explains() > plain.explains() && (f.best.dialect.Delimiter == d.Delimiter || l.better(f.best))
	})
}

// unquoted tries to take quotes for texts that are not closed, do not enclose cells, or tear lines.
func (f *finder) unquoted(d columnar.Dialect, plain *looked) error {
	torn := plain.tearsTabs()
	if !plain.unclosed && plain.irregular == 0 && !torn || f.given.Padded {
		return nil
	}
	d.Unquoted = true
	alike := func(l *looked) bool { return torn && l.share() == 1 && l.records > plain.records }
	return f.try(d, func(l *looked) bool { return l.better(f.best) || alike(l) })
}

// otherwiseQuoted tries one of the other quotes if cells begin with it.
func (f *finder) otherwiseQuoted(d columnar.Dialect, plain *looked, i int) error {
	spaced := !plain.begins[i] && plain.beginsApart[i]
	d.Quote, d.Spaced = otherQuotes[i:i+1], d.Spaced || spaced
	if !plain.begins[i] && !spaced && !plain.headedIn(otherQuotes[i]) {
		return nil
	}
	// If all records are alike without these quotes, none may go over several lines.
	accept := func(l *looked) bool {
		return l.quotesFit && l.better(f.best) && (plain.share() < 1 || l.records == plain.records)
	}
	err := f.try(d, accept)
	if d.Escape = `\`; err == nil && plain.escapes {
		err = f.try(d, accept)
	}
	return err
}

// tearsTabs reports whether quotes go over several lines although all lines have as many tabs: each is a record, and the quotes
// are texts.
func (l *looked) tearsTabs() bool {
	if l.dialect.Delimiter != "\t" || l.uniform < l.records || bytes.IndexByte(l.data, '"') < 0 {
		return false
	}
	lines := 0
	for line := range bytes.Lines(l.data) {
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			continue
		}
		if lines++; bytes.Count(line, []byte("\t")) != l.table.fields-1 {
			return false
		}
	}
	return lines > l.records+1
}

// headedIn reports whether each of several names is enclosed in a quote.
func (l *looked) headedIn(quote byte) bool {
	return len(l.header) > 1 && !slices.ContainsFunc(l.header, func(name string) bool { return !enclosed([]byte(name), quote) })
}

// unparted reports whether no delimiter was found.
func (f *finder) unparted() bool { return len(f.best.header) == 1 && f.given.Delimiter == "" }

// separated reports whether a delimiter is given, or was found that separates most records alike.
func (f *finder) separated() bool {
	return f.given.Delimiter != "" || !f.unparted() && (f.best.share() > 0.9 || f.best.trails())
}

// trails reports whether a delimiter ends some of the records, which are alike but for that.
func (l *looked) trails() bool {
	last := l.table.fields - 1
	return last > 1 && len(l.columns) >= last && l.fields[last]+l.fields[last+1] == l.records && !slices.ContainsFunc(l.columns[last:], func(k kinds) bool { return k != allKinds })
}

// lineQuoted tries to take quotes off lines, if nothing separates them but the first record has a
// delimiter in it.
func (f *finder) lineQuoted() error {
	if !f.unparted() || f.given.Unquoted || f.given.Quote != "" {
		return nil
	}
	plain := f.best
	for _, delimiter := range Delimiters() {
		if !strings.Contains(plain.header[0], delimiter) {
			continue
		}
		d := f.parted(delimiter)
		d.LineQuotes = true
		err := f.try(d, func(l *looked) bool {
			return len(l.header) > 1 && l.records > 0 && l.share() > 0.9 && (f.best == plain || l.better(f.best))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// names returns how many names the first record has if it is a header of words, otherwise 0.
func (l *looked) names() int {
	header, _ := l.headerByTypes()
	first := strings.TrimPrefix(l.header[0], "#") // as in #CHROM
	if !header || isNoWord(first) || slices.ContainsFunc(l.header[1:], isNoWord) {
		return 0
	}
	return len(l.header)
}

// longer tries the signs between the first two names, such as || or ~|~, if they stand between all names:
// it is the delimiter if as many records have as many fields with it.
func (f *finder) longer() error {
	plain, own := f.best, cmp.Or(f.best.dialect.Delimiter, ",")
	if f.given.Delimiter != "" || plain.records == 0 || plain.blank() {
		return nil
	}
	delimiter := signsAround(strings.Join(plain.header, own), own)
	if delimiter == own || delimiter == "" {
		return nil
	}
	d := f.parted(delimiter)
	d.Quote, d.Escape = plain.dialect.Quote, plain.dialect.Escape
	return f.try(d, func(l *looked) bool {
		return len(l.header) > 1 && l.share() >= plain.share() && l.uniform >= plain.uniform && !slices.Contains(l.header, "")
	})
}

// signsAround returns the signs around the first delimiter of a text if they read the same from both ends,
// and all delimiters in the text are in them; "" if that is not so, or if they may be values.
func signsAround(text, own string) string {
	begin := strings.Index(text, own)
	if begin < 0 || len(own) > 1 {
		return ""
	}
	isSign := func(i int) bool {
		return i < len(text) && (text[i] == own[0] || strings.IndexByte("~|^#@$%&*!;:", text[i]) >= 0)
	}
	end := begin + 1
	for ; begin > 0 && isSign(begin-1); begin-- {
	}
	for ; isSign(end); end++ {
	}
	signs := text[begin:end]
	for i := range len(signs) / 2 {
		if signs[i] != signs[len(signs)-1-i] {
			return ""
		}
	}
	for _, part := range strings.Split(text, signs) {
		if part == "" || strings.Contains(part, own) || part[0] == signs[0] {
			return ""
		}
	}
	within := strings.Trim(signs, own)
	values := signs[0] != '|' || strings.ContainsAny(text[:1], "0123456789")
	if alone := within == "" && len(signs) > 2; alone && values || columnar.IsNullWord([]byte(within)) {
		return "" // several cells may be empty, or one a word for null
	}
	return signs
}

// trailing tries to take text behind records for comments, if it begins with # between blanks, or with
// what is given. It is accepted if the last column has a type without it, or if all records have some and
// lines are comments too: in other columns of texts it may be one.
func (f *finder) trailing() error {
	plain := f.best
	if plain.tail == 0 || f.given.NoTrailing {
		return nil
	}
	own, separated := cmp.Or(plain.dialect.Delimiter, ","), f.separated()
	for _, delimiter := range append(Delimiters(), columnar.Blanks) {
		d := f.parted(delimiter)
		switch {
		case delimiter == own:
			d = plain.dialect
			d.Skip, d.Omit, d.Unquoted = f.given.Skip, f.given.Omit, f.given.Unquoted // comments follow quotes
		case separated:
			continue
		}
		d.Comment, d.Trailing = cmp.Or(f.given.Comment, "#"), true
		err := f.tryCommented(d, plain, func(l *looked) bool {
			last := len(l.columns) - 1
			typed := last > 0 && l.columns[last].typed() && l.typed > f.best.typed
			all := last > 0 && delimiter == own && plain.allTailed && l.records >= leastRows
			return (typed || all) && l.share() >= max(0.9, plain.share())
		})
		if err != nil {
			return err
		}
	}
	if f.best != plain {
		f.best.notes = append(f.best.notes, Note{Line: plain.tail, Text: "what follows records and begins with " + f.best.dialect.Comment + " is a comment, and left out"})
	}
	return nil
}

// commented tries # or % for comments if lines within the table begin with it and no rows do, + if these
// are drawn, or a form feed if titles of pages begin with it, which are anywhere in the file.
func (f *finder) commented() error {
	if f.best.commented == 0 || f.best.signed || f.given.Comment != "" {
		return nil
	}
	plain, d := f.best, f.best.dialect
	d.Comment, d.Skip, d.Omit = string(plain.commented), f.given.Skip, f.given.Omit
	accept := func(l *looked) bool { return l.share() >= plain.share() }
	err := f.tryCommented(d, plain, accept)
	last := len(plain.dialect.Omit) - 1
	if err != nil || f.best != plain || last < 0 || plain.dialect.Omit[last].To != 0 {
		return err
	}
	behind := plain.dialect.Omit[last] // the table, which only a line that is drawn shows to end
	d.Omit = append(slices.Clone(d.Omit), behind)
	if err := f.tryCommented(d, plain, accept); err != nil || f.best == plain {
		return err
	}
	for _, note := range plain.notes {
		if note.Line >= behind.From {
			f.best.notes = append(f.best.notes, note)
		}
	}
	return nil
}

// padded reads the file again, if padding is asked for, with all records padded to the length
// of the longest.
func (f *finder) padded() error {
	if !f.given.Padded {
		return nil
	}
	d := f.best.dialect
	d.Pad = max(len(f.best.header), len(f.given.Columns))
	for n := range f.best.fields {
		d.Pad = max(d.Pad, n)
	}
	if err := csv.CheckDialect(d); err != nil {
		return &csv.InputError{
			File: f.best.name, Line: 1, Reason: ReasonMisaligned, Detail: err.Error(), Hint: "leave null_padding out",
		}
	}
	return f.try(d, func(*looked) bool { return true })
}
