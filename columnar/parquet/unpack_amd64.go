package parquet

import "golang.org/x/sys/cpu"

// layout says where the 8 values of a group are. The lower half of a register has the 16 bytes of the group's
// beginning, and the upper half those from the fifth value on.
type layout struct {
	bytes  [32]byte  // for each value, the 4 bytes of its half in which it lies
	shifts [8]uint32 // the bits of these that stand before it
	mask   [8]uint32
}

func (l *layout) of(width int) {
	for i := range 8 {
		bit := i * width
		if i >= 4 {
			bit -= width / 2 * 8
		}
		for k := range 4 {
			l.bytes[4*i+k] = byte(bit>>3 + k)
		}
		l.shifts[i], l.mask[i] = uint32(bit&7), 1<<width-1
	}
}

// unpackGroups reads values of width bits in groups of 8, the first of which begins with a byte, and returns
// how many it read and the greatest of them. The others have to be read otherwise.
func unpackGroups(dst []int32, packed []byte, width int, l *layout) (n int, most uint32) {
	const widest = 25 // 7 bits before it, and it fits into 4 bytes
	if width == 0 || width > widest || !cpu.X86.HasAVX2 {
		return 0, 0
	}
	// Of the last group read, there must be 16 bytes of memory from the fifth value on.
	room := cap(packed) - width/2 - 16
	if room < 0 || len(dst) < 8 {
		return 0, 0
	}
	if l.mask[0] == 0 {
		l.of(width)
	}
	groups := min(len(dst)/8, room/width+1)
	return 8 * groups, unpackAVX2(&dst[0], &packed[0], groups, width, l)
}

//go:noescape
func unpackAVX2(dst *int32, packed *byte, groups, width int, l *layout) (most uint32)
