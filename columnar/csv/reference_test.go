package csv

import (
	"bytes"
	"strings"
)

// refRecord is what the reference reader finds: the text of the fields, and
// where the record begins.
type refRecord struct {
	fields   []string
	raw      string
	offset   int64
	line     int64
	unclosed bool
	open     int // where its last quoted cell begins, in the text that was read
}

// reference reads a whole file from its header on, and mends records whose quotes are not closed.
// begins says, for each record, where the record begins in whose block it is.
func reference(data []byte) (out []refRecord, begins []int64) {
	for _, rec := range literally(data) {
		parts := []refRecord{rec}
		if len(out) == 0 && len(rec.fields) == 0 {
			continue
		}
		if len(out) > 0 {
			if several := mended(rec, len(out[0].fields)); several != nil {
				parts = several
			}
		}
		for _, p := range parts {
			p.open = 0
			out, begins = append(out, p), append(begins, rec.offset)
		}
	}
	return out, begins
}

// mended reads a record as if the quote of its first cell of several lines which text follows were
// a letter, and likewise that of a cell which is open then. It returns nil if that makes other records than those of the table.
func mended(rec refRecord, fields int) []refRecord {
	at := openQuote(rec.raw)
	if at < 0 && rec.unclosed {
		at = rec.open - int(rec.offset)
	}
	if at < 0 || fields < 2 {
		return nil
	}
	raw := rec.raw[:at] + "Q" + rec.raw[at+1:]
	parts := literally([]byte(raw))
	if last := len(parts) - 1; parts[last].unclosed {
		at := parts[last].open
		raw = raw[:at] + "Q" + raw[at+1:]
		parts = literally([]byte(raw))
		before := literally([]byte(raw[:at] + "Q"))
		last = len(before) - 1
		c := len(before[last].fields) - 1
		p := parts[last].fields
		p[c] = literally([]byte(`"` + p[c][1:]))[0].fields[0]
	}
	for i := range parts {
		p := &parts[i]
		more := p.fields[min(fields, len(p.fields)):]
		if len(p.fields) < fields && (i == 0 || len(p.fields) > 0) || strings.Join(more, "") != "" || p.unclosed {
			return nil
		}
		if i == 0 {
			c := len(literally([]byte(rec.raw[:at] + "Q"))[0].fields) - 1
			p.fields[c] = literally([]byte(`"` + p.fields[c][1:]))[0].fields[0]
		}
		p.raw = rec.raw[p.offset:][:len(p.raw)]
		p.offset, p.line = p.offset+rec.offset, p.line+rec.line-1
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// openQuote returns where the first cell begins that has several lines and text behind its closing
// quote, -1 if there is none.
func openQuote(raw string) int {
	for at := 0; at < len(raw); {
		end := at
		for inside := false; end < len(raw) && (inside || raw[end] != ','); end++ {
			if raw[end] == '"' && (inside || end == at || raw[at] == '"' && raw[end-1] == '"' && strings.Count(raw[at:end], `"`)%2 == 0) {
				inside = !inside
			} else if !inside && raw[at] == '"' { // text behind it
				for end < len(raw) && raw[end] != ',' {
					end++
				}
				if strings.ContainsAny(raw[at:end], "\r\n") {
					return at
				}
				break
			}
		}
		at = end + 1
	}
	return -1
}

// literally reads a whole file byte by byte, after _csv.c: one state, one byte,
// no look-ahead but for the LF of a CRLF.
func literally(data []byte) []refRecord {
	const (
		startRecord = iota
		startField
		field
		quoted
		quoteQuoted
	)
	var out []refRecord
	var text []byte
	var rec refRecord
	st := startRecord
	line := int64(1)
	begin := 0
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		begin = 3
	}
	open := func(i int) { rec = refRecord{offset: int64(i), line: line} }
	saveField := func() {
		rec.fields = append(rec.fields, string(text))
		text = text[:0]
	}
	saveRecord := func(end int) {
		rec.raw = string(data[rec.offset:end])
		out = append(out, rec)
		st = startRecord
	}
	open(begin)
	for i := begin; i < len(data); i++ {
		c := data[i]
		lineEnd := c == '\n' || c == '\r'
		end := i
		if c == '\r' && i+1 < len(data) && data[i+1] == '\n' && st != quoted {
			i++
		}
		if c == '\n' || c == '\r' && (i != end || i+1 == len(data) || data[i+1] != '\n') {
			line++
		}
		switch {
		case st == quoted && c == '"':
			st = quoteQuoted
		case st == quoted:
			text = append(text, c)
		case lineEnd:
			if st != startRecord {
				saveField()
			}
			saveRecord(end)
			open(i + 1)
		case c == ',':
			saveField()
			st = startField
		case c == '"' && (st == startRecord || st == startField):
			st, rec.open = quoted, i
		case c == '"' && st == quoteQuoted:
			text = append(text, c)
			st = quoted
		default:
			text = append(text, c)
			st = field
		}
	}
	if st != startRecord {
		rec.unclosed = st == quoted
		saveField()
		saveRecord(len(data))
	}
	return out
}
