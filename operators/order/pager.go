package order

import (
	"analyzer/columnar"
	"analyzer/operators"
)

// pager collects rows on pages of limited size.
type pager struct {
	page  columnar.Rows
	bytes int64 // of a page, about
	emit  operators.Emit
}

func newPager(schema columnar.Schema, bytes int64, emit operators.Emit) *pager {
	return &pager{page: columnar.NewRows(schema), bytes: bytes, emit: emit}
}

// add copies rows, at most stepRows, and emits the page when it is full.
func (p *pager) add(rows *columnar.Pages, ids []uint32) error {
	rows.Gather(&p.page, ids)
	if p.page.Len+stepRows > operators.PageRows || p.page.ValueBytes() >= p.bytes {
		return p.flush()
	}
	return nil
}

// flush emits what is on the page.
func (p *pager) flush() error {
	if p.page.Len == 0 {
		return nil
	}
	err := p.emit(p.page)
	p.page.Reset()
	return err
}
