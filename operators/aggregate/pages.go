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
	same  bool // all refs are known to be one
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
func (r records) oneGroup() bool { return len(r.refs) > 0 && r.runEnd(0) == len(r.refs) }

// runEnd returns where the run of equal references that begins at i ends. Rows of one group
// often come together; then it is faster to read and write the state once.
func (r records) runEnd(i int) int {
	refs := r.refs
	if r.same {
		return len(refs)
	}
	ref := refs[i]
	if i++; i == len(refs) || refs[i] != ref {
		return i
	}
	for ; i+8 <= len(refs); i += 8 { // of few keys, runs are long
		r := (*[8]uint32)(refs[i:])
		if (r[0]^ref)|(r[1]^ref)|(r[2]^ref)|(r[3]^ref)|(r[4]^ref)|(r[5]^ref)|(r[6]^ref)|(r[7]^ref) != 0 {
			break
		}
	}
	for ; i < len(refs) && refs[i] == ref; i++ {
	}
	return i
}

// inRuns reports whether the first rows are of one group. Where groups change from row to row, nobody can predict
// where a run ends.
func (r records) inRuns() bool {
	const long = 4
	return len(r.refs) < long || r.refs[1] == r.refs[0] && r.refs[2] == r.refs[0] && r.refs[3] == r.refs[0]
}
