package columnar

import (
	"bytes"
	"fmt"
	"slices"

	"analyzer/columnar/number"
)

// Format says how the text of a CSV cell becomes a value.
type Format uint8

// The formats of cells. If a cell does not parse, its row is rejected where the column
// is required; otherwise the value is null. List formats never fail: a cell that does
// not parse becomes the empty list, and is counted.
const (
	FormatText      Format = iota // any text
	FormatInt                     // integer, also written 862.0
	FormatDecimal                 // decimal in millionths; further digits are rounded half to even
	FormatBool                    // true or false in any case, 1 or 0
	FormatTexts                   // Python list of text
	FormatDay                     // date of the form 2006-01-02 that exists in the calendar
	FormatFloat                   // number, also with fraction and exponent, as the nearest float, or nan or inf
	FormatOptional                // any text; the empty one is null
	FormatTimestamp               // date, with or without a time of day (number.ParseTimestamp)
	FormatClock                   // time of day (number.ParseClock)
	FormatUTC                     // timestamp with Z or an offset from UTC (number.ParseUTC)
	FormatDayYMD                  // date in the order year, month, day (number.DateOrder)
	FormatDayMDY                  // date in the order month, day, year
	FormatDayDMY                  // date in the order day, month, year
	FormatTimeYMD                 // date in that order, with or without a time of day
	FormatTimeMDY
	FormatTimeDMY
	FormatTruth    // true or false in words or letters (number.ParseTruth)
	FormatShortYMD // date in that order whose year has two digits
	FormatShortMDY
	FormatShortDMY
	FormatShortYMDTime // such a date, with or without a time of day
	FormatShortMDYTime
	FormatShortDMYTime
	FormatNamed      // date with the name of a month (number.ParseNamedDate)
	FormatNamedTime  // such a date, with or without a time of day
	FormatHuge       // whole number of 128 bits (number.ParseHuge)
	FormatDate       // text of the form 2006-01-02, kept as text
	FormatYear       // text in which a year can be found (number.Year)
	FormatNames      // Python list of dicts; yields their 'name' values
	FormatCommaList  // comma separated, trimmed, lower case
	FormatSerial     // number of a day as spreadsheets count them (number.ParseSerialDay)
	FormatSerialTime // such a number, of which the fraction is a time of day
	FormatPosition   // not from a cell: offset of the record in the decompressed file, in bytes
	FormatInstant    // timestamp that Z or an offset from UTC may follow (number.ParseInstant)
	FormatFile       // not from a cell: the number of the row's file among those of the table, from 0
	FormatStored     // a value of the type TableColumn.Stored, which the file says or, of cells, is written as JSON
	FormatUUID       // UUID (number.ParseUUID)
	FormatBytes      // bytes as they print (number.AppendUnescaped)
	FormatTrimmed    // any text without the spaces around it; the empty one is null
	FormatFormula    // any text; ="007" and =("007") are 007; the empty one is null
	FormatWide       // decimal of the type TableColumn.Stored; further digits are rounded half away from zero
)

// formats is the table of formats: their names in plans and the types they yield.
// Package scan does the parsing.
var formats = [...]struct {
	name string
	typ  Type
}{
	FormatText:         {"text", Text},
	FormatInt:          {"int", Int},
	FormatDecimal:      {"decimal", Decimal},
	FormatBool:         {"bool", Bool},
	FormatDate:         {"date", Text},
	FormatYear:         {"year", Text},
	FormatNames:        {"names", TextList},
	FormatTexts:        {"texts", TextList},
	FormatCommaList:    {"commalist", TextList},
	FormatDay:          {"day", Date},
	FormatFloat:        {"float", Float},
	FormatHuge:         {"huge", Huge},
	FormatSerial:       {"excel", Date},
	FormatSerialTime:   {"exceltime", Timestamp},
	FormatOptional:     {"optional", Text},
	FormatTimestamp:    {"timestamp", Timestamp},
	FormatPosition:     {"position", Int},
	FormatUTC:          {"utc", Timestamp},
	FormatDayYMD:       {"ymd", Date},
	FormatDayMDY:       {"mdy", Date},
	FormatDayDMY:       {"dmy", Date},
	FormatTimeYMD:      {"ymdtime", Timestamp},
	FormatTimeMDY:      {"mdytime", Timestamp},
	FormatTimeDMY:      {"dmytime", Timestamp},
	FormatTruth:        {"truth", Bool},
	FormatShortYMD:     {"ymd2", Date},
	FormatShortMDY:     {"mdy2", Date},
	FormatShortDMY:     {"dmy2", Date},
	FormatShortYMDTime: {"ymd2time", Timestamp},
	FormatShortMDYTime: {"mdy2time", Timestamp},
	FormatShortDMYTime: {"dmy2time", Timestamp},
	FormatNamed:        {"named", Date},
	FormatNamedTime:    {"namedtime", Timestamp},
	FormatClock:        {"time", Time},
	FormatInstant:      {"instant", Instant},
	FormatFile:         {"file", Int},
	FormatStored:       {"stored", Invalid},
	FormatUUID:         {"uuid", UUID},
	FormatBytes:        {"bytes", Bytes},
	FormatTrimmed:      {"trimmed", Text},
	FormatFormula:      {"formula", Text},
	FormatWide:         {"wide", Wide},
}

// String returns the format's name in plans.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return fmt.Sprintf("format(%d)", uint8(f))
}

// MarshalText writes the format's name.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a format's name.
func (f *Format) UnmarshalText(text []byte) error {
	for i, known := range formats {
		if known.name == string(text) {
			*f = Format(i)
			return nil
		}
	}
	return fmt.Errorf("unknown cell format %q", text)
}

// Type returns the type of the values a format yields, Text for an unknown one. It is Invalid for
// FormatStored.
func (f Format) Type() Type {
	if int(f) < len(formats) {
		return formats[f].typ
	}
	return Text
}

// IsNullWord reports whether the text of a cell is a word that means "no value", perhaps with spaces
// around, or nothing but spaces. In columns of numbers, dates and truth values such a cell is null,
// unless the table names its Nulls.
func IsNullWord(text []byte) bool {
	if n := len(text); n > 0 && (text[0] == ' ' || text[n-1] == ' ') {
		if text = bytes.Trim(text, " "); len(text) == 0 {
			return true
		}
	}
	if bytes.HasSuffix(text, []byte("-")) {
		text = withoutCurrency(text)
	}
	switch string(text) {
	case "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "NULL", "null", `\N`, "-", "na", "n.a.", "N.A.", "?", "(null)":
		return true
	case "n.d.", "N.D.", "n/d", "N/D", "nd", "ND", "s/d", "S/D", "k.A.", "k. A.", "n.v.", "n.b.", "b.d.": // not available, in other languages than English
		return true
	case "None", "<NA>", "NaT": // what Python writes
		return true
	case "MM", "----", "-----", "------", "missing", "Missing", "MISSING", "no data", "No data", "NO DATA", "not available", "Not available": // what instruments and offices did not measure
		return true
	case ".", "..", "...", "…", ":", "--", "---", "–", "—", "*", "**", "***", "****", "*****", "(NA)", "(X)", "(D)", "(S)": // what offices of statistics do not know, or say
		return true
	case "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#VALEUR!", "#VALOR!", "#N/D": // what spreadsheets could not compute
		return true
	}
	return false
}

// withoutCurrency returns a text without a sign of a currency before it, as in $ -, which is how spreadsheets
// show nothing.
func withoutCurrency(text []byte) []byte {
	for _, sign := range []string{"$", "£", "€", "¥"} {
		if rest, found := bytes.CutPrefix(text, []byte(sign)); found {
			return bytes.TrimLeft(rest, " ")
		}
	}
	return text
}

// TableColumn is one column of a CSV file that queries may read.
type TableColumn struct {
	Name   string `json:"name"`   // in plans
	Header string `json:"header"` // in the file's header
	Format Format `json:"format"` // how a cell is read
	// Stored is the type of the column's values if its Format is FormatStored or FormatWide.
	Stored Type `json:"stored,omitzero"`
	// Form is how people write the column's numbers, if its Format is one of numbers.
	Form     number.Form `json:"form,omitzero"`
	Required bool        `json:"required"` // a row without it is rejected
	// Strict rejects a row whose cell does not parse, unless the cell is empty or
	// IsNullWord.
	Strict bool `json:"strict,omitempty"`
	// Field is the number of the field in a record, from 1; 0 means that the header decides.
	Field int `json:"field,omitempty"`
	// OfFile means that the value is not from a cell but the same in all rows of a file, such as
	// one in the name of its directory.
	OfFile bool `json:"ofFile,omitempty"`
}

// Place reports whether the column says where a row lies, by the number of its file or its
// position in it.
func (c TableColumn) Place() bool { return c.Format == FormatPosition || c.Format == FormatFile }

// Type returns the type of the column's values.
func (c TableColumn) Type() Type {
	if c.Format == FormatStored || c.Format == FormatWide && c.Stored.IsWide() {
		return c.Stored
	}
	return c.Format.Type()
}

// HeaderFix mends a known fault of a header: one name shared by several columns.
type HeaderFix struct {
	Name   string   `json:"name"`
	Become []string `json:"become"`
}

// Table describes a CSV table: which files hold it, its columns, and what makes
// a row valid. The valid rows of a file depend on the file and its Table alone,
// never on the query.
type Table struct {
	Name    string        `json:"name"`
	Files   []string      `json:"files"` // accepted file names, without the extension of compressed ones, the usual one first
	Columns []TableColumn `json:"columns"`
	Fixes   []HeaderFix   `json:"fixes,omitempty"`
	// Format is the name of the files' format (package input/known), if it is known; "" means
	// that their first bytes say.
	Format string `json:"as,omitempty"`
	Dialect
	// Nulls are the cell texts that mean null in every column; nil means the empty text
	// alone.
	Nulls []string `json:"nulls,omitempty"`
	// Key names the columns, all required, that identify a row: a row is rejected if an
	// earlier row of the file has the same key. Without a key, rows may repeat.
	Key []string `json:"key,omitempty"`
}

// FreeName returns a name like the given one that no column of the table has.
func (t *Table) FreeName(like string) string {
	names := Each(t.Columns, func(c TableColumn) string { return c.Name })
	return FreeName(like, names)
}

// FreeName returns a name like the given one that is not taken.
func FreeName(like string, taken []string) string {
	for slices.Contains(taken, like) {
		like += "_"
	}
	return like
}

// NameSet holds names. Looking up thousands of them one by one in a list would take time quadratic
// in their number.
type NameSet map[string]bool

// SetOf returns the set of the names in lists.
func SetOf(lists ...[]string) NameSet {
	set := make(NameSet)
	for _, names := range lists {
		set.Add(names...)
	}
	return set
}

// Add puts names into the set.
func (s NameSet) Add(names ...string) {
	for _, name := range names {
		s[name] = true
	}
}

// Has reports whether a name is in the set.
func (s NameSet) Has(name string) bool { return s[name] }

// HasAll reports whether all names are in the set.
func (s NameSet) HasAll(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !s[name] })
}

// Free returns a name like the given one that is not in the set.
func (s NameSet) Free(like string) string {
	for s[like] {
		like += "_"
	}
	return like
}

// AddPosition adds, as the last column, the position of a row in its file, under a name that no
// other column has.
func (t *Table) AddPosition() {
	name := t.FreeName("position")
	t.Columns = append(t.Columns, TableColumn{Name: name, Header: name, Format: FormatPosition})
}

// WithKey returns the table with a key, whose columns become required. The error says
// which column cannot be part of a key.
func (t *Table) WithKey(columns []string) (*Table, error) {
	keyed := *t
	keyed.Columns, keyed.Key = slices.Clone(t.Columns), slices.Clone(columns)
	for i, name := range columns {
		at := slices.IndexFunc(keyed.Columns, func(c TableColumn) bool { return c.Name == name && !c.Place() })
		switch {
		case at < 0:
			return nil, fmt.Errorf("table %s has no column %q", t.Name, name)
		case slices.Contains(columns[:i], name):
			return nil, fmt.Errorf("column %q stands twice in the key of table %s", name, t.Name)
		case keyed.Columns[at].Type().Kind() == KindList:
			return nil, fmt.Errorf("column %q is a list, which cannot be in the key of table %s", name, t.Name)
		}
		c := &keyed.Columns[at]
		c.Required, c.Strict = true, false
		if c.Format == FormatOptional { // which reads the empty text as null
			c.Format = FormatText
		}
	}
	return &keyed, nil
}

// Schema returns the plan types of all columns.
func (t *Table) Schema() Schema {
	return Each(t.Columns, func(c TableColumn) Field { return Field{Name: c.Name, Type: c.Type()} })
}
