package csv

import (
	"bytes"
	"math/bits"
	"slices"

	"analyzer/columnar/number"
)

// Block holds the records of one block of a file and the positions of their fields. A
// worker passes the same Block to every call of Reader.Next. The results of its methods
// alias the Block's memory and are valid until the next such call.
//
// The zero value is ready to use.
type Block struct {
	index    int64
	offset   int64 // offset of data[0] in the decompressed file
	begin    edge  // the edge before data[0]
	data     []byte
	size     int // bytes of data that belong to the block; the rest comes after it
	words    []word
	bounds   []int32
	rows     []int32 // per record, plus one: its begin in bounds; unused if stride is set
	first    int32
	stride   int32
	count    int
	unclosed bool
	endless  bool // the last record has no line end
	returns  bool

	skip       int  // 1 if the block begins with the LF of the previous block's CRLF
	walked     bool // bounds and rows were found by the exact state machine
	sum        summary
	tail       []word
	tailBounds []int32 // field ends after the block
	lineAt     int     // lines have been counted up to this position
	lineHere   int64   // line of data[lineAt]
}

// Index returns k, the number of the block, from 0.
func (b *Block) Index() int64 { return b.index }

// Len returns the number of records, including blank lines.
func (b *Block) Len() int { return b.count }

// Fields returns the number of fields of record r. A blank line has none.
func (b *Block) Fields(r int) int {
	n := int(b.row(r+1) - b.row(r))
	if n == 1 && len(b.Record(r)) == 0 {
		return 0
	}
	return n
}

// row returns where in bounds the fields of record r begin.
func (b *Block) row(r int) int32 {
	if b.stride > 0 {
		return b.first + int32(r)*b.stride
	}
	return b.rows[r]
}

// Cell returns field c of record r as written in the file, including quotes.
func (b *Block) Cell(r, c int) []byte {
	i := b.row(r) + int32(c)
	begin := b.bounds[i] + 1
	return b.data[begin:b.trim(begin, b.bounds[i+1])]
}

// Record returns record r as written in the file, without its line end.
func (b *Block) Record(r int) []byte {
	begin := b.bounds[b.row(r)] + 1
	return b.data[begin:b.trim(begin, b.bounds[b.row(r+1)])]
}

// Uniform reports whether the block has records and all have n fields. It is false for
// n below 2, so that no record of a uniform block is blank.
func (b *Block) Uniform(n int) bool {
	return n >= 2 && b.count > 0 && int(b.stride) == n
}

// Column holds the cells of one field, including quotes.
type Column struct {
	number.Cells
	copied []int32
}

// Column makes dst the cells of field c in some records, in ascending order. It reuses
// the memory of dst where it must copy positions.
func (b *Block) Column(dst *Column, c int, records []int32) {
	dst.Data = b.data[:len(b.data)+number.Behind]
	// A CR may follow the last field of a record.
	plain := b.stride > 0 && (!b.returns || c < int(b.stride)-1)
	if plain && len(records) == b.count {
		dst.Bounds, dst.Stride = b.bounds[int(b.first)+c:], int(b.stride)
		return
	}
	pairs := slices.Grow(dst.copied[:0], 2*len(records))[:2*len(records)]
	dst.Bounds, dst.Stride, dst.copied = pairs, 2, pairs
	if plain && len(records) > 0 {
		bounds := b.bounds[int(b.first)+c:]
		for i, r := range records {
			copy(pairs[2*i:][:2], bounds[r*b.stride:][:2])
		}
		return
	}
	for i, r := range records {
		at := b.row(int(r)) + int32(c)
		begin := b.bounds[at]
		pairs[2*i], pairs[2*i+1] = begin, b.trim(begin+1, b.bounds[at+1])
	}
}

// Offset returns the offset in bytes of record r in the decompressed file.
func (b *Block) Offset(r int) int64 { return b.offset + int64(b.bounds[b.row(r)]) + 1 }

// End returns the offset in the decompressed file after the last record and its line
// end, or 0 if there is no record.
func (b *Block) End() int64 {
	if b.count == 0 {
		return 0
	}
	end := b.offset + int64(b.bounds[b.row(b.count)])
	if !b.endless {
		end++
	}
	return end
}

// Data returns the bytes that contain the records.
func (b *Block) Data() []byte { return b.data }

// trim returns end, or end-1 if that is the position of the CR of a CRLF.
func (b *Block) trim(begin, end int32) int32 {
	if b.returns && end > begin && int(end) < len(b.data) && b.data[end] == '\n' && b.data[end-1] == '\r' {
		return end - 1
	}
	return end
}

// Unclosed reports whether the end of the file cuts off the last record within quotes.
func (b *Block) Unclosed() bool { return b.unclosed }

// Line returns the physical line, from 1, on which record r begins. Calls with
// ascending r are cheap.
func (b *Block) Line(r int) int64 {
	return b.lineOf(int(b.bounds[b.row(r)] + 1))
}

func (b *Block) lineOf(at int) int64 {
	if at < b.lineAt || b.lineHere == 0 {
		b.lineAt, b.lineHere = 0, b.begin.line
		if b.begin.afterCR && b.size > 0 && b.data[0] == '\n' && b.begin.state == inQuoted {
			b.lineHere--
		}
	}
	for b.lineAt < at {
		w := b.words[b.lineAt/wordBytes].newline >> (b.lineAt % wordBytes)
		n := min(at, b.lineAt/wordBytes*wordBytes+wordBytes) - b.lineAt
		b.lineHere += int64(bits.OnesCount64(w &^ (^uint64(0) << n)))
		b.lineAt += n
	}
	return b.lineHere
}

// room makes space for n bytes of data and the bytes that kernels may read after them.
func (b *Block) room(n int) {
	if need := n + wordBytes + number.Behind; cap(b.data) < need {
		if len(b.data) > 0 {
			need += need / 4
		}
		b.data = append(make([]byte, 0, need), b.data...)
	}
}

// seal clears the bytes after the data.
func (b *Block) seal() {
	n := len(b.data)
	clear(b.data[n : n+wordBytes+number.Behind])
}

// reset forgets the records. It also drops the memory that unusually long ones needed.
func (b *Block) reset(blockSize int) {
	if cap(b.data) > 4*blockSize+maxTail {
		b.data = nil
	}
	if most := 2*blockSize + 2*extractWords*wordBytes; cap(b.bounds) > most || cap(b.tailBounds) > most {
		b.bounds, b.tailBounds = nil, nil
	}
	*b = Block{
		data: b.data[:0], words: b.words[:0], bounds: b.bounds[:0], rows: b.rows[:0],
		tail: b.tail[:0], tailBounds: b.tailBounds[:0],
	}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func skipMark(data []byte) int {
	if bytes.HasPrefix(data, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// AllRecords returns the numbers of n records, 0, 1, 2 …, as a part of all, which grows if it
// has fewer. The caller must not change them.
func AllRecords(all *[]int32, n int) []int32 {
	for i := len(*all); i < n; i++ {
		*all = append(*all, int32(i))
	}
	return (*all)[:n]
}
