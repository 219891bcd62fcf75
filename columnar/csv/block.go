package csv

import (
	"bytes"
	"math/bits"
	"sync/atomic"

	"analyzer/columnar/number"
)

// Block holds the records of one block of a file and the positions of their fields. A
// worker passes the same Block to every call of Reader.Next. The results of its methods
// alias the Block's memory and are valid until the next such call.
//
// The zero value is ready to use.
type Block struct {
	index    int64
	offset   int64 // offset of data[0], which begins a line, in the decompressed file
	begin    Edge  // the edge before data[0]
	data     []byte
	size     int // bytes of the lines that begin in the block; the rest comes after them
	words    []word
	lexer    lexer
	bounds   []int32
	records  runs
	unclosed bool
	endless  bool    // the last record has no line end
	cut      bool    // the last line is longer than a record may be, and was not read to its end
	omitted  []int32 // records that the dialect leaves out, in ascending order
	returns  bool
	blank    int // blank lines that are no records, but stand behind the line end of the record before them

	walked     bool // bounds and rows were found by the exact state machine
	tail       []word
	joined     []word  // memory of withoutBlank
	tailBounds []int32 // field ends after the block
	ends       []int32 // memory of the exact state machine
	lineAt     int     // lines have been counted up to this position
	lineHere   int64   // line of data[lineAt]
	undoubled  doubled // whether a quoted cell has a quote or an escape
	width      int     // fields of each record; 0: not looked at yet
	made       columns // by Values
	quoted     bool    // there are quotes
	behind     bool    // text follows a closing quote
	doubts     []int
	mended     []int
	repeats    []int
}

// noWidth is the width of a block of no records, or of some with other numbers of fields.
const noWidth = -1

// Index returns k, the number of the block, from 0.
func (b *Block) Index() int64 { return b.index }

// Len returns the number of records, including comments and such blank lines as Blank does not count.
func (b *Block) Len() int { return b.records.count }

// Blank returns how many blank lines of the block are no records.
func (b *Block) Blank() int { return b.blank }

// Fields returns the number of fields of record r. A blank line and a comment have none, nor has a
// record that the dialect leaves out. A record that is shorter than the dialect wants counts as filled
// up with empty fields.
func (b *Block) Fields(r int) int {
	if len(b.omitted) > 0 && b.isOmitted(r) {
		return 0
	}
	n := b.records.fields(r)
	if n == 1 && b.isNone(b.records.row(r)) {
		return 0
	}
	return max(int(n), b.lexer.pad)
}

// isNone reports whether a record of one field is a blank line or a comment, given where in bounds it lies.
func (b *Block) isNone(at int32) bool { return b.isNoneIn(b.bounds[at]+1, b.bounds[at+1]) }

// isNoneIn is isNone, given the positions between which the record lies.
func (b *Block) isNoneIn(begin, end int32) bool {
	if short := end-begin < 2 || b.blank > 0; short && b.trim(begin, end) == begin {
		return true
	}
	return b.lexer.comments && b.data[begin] == b.lexer.comment
}

// written returns how many fields of record r are in the file.
func (b *Block) written(r int) int { return int(b.records.fields(r)) }

// Alike returns how many records from r on certainly have as many fields as r, at least one.
func (b *Block) Alike(r int) int {
	if len(b.omitted)+len(b.records.begins) > 0 {
		return 1
	}
	in, next := b.records.of(int32(r))
	if in.fields > 1 {
		return int(next) - r
	}
	at := in.row(int32(r))
	ends := b.bounds[at+1 : in.row(next)+1]
	none, n := b.isNone(at), 1
	for ; n < len(ends); n++ {
		long := ends[n]-ends[n-1] > 2 && b.blank == 0 && !b.lexer.comments // for a blank line
		if long && none || !long && b.isNone(at+int32(n)) != none {
			break
		}
	}
	return n
}

// Quoting returns how the cells are quoted.
func (b *Block) Quoting() Quoting { return b.lexer.Quoting }

// Cell returns field c of record r as written in the file, including quotes.
func (b *Block) Cell(r, c int) []byte {
	begin, end := b.cell(r, c)
	return b.data[begin+1 : end]
}

// cell returns the position before field c of record r, and that after its last byte.
func (b *Block) cell(r, c int) (before, end int32) {
	if b.lexer.pad > 0 && c >= b.written(r) {
		return -1, 0
	}
	i := b.records.row(r) + int32(c)
	before = b.bounds[i]
	if end = b.trim(before+1, b.bounds[i+1]); b.lexer.spaced {
		return b.withoutSpaces(before, end)
	}
	return before, end
}

// withoutSpaces returns the position before a cell and that after its last byte, given those around spaces that
// may stand around its quotes.
func (b *Block) withoutSpaces(before, end int32) (int32, int32) {
	from := before + 1
	for from < end && b.data[from] == ' ' {
		from++
	}
	if from == end || b.data[from] != b.lexer.quote {
		return before, end
	}
	if cell := b.data[from:end]; cell[len(cell)-1] == ' ' {
		if inner := bytes.TrimRight(cell, " "); b.lexer.closing(inner) == len(inner)-1 && len(inner) > 1 {
			end -= int32(len(cell) - len(inner))
		}
	}
	return from - 1, end
}

// spaces returns how many spaces a text begins with.
func spaces(text []byte) int {
	n := 0
	for n < len(text) && text[n] == ' ' {
		n++
	}
	return n
}

// Record returns record r as written in the file, without its line end.
func (b *Block) Record(r int) []byte {
	in, _ := b.records.of(int32(r))
	at := in.row(int32(r))
	begin := b.bounds[at] + 1
	return b.data[begin:b.trim(begin, b.bounds[at+in.fields])]
}

// Uniform reports whether the block has records and all have n fields, as Fields counts them, at least one.
func (b *Block) Uniform(n int) bool {
	if b.width == 0 {
		b.width = b.findWidth()
	}
	return n == b.width
}

// findWidth returns how many fields all records have, at least one; noWidth if that is not so.
func (b *Block) findWidth() int {
	width := noWidth
	if len(b.omitted) > 0 {
		return width
	}
	for r, next := int32(0), int32(0); int(r) < b.Len(); r = next {
		var in run
		in, next = b.records.of(r)
		n := max(int(in.fields), b.lexer.pad)
		if r == 0 {
			width = n
		}
		if n != width || in.fields == 1 && b.anyNone(b.bounds[in.begin:in.row(next)+1]) {
			return noWidth
		}
	}
	return width
}

// anyNone is isNone for any of some records of one field, given where each ends, and the one before them.
func (b *Block) anyNone(ends []int32) bool {
	sure := b.blank == 0 && !b.lexer.comments
	for i, end := range ends[1:] {
		if (!sure || end-ends[i] < 3) && b.isNoneIn(ends[i]+1, end) {
			return true
		}
	}
	return false
}

// Offset returns the offset in bytes of record r in the decompressed file.
func (b *Block) Offset(r int) int64 { return b.offset + int64(b.bounds[b.records.row(r)]) + 1 }

// End returns the offset in the decompressed file after the last record and its line
// end, or 0 if there is no record.
func (b *Block) End() int64 {
	if b.Len() == 0 {
		return 0
	}
	end := b.offset + int64(b.bounds[b.records.end])
	if !b.endless {
		end++
	}
	return end
}

// Data returns the bytes that contain the records.
func (b *Block) Data() []byte { return b.data }

// trimmed reports whether the last field of a record may end before the last byte of its line end.
func (b *Block) trimmed() bool { return b.returns || b.blank > 0 }

// trim returns where the text ends that begins at begin and that a delimiter or a line end ends,
// the last byte of which is at end.
func (b *Block) trim(begin, end int32) int32 {
	switch {
	case end == int32(len(b.data)):
	case b.blank > 0 && isLineEnd(b.data[end]):
		for end > begin && isLineEnd(b.data[end-1]) {
			end--
		}
	case b.data[end] == '\n':
		if b.returns && end > begin && b.data[end-1] == '\r' {
			return end - 1
		}
	case b.data[end] != '\r':
		return end - b.longer()
	}
	return end
}

// longer returns by how many bytes a delimiter is longer than one byte.
func (b *Block) longer() int32 { return int32(len(b.lexer.delimiter)) - 1 }

// Unclosed reports whether the end of the file cuts off the last record within quotes.
func (b *Block) Unclosed() bool { return b.unclosed }

// Line returns the physical line, from 1, on which record r begins. Calls with
// ascending r are cheap.
func (b *Block) Line(r int) int64 {
	return b.lineOf(int(b.bounds[b.records.row(r)] + 1))
}

func (b *Block) lineOf(at int) int64 {
	if at < b.lineAt || b.lineHere == 0 {
		b.lineAt, b.lineHere = 0, b.begin.Line
	}
	for b.lineAt < min(at, b.size) {
		w := b.words[b.lineAt/wordBytes].newline >> (b.lineAt % wordBytes)
		n := min(at, b.size, b.lineAt/wordBytes*wordBytes+wordBytes) - b.lineAt
		b.lineHere += int64(bits.OnesCount64(w &^ (^uint64(0) << n)))
		b.lineAt += n
	}
	if b.lineAt < at { // a record that was mended begins behind the lines of the block
		b.lineHere += countLines(b.data[b.lineAt:at])
		b.lineAt = at
	}
	return b.lineHere
}

// countLines counts the line ends in data, which ends with one.
func countLines(data []byte) (n int64) {
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			n++
		}
	}
	return n
}

// roomStep divides the size of a block's memory: lines begin at other places in each block, so that it may have some more bytes
// than the one before.
const roomStep = 16 << 10

// room makes space for n bytes of data and the bytes that kernels may read after them.
func (b *Block) room(n int) {
	if need := n + wordBytes + number.Behind; cap(b.data) < need {
		need = (need + roomStep - 1) &^ (roomStep - 1)
		if len(b.data) > 0 {
			need += min(need/4, 1<<20)
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
	if most := 4*blockSize + maxTail; cap(b.data) > most {
		b.data = nil
		b.words, b.tail = kept(b.words, most/wordBytes), kept(b.tail, most/wordBytes)
	}
	if most := 2*blockSize + 2*extractWords*wordBytes; cap(b.bounds) > most || cap(b.tailBounds) > most {
		b.bounds, b.tailBounds = nil, nil
	}
	b.made.forget()
	*b = Block{
		data: b.data[:0], words: b.words[:0], bounds: b.bounds[:0], records: b.records.reset(noEnd),
		tail: b.tail[:0], joined: b.joined[:0], tailBounds: b.tailBounds[:0], ends: b.ends[:0], lexer: b.lexer, omitted: b.omitted[:0],
		doubts: b.doubts[:0], mended: b.mended[:0], repeats: b.repeats[:0],
		made: b.made,
	}
}

// kept returns memory that is to be used again, or nil if it is for more than most values.
func kept[T any](memory []T, most int) []T {
	if cap(memory) > most {
		return nil
	}
	return memory
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func skipMark(data []byte) int {
	if bytes.HasPrefix(data, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// RecordNumbers are 0, 1, 2 …, as many as a block had so far. The zero value is ready to use, also by many workers at once.
type RecordNumbers struct{ most atomic.Pointer[[]int32] }

// First returns the numbers of n records, which the caller must not change.
func (r *RecordNumbers) First(n int) []int32 {
	if most := r.most.Load(); most != nil && n <= len(*most) {
		return (*most)[:n:n]
	}
	most := make([]int32, n+n/8) // the next block may have some more
	for i := range most {
		most[i] = int32(i)
	}
	r.most.Store(&most)
	return most[:n:n]
}
