package scan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// column is one column of the table and its position in the file.
type column struct {
	columnar.TableColumn
	*cellFormat
	field  int // position in a record; -1 if the file does not have it
	vector int // index in the worker's vectors if it is required and a number; otherwise -1
}

// layout maps the columns of a table to the fields of a file.
type layout struct {
	fields  int      // how many fields a record must have
	columns []column // the columns of the table
	notices []string
}

func newLayout(file string, t *columnar.Table, header []string, wanted []string, cells bool) (*layout, error) {
	l := &layout{}
	names := columnar.Each(header, strings.TrimSpace)
	names = l.mend(t, names)
	l.fields = len(names)
	where := newPlaces(names)
	want := make(map[string]bool, len(wanted))
	for _, name := range wanted {
		want[name] = true
	}
	var missing []string
	has := make(map[string]bool, len(t.Columns))
	for _, c := range t.Columns {
		has[c.Name] = true
		col := newColumn(c, t.Nulls, where)
		l.columns = append(l.columns, col)
		if c.Format == columnar.FormatPosition || !c.Required && !want[c.Name] {
			continue
		}
		if wrong := col.unusable(where, cells); wrong != nil {
			wrong.File = file
			return nil, wrong
		}
		if col.field < 0 {
			missing = append(missing, c.Header)
		}
	}
	if len(missing) > 0 {
		return nil, missingColumns(file, names, missing)
	}
	for _, name := range wanted {
		if !has[name] {
			return nil, fmt.Errorf("table %s has no column %q", t.Name, name)
		}
	}
	return l, nil
}

// newColumn finds out how the cells of a column are read, and where they are.
func newColumn(c columnar.TableColumn, nulls []string, where places) column {
	col := column{TableColumn: c, cellFormat: formats[c.Format], field: where.of(c.Header), vector: -1}
	if col.cellFormat == nil {
		col.cellFormat = formats[columnar.FormatText]
	}
	if c.Format == columnar.FormatWide {
		col.cellFormat = wideFormat(c.Type(), c.Form)
	} else if c.Form != (number.Form{}) {
		col.cellFormat = col.written(c.Format, c.Form)
	}
	if nulls != nil {
		col.cellFormat = col.withNulls(nulls)
	}
	if c.Field > 0 {
		col.field = c.Field - 1
	}
	if c.Format == columnar.FormatPosition || col.field >= where.names {
		col.field = -1
	}
	return col
}

// unusable returns why a column that is needed cannot be read, but for that the file lacks it.
func (c *column) unusable(where places, cells bool) *InputError {
	switch {
	case cells && c.Format == columnar.FormatStored && !IsJSON(c.Stored):
		return &InputError{
			Column: c.Header, Reason: ReasonWrongType,
			Detail: fmt.Sprintf("the column has the type %s in other files, which the text in this one cannot be", c.Type()),
			Hint:   "ask the files of each format by themselves",
		}
	case c.TableColumn.Field == 0 && where.twice[c.Header]:
		return &InputError{
			Line: 1, Column: c.Header, Reason: ReasonRepeatedColumn,
			Detail: "the header has this name twice", Hint: "rename the one that is not meant",
		}
	}
	return nil
}

// places says where the names of a header are. Headers may have 100,000 of them.
type places struct {
	names int
	first map[string]int
	twice map[string]bool
}

func newPlaces(names []string) places {
	p := places{names: len(names), first: make(map[string]int, len(names)), twice: make(map[string]bool)}
	for i, name := range names {
		if _, ok := p.first[name]; ok {
			p.twice[name] = true
		} else {
			p.first[name] = i
		}
	}
	return p
}

// of returns the first place of a name; -1: it is not there.
func (p places) of(name string) int {
	if i, ok := p.first[name]; ok {
		return i
	}
	return -1
}

// mend applies the table's header fixes.
func (l *layout) mend(t *columnar.Table, names []string) []string {
	for _, fix := range t.Fixes {
		i := slices.Index(names, fix.Name)
		if i < 0 {
			continue
		}
		names = slices.Replace(slices.Clone(names), i, i+1, fix.Become...)
		// One copy of the file hides the fault with an empty name at the end.
		for range len(fix.Become) - 1 {
			if names[len(names)-1] == "" {
				names = names[:len(names)-1]
			}
		}
		l.notices = append(l.notices, fmt.Sprintf("the header was mended: %q stands for %d columns, %q", fix.Name, len(fix.Become), fix.Become))
	}
	return names
}

// missingColumns returns the error for a header that lacks some names. It guesses the
// cause.
func missingColumns(file string, names, missing []string) error {
	for _, other := range []struct{ delimiter, called string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		split := columnar.Each(strings.Split(strings.Join(names, ","), other.delimiter), func(name string) string { return strings.Trim(name, " \"") })
		found := 0
		for _, name := range missing {
			if slices.Contains(split, name) {
				found++
			}
		}
		if len(split) > 1 && 2*found >= len(missing) && found > 0 {
			return &InputError{
				File: file, Line: 1, Reason: ReasonDelimiter,
				Detail: "the fields of this file are separated by " + other.called + ", not commas",
				Hint:   "save it again with commas",
			}
		}
	}
	return &InputError{
		File: file, Line: 1, Reason: ReasonMissingColumns,
		Detail: fmt.Sprintf("the header lacks %s; it has %s", quotedList(missing), quotedList(names)),
		Hint:   "is this the right file?",
	}
}

const maxNamesShown = 100

func quotedList(names []string) string {
	var b strings.Builder
	for i, name := range names[:min(len(names), maxNamesShown)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", excerpt([]byte(name)))
	}
	if n := len(names) - maxNamesShown; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}

// excerptBytes is how many bytes of a cell are shown.
const excerptBytes = 80

// excerpt returns the beginning of a text, as valid UTF-8.
func excerpt(text []byte) string {
	if len(text) <= excerptBytes {
		return string(csv.AppendUTF8(nil, text))
	}
	n := excerptBytes
	for n > excerptBytes-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return string(csv.AppendUTF8(nil, text[:n])) + "…"
}
