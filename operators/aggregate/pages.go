package aggregate

// A record is a run of words: those of its key, then those of its states. It
// lies on one page and never moves. Its reference is its position in 32 bits:
// the page in the upper bits, the word on the page in the lower ones.
const (
	pageShift = 12
	pageWords = 1 << pageShift
	pageMask  = pageWords - 1
	mostPages = 1 << (32 - pageShift) // 32 GiB
)

type page [pageWords]uint64

// pages is the memory of records.
type pages []*page

// word returns the word of a record at offset at.
func (p pages) word(ref uint32, at int) *uint64 {
	return &p[ref>>pageShift][int(ref&pageMask)+at]
}

// pair returns the two words of a record from offset at on.
func (p pages) pair(ref uint32, at int) *[2]uint64 {
	return (*[2]uint64)(p[ref>>pageShift][int(ref&pageMask)+at:])
}

// rest returns the words of a record from offset at on, and whatever follows on
// its page.
func (p pages) rest(ref uint32, at int) []uint64 {
	return p[ref>>pageShift][int(ref&pageMask)+at:]
}

// records are the words of one state in some groups, from offset at in each
// record.
type records struct {
	pages pages
	refs  []uint32
	at    int
}

// only returns the page if there is but one: no word of it need be looked for, or checked.
func (r records) only() *page {
	if len(r.pages) == 1 {
		return r.pages[0]
	}
	return nil
}

// oneGroup reports whether all rows are of one group, as they are without keys: then their values can be reduced to
// one before the state is touched.
func (r records) oneGroup() bool { return len(r.refs) > 0 && runEnd(r.refs, 0) == len(r.refs) }

// inRuns reports whether the first rows are of one group. Where groups change from row to row, nobody can predict
// where a run ends.
func (r records) inRuns() bool {
	const long = 4
	return len(r.refs) < long || r.refs[1] == r.refs[0] && r.refs[2] == r.refs[0] && r.refs[3] == r.refs[0]
}
