package parquet

import "golang.org/x/sys/cpu"

// decodesTags reports whether the processor supports decodeTags.
var decodesTags = cpu.X86.HasAVX2

// recent is how many of the last bytes decodeTags keeps in a register: what a copy takes from these need not wait
// until memory has them.
const recent = 16

// tagTable says what decodeTags has to know of an element, so that it need not branch on what no processor can
// predict.
type tagTable struct {
	// offsets say, by the first byte of an element, which bits of the next two bytes belong to an offset, above is
	// its upper bits, and lengths are those of elements; 0: it is none of those that decodeTags makes.
	offsets, above [256]uint32
	lengths        [256]uint8
	// sources are, by the offset, the places of the first 16 bytes of an element in memory, and those in the
	// window; none has both. 0 is the offset of literals, and 17 that of all copies from before the window.
	sources [recent + 2][2][16]uint8
	// older and newer move the window on by a number of bytes: places in the window and in what follows it.
	older, newer [2 * recent]uint8
	// steps are, by the offset, how far behind the source of the first 16 bytes that of the next ones is.
	steps [recent + 2]uint8
}

var tags = newTagTable()

// noPlace is a place whose byte is 0.
const noPlace = 0x80

func newTagTable() (t tagTable) {
	for tag := range 256 {
		length := uint8(tag>>2) + 1
		switch tag & 3 {
		case literal:
			if length <= 60 {
				t.lengths[tag] = length
			}
		case copy1:
			t.lengths[tag], t.offsets[tag], t.above[tag] = 4+uint8(tag>>2&7), 0xFF, uint32(tag>>5)<<8
		case copy2:
			t.lengths[tag], t.offsets[tag] = length, 0xFFFF
		}
	}
	for offset := range recent + 2 {
		t.steps[offset] = 16
		for i := range uint8(16) {
			t.sources[offset][0][i], t.sources[offset][1][i] = i, noPlace
			if period := uint8(offset); 0 < offset && offset <= recent {
				whole := (recent + period - 1) / period * period // a multiple of the offset is one, too
				t.sources[offset][0][i], t.sources[offset][1][i] = noPlace, recent-period+i%period
				t.steps[offset] = 16 + period - whole
			}
		}
	}
	for i := range uint8(recent) {
		t.older[i], t.older[recent+i], t.newer[i], t.newer[recent+i] = i, noPlace, noPlace, i
	}
	return t
}

// decodeTags makes the bytes of elements of src from at on, to dst from done on, until wanted bytes are made or an
// element comes that is neither a literal of up to 60 bytes nor a copy whose offset has up to 16 bits, or is
// damaged, or a long copy of one byte. dst and src must have memory for slack bytes more, and dst at least a window before done. The last
// element may make more than dst has, or end behind src.
//
//go:noescape
func decodeTags(dst []byte, done, wanted int, src []byte, at int, t *tagTable) (newDone, newAt int)
