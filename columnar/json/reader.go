package json

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/stored"
)

// Reasons of an InputError that this package gives.
const (
	ReasonInvalid     = "not-json"
	ReasonNotFollowed = "not-followed"
)

// reader is an open file. Its workers read blocks at the same time.
type reader struct {
	name      string
	headers   []string
	tree      *node // read only
	blockSize int
	most      int // bytes of a record
	source    stored.Source
	values    *values // cuts a file that is not one of lines
	start     int64   // offset of the first byte behind a byte order mark
	lines     *lines
	blocks    atomic.Int64
	end       atomic.Int64
}

// begin finds out whether each line is an object.
func (r *reader) begin(follow bool) error {
	head, first := []byte(nil), 0
	for size := 4 << 10; ; size *= 2 {
		head = make([]byte, size)
		n, err := r.source.Peek(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		whole := errors.Is(err, io.EOF)
		if head = head[:n]; bytes.HasPrefix(head, byteOrderMark) {
			r.start = int64(len(byteOrderMark))
		}
		p := parser{data: head}
		if first = p.space(int(r.start)); whole || first < n && (head[first] == '[' || bytes.IndexByte(head[first:], '\n') >= 0) {
			break
		}
		if n > r.most {
			return r.tooLong(1)
		}
	}
	if first == len(head) {
		return &csv.InputError{File: r.name, Reason: csv.ReasonEmptyFile, Detail: "the file is empty: it has no object"}
	}
	line, _, _ := bytes.Cut(head[first:], []byte("\n"))
	if c := new(cutter); head[first] == '{' && c.cut(line) > 0 {
		return nil
	}
	if follow {
		return &csv.InputError{
			File: r.name, Reason: ReasonNotFollowed, Detail: "only JSON that has an object on each line can be followed while it is read",
			Hint: "leave --follow out",
		}
	}
	r.values = newValues(r, head[first] == '[')
	return nil
}

// inLines reports whether the file has an object on each line, and can be read from any line on.
func (r *reader) inLines() bool { return r.values == nil && r.source.Anywhere() }

// Passage returns the edges around the blocks, once all of them were read. No line is within quotes.
func (r *reader) Passage() csv.Passage {
	first, next := r.lines.edges()
	return csv.Passage{Before: csv.Edge{Line: first}, After: csv.Edge{Line: next}}
}

// Columns returns the columns of the table.
func (r *reader) Columns() (all []input.Column) {
	for _, header := range r.headers {
		all = append(all, input.Column{Name: header, Cells: true})
	}
	return all
}

// Progress returns how much has been read.
func (r *reader) Progress() csv.Progress {
	p := r.source.Progress()
	p.Blocks, p.End = r.blocks.Load(), r.end.Load()
	return p
}

// Close ends the use of the file.
func (r *reader) Close() error { return r.source.Close() }

// NewWorker returns a worker for one goroutine.
func (r *reader) NewWorker() input.CellWorker { return r.worker(r.tree, false) }

func (r *reader) worker(tree *node, grow bool) *worker {
	return &worker{reader: r, parser: parser{grow: grow}, tree: tree}
}

// worker reads blocks.
type worker struct {
	Block
	reader *reader
	parser parser
	tree   *node
}

// Next reads the next block that no other worker has taken.
func (w *worker) Next(ctx context.Context) error {
	r := w.reader
	if cap(w.data) > 8*r.blockSize+slack {
		w.data = nil // which a few unusually long records took
	}
	w.reset(len(r.headers))
	var part part
	var err error
	if r.values != nil {
		part, err = r.values.next(ctx, &w.Block)
	} else {
		part, err = r.nextLines(ctx, &w.Block)
	}
	if err != nil {
		return err
	}
	if err := w.parse(part); err != nil {
		return err
	}
	r.blocks.Add(1)
	for end, last := w.End(), r.end.Load(); end > last && !r.end.CompareAndSwap(last, end); {
		last = r.end.Load()
	}
	return nil
}

// part says where in a file a block lies.
type part struct {
	begin    int  // of the first row in the block's data
	lines    bool // each row is on a line of its own
	array    bool // the rows are the items of an array
	from, to bool // it is the first, the last part of the array
}

// parse finds the rows of a block, whose data is that of the file.
func (w *worker) parse(at part) error {
	p := &w.parser
	w.size = len(w.data)
	p.data, p.block, p.more, p.depth = w.data[:w.size:w.size], &w.Block, false, 0
	p.marks = p.marks.mark(p.data)
	i := p.space(at.begin)
	if at.array && at.from {
		i = p.space(i + 1)
	}
	for rows := 0; i >= 0; rows++ {
		if at.array {
			if i = p.separator(i, at, rows); i < 0 {
				break
			}
		}
		if i >= len(p.data) {
			break
		}
		i = w.row(i, at)
	}
	w.more = p.more
	w.seal()
	if i < 0 {
		return w.invalid()
	}
	return nil
}

// row parses a row and returns where the next begins.
func (w *worker) row(i int, at part) int {
	p := &w.parser
	if p.byteAt(i) != '{' {
		return p.expect(i, "an object")
	}
	p.first = w.offset + int64(i)
	end := p.object(i, w.tree)
	if end < 0 {
		return end
	}
	if at.lines {
		if n := bytes.IndexByte(p.data[i:end], '\n'); n >= 0 {
			return p.fail(i+n, "an object does not end on the line where it begins, unlike that on the first line")
		}
	}
	w.rows = append(w.rows, bounds{int32(i), int32(end)})
	return p.space(end)
}

// separator parses what stands before the next row of an array: nothing or a comma, or its end.
func (p *parser) separator(i int, at part, rows int) int {
	if at.to && p.byteAt(i) == ']' {
		if i = p.space(i + 1); i < len(p.data) {
			return p.expect(i, "the end of the file")
		}
		return i
	}
	if at.from && rows == 0 {
		return i
	}
	if i >= len(p.data) {
		if at.to {
			return p.expect(i, "a comma or ]")
		}
		return i
	}
	if p.byteAt(i) != ',' {
		return p.expect(i, "a comma or ]")
	}
	if i = p.space(i + 1); p.byteAt(i) != '{' {
		return p.expect(i, "an object")
	}
	return i
}

// invalid returns the error of a block that is not valid.
func (w *worker) invalid() error {
	wrong := w.parser.wrong
	at := min(wrong.at, w.size)
	before := w.data[:at]
	column := at - bytes.LastIndexByte(before, '\n')
	if bytes.IndexByte(before, '\n') < 0 {
		column += w.indent
		if w.offset == 0 && bytes.HasPrefix(before, byteOrderMark) {
			column -= len(byteOrderMark)
		}
	}
	return &csv.InputError{
		File: w.reader.name, Line: w.lineOf(at), Reason: ReasonInvalid,
		Detail: fmt.Sprintf("column %d: not valid JSON: %s", column, wrong.what),
		Hint:   "mend the file, or read it as text with read_csv(…, delim = '\\x01', quote = '', header = false)",
	}
}

func (r *reader) tooLong(line int64) error {
	return &csv.InputError{
		File: r.name, Line: line, Reason: csv.ReasonRecordTooLong,
		Detail: fmt.Sprintf("the object that begins here is longer than %d bytes", r.most),
		Hint:   "its end is probably missing; a longer object cannot be read",
	}
}
