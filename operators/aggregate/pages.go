package aggregate

// A record is a run of words: its key's, then those of the states. It lies on
// one page and never moves. It is known by its position: the page in the upper
// bits of 32, the word on it in the lower.
const (
	pageShift = 12
	pageWords = 1 << pageShift
	pageMask  = pageWords - 1
	mostPages = 1 << (32 - pageShift) // 32 GiB
)

type page [pageWords]uint64

// pages is the memory of records.
type pages []*page

// word returns the word of a record that comes at words after its first.
func (p pages) word(ref uint32, at int) *uint64 {
	return &p[ref>>pageShift][int(ref&pageMask)+at]
}

// pair returns two words of a record, of which the first comes at words after
// its first.
func (p pages) pair(ref uint32, at int) *[2]uint64 {
	return (*[2]uint64)(p[ref>>pageShift][int(ref&pageMask)+at:])
}

// rest returns the words of a record from position at on, and more.
func (p pages) rest(ref uint32, at int) []uint64 {
	return p[ref>>pageShift][int(ref&pageMask)+at:]
}

// records are the words of one state in some groups: those that come at words
// after the first.
type records struct {
	pages pages
	refs  []uint32
	at    int
}
