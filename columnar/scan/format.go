package scan

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/pyliteral"
)

// cellFormat says how the cells of a format are read. One of number, wide, bytes and items is set, or
// none, and the cells are kept as text.
type cellFormat struct {
	unfit string // reason to reject a cell that is not empty, "" if the format takes any
	// number returns the value of a cell as an integer: Bools as 0 and 1, Floats as
	// their bits.
	number func(text []byte) (int64, bool)
	// parse does the same for a column of raw cells, starting at from, up to the first that it
	// does not take, and returns how many it took. It is nil where there is no fast parser.
	parse func(c *number.Cells, out []int64, from int) int
	// floats is parse for floats.
	floats func(c *number.Cells, out []float64, from int) int
	// skip returns how many of n raw cells, starting at from, have the format, as parse and floats would. It
	// is nil if it would not be quicker.
	skip func(c *number.Cells, from, n int) int
	// wide returns the value of a cell of 128 bits.
	wide func(text []byte) (number.Int128, bool)
	// fits reports whether a text has the format; nil accepts every text that is not empty.
	fits func(text []byte) bool
	// bare returns a text without what stands around it, in its own memory; nil leaves texts as they are.
	bare func(text []byte) []byte
	// null reports whether a text means null; if it is nil, the empty text alone does.
	null func(text []byte) bool
	// bytes appends the bytes that a text stands for, or none if it stands for none.
	bytes func(dst, text []byte) ([]byte, bool)
	// items appends the items of a list cell that is not empty. On an error it appends nothing.
	items func(dst *pyliteral.Strings, text []byte) error
}

// spaced returns a function that does what read does, and allows spaces around texts.
func spaced(read func([]byte) (int64, bool)) func([]byte) (int64, bool) {
	return func(text []byte) (v int64, ok bool) {
		v, ok = read(text)
		if n := len(text); !ok && n > 0 && (text[0] == ' ' || text[n-1] == ' ') {
			return read(bytes.Trim(text, " "))
		}
		return v, ok
	}
}

// each returns the format of cells that the function read parses one by one, with spaces around or not.
func each(unfit string, read func([]byte) (int64, bool)) *cellFormat {
	read = spaced(read)
	return &cellFormat{unfit: unfit, number: read, parse: func(c *number.Cells, out []int64, from int) int {
		return number.ParseEach(c, out, from, read)
	}}
}

// formats is read only.
var formats = map[columnar.Format]*cellFormat{
	columnar.FormatText:         {},
	columnar.FormatInt:          {unfit: "not-an-int", number: number.ParseInt, parse: (*number.Cells).ParseInts},
	columnar.FormatDecimal:      {unfit: "not-a-decimal", number: number.ParseDecimal, parse: (*number.Cells).ParseDecimals},
	columnar.FormatBool:         each("not-a-bool", parseBool),
	columnar.FormatDate:         {unfit: "not-a-date", fits: number.IsDate},
	columnar.FormatDay:          {unfit: "not-a-date", number: spaced(number.ParseDate), parse: (*number.Cells).ParseDates, skip: (*number.Cells).SkipDates},
	columnar.FormatTimestamp:    {unfit: "not-a-timestamp", number: spaced(number.ParseTimestamp), parse: (*number.Cells).ParseTimestamps, skip: (*number.Cells).SkipTimestamps},
	columnar.FormatClock:        each("not-a-time", number.ParseClock),
	columnar.FormatInstant:      each("not-a-timestamp", number.ParseInstant),
	columnar.FormatUTC:          each("not-a-timestamp", number.ParseUTC),
	columnar.FormatDayYMD:       each("not-a-date", number.YearFirst.ParseDate),
	columnar.FormatDayMDY:       each("not-a-date", number.MonthFirst.ParseDate),
	columnar.FormatDayDMY:       each("not-a-date", number.DayFirst.ParseDate),
	columnar.FormatTimeYMD:      each("not-a-timestamp", number.YearFirst.ParseTimestamp),
	columnar.FormatTimeMDY:      each("not-a-timestamp", number.MonthFirst.ParseTimestamp),
	columnar.FormatTimeDMY:      each("not-a-timestamp", number.DayFirst.ParseTimestamp),
	columnar.FormatTruth:        each("not-a-bool", parseTruth),
	columnar.FormatShortYMD:     each("not-a-date", number.YearFirst.ParseShort),
	columnar.FormatShortMDY:     each("not-a-date", number.MonthFirst.ParseShort),
	columnar.FormatShortDMY:     each("not-a-date", number.DayFirst.ParseShort),
	columnar.FormatShortYMDTime: each("not-a-timestamp", number.YearFirst.ParseShortTime),
	columnar.FormatShortMDYTime: each("not-a-timestamp", number.MonthFirst.ParseShortTime),
	columnar.FormatShortDMYTime: each("not-a-timestamp", number.DayFirst.ParseShortTime),
	columnar.FormatNamed:        each("not-a-date", number.ParseNamedDate),
	columnar.FormatNamedTime:    each("not-a-timestamp", number.ParseNamedTime),
	columnar.FormatFloat:        {unfit: "not-a-float", number: parseFloat, floats: (*number.Cells).ParseFloats, skip: (*number.Cells).SkipNumbers},
	columnar.FormatSerial:       each("not-a-date", number.ParseSerialDay),
	columnar.FormatSerialTime:   each("not-a-timestamp", number.ParseSerialTime),
	columnar.FormatHuge:         {unfit: "not-a-hugeint", wide: number.ParseHuge, fits: isHuge},
	columnar.FormatUUID:         {unfit: "not-a-uuid", wide: number.ParseUUID, fits: number.IsUUID},
	columnar.FormatBytes:        {unfit: "not-a-blob", bytes: number.AppendUnescaped, fits: isEscaped},
	columnar.FormatYear:         {unfit: "no-year", fits: hasYear},
	columnar.FormatOptional:     {},
	columnar.FormatTrimmed:      {bare: func(text []byte) []byte { return bytes.Trim(text, " ") }},
	columnar.FormatFormula:      {bare: columnar.TextOfFormula},
	columnar.FormatPosition:     {},
	columnar.FormatFile:         {},
	columnar.FormatNames:        {items: appendNames},
	columnar.FormatTexts:        {items: pyliteral.AppendStrings},
	columnar.FormatCommaList: {items: func(dst *pyliteral.Strings, text []byte) error {
		appendCommaList(dst, text)
		return nil
	}},
}

func parseBool(text []byte) (int64, bool) {
	v, ok := number.ParseBool(text)
	if v {
		return 1, ok
	}
	return 0, ok
}

func parseTruth(text []byte) (int64, bool) {
	v, _, ok := number.ParseTruth(text)
	if v {
		return 1, ok
	}
	return 0, ok
}

func parseFloat(text []byte) (int64, bool) {
	f, ok := number.ParseFloatCell(text)
	return int64(math.Float64bits(f)), ok
}

// wideFormat is the format of wide decimals of a type, which are written in a form.
func wideFormat(t columnar.Type, form number.Form) *cellFormat {
	parse := number.Parse128
	if form != (number.Form{}) {
		parse = form.Parse128
	}
	f := &cellFormat{unfit: "not-a-decimal", wide: func(text []byte) (number.Int128, bool) {
		n, ok := parse(text, t.Scale())
		return n, ok && number.HasDigits(n, t.Digits())
	}}
	f.fits = func(text []byte) bool { _, ok := f.wide(text); return ok }
	return f
}

func isHuge(text []byte) bool {
	_, ok := number.ParseHuge(text)
	return ok
}

func isEscaped(text []byte) bool {
	_, ok := number.AppendUnescaped(nil, text)
	return ok
}

func hasYear(text []byte) bool {
	_, ok := number.Year(text)
	return ok
}

func appendNames(dst *pyliteral.Strings, text []byte) error {
	return pyliteral.AppendNames(dst, text, "name")
}

// appendCommaList appends the items of a comma separated list, trimmed and in
// lower case.
func appendCommaList(dst *pyliteral.Strings, text []byte) {
	for rest, more := text, true; more; {
		var item []byte
		item, rest, more = bytes.Cut(rest, []byte{','})
		dst.Data = appendLower(dst.Data, bytes.TrimSpace(item))
		dst.Ends = append(dst.Ends, int32(len(dst.Data)))
	}
}

// appendLower appends text in lower case, as by strings.ToLower.
func appendLower(dst, text []byte) []byte {
	begin := len(dst)
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return append(dst[:begin], bytes.ToLower(text)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// written returns a copy of a format of numbers, for those that are written in a form.
func (f *cellFormat) written(format columnar.Format, form number.Form) *cellFormat {
	g := *f
	g.skip = nil
	switch format {
	case columnar.FormatInt:
		g.number = form.ParseInt
		g.parse = func(c *number.Cells, out []int64, from int) int { return c.ParseWrittenInts(form, out, from) }
	case columnar.FormatDecimal:
		g.number = form.ParseDecimal
		g.parse = func(c *number.Cells, out []int64, from int) int { return c.ParseWrittenDecimals(form, out, from) }
	case columnar.FormatFloat:
		g.number = func(text []byte) (int64, bool) {
			v, ok := form.ParseFloat(text)
			return int64(math.Float64bits(v)), ok
		}
		g.floats = func(c *number.Cells, out []float64, from int) int { return c.ParseWrittenFloats(form, out, from) }
	}
	return &g
}

// withNulls returns a copy of the format in which exactly the given texts mean null.
func (f *cellFormat) withNulls(nulls []string) *cellFormat {
	g := *f
	g.null = isOneOf(nulls)
	if f.number != nil {
		g.number = func(text []byte) (int64, bool) {
			if g.null(text) {
				return 0, false
			}
			return f.number(text)
		}
		for _, null := range nulls {
			if _, reads := f.number([]byte(null)); reads { // parse would take it for a number
				g.parse, g.floats, g.skip = nil, nil, nil
			}
		}
		return &g
	}
	g.fits = func(text []byte) bool {
		return !g.null(text) && (f.fits == nil || f.fits(text))
	}
	return &g
}

// isOneOf returns a function that reports whether a text is one of some, from which the first byte tells nearly all others.
func isOneOf(some []string) func(text []byte) bool {
	var begins [256]bool
	for _, one := range some {
		if one != "" {
			begins[one[0]] = true
		}
	}
	empty := slices.Contains(some, "")
	return func(text []byte) bool {
		if len(text) == 0 {
			return empty
		}
		return begins[text[0]] && slices.ContainsFunc(some, func(one string) bool { return one == string(text) })
	}
}
