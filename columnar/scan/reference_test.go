package scan

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/pyliteral"
)

// The reference reads a table row by row, cell by cell. It uses nothing of the package except
// the parsers of single cells, which have their own tests.

type refResult struct {
	rows     [][]string // of all columns of the table, as text
	rejects  []Reject
	blank    int64
	warnings map[Count]int64 // with a Count of 0
}

type refRecord struct {
	fields   []string
	raw      string
	line     int64
	unclosed bool
	behind   bool // text follows a closing quote
}

// refRecords is a state machine that sees one byte after the other.
func refRecords(data string) (records []refRecord) {
	data = strings.TrimPrefix(data, "\ufeff")
	line, begin := int64(1), 0
	for begin < len(data) {
		rec := refRecord{line: line}
		var text []byte
		quoted, fresh, closed, any := false, true, false, false
		i := begin
		for ; i < len(data); i++ {
			c := data[i]
			if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
				line++
			}
			if quoted {
				if c == '"' {
					quoted, closed = false, true
				} else {
					text = append(text, c)
				}
				continue
			}
			if c == '\n' || c == '\r' {
				break
			}
			any = true
			switch {
			case c == ',':
				rec.fields = append(rec.fields, string(text))
				text, fresh, closed = nil, true, false
				continue
			case c == '"' && fresh:
				quoted = true
			case c == '"' && closed:
				text = append(text, c)
				quoted = true
			default:
				text = append(text, c)
				rec.behind = rec.behind || closed
			}
			fresh, closed = false, false
		}
		rec.raw = data[begin:i]
		rec.unclosed = quoted
		if any {
			rec.fields = append(rec.fields, string(text))
		}
		records = append(records, rec)
		if i < len(data) && data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			i++
			line++
		}
		begin = i + 1
	}
	return records
}

// refScan reads the table, of which all columns are materialised once.
func refScan(data []byte, t *columnar.Table) refResult {
	res := refResult{warnings: map[Count]int64{}}
	records := refRecords(string(data))
	header, records := records[0], records[1:]
	for _, rec := range records {
		if len(rec.fields) == 0 {
			res.blank++
			continue
		}
		if rec.behind {
			res.warnings[Count{What: WarnBehindQuote}]++
		}
		reject := Reject{Line: rec.line, Record: []byte(rec.raw)}
		switch {
		case rec.unclosed:
			reject.Reason = RejectUnclosed
		case len(rec.fields) < len(header.fields):
			reject.Reason = RejectTooFew
		default:
			if slices.ContainsFunc(rec.fields[len(header.fields):], func(text string) bool { return text != "" }) {
				res.warnings[Count{What: WarnExtraFields}]++
			}
			reject.Reason, reject.Column, reject.Cell = refReject(t, header.fields, rec.fields)
		}
		if reject.Reason != "" {
			res.rejects = append(res.rejects, reject)
			continue
		}
		var row []string
		for _, c := range t.Columns {
			value, warnings := refValue(c, rec.fields[slices.Index(header.fields, c.Header)])
			row = append(row, value)
			for _, kind := range warnings {
				res.warnings[Count{What: kind, Column: c.Header}]++
			}
		}
		res.rows = append(res.rows, row)
	}
	return res
}

func refReject(t *columnar.Table, header, fields []string) (reason, column, cell string) {
	for _, c := range t.Columns {
		if !c.Required {
			continue
		}
		cell := fields[slices.Index(header, c.Header)]
		if cell == "" {
			return "empty", c.Header, ""
		}
		if value, _ := refValue(c, cell); value == "null" {
			return map[columnar.Format]string{
				columnar.FormatInt: "not-an-int", columnar.FormatDecimal: "not-a-decimal", columnar.FormatBool: "not-a-bool",
				columnar.FormatDate: "not-a-date", columnar.FormatYear: "no-year", columnar.FormatDay: "not-a-date",
				columnar.FormatTimestamp: "not-a-timestamp", columnar.FormatTimeMDY: "not-a-timestamp", columnar.FormatClock: "not-a-time",
			}[c.Format], c.Header, excerpt([]byte(cell))
		}
	}
	return "", "", ""
}

// refLayouts are the forms of dates and times, as package time has them.
var refLayouts = map[columnar.Format][]string{
	columnar.FormatTimestamp: {"2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05.999999", "2006-01-02T15:04:05.999999"},
	columnar.FormatClock:     {"15:04", "15:04:05.999999"},
	columnar.FormatTimeMDY:   {"1/2/2006", "1/2/2006 3:04 PM", "1/2/2006 15:04:05.999999"},
	columnar.FormatDayDMY:    {"2.1.2006", "2/1/2006", "2-1-2006"},
	columnar.FormatUTC:       {"2006-01-02T15:04:05.999999Z07:00", "2006-01-02 15:04:05.999999-07:00", "2006-01-02 15:04:05.999999+00:00", "2006-01-02 15:04:05.999999 UTC"},
}

func refTime(f columnar.Format, cell string) (at time.Time, ok bool) {
	for _, layout := range refLayouts[f] {
		if at, err := time.Parse(layout, cell); err == nil && at.Nanosecond()%1000 == 0 {
			return at, true
		}
	}
	return at, false
}

// refValue returns the value of a cell as text, "null" if it does not fit.
func refValue(c columnar.TableColumn, cell string) (value string, warnings []string) {
	text := refUTF8(cell)
	switch c.Format {
	case columnar.FormatInt:
		v, ok := number.ParseInt([]byte(cell))
		return orNull(strconv.FormatInt(v, 10), ok), nil
	case columnar.FormatDecimal:
		v, ok := number.ParseDecimal([]byte(cell))
		if r, valid := new(big.Rat).SetString(cell); ok && valid && r.Mul(r, big.NewRat(1e6, 1)).IsInt() && r.Num().Cmp(big.NewInt(v)) != 0 {
			panic(fmt.Sprintf("%q is %d", cell, v))
		}
		return orNull(strconv.FormatInt(v, 10), ok), nil
	case columnar.FormatDay:
		day, err := time.Parse("2006-01-02", cell)
		return orNull(strconv.FormatInt(day.Unix()/86400, 10), err == nil), nil
	case columnar.FormatDayDMY:
		day, ok := refTime(c.Format, cell)
		return orNull(strconv.FormatInt(day.Unix()/86400, 10), ok), nil
	case columnar.FormatTimestamp, columnar.FormatTimeMDY, columnar.FormatUTC:
		at, ok := refTime(c.Format, cell)
		return orNull(strconv.FormatInt(at.UnixMicro(), 10), ok), nil
	case columnar.FormatClock:
		at, ok := refTime(c.Format, cell)
		return orNull(strconv.FormatInt(int64(at.Sub(at.Truncate(24*time.Hour))/time.Microsecond), 10), ok), nil
	case columnar.FormatBool:
		v, ok := number.ParseBool([]byte(cell))
		return orNull(strconv.FormatBool(v), ok), nil
	}
	if text != cell {
		warnings = append(warnings, WarnInvalidUTF8)
	}
	var items pyliteral.Strings
	var err error
	switch c.Format {
	case columnar.FormatText:
		return fmt.Sprintf("%q", text), warnings
	case columnar.FormatDate:
		return orNull(fmt.Sprintf("%q", text), number.IsDate([]byte(cell))), warnings
	case columnar.FormatYear:
		_, ok := number.Year([]byte(cell))
		return orNull(fmt.Sprintf("%q", text), ok), warnings
	case columnar.FormatNames:
		err = pyliteral.AppendNames(&items, []byte(text), "name")
	case columnar.FormatTexts:
		err = pyliteral.AppendStrings(&items, []byte(text))
	case columnar.FormatCommaList:
		if text == "" {
			return "[]", nil
		}
		var list []string
		for _, item := range strings.Split(text, ",") {
			list = append(list, strings.ToLower(strings.TrimSpace(item)))
		}
		return fmt.Sprintf("%q", list), warnings
	}
	if errors.Is(err, pyliteral.ErrMalformed) && text != "" {
		warnings = append(warnings, WarnMalformedList)
	}
	list := []string{}
	for i := range items.Len() {
		list = append(list, string(items.Value(i)))
	}
	return fmt.Sprintf("%q", list), warnings
}

func orNull(value string, ok bool) string {
	if ok {
		return value
	}
	return "null"
}

// refUTF8 replaces maximal subparts the slow way: the longest beginning of the
// text that some continuation makes valid is one.
func refUTF8(s string) string {
	var out bytes.Buffer
	for s != "" {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
			out.WriteRune(r)
			s = s[n:]
			continue
		}
		n := 1
		for m := 2; m <= min(3, len(s)); m++ {
			if refExtends(s[:m]) {
				n = m
			}
		}
		out.WriteString("\uFFFD")
		s = s[n:]
	}
	return out.String()
}

// refExtends reports whether bytes can be added to make s one valid sequence.
func refExtends(s string) bool {
	for a := 0x80; a < 0xC0; a++ {
		for _, more := range []string{string([]byte{byte(a)}), string([]byte{byte(a), 0x80})} {
			if r, n := utf8.DecodeRuneInString(s + more); r != utf8.RuneError && n == len(s+more) {
				return true
			}
		}
	}
	return false
}
