package columnar

import (
	"fmt"
	"slices"
)

// Format says how the text of a CSV cell becomes a value.
type Format uint8

// The formats of cells. A cell that does not fit its format does not parse: the
// row is rejected where the column is required, the value is null where it is
// not. List formats never fail: what does not parse is the empty list, counted.
const (
	FormatText      Format = iota // any text
	FormatInt                     // integer, also written 862.0
	FormatDecimal                 // decimal in millionths, further digits rounded half to even
	FormatBool                    // true or false in any case, 1 or 0
	FormatDate                    // text of the form 2006-01-02
	FormatYear                    // text in which a year can be found (number.Year)
	FormatNames                   // Python list of dicts: the values of 'name'
	FormatTexts                   // Python list of text
	FormatCommaList               // comma separated, trimmed, lower case
	FormatDay                     // date of the form 2006-01-02 that the calendar has
	FormatFloat                   // number of digits with fraction and exponent, as the nearest finite float
	FormatOptional                // any text but the empty one, which is no value
	FormatTimestamp               // date, or one with a time of day (number.ParseTimestamp)
	FormatPosition                // of no cell: where the record begins in the decompressed file, in bytes
	FormatUTC                     // timestamp with Z or the like behind it (number.ParseUTC)
	FormatDayYMD                  // date of the order year, month, day (number.DateOrder)
	FormatDayMDY                  // date of the order month, day, year
	FormatDayDMY                  // date of the order day, month, year
	FormatTimeYMD                 // date of that order, or one with a time of day
	FormatTimeMDY
	FormatTimeDMY
)

// formats is the table of formats: their names in plans and what they yield.
// How cells are read stands in package scan.
var formats = [...]struct {
	name string
	typ  Type
}{
	FormatText:      {"text", Text},
	FormatInt:       {"int", Int},
	FormatDecimal:   {"decimal", Decimal},
	FormatBool:      {"bool", Bool},
	FormatDate:      {"date", Text},
	FormatYear:      {"year", Text},
	FormatNames:     {"names", TextList},
	FormatTexts:     {"texts", TextList},
	FormatCommaList: {"commalist", TextList},
	FormatDay:       {"day", Date},
	FormatFloat:     {"float", Float},
	FormatOptional:  {"optional", Text},
	FormatTimestamp: {"timestamp", Timestamp},
	FormatPosition:  {"position", Int},
	FormatUTC:       {"utc", Timestamp},
	FormatDayYMD:    {"ymd", Date},
	FormatDayMDY:    {"mdy", Date},
	FormatDayDMY:    {"dmy", Date},
	FormatTimeYMD:   {"ymdtime", Timestamp},
	FormatTimeMDY:   {"mdytime", Timestamp},
	FormatTimeDMY:   {"dmytime", Timestamp},
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

// Type returns the type of the values a format yields, Text for an unknown one.
func (f Format) Type() Type {
	if int(f) < len(formats) {
		return formats[f].typ
	}
	return Text
}

// IsNullWord reports whether the text of a cell says that there is no value. Among numbers,
// dates and truth values it is none, unless the table names its Nulls.
func IsNullWord(text []byte) bool {
	switch string(text) {
	case "NA", "N/A", "n/a", "#N/A", "NULL", "null", `\N`, "-":
		return true
	}
	return false
}

// TableColumn is one column of a CSV file that queries may read.
type TableColumn struct {
	Name     string `json:"name"`     // in plans
	Header   string `json:"header"`   // in the file's header
	Format   Format `json:"format"`   // how a cell is read
	Required bool   `json:"required"` // a row without it is rejected
	// Strict rejects a row of which the cell does not fit the format, unless it is empty or
	// IsNullWord.
	Strict bool `json:"strict,omitempty"`
	// Field is which field of a record it is, from 1; 0: the one that the header says.
	Field int `json:"field,omitempty"`
}

// HeaderFix mends a known fault of a header: one name that stands over several
// columns.
type HeaderFix struct {
	Name   string   `json:"name"`
	Become []string `json:"become"`
}

// Table describes a CSV table: which files hold it, its columns, and what makes
// a row valid. The valid rows of a file depend on the file and its Table alone,
// never on the query.
type Table struct {
	Name    string        `json:"name"`
	Files   []string      `json:"files"` // accepted file names without .gz or .zst, the usual one first
	Columns []TableColumn `json:"columns"`
	Fixes   []HeaderFix   `json:"fixes,omitempty"`
	Dialect
	// Nulls are the texts of cells that are no value, whatever their column; nil: the
	// empty one.
	Nulls []string `json:"nulls,omitempty"`
	// Key names columns, all required, of which no two rows have equal values: a row is
	// rejected if an earlier one of the file has its key. None: rows may repeat.
	Key []string `json:"key,omitempty"`
}

// WithKey returns the table with a key, whose columns become required. It says which of
// them cannot be a part of one.
func (t *Table) WithKey(columns []string) (*Table, error) {
	keyed := *t
	keyed.Columns, keyed.Key = slices.Clone(t.Columns), slices.Clone(columns)
	for i, name := range columns {
		at := slices.IndexFunc(keyed.Columns, func(c TableColumn) bool { return c.Name == name && c.Format != FormatPosition })
		switch {
		case at < 0:
			return nil, fmt.Errorf("table %s has no column %q", t.Name, name)
		case slices.Contains(columns[:i], name):
			return nil, fmt.Errorf("column %q stands twice in the key of table %s", name, t.Name)
		case keyed.Columns[at].Format.Type().Kind() == KindList:
			return nil, fmt.Errorf("column %q is a list, which cannot be in the key of table %s", name, t.Name)
		}
		c := &keyed.Columns[at]
		c.Required, c.Strict = true, false
		if c.Format == FormatOptional { // which has no text that is empty
			c.Format = FormatText
		}
	}
	return &keyed, nil
}

// Schema returns the plan types of all columns.
func (t *Table) Schema() Schema {
	s := make(Schema, len(t.Columns))
	for i, c := range t.Columns {
		s[i] = Field{Name: c.Name, Type: c.Format.Type()}
	}
	return s
}
