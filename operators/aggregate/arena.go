package aggregate

// arena keeps byte strings. It is filled block by block; blocks never move.
type arena struct {
	mem    *memory
	blocks [][]byte
	at     int // block being filled
}

// The first block of an arena has 4 KiB, since many groupings are small; each
// next one has twice as much, up to 64 KiB.
const (
	firstBlock     = 4 << 10
	blockDoublings = 4
)

// put keeps a copy of b and returns a reference to it.
func (a *arena) put(b []byte) (ref uint64) {
	for a.at < len(a.blocks) && cap(a.blocks[a.at])-len(a.blocks[a.at]) < len(b) {
		a.at++
	}
	if a.at == len(a.blocks) {
		size := max(len(b), firstBlock<<min(a.at, blockDoublings))
		a.mem.claim(int64(size))
		a.blocks = append(a.blocks, make([]byte, 0, size))
	}
	block := a.blocks[a.at]
	a.blocks[a.at] = append(block, b...)
	return uint64(a.at)<<32 | uint64(len(block))
}

// bytes returns n bytes that were put; it borrows.
func (a *arena) bytes(ref, n uint64) []byte {
	at := ref & 0xFFFFFFFF
	return a.blocks[ref>>32][at : at+n]
}

// reset forgets what is kept and keeps the memory; free forgets that too.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.at = 0
}

func (a *arena) free() { a.blocks, a.at = nil, 0 }
