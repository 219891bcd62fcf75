package sniff

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// rareDelimiters returns delimiters to try if no usual one separates anything. One of them is
// accepted if all records have equally many fields, and some fields are not texts: a file of
// sentences is not a table of words. Blanks come last but for the colon, since fields between signs have some.
func rareDelimiters() []string {
	return []string{"::", "^", "~", "§", "¦", "│", "\x01", "\x1f", columnar.WideBlanks, " ", columnar.Blanks, colon}
}

// columnSigns are rare delimiters that hardly ever stand once in each line for anything else.
const columnSigns = "^~§¦" + bar

// bar separates the fields of tables in boxes.
const bar = "│"

// colon also occurs in times and addresses. It is accepted only if the first record is a
// header of two names or more, or all begin with names.
const colon = ":"

// mayBox reports whether a delimiter may be that of a table in a box, whose first line is drawn.
func (f *finder) mayBox(delimiter string) bool {
	return delimiter == bar && bytes.Contains(f.text, []byte(bar))
}

// rare tries rare delimiters if no usual one separates most records alike.
func (f *finder) rare() error {
	if f.separated() {
		return f.outdone()
	}
	plain := f.best
	first, second, _ := strings.Cut(plain.lines, "\n")
	signs, codes := signsIn(first), areCodes(plain.raw())
	for _, delimiter := range append(rareDelimiters(), signs...) {
		headed := delimiter == colon || slices.Contains(signs, delimiter)
		parts := mayPart(first, delimiter) || f.mayBox(delimiter)
		r := rarity{delimiter, plain, first, parts, headed, codes}
		if delimiter == plain.dialect.Delimiter || !r.parts && !(mayPart(second, delimiter) && mayStand(first, second)) {
			continue
		}
		if err := f.tryRare(r); err != nil {
			return err
		}
	}
	return nil
}

// tryRare tries a rare delimiter with quotes and, if one is not closed, such as that of seconds of arc, without.
func (f *finder) tryRare(r rarity) error {
	open := false
	accept := func(l *looked) bool {
		open = l.unclosed
		return !open && r.separates(l) && r.gains(l, f.best) && r.shows(l) && r.heads(l)
	}
	err := f.tryQuoted(r.delimiter, accept)
	if d := f.parted(r.delimiter); err == nil && open && f.given.Quote == "" {
		d.Unquoted = true
		err = f.try(d, accept)
	}
	return err
}

// rarity is a rare delimiter that is tried.
type rarity struct {
	delimiter string
	plain     *looked // the file with the best of those before
	first     string  // its first line
	parts     bool    // the delimiter stands in it
	headed    bool    // names must stand above
	codes     bool    // the lines may be codes
}

// separates reports whether all records have as many fields, several ones that are not mostly empty.
func (r *rarity) separates(l *looked) bool {
	return len(l.header) > 1 && l.records > 0 && l.share() == 1 && !(r.delimiter == " " && l.hollow())
}

// gains reports whether there is more in the fields than in those of a usual delimiter that separates most records alike,
// and none of the rare ones before was the best, unless any blanks separate more than wide ones do.
func (r *rarity) gains(l, best *looked) bool {
	if len(r.plain.header) > 1 && l.typed <= r.plain.typed {
		return false
	}
	wide := r.delimiter == columnar.Blanks && best.dialect.Delimiter == columnar.WideBlanks
	more := l.typed > best.typed || best.lacksNames() && l.typed == best.typed
	return best == r.plain || wide && l.dialect.Fields == 0 && more
}

// shows reports whether the fields show that they are some: values, codes between blanks, or a sign that hardly ever stands
// in a text, or several blanks between several texts, below names.
func (r *rarity) shows(l *looked) bool {
	sign := strings.Contains(columnSigns, r.delimiter) || r.delimiter == columnar.WideBlanks && len(l.header) > leastTyped
	return l.typed > 0 || r.codes && l.blank() || sign && l.records > 1 && l.namesAll()
}

// heads reports whether what stands above the rows may do so.
func (r *rarity) heads(l *looked) bool {
	return (r.parts || l.stands(r.first)) && (!r.headed || l.names() > 1 || r.delimiter == colon && l.isDatabase())
}

// isDatabase reports whether colons separate records that begin with a name, as in /etc/passwd: several fields, of which
// some have types. Times and addresses of computers have numbers.
func (l *looked) isDatabase() bool {
	if len(l.columns) < leastColons || l.records < leastRows-1 || l.columns[0].typed() {
		return false
	}
	named := false
	for line := range bytes.Lines(l.data) {
		name, _, _ := bytes.Cut(line, []byte(colon))
		if bytes.ContainsAny(name, " \t") || len(name) > 0 && isDigit(name[0]) {
			return false
		}
		named = named || !isHex(name)
	}
	return named
}

// leastColons is how many fields there are at least, which colons separate without a header.
const leastColons = 4

// isHex reports whether a text is a hexadecimal number, as parts of addresses are.
func isHex(text []byte) bool { return len(bytes.Trim(text, "0123456789abcdefABCDEF")) == 0 }

// outdone tries rare delimiters that stand in the first line although a usual one separates most records alike: parts of
// lists, decimal commas or sentences. One is accepted if the first line names all columns, and all records have as many
// fields, more than the usual one finds, or more alike, or below a line that it leaves out.
func (f *finder) outdone() error {
	plain := f.best
	if f.given.Delimiter != "" || plain.blank() {
		return nil
	}
	first, _, _ := strings.Cut(string(plain.data), "\n")
	odd := plain.share() < 1 || plain.dialect.Skip > f.given.Skip || plain.dialect.Unquoted
	for _, delimiter := range append(strings.Split(columnSigns+" ", ""), "::") {
		boxed := f.mayBox(delimiter)
		if !mayPart(first, delimiter) && !boxed || delimiter == " " && !(odd && plain.mayQuote()) {
			continue
		}
		err := f.tryQuoted(delimiter, func(l *looked) bool {
			all := f.best == plain && l.records > 0 && l.share() == 1 && l.explains() == 1
			if boxed && all && len(l.header) > 2 {
				return true
			}
			return all && l.dialect.Skip <= f.given.Skip && (odd || len(l.header) > len(plain.header)) && l.namesAll()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tryQuoted tries a delimiter with each of the quotes that cells may have, of which others than the given must fit.
func (f *finder) tryQuoted(delimiter string, accept func(*looked) bool) error {
	for _, d := range f.quotings(delimiter) {
		if err := f.try(d, func(l *looked) bool { return accept(l) && (d.Quote == f.given.Quote || l.quotesFit) }); err != nil {
			return err
		}
	}
	return nil
}

// quotings returns the dialects with a delimiter in which cells of the file may be quoted.
func (f *finder) quotings(delimiter string) (all []columnar.Dialect) {
	d := f.parted(delimiter)
	if f.given.Quote != "" || f.given.Unquoted || f.given.Escape != "" {
		return []columnar.Dialect{d}
	}
	for _, quote := range `"` + otherQuotes {
		of := d
		if quote != '"' {
			of.Quote = string(quote)
		}
		begins := bytes.Contains(f.text, []byte(delimiter+string(quote))) || bytes.Contains(f.text, []byte("\n"+string(quote)))
		if begins && quote != '"' {
			all = append(all, of)
		}
		if of.Escape = `\`; begins && bytes.Contains(f.text, []byte(`\`+string(quote))) {
			all = append(all, of)
		}
	}
	return append(all, d)
}

// namesAll reports whether the first record has a name for each of several columns.
func (l *looked) namesAll() bool {
	return len(l.header) > 1 && len(l.header) == len(l.columns) && !slices.Contains(l.header, "")
}

// lacksNames reports whether the header has no names for the last columns.
func (l *looked) lacksNames() bool {
	return !l.headless && l.dialect.Fields > 0 && strings.TrimSpace(l.header[len(l.header)-1]) == ""
}

// hollow reports whether most cells are empty, or all of a column below its name, as they are between each two of several
// blanks.
func (l *looked) hollow() bool {
	full, hollow := 0, false
	for c, v := range l.values {
		full += v.cells
		hollow = hollow || v.cells == 0 && c < len(l.header)-1 && l.uniform > 0
	}
	return hollow || 2*full < l.uniform*len(l.values)
}

// hasFigures reports whether blanks part a line into three words or more, half of which have digits: a table of
// figures has such a line, and sentences rarely do.
func hasFigures(text []byte) bool {
	if !bytes.ContainsAny(text, " \t") {
		return false
	}
	words, figures := 0, 0
	begins, figure := true, false // whether a word may begin here, and whether the one before has a digit
	for _, c := range text {
		switch {
		case c == '\n' || c == '\r':
			if words > 2 && 2*figures >= words {
				return true
			}
			words, figures, begins = 0, 0, true
		case c == ' ' || c == '\t':
			begins = true
		default:
			if begins {
				words, begins, figure = words+1, false, false
			}
			if !figure && '0' <= c && c <= '9' {
				figures, figure = figures+1, true
			}
		}
	}
	return words > 2 && 2*figures >= words
}

// tabbed tries blanks if tabs separate fields, for a tab is one of the blanks then: if the first field is a line of
// figures with blanks between them, if some lines have blanks for tabs and no field has one in it, or if the line above has
// names that blanks separate.
func (f *finder) tabbed() error {
	plain := f.best
	figures := plain.header[0] != "" && hasFigures([]byte(plain.header[0]+"\n"))
	mixed, headed := plain.share() < 1, plain.dialect.Skip > f.given.Skip
	if plain.dialect.Delimiter != "\t" || f.given.Delimiter != "" || !figures && !mixed && !headed {
		return nil
	}
	return f.try(f.parted(columnar.Blanks), func(l *looked) bool {
		if l.records == 0 || l.share() < 1 {
			return false
		}
		more, typed := len(l.header)-len(plain.header), l.typed > plain.typed+l.records
		switch {
		case figures && more > 0 && typed:
			return true
		case mixed:
			return more == 0 && l.records == plain.records && !l.signed && l.keepsTypes(plain)
		}
		return headed && more > 0 && typed && l.names() == len(l.columns) && l.dialect.Skip < plain.dialect.Skip
	})
}

// keepsTypes reports whether all columns have a type that have one in another dialect.
func (l *looked) keepsTypes(other *looked) bool {
	for c, k := range other.columns {
		if k.typed() && !l.columns[c].typed() {
			return false
		}
	}
	return true
}

// below tries blanks if nothing separates the lines, of which the first are a text above a table.
func (f *finder) below() error {
	if plain := f.best; f.unparted() && hasFigures(plain.raw()) {
		return f.try(f.parted(columnar.Blanks), func(l *looked) bool {
			cells, rows := l.records*len(l.header), l.records
			if l.headless {
				rows++
			}
			return f.best == plain && l.table.first > 0 && len(l.header) > 2 && rows >= leastRows && l.share() == 1 && 4*l.typed >= 3*cells
		})
	}
	return nil
}

// behindTitle tries to leave out what stands above columns in a small file of which nothing separates the lines: the first
// line, or all up to the first blank line, or to the last one. Names must stand above all columns, or most hold values.
func (f *finder) behindTitle() error {
	plain := f.best
	if !f.unparted() || f.inner || f.given.Skipped || f.given.Header != nil || f.encoding != "" || !plain.whole {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(string(f.text), "\r", ""), "\n")
	for _, at := range behindBlank(lines) {
		if rows := rowsOf(lines[at:]); len(rows) < leastCut || 2*count(rows, isWide) < len(rows) {
			continue
		}
		given := *f.given
		given.Skip += at
		inner := &finder{ctx: f.ctx, open: f.open, given: &given, inner: true}
		l, err := inner.find()
		f.blocks = append(f.blocks, inner.blocks...)
		var input *csv.InputError
		switch {
		case errors.As(err, &input):
			continue
		case err != nil:
			return err
		}
		if len(l.header) > 1 && l.records >= leastRows && l.share() == 1 && l.typed > 0 && (l.names() > 1 || 2*l.typedColumns() > len(l.columns)) {
			l.given, f.best = f.given, l
			l.notes = append(l.notes, Note{Line: 1, Text: "left out before the table: " + saying(lines[:at])})
			return nil
		}
	}
	return nil
}

// behindBlank returns the second line and those behind the first and the last blank line between others.
func behindBlank(lines []string) []int {
	at := []int{1}
	last := len(lines)
	for last > 0 && lines[last-1] == "" {
		last--
	}
	for i := 1; i < last; i++ {
		if lines[i-1] == "" && lines[i] != "" && i > 1 {
			at = append(at, i)
		}
	}
	if len(at) > 2 {
		at = append(at[:2], at[len(at)-1])
	}
	return slices.DeleteFunc(at, func(i int) bool { return i >= last })
}

// signsIn returns the signs between the words of a line, such as # or <>, if they are always the same and
// such as may separate fields: a slash may stand in a name. Those that are tried anyway are none.
func signsIn(line string) []string {
	word := func(r rune) bool {
		return isWord(r) || strings.ContainsRune(`_-"'.()[]{}`, r)
	}
	between := strings.FieldsFunc(line, word)
	same := slices.Compact(slices.Clone(between))
	if len(same) != 1 || same[0] == "/" || strings.HasPrefix(line, same[0]) || slices.Contains(rareDelimiters(), same[0]) {
		return nil
	}
	return same
}

// enquoted tries the sign that stands between quotes in the first line, as in 'a' # 'b'.
func (f *finder) enquoted() error {
	plain := f.best
	first, _, _ := strings.Cut(plain.lines, "\n")
	sign, quote, spaced := signBetweenQuotes(first)
	if sign == "" || f.given.Delimiter != "" || f.given.Quote != "" || f.given.Unquoted || quote == `"` && !f.unparted() {
		return nil
	}
	d := f.parted(sign)
	if d.Spaced = spaced; quote != `"` {
		d.Quote = quote
	}
	return f.try(d, func(l *looked) bool {
		return len(l.header) > len(plain.header) && l.records > 0 && l.share() == 1 && l.explains() == 1 && (quote == `"` || l.quotesFit)
	})
}

// signBetweenQuotes returns the sign between two quotes of a line that no usual delimiter stands between, the
// quotes, and whether spaces stand before or behind it.
func signBetweenQuotes(line string) (sign, quote string, spaced bool) {
	for i, r := range line {
		if r != '"' && r != '\'' {
			continue
		}
		behind := line[i+1:]
		between, _, found := strings.Cut(behind, string(r))
		trimmed := strings.Trim(between, " ")
		switch {
		case !found || trimmed == "" || strings.ContainsFunc(trimmed, isWord):
		case slices.Contains(Delimiters(), trimmed):
			return "", "", false
		case sign == "":
			sign, quote, spaced = trimmed, string(r), trimmed != between
		}
	}
	return sign, quote, spaced
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) }

// mayStand reports whether a look at the rows may show that stands is true.
func mayStand(first, second string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(first))
	return err == nil || strings.ContainsAny(first, ",;\t| ") || strings.HasPrefix(second, `"`) || strings.HasPrefix(second, "1")
}

// stands reports whether a line that holds no delimiter may stand over the rows: it says how many there
// are, has the names of the columns or, in files of R, that of the only one. Over a list of dates and
// times stands their name.
func (l *looked) stands(line string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(line))
	return err == nil || l.captions != nil || !l.headless && len(l.header) == 2 && l.header[0] == ""
}

// mayPart reports whether a line may hold a delimiter. Tabs alone are no wide blanks here, for they are tried by
// themselves.
func mayPart(line, delimiter string) bool {
	switch delimiter {
	case columnar.Blanks:
		return strings.ContainsAny(line, " \t")
	case columnar.WideBlanks:
		return strings.Contains(line, "  ")
	}
	return strings.Contains(line, delimiter)
}
