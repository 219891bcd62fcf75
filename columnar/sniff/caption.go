package sniff

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// caption finds the names of the columns in a line above the table. They may stand in a comment, as
// programs that compute write them, numpy's savetxt for one: the last one with as many parts as the
// records have fields, all of which are different words, perhaps with a unit in brackets. In logs of
// web servers they follow the word Fields (https://www.w3.org/TR/WD-logfile.html). Or they stand in the
// line right above rows without a header, and other delimiters separate them.
func (l *looked) caption(b *csv.Block, first int) {
	if len(l.described) > 0 && len(l.described) == len(l.header) {
		l.captions, l.captioned = l.described, Note{Line: b.Line(first), Text: "the names of the columns are those in the description above the rows"}
		return
	}
	if l.dialect.Delimiter == bar {
		l.boxCaption(b, first)
	}
	for i := l.table.first - 1; i >= first && l.captions == nil; i-- {
		switch {
		case l.isComment(b, i):
			l.setCaptions(b, i, l.namesInComment(b, i))
		case i == l.table.first-1:
			l.setCaptions(b, i, l.partedNames(strings.TrimSpace(l.line(b, i))))
		}
	}
	if above := l.table.first - 2; l.captions != nil && l.captioned.Line == b.Line(above+1) && above >= first && l.isComment(b, above) && areUnits(l.captions) {
		if text, _ := l.uncommented(b, above); l.namesIn(text) != nil {
			l.setCaptions(b, above, l.namesIn(text))
		}
	}
}

// boxCaption finds the names above the rows of a box, between bold bars or in the line that is drawn above.
func (l *looked) boxCaption(b *csv.Block, first int) {
	at := l.table.first - 1
	for at >= first && drawn(b.Record(at)) {
		at--
	}
	if at < first {
		return
	}
	text := strings.NewReplacer("┌", "┬", "┐", "┬", "┏", "┃", "┓", "┃", "┳", "┃").Replace(l.line(b, at))
	for _, sign := range []string{"┃", "┬"} {
		names := columnar.Each(strings.Split(text, sign), func(name string) string { return strings.Trim(name, " ─━") })
		if last := len(names) - 1; last > 1 && len(names) == len(l.header) && l.given.mayBeNames(names[1:last]) {
			l.setCaptions(b, at, names)
			l.inBox = true
		}
	}
}

// namesInComment returns the names in a comment above the table, which may be parted in more ways if a word says that they
// follow, or if nothing else stands above the rows; nil if there are none.
func (l *looked) namesInComment(b *csv.Block, i int) []string {
	text, named := l.uncommented(b, i)
	if l.blank() && len(l.header) < leastApart && !named && !l.areBelow(b, i) {
		return nil
	}
	if names := l.namesIn(text); names != nil {
		return names
	}
	var ways [][]string
	switch right := i == l.table.first-1; {
	case l.blank() && (named || right && !strings.ContainsAny(text, ",(")):
		ways = append(ways, apart(text))
	case !l.blank() && (named || right):
		ways = append(ways, strings.Split(text, cmp.Or(l.dialect.Delimiter, ",")))
	}
	if named {
		ways = append(ways, strings.Split(text, ", "), strings.Fields(text))
	}
	for _, parts := range ways {
		if names := l.headsRows(parts); names != nil {
			return names
		}
	}
	return nil
}

// leastApart is how many words of a comment are no chance where blanks separate fields, if other lines stand between the
// comment and the rows.
const leastApart = 4

// areBelow reports whether nothing stands between record i and the rows but comments, of which none has as many parts,
// unless these are units.
func (l *looked) areBelow(b *csv.Block, i int) bool {
	for next := i + 1; next < b.Len() && (b.Fields(next) == 0 || l.isComment(b, next)); next++ {
		text, _ := l.uncommented(b, next)
		words := strings.Fields(text)
		if len(words) == l.table.fields && !drawn([]byte(text)) && !areUnits(words) {
			return false
		}
		i = next
	}
	return i+1 >= l.table.first
}

// apart returns the parts of a text that two blanks or more, or a tab, separate.
func apart(text string) (parts []string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "  "), "  ") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// commentNames returns the names of the columns that stand in a comment, which are not there if comments are
// left out; nil if they stand elsewhere.
func (l *looked) commentNames(b *csv.Block) []string {
	switch {
	case l.headless && l.captions != nil && l.captionComment:
		return l.captions
	case !l.headless && l.isComment(b, l.table.first) && len(l.header) == len(l.columns):
		names := slices.Clone(l.header)
		names[0] = strings.TrimSpace(strings.TrimLeft(names[0], commentSigns))
		l.captioned = commentNote(b, l.table.first)
		return names
	}
	return nil
}

// commentSigns begin comments.
const commentSigns = "#%;"

func commentNote(b *csv.Block, i int) Note {
	return Note{Line: b.Line(i), Text: "the names of the columns are those in this comment"}
}

// tryCommented is try in a dialect that leaves comments out, of which one in a plainer dialect has the names of
// the columns, if any has.
func (f *finder) tryCommented(d columnar.Dialect, plain *looked, accept func(l *looked) bool) error {
	if plain.inComment == nil || f.given.Header != nil || f.given.Skipped {
		return f.try(d, accept)
	}
	l, err := f.lookNamed(d, *f.given, plain.inComment, plain.captioned)
	switch {
	case err == nil && l == nil:
		return f.try(d, accept)
	case l != nil && accept(l):
		f.best = l
	}
	return err
}

// lookNamed looks at the file in a dialect that leaves out the line with the names of the columns. It returns nil
// if there are not as many.
func (f *finder) lookNamed(d columnar.Dialect, given Given, names []string, from Note) (*looked, error) {
	given.Header = new(bool)
	l, err := look(f.ctx, f.open, d, &given, f.block(), nil)
	if err != nil || len(l.header) != len(names) {
		return nil, err
	}
	l.captions, l.captioned, l.given = names, from, f.given
	return l, nil
}

func (l *looked) setCaptions(b *csv.Block, i int, names []string) {
	if l.captions = names; names == nil {
		return
	}
	l.captioned = Note{Line: b.Line(i), Text: "the names of the columns are those in this line, which is no row"}
	if l.captionComment = l.isComment(b, i); l.captionComment {
		l.captioned = commentNote(b, i)
	}
}

// uncommented returns a comment without its marks, and without a word that says that names follow, and whether
// there is one. In files of SPEC, a program for experiments with X-rays, it is the letter L.
func (l *looked) uncommented(b *csv.Block, i int) (text string, named bool) {
	line := l.line(b, i)
	if names, labels := strings.CutPrefix(line, "#L "); labels {
		return strings.TrimSpace(names), true
	}
	text = strings.TrimSpace(strings.TrimLeft(line, commentSigns))
	word, names, found := strings.Cut(text, ":")
	if at := strings.IndexByte(text, '\t'); at > 0 && at < len(word) { // as in logs of Zeek
		word, names, found = text[:at], text[at:], true
	}
	if found && slices.Contains([]string{"fields", "columns", "header", "names", "variables"}, strings.ToLower(word)) {
		return strings.TrimSpace(names), true
	}
	return text, false
}

// line returns a record as the file has it, but for how many blanks separate fields.
func (l *looked) line(b *csv.Block, i int) string {
	between := l.dialect.Delimiter
	if l.blank() {
		between = "  "
	}
	return strings.ReplaceAll(string(b.Record(i)), csv.Separator, between)
}

// blank reports whether blanks separate fields.
func (l *looked) blank() bool {
	return columnar.IsBlanks(l.dialect.Delimiter) || l.dialect.Delimiter == " "
}

// namesIn returns the names in a comment, nil if there are not as many as columns. Where blanks separate
// fields, any sentence has parts.
func (l *looked) namesIn(text string) []string {
	if l.blank() {
		return l.words(text)
	}
	return l.areNames(strings.Split(text, cmp.Or(l.dialect.Delimiter, ",")))
}

// headsRows returns the parts of a comment right above the rows as names of the columns, which may have several
// words each, and some be numbers; nil if they are none, or there are not as many.
func (l *looked) headsRows(parts []string) []string {
	least := 2
	if cmp.Or(l.dialect.Delimiter, ",") == "," { // sentences have one
		least = 3
	}
	if len(parts) != len(l.header) || len(parts) < least {
		return nil
	}
	typed := 0
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); l.given.typed(parts[i]) {
			typed++
		}
		if parts[i] == "" && i < len(parts)-1 || len(parts[i]) >= longNote {
			return nil
		}
	}
	if 2*typed > len(parts) || repeats(parts) {
		return nil
	}
	return parts
}

// partedNames returns the names in a line that other delimiters separate than the rows below it. The
// rows must have a type, for otherwise the first of them may be the header.
func (l *looked) partedNames(text string) []string {
	if header, typed := l.headerByTypes(); header || !typed {
		return nil
	}
	for _, delimiter := range Delimiters() {
		if delimiter == l.dialect.Delimiter || !strings.Contains(text, delimiter) {
			continue
		}
		if names := l.areNames(strings.Split(text, delimiter)); names != nil {
			return names
		}
	}
	return l.words(text)
}

// words returns names that blanks separate, or nil if they form a sentence.
func (l *looked) words(text string) []string {
	names := strings.Fields(text)
	if isClause(names) {
		return nil
	}
	return l.areNames(withoutCommas(names))
}

// isClause reports whether words form a sentence, a setting, or say units.
func isClause(words []string) bool {
	joint := func(word string) bool {
		return !hasWord(word) || strings.Contains(word, "=") || slices.Contains(strings.Fields(joints), strings.ToLower(word))
	}
	return slices.ContainsFunc(words, joint) || splitsBracket(words) || len(words) > 0 && strings.HasPrefix(strings.ToLower(words[0]), "unit")
}

// withoutCommas takes the commas off names between which blanks stand too.
func withoutCommas(names []string) []string {
	last := len(names) - 1
	if last < 1 || slices.ContainsFunc(names[:last], func(name string) bool { return !strings.HasSuffix(name, ",") }) {
		return names
	}
	return columnar.Each(names, func(name string) string { return strings.TrimSuffix(name, ",") })
}

// splitsBracket reports whether brackets are around words of several texts, as in sentences.
func splitsBracket(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Count(text, "(") != strings.Count(text, ")") })
}

// joints are words of sentences that no column is called by.
const joints = "and are by for in is of on or per the this was were with " +
	"auf aus bei das dem den der die ein eine für im ist mit und vom zu zum " +
	"au aux dans de del des du en et la le les los par por pour sur un una une"

// areNames returns texts as names of the columns, nil if they are none.
func (l *looked) areNames(names []string) []string {
	if len(names) != len(l.header) || len(names) < 2 {
		return nil
	}
	seen := make(map[string]bool)
	for i, name := range names {
		name = strings.Trim(strings.TrimSpace(name), `"`)
		key := strings.ToLower(name)
		if !isName(name) || seen[key] || l.given.typed(name) || columnar.IsNullWord([]byte(name)) {
			return nil
		}
		names[i], seen[key] = name, true
	}
	return names
}

// hasWord reports whether a text has a letter or a digit, or a sign that names may consist of.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("%°#?", r)
	})
}

// areUnits reports whether texts are units, which may stand in a line below names.
func areUnits(texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !isUnit(text) })
}

func isUnit(text string) bool {
	return strings.ContainsAny(text, "([%°/") || !strings.Contains(text, " ") && strings.Contains(units, " "+text+" ")
}

const units = " - TS RN Volts degC deg_C degF days hours minutes seconds meters metres A C F Hz J K L MHz MPa N Pa T V W atm bar cm cps counts d day deg g h hPa hr kHz kPa kV kW kg km kn " +
	"l m m/s mA mL mV mag mbar mg min ml mm ms nm ns ohm ppb ppm psi rad rpm s sec ug um us y yr µg µm µs "

// isName reports whether a text is one word, which a unit in brackets may follow.
func isName(text string) bool {
	word, unit, more := strings.Cut(text, " ")
	return word != "" && (!more || strings.HasPrefix(unit, "(") || strings.HasPrefix(unit, "["))
}
