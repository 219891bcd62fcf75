package csv

import "bytes"

// refRecord is what the reference reader finds: the text of the fields, and
// where the record begins.
type refRecord struct {
	fields   []string
	raw      string
	offset   int64
	line     int64
	unclosed bool
}

// reference reads a whole file byte by byte, after _csv.c: one state, one byte,
// no look-ahead but for the LF of a CRLF. The header is its first record.
func reference(data []byte) []refRecord {
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
			st = quoted
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
