package order

import (
	"errors"

	"analyzer/columnar"
	"analyzer/operators"
)

// pager collects rows on pages of limited size.
type pager struct {
	page    columnar.Rows
	columns []int // the columns of the page among those of the rows; nil: all
	bytes   int64 // of a page, about
	width   int64 // bytes of a row, about, as they were last; 0: not known
	// turn hands over a full page, and returns one for the next rows.
	turn func(columnar.Rows) (columnar.Rows, error)
	// emit takes a row that fills a page by itself from where it lies; nil: such rows are copied too.
	emit operators.Emit
}

// add copies rows, and hands over the page whenever it is full.
func (p *pager) add(rows *columnar.Pages, ids []uint32) error {
	for len(ids) > 0 {
		if long, err := p.pass(rows, ids[0]); err != nil {
			return err
		} else if long {
			ids = ids[1:]
			continue
		}
		n := p.room(len(ids))
		p.copy(rows, ids[:n])
		ids = ids[n:]
		if p.page.ValueBytes() >= p.bytes || p.page.Len == operators.PageRows {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass hands over a row without a copy if it fills a page by itself, which is looked at where rows are known to be long.
func (p *pager) pass(rows *columnar.Pages, id uint32) (long bool, err error) {
	if p.emit == nil || p.width > 0 && p.width < p.bytes/2 {
		return false, nil
	}
	page, row := rows.Row(id)
	bytes := page.ValueBytesOf(row, row+1)
	if bytes < p.bytes {
		return false, nil
	}
	p.width = bytes
	if err := p.flush(); err != nil {
		return true, err
	}
	if p.columns != nil {
		page = page.Project(p.columns)
	}
	return true, p.emit(page.Slice(row, row+1))
}

// room returns how many of n rows to copy before the size of the page is looked at again: one, if nobody knows
// how long they are, and no more than fit if they are as long as those before.
func (p *pager) room(n int) int {
	if p.width == 0 {
		return 1
	}
	fit := (p.bytes - p.page.ValueBytes()) / p.width
	return min(n, operators.PageRows-p.page.Len, int(max(1, fit)))
}

func (p *pager) copy(rows *columnar.Pages, ids []uint32) {
	if p.columns == nil {
		rows.Gather(&p.page, ids)
	} else {
		for i, c := range p.columns {
			rows.GatherColumn(p.page.Cols[i], c, ids)
		}
		p.page.Len += len(ids)
	}
	p.width = 1 + p.page.ValueBytes()/int64(p.page.Len)
}

// flush hands over what is on the page.
func (p *pager) flush() (err error) {
	if p.page.Len == 0 {
		return nil
	}
	p.page, err = p.turn(p.page)
	p.page.Reset()
	return err
}

// newPage returns a page of some columns of a schema; nil: of all.
func newPage(schema columnar.Schema, columns []int) columnar.Rows {
	if columns != nil {
		schema = schema.Project(columns)
	}
	return columnar.NewRows(schema)
}

// fillPages emits pages of some columns and of about the given size as fill fills them.
func fillPages(schema columnar.Schema, columns []int, bytes int64, fill func(*pager) error, emit operators.Emit) error {
	return fill(&pager{page: newPage(schema, columns), columns: columns, bytes: bytes, emit: emit, turn: func(page columnar.Rows) (columnar.Rows, error) {
		return page, emit(page)
	}})
}

// errNotTaken ends the filling of pages that nobody takes.
var errNotTaken = errors.New("pages are not taken")

// fillAhead is fillPages, but fill has a goroutine of its own, in which it fills one page while
// the one before is emitted. It has ended when fillAhead returns.
func fillAhead(schema columnar.Schema, columns []int, bytes int64, fill func(*pager) error, emit operators.Emit) error {
	full, emitted, filled := make(chan columnar.Rows), make(chan columnar.Rows, 1), make(chan error, 1)
	emitted <- newPage(schema, columns)
	p := &pager{page: newPage(schema, columns), columns: columns, bytes: bytes, turn: func(page columnar.Rows) (columnar.Rows, error) {
		full <- page
		if next, ok := <-emitted; ok {
			return next, nil
		}
		return page, errNotTaken
	}}
	go func() {
		defer close(full)
		filled <- fill(p)
	}()
	var failed error
	for page := range full {
		if failed != nil {
			continue
		}
		if failed = emit(page); failed != nil {
			close(emitted)
			continue
		}
		emitted <- page
	}
	if err := <-filled; failed == nil {
		return err
	}
	return failed
}
