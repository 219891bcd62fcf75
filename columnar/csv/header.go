package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// readHeader reads the first record that is not a blank line.
func (r *Reader) readHeader(ctx context.Context) error {
	var b Block
	for size := minTail; ; size *= 2 {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		b.room(size)
		n, err := r.source.Peek(b.data[:size], 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		whole := errors.Is(err, io.EOF)
		b.data = b.data[:n]
		if whole { // the last line may have no end
			b.data = append(b.data, '\n')
		}
		b.seal()
		if what := noText(b.data[:min(n, minTail)]); what != "" {
			return &InputError{
				File: r.name, Reason: ReasonNotCSV, Detail: "not a CSV file: there are " + what + " in it",
				Hint: "a CSV file is text in UTF-8, or in UTF-16 with a mark at its beginning, or as read_csv(…, encoding = …) says",
			}
		}
		if done, err := r.findHeader(&b, n, whole); done || err != nil {
			return err
		}
		if n > r.opts.MaxRecord {
			return r.tooLong(1)
		}
	}
}

// findHeader looks for the header in the first n bytes of the file. It reports whether
// they were enough.
func (r *Reader) findHeader(b *Block, n int, whole bool) (bool, error) {
	at, enough := skipLines(b.data, r.opts.Skip)
	if !enough && !whole {
		return false, nil
	}
	b.offset, b.data, n = int64(at), b.data[at:], n-at
	b.lexer.reset(&r.syntax, r.kernels.classify)
	b.lexer.verbatim = true
	b.words = b.lexer.rest(b.words[:0], b.data)
	f := framer{syntax: &r.syntax, bounds: []int32{-1}}
	b.records = runs{}
	at = 0
	for blank := true; blank; {
		records := len(f.rows)
		at = f.walk(b.words, b.data, 0, at, len(b.data), true)
		switch {
		case len(f.rows) > records:
		case !whole:
			return false, nil
		case f.state == inQuoted:
			return true, &InputError{File: r.name, Line: 1, Reason: ReasonUnclosedQuote, Detail: "a quote in the header is not closed"}
		default:
			return true, &InputError{File: r.name, Reason: ReasonEmptyFile, Detail: "the file is empty: it has no header"}
		}
		b.bounds, b.returns = f.bounds, true
		b.records.add(f.rows[records])
		blank = b.Fields(b.Len()-1) == 0
	}
	if at == n && !whole && b.data[n-1] == '\r' {
		return false, nil
	}
	record := b.Len() - 1
	if len(b.Record(record)) > r.opts.MaxRecord {
		return true, r.tooLong(1)
	}
	for c := range b.Fields(record) {
		name := fmt.Sprintf("column%d", c)
		if !r.opts.Headless {
			name = string(r.syntax.Append(nil, b.Cell(record, c)))
		}
		r.header = append(r.header, name)
	}
	r.named = len(r.header)
	r.fitHeader()
	if r.opts.Headless {
		at = 0
	} else {
		r.first = bytes.Clone(b.Record(record))
	}
	at = min(at, n)
	r.begin = b.offset + int64(at)
	if r.opts.First == 0 {
		r.source.Skip(r.begin)
	}
	b.begin.Line = 1 + int64(r.opts.Skip)
	r.chain = newChain(0, Edge{Line: b.lineOf(at)})
	return true, nil
}

// fitHeader makes the header as long as the dialect says that records are. Columns that it does
// not name get empty names.
func (r *Reader) fitHeader() {
	if n := r.opts.Fields; n > 0 {
		r.header = append(r.header, make([]string, max(0, n-len(r.header)))...)[:n]
	}
}

// maxZeros is how many zero bytes the first minTail bytes of a text may have: a few are faults of
// what wrote it.
const maxZeros = minTail / 16

// mostControls is how many different control characters may stand in the first minTail bytes of a text, but for those that
// texts consist of, separate fields or end files.
const mostControls = 8

// noText says what shows that the beginning of a file is no text in an encoding that can be read; "" if nothing does.
func noText(head []byte) string {
	if bytes.Count(head, []byte{0}) > maxZeros || bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) {
		return "many zero bytes"
	}
	controls := 0
	for _, c := range []byte("\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x7f") {
		if bytes.IndexByte(head, c) >= 0 {
			controls++
		}
	}
	if controls > mostControls {
		return "many control characters"
	}
	return ""
}

// skipLines returns the position after a file's byte order mark and the given number of
// lines, and whether data has all of them.
func skipLines(data []byte, lines int) (at int, enough bool) {
	at = skipMark(data)
	for range lines {
		end := bytes.IndexAny(data[at:], "\r\n")
		if end < 0 || end+1 == len(data)-at && data[at+end] == '\r' {
			return len(data), false
		}
		if at += end + 1; data[at-1] == '\r' && data[at] == '\n' {
			at++
		}
	}
	return at, true
}

func (r *Reader) tooLong(line int64) error {
	return &InputError{
		File: r.name, Line: line, Reason: ReasonRecordTooLong,
		Detail: fmt.Sprintf("the record that begins here is longer than %d bytes", r.opts.MaxRecord),
		Hint:   "a quote is probably not closed there; a longer record cannot be read",
	}
}
