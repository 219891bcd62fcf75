package csv

import (
	"bytes"
	"math/bits"
	"slices"

	"analyzer/columnar/number"
)

// Block is the records of one block of a file and where their fields are. A
// worker passes the same Block to every call of Reader.Next; what its methods
// return aliases the Block's memory and is valid until the next call.
//
// The zero value is ready to use.
type Block struct {
	index    int64
	offset   int64 // of data[0] in the decompressed file
	begin    edge  // before data[0]
	data     []byte
	size     int // bytes of data that belong to the block; the rest is behind it
	words    []word
	bounds   []int32
	rows     []int32 // by record and one more, unless stride is set
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
	tailBounds []int32 // behind the block
	lineAt     int     // where lines were last counted to
	lineHere   int64   // line of data[lineAt]
}

// Index returns k, the number of the block from 0.
func (b *Block) Index() int64 { return b.index }

// Len returns the number of records, blank lines included.
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

// Cell returns field c of record r as it stands in the file, quotes included.
func (b *Block) Cell(r, c int) []byte {
	i := b.row(r) + int32(c)
	begin := b.bounds[i] + 1
	return b.data[begin:b.trim(begin, b.bounds[i+1])]
}

// Record returns record r as it stands in the file, without its line end.
func (b *Block) Record(r int) []byte {
	begin := b.bounds[b.row(r)] + 1
	return b.data[begin:b.trim(begin, b.bounds[b.row(r+1)])]
}

// Uniform reports whether there are records and every one has n fields, where n
// is 2 or more, so that none is blank.
func (b *Block) Uniform(n int) bool {
	return n >= 2 && b.count > 0 && int(b.stride) == n
}

// Column is the cells of a field, quotes included.
type Column struct {
	number.Cells
	copied []int32
}

// Column makes dst field c of some records, ascending, in memory that dst had before if
// need be.
func (b *Block) Column(dst *Column, c int, records []int32) {
	dst.Data = b.data[:len(b.data)+number.Behind]
	// The last field of a record may have a CR behind it.
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

// Offset returns where in the decompressed file record r begins, in bytes.
func (b *Block) Offset(r int) int64 { return b.offset + int64(b.bounds[b.row(r)]) + 1 }

// End returns where in the decompressed file the last record ends, behind its line
// end; 0 if there is no record.
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

// Data returns the bytes that the records stand in.
func (b *Block) Data() []byte { return b.data }

// trim returns end, or end-1 if there stands the CR of a CRLF.
func (b *Block) trim(begin, end int32) int32 {
	if b.returns && end > begin && int(end) < len(b.data) && b.data[end] == '\n' && b.data[end-1] == '\r' {
		return end - 1
	}
	return end
}

// Unclosed reports whether the last record is broken off by the end of the file
// within quotes.
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

// room makes space for n bytes of data and what is read behind them.
func (b *Block) room(n int) {
	if need := n + wordBytes + number.Behind; cap(b.data) < need {
		if len(b.data) > 0 {
			need += need / 4
		}
		b.data = append(make([]byte, 0, need), b.data...)
	}
}

// seal clears the bytes behind the data.
func (b *Block) seal() {
	n := len(b.data)
	clear(b.data[n : n+wordBytes+number.Behind])
}

// reset forgets the records, and the memory of uncommonly long ones.
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

// AllRecords returns the numbers of n records, 0, 1, 2 …, in the memory of all, which has the
// numbers of so many as were asked for before. Nobody changes them.
func AllRecords(all *[]int32, n int) []int32 {
	for i := len(*all); i < n; i++ {
		*all = append(*all, int32(i))
	}
	return (*all)[:n]
}
