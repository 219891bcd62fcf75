package pyliteral

import (
	"errors"
	"math"
)

// ErrMalformed means that the cell is not a list in the grammar of this package. Nothing
// was appended, so the row's list is empty; the caller counts the cell.
var ErrMalformed = errors.New("malformed Python list")

// ErrFull means that the cell could push Strings.Data over the 2 GiB that 32-bit offsets
// can address. Nothing was appended; the caller passes the column on and starts a new one.
var ErrFull = errors.New("text column would exceed 2 GiB")

// Strings is a sequence of UTF-8 values in the layout of an Arrow utf8 array. AppendNames
// and AppendStrings append to it. Data holds the bytes of all values, concatenated, and
// Ends[i] is the offset in Data at which value i ends (it begins where value i-1 ends, or
// at 0). A caller that builds a list<utf8> column records len(Ends) after each row as the
// row's list offset.
//
// The caller owns both slices and may pass them to Arrow once it appends no more. The zero
// value is empty and ready to use. It is not safe for concurrent use.
type Strings struct {
	Data []byte
	Ends []int32
}

// Len returns the number of values.
func (s *Strings) Len() int { return len(s.Ends) }

// Value returns the bytes of value i, 0 <= i < Len. They alias Data and are valid until the
// next append or Reset.
func (s *Strings) Value(i int) []byte {
	begin := int32(0)
	if i > 0 {
		begin = s.Ends[i-1]
	}
	return s.Data[begin:s.Ends[i]]
}

// Reset removes all values and keeps the memory.
func (s *Strings) Reset() {
	s.Data, s.Ends = s.Data[:0], s.Ends[:0]
}

// AppendNames parses cell as a list and appends to dst the text under key of each dict that
// has one; it skips other items. If a dict repeats a key, the last value counts. The texts
// are valid UTF-8 if cell is.
//
// On an error, ErrMalformed or ErrFull, dst is unchanged. dst must not alias cell. Calls
// with different dst may run concurrently.
func AppendNames(dst *Strings, cell []byte, key string) error {
	return (&scanner{cell: cell, names: true, key: key}).appendTo(dst)
}

// AppendStrings parses cell as a list and appends its texts to dst; it skips other items.
// Errors, aliasing and concurrency are as for AppendNames.
func AppendStrings(dst *Strings, cell []byte) error {
	return (&scanner{cell: cell}).appendTo(dst)
}

// appendTo appends the wanted values of the cell if the cell is well-formed to its end. No
// escape is shorter than the character that it encodes, so Data grows by at most the length
// of the cell and the offsets cannot overflow.
func (s *scanner) appendTo(dst *Strings) error {
	if int64(len(dst.Data))+int64(len(s.cell)) > math.MaxInt32 {
		return ErrFull
	}
	s.out, s.ends = dst.Data, dst.Ends
	s.findEscape()
	if s.next() != '[' || !s.list(0) || s.next() != 0 || s.pos != len(s.cell) {
		dst.Data, dst.Ends = s.out[:len(dst.Data)], s.ends[:len(dst.Ends)]
		return ErrMalformed
	}
	dst.Data, dst.Ends = s.out, s.ends
	return nil
}
