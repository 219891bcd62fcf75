package columnar

import (
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/budget"
)

// Pages keeps rows of a schema in pages, so that no row moves when more are added. A
// row has a 32-bit id: the number of its page in the upper bits, its position in the
// page in the lower ones. One goroutine at a time may change it; any number may read it
// while none does.
//
// The user of Pages must reserve its memory: see Reserve.
type Pages struct {
	schema  Schema
	pages   []*page
	free    []*page // empty, reused for the next rows
	columns []pageColumn
	rows    int
	size    int64 // bytes of all pages, including free ones
}

const (
	pageBits = 13
	// PageRows is the maximum number of rows in a page.
	PageRows = 1 << pageBits
	pageMask = PageRows - 1
	maxPages = 1 << (32 - pageBits)
	// pageBytes ends a page early: one with so many bytes of values takes no more rows.
	pageBytes = 1 << 20
	// mostKept is how much memory of a page is used again: one that takes more had an unusually long row.
	mostKept = 4 * pageBytes
)

type page struct {
	Rows
	bytes int64 // memory that the page takes
}

// NewPages returns empty Pages for rows of a schema.
func NewPages(schema Schema) *Pages {
	return &Pages{schema: schema, columns: make([]pageColumn, len(schema))}
}

// RowID returns the id of a row.
func RowID(page, row int) uint32 { return uint32(page<<pageBits | row) }

// Len returns the number of rows.
func (p *Pages) Len() int { return p.rows }

// IDs returns an exclusive upper bound of the ids of all rows.
func (p *Pages) IDs() int {
	if len(p.pages) == 0 {
		return 0
	}
	last := len(p.pages) - 1
	return last<<pageBits + p.pages[last].Len
}

// Size returns about how many bytes the pages take.
func (p *Pages) Size() int64 { return p.size }

// Used is Size without the free pages.
func (p *Pages) Used() int64 {
	used := p.size
	for _, page := range p.free {
		used -= page.bytes
	}
	return used
}

// Trim gives up the memory of free pages.
func (p *Pages) Trim() { p.size, p.free = p.Used(), nil }

// Count returns the number of pages.
func (p *Pages) Count() int { return len(p.pages) }

// Page returns the rows of a page, borrowed until the pages change.
func (p *Pages) Page(i int) Rows { return p.pages[i].Rows }

// Row returns the page that holds a row, and the row's position in it.
func (p *Pages) Row(id uint32) (rows Rows, row int) {
	return p.pages[id>>pageBits].Rows, int(id & pageMask)
}

// Append copies rows, starting at position lo, until the last page is full. It returns
// the position of the first row that was not copied.
func (p *Pages) Append(rows Rows, lo int) int {
	last := p.open()
	hi := min(rows.Len, lo+PageRows-last.Len)
	last.AppendRange(rows, lo, hi)
	p.grown(hi - lo)
	return hi
}

// AppendGather copies the rows at positions sel[lo:] until the last page is full. It
// returns the index in sel of the first row that was not copied.
func (p *Pages) AppendGather(rows Rows, sel []int32, lo int) int {
	last := p.open()
	hi := min(len(sel), lo+PageRows-last.Len)
	last.AppendGather(rows, sel[lo:hi])
	p.grown(hi - lo)
	return hi
}

// AppendRows copies the rows with the given ids from other pages.
func (p *Pages) AppendRows(from *Pages, ids []uint32) {
	for len(ids) > 0 {
		last := p.open()
		n := min(len(ids), PageRows-last.Len)
		from.Gather(&last.Rows, ids[:n])
		p.grown(n)
		ids = ids[n:]
	}
}

// Retain keeps only the rows that choose returns, as positions in the page that it is
// given. It reuses the memory of the pages that it empties. Ids change.
func (p *Pages) Retain(choose func(page Rows) []int32) {
	before := p.pages
	p.pages, p.rows = nil, 0
	p.forget()
	for _, page := range before {
		sel := choose(page.Rows)
		for lo := 0; lo < len(sel); {
			lo = p.AppendGather(page.Rows, sel, lo)
		}
		page.Reset()
		p.free = append(p.free, page)
	}
}

// Put makes rows, borrowed, page number i, in place of the page that was there. i is at
// most Count.
func (p *Pages) Put(i int, rows Rows) {
	if i == len(p.pages) {
		p.pages = append(p.pages, &page{})
	}
	p.rows += rows.Len - p.pages[i].Len
	p.pages[i].Rows = rows
	p.view(i)
}

// grown accounts for rows just added to the last page.
func (p *Pages) grown(rows int) {
	i := len(p.pages) - 1
	last := p.pages[i]
	p.rows += rows
	p.size -= last.bytes
	last.bytes = last.Size()
	p.size += last.bytes
	p.view(i)
}

func (p *Pages) view(i int) {
	for c, v := range p.pages[i].Cols {
		p.columns[c].view(i, v)
	}
}

// open returns the page that the next row goes to.
func (p *Pages) open() *page {
	if n := len(p.pages); n > 0 {
		if last := p.pages[n-1]; last.Len < PageRows && (last.Len == 0 || last.ValueBytes() < pageBytes) {
			return last
		}
	}
	var next *page
	if n := len(p.free); n > 0 {
		next, p.free = p.free[n-1], p.free[:n-1]
	} else {
		next = &page{Rows: NewRows(p.schema)}
		// The first page grows by doubling instead, since it usually stays the only one.
		if n := len(p.pages); n > 0 {
			for c, v := range next.Cols {
				v.reserveLike(p.pages[n-1].Cols[c])
			}
		}
	}
	p.pages = append(p.pages, next)
	return next
}

// reserveLike gives an empty vector the memory that a vector like o takes, and a little
// more for texts, whose total length varies from page to page. Memory that is made, not
// grown, is not touched before it is used.
func (v *Vector) reserveLike(o *Vector) {
	n := o.Len
	switch v.Type.Kind() {
	case KindBool:
		v.Bools = make([]bool, 0, n)
	case KindInt64:
		v.Ints = make([]int64, 0, n)
	case KindFloat64:
		v.Floats = make([]float64, 0, n)
	case KindInt128:
		v.Wides = make([]decimal128.Num, 0, n)
	default:
		v.Offsets = append(make([]int32, 0, n+1), 0)
		v.Data = make([]byte, 0, len(o.Data)+len(o.Data)/32)
	}
}

// Reserve makes a reservation cover the pages and other bytes. It reports whether more
// rows can be added: the budget allows the size, or it is at most floor, and there are
// ids left.
func (p *Pages) Reserve(r *budget.Reservation, other, floor int64) bool {
	return len(p.pages) < maxPages && r.Cover(p.size+other, floor)
}

// Reset forgets all rows and keeps their memory for reuse, but for that of long ones.
func (p *Pages) Reset() {
	for _, page := range p.pages {
		if page.bytes > mostKept {
			p.size -= page.bytes
			continue
		}
		page.Reset()
		p.free = append(p.free, page)
	}
	clear(p.pages)
	p.pages, p.rows = p.pages[:0], 0
	p.forget()
}

// Drain passes each page, borrowed, to take, and shrinks a reservation to the size of
// the pages that remain. It leaves Pages empty.
func (p *Pages) Drain(r *budget.Reservation, take func(Rows) error) error {
	p.free = nil
	p.forget()
	left := int64(0)
	for _, page := range p.pages {
		left += page.bytes
	}
	for i, page := range p.pages {
		r.Shrink(max(0, r.Size()-left))
		if err := take(page.Rows); err != nil {
			return err
		}
		p.pages[i] = nil
		left -= page.bytes
	}
	p.Release()
	return nil
}

// Release forgets all rows and gives up their memory.
func (p *Pages) Release() {
	p.pages, p.free, p.rows, p.size = nil, nil, 0, 0
	p.columns = make([]pageColumn, len(p.schema))
}

// forget drops the views of columns.
func (p *Pages) forget() {
	for i := range p.columns {
		p.columns[i].forget()
	}
}
