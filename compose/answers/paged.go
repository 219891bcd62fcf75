package answers

import "analyzer/columnar"

// paged passes rows to an encoder in pages that do not depend on how rows arrive. It is for
// formats whose output shows where pages begin, as record batches or row groups.
type paged struct {
	encoder
	page columnar.Rows
}

const (
	pageRows  = columnar.PageRows
	pageBytes = 1 << 20
	stepRows  = 64      // added to a page between two checks of its size
	mostBytes = 8 << 20 // after which a page ends anywhere
)

func (e *paged) begin(query string, columns columnar.Schema) error {
	e.page = columnar.NewRows(columns)
	return e.encoder.begin(query, columns)
}

func (e *paged) write(rows columnar.Rows) error {
	for lo := 0; lo < rows.Len; {
		hi := min(rows.Len, lo+stepRows-e.page.Len%stepRows)
		if hi = e.within(rows, lo, hi); e.page.Len == 0 && rows.Len == 1 && rows.ValueBytes() >= mostBytes {
			return e.encoder.write(rows) // a page by itself, which need not be copied
		}
		e.page.AppendRange(rows, lo, hi)
		lo = hi
		bytes := e.page.ValueBytes()
		if bytes < mostBytes && (e.page.Len%stepRows > 0 || e.page.Len < pageRows && bytes < pageBytes) {
			continue
		}
		if err := e.flush(); err != nil {
			return err
		}
	}
	return nil
}

// within returns where rows from lo on end, hi at most, so that no row comes behind mostBytes of a page.
func (e *paged) within(rows columnar.Rows, lo, hi int) int {
	for room := mostBytes - e.page.ValueBytes(); hi > lo+1 && rows.ValueBytesOf(lo, hi-1) >= room; {
		hi--
	}
	return hi
}

func (e *paged) flush() error {
	err := e.encoder.write(e.page)
	e.page.Reset()
	return err
}

func (e *paged) end() error {
	if e.page.Len > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	return e.encoder.end()
}
