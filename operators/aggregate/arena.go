package aggregate

// arena keeps the encoded keys of a table. A record's first word tells where:
// the block in the upper half, the offset in the lower; its second the length.
type arena struct {
	blocks [][]byte
	at     int // block being filled
}

const arenaBlock = 64 << 10

// arenaWords is how many words of a record point into the arena.
const arenaWords = 2

// fit returns the first block from the one being filled on that has n bytes
// left, or the number of blocks.
func (a *arena) fit(n int64) int {
	for i := a.at; i < len(a.blocks); i++ {
		if int64(cap(a.blocks[i])-len(a.blocks[i])) >= n {
			return i
		}
	}
	return len(a.blocks)
}

// missing returns the bytes that grow will allocate.
func (a *arena) missing(n int64) int64 {
	if n == 0 || a.fit(n) < len(a.blocks) {
		return 0
	}
	return max(n, arenaBlock)
}

// grow makes room for keys of n bytes in all, in one block.
func (a *arena) grow(n int64) {
	if n == 0 {
		return
	}
	a.at = a.fit(n)
	if a.at == len(a.blocks) {
		a.blocks = append(a.blocks, make([]byte, 0, max(n, arenaBlock)))
	}
}

func (a *arena) put(rec []uint64, key []byte) {
	block := a.blocks[a.at]
	rec[0] = uint64(a.at)<<32 | uint64(len(block))
	rec[1] = uint64(len(key))
	a.blocks[a.at] = append(block, key...)
}

func (a *arena) bytes(rec []uint64) []byte {
	at := rec[0] & 0xFFFFFFFF
	return a.blocks[rec[0]>>32][at : at+rec[1]]
}

func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.at = 0
}
