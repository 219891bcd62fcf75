package sniff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Given is what the user states about a file. Everything else is detected.
type Given struct {
	// Format is the name of the file's format, "" if its first bytes say.
	Format string
	// Dialect is the dialect of the file. Delimiter, Quote, Escape, Comment and Encoding are
	// detected if they are empty. Headless is ignored.
	columnar.Dialect
	Header  *bool // whether there is a header; nil: detected
	Skipped bool  // Skip is given, even if it is 0
	Padded  bool  // short records are filled up with empty fields
	// NoTrailing means that text behind records is none of a comment, whatever it looks like.
	NoTrailing bool
	// Nulls are the cell texts that mean null in every column. nil means empty texts, and
	// words such as NA in a column of numbers.
	Nulls []string
	// Columns are all columns, regardless of the header.
	Columns []Column
	Names   []string // names of the first columns
	Types   []Column // types of some columns, by name, or of the first ones if they have no names
	AllText bool     // all columns are text
	// DateOrder is the order of the parts of dates that do not begin with the year; nil means
	// that it is detected, if a date is valid in only one order.
	DateOrder *number.DateOrder
	// UnionByName gives files of one table the columns of all of them: see UniteByName. nil: where IsNested.
	UnionByName *bool
	// ShortYears means that the years of such dates have two digits.
	ShortYears bool
	// MonthNames means that months are written as names in dates, and Zoned that an offset from UTC
	// follows times.
	MonthNames, Zoned bool
	// Serial means that declared dates are numbers of days, as spreadsheets count them.
	Serial bool
	// Decimal is the decimal mark of numbers, a point or a comma; 0: detected.
	Decimal byte
	// Thousands is the mark between thousands; "": detected; NoThousands: there is none.
	Thousands string
	// ByteTexts means that bytes which a file does not mark as texts are texts.
	ByteTexts bool
	// Rename says what becomes of a name in the header; nil: it stays.
	Rename func(name string) string
	// Count has the values of the first records counted, for File.Estimate.
	Count bool
	// Several means that the file is one of several of a table: what is empty in it may not be in others.
	Several bool
	// FileName is the name of a column with the name of each row's file; "": there is none.
	FileName string
	// Candidates are the types that columns may be found to have; nil: all.
	Candidates []columnar.Type
	// Undetected means that what is not stated of the dialect is the usual: commas, double quotes
	// that are doubled, and no header.
	Undetected bool
	// AllRows means that a row that is rejected ends the reading.
	AllRows     bool
	Directories Directories
}

// Directories says how those whose names are like year=2024 become columns of the files in them.
type Directories struct {
	Ignored bool     // not at all
	Texts   bool     // as texts, unless their types are given
	Types   []Column // types of some of them, by name
}

// stated returns the dialect and the header as they are if nothing is to be detected of them.
func (g Given) stated() Given {
	if g.Undetected {
		g.Skipped, g.Header = true, cmp.Or(g.Header, new(bool))
	}
	if g.Undetected && g.Widths == nil {
		g.Delimiter = cmp.Or(g.Delimiter, ",")
		if !g.Unquoted {
			g.Quote = cmp.Or(g.Quote, `"`)
			g.Escape = cmp.Or(g.Escape, g.Quote)
		}
	}
	return g
}

// NoThousands means, as Given.Thousands, that numbers have no mark between thousands.
const NoThousands = "none"

// kindsOf returns the kinds that a cell, which must not be empty, allows.
func (g *Given) kindsOf(cell []byte) kinds { return kindsAmong(cell, g.Nulls) }

// kindsAmong returns the kinds that a cell allows if nulls are the texts that mean null.
func kindsAmong(cell []byte, nulls []string) kinds {
	if nulls == nil {
		k := kindsOf(cell)
		if k == text0 && columnar.IsNullWord(cell) {
			return allKinds
		}
		return k
	}
	if slices.Contains(nulls, string(cell)) {
		return allKinds
	}
	return kindsOf(cell)
}

// kindsOfEmpty returns the kinds that an empty cell allows.
func kindsOfEmpty(nulls []string) kinds {
	if nulls == nil || slices.Contains(nulls, "") {
		return allKinds
	}
	return text0
}

// refused returns the kinds of dates in another order than the given one. Dates that begin
// with the year are never refused, since they have only one order.
func (g *Given) refused() (others kinds) {
	for i, k := range ordered {
		if order := number.DateOrder(i); g.DateOrder != nil && order != *g.DateOrder && order != number.YearFirst {
			others |= k.day | k.time | k.short | k.shortTime
		}
	}
	if g.Candidates != nil {
		for format, k := range typedKinds() {
			if !slices.Contains(g.Candidates, format.Type()) {
				others |= k
			}
		}
	}
	return others | g.refusedMarks()
}

// typedKinds returns the kinds of cells that are read in each format.
func typedKinds() map[columnar.Format]kinds {
	all := make(map[columnar.Format]kinds)
	for _, f := range formats {
		all[f] = 1 << f
	}
	all[columnar.FormatInt] |= wholePoint | wholeComma
	all[columnar.FormatDecimal] |= smallFraction
	all[columnar.FormatFloat] |= anyFraction
	all[columnar.FormatTruth] |= truths
	return all
}

// refusedMarks returns the kinds of numbers with other marks than the given ones.
func (g *Given) refusedMarks() (others kinds) {
	mark := g.Decimal
	switch {
	case mark == 0 && g.Thousands == ".":
		mark = ','
	case mark == 0 && g.Thousands == ",":
		mark = '.'
	}
	switch mark {
	case ',':
		others = pointMarks | decimal | float | onlyGroups
	case '.':
		others = commaMarks | onlyGroups
	}
	if g.Thousands == "" {
		return others
	}
	for m := number.Point; m <= number.CommaApostrophe; m++ {
		if mark := m.Thousands(); mark != 0 && string(mark) != g.Thousands {
			others |= kindOf(m)
		}
	}
	return others | onlyGroups
}

// Form returns the form of numbers with the given marks; the zero Form if none are given.
func (g *Given) Form() number.Form {
	k := marks &^ g.refusedMarks()
	if g.Thousands != "" && g.Thousands != NoThousands {
		k &^= pointAlone | commaAlone
	}
	if g.Decimal == 0 && g.Thousands == "" {
		return number.Form{}
	}
	return number.Form{Marks: number.MarkSet(k / pointAlone << number.Point).First()}
}

// formatOf returns the format for cells whose usual format is given, which for dates and
// timestamps depends on DateOrder.
func (g *Given) formatOf(usual columnar.Format) columnar.Format {
	isDay, isTime := usual == columnar.FormatDay, usual == columnar.FormatTimestamp
	switch {
	case isDay && g.Serial:
		return columnar.FormatSerial
	case isTime && g.Serial:
		return columnar.FormatSerialTime
	case isTime && g.Zoned:
		return columnar.FormatUTC
	case isDay && g.MonthNames:
		return columnar.FormatNamed
	case isTime && g.MonthNames:
		return columnar.FormatNamedTime
	case g.DateOrder == nil:
		return usual
	}
	k := ordered[*g.DateOrder]
	if g.ShortYears {
		k.day, k.time = k.short, k.shortTime
	}
	switch {
	case isDay:
		return k.day.format()
	case isTime:
		return k.time.format()
	}
	return usual
}

// declare gives a column the type of another, which is given.
func (c *Column) declare(as Column, g *Given) {
	c.Format, c.Form, c.Stored, c.Declared = g.formatOf(as.Format), as.Form, as.Stored, true
}

// declare applies the given names and types to the columns of a file.
func (g *Given) declare(f *File) error {
	if n := len(g.Columns); n > 0 && n != len(f.Columns) {
		return wrongColumns(f, fmt.Sprintf("%d columns are given, and the file has %d", n, len(f.Columns)))
	}
	if n := len(g.Names); n > len(f.Columns) {
		return wrongColumns(f, fmt.Sprintf("%d names are given, and the file has %d columns", n, len(f.Columns)))
	}
	for i, c := range g.Columns {
		f.Renamed = f.Renamed || !f.Headless
		f.Columns[i].Name = c.Name
		f.Columns[i].declare(c, g)
	}
	for i, name := range g.Names {
		f.Renamed = f.Renamed || !f.Headless
		f.Columns[i].Name = name
	}
	names := make([]string, len(f.Columns))
	for i := range f.Columns {
		names[i] = f.Columns[i].Name
	}
	for i, name := range unique(names) {
		f.Columns[i].Name = name
		if g.AllText {
			f.Columns[i].Format, f.Columns[i].Declared = columnar.FormatOptional, true
		}
	}
	for i, t := range g.Types {
		if t.Name == "" && i < len(f.Columns) {
			t.Name = f.Columns[i].Name
		}
		at := slices.IndexFunc(f.Columns, func(c Column) bool { return strings.EqualFold(c.Name, t.Name) })
		if at < 0 {
			return wrongColumns(f, fmt.Sprintf("a type is given for the column %q, which the file has not; it has %q", t.Name, names[:min(len(names), 20)]))
		}
		f.Columns[at].declare(t, g)
	}
	g.orderDates(f)
	return nil
}

// orderDates has columns that are declared as dates or moments read as the cells at the beginning of the file are
// written, if nothing is said of that.
func (g *Given) orderDates(f *File) {
	for i := range f.Columns {
		c := &f.Columns[i]
		if !c.Declared || g.DateOrder != nil || c.Format != columnar.FormatDay && c.Format != columnar.FormatTimestamp {
			continue
		}
		if r := f.readingOf(i, f.seen[i]); r.Type() == c.Format.Type() {
			c.Format = r.Format
		}
	}
}
