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
	stepRows  = 64 // added to a page between two checks of its size
)

func (e *paged) begin(query string, columns columnar.Schema) error {
	e.page = columnar.NewRows(columns)
	return e.encoder.begin(query, columns)
}

func (e *paged) write(rows columnar.Rows) error {
	for lo := 0; lo < rows.Len; {
		hi := min(rows.Len, lo+stepRows-e.page.Len%stepRows)
		e.page.AppendRange(rows, lo, hi)
		lo = hi
		full := e.page.Len >= pageRows || e.page.ValueBytes() >= pageBytes
		if !full || e.page.Len%stepRows > 0 {
			continue
		}
		if err := e.flush(); err != nil {
			return err
		}
	}
	return nil
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
