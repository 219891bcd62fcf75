package pyliteral

// Strings is a run of UTF-8 values in the layout of an Arrow utf8 array, to
// which AppendNames and AppendStrings add: Data holds the bytes of all values
// one after the other and Ends[i] is the offset in Data at which value i ends
// (it begins where value i-1 ends, or at 0). A caller that builds a list<utf8>
// column notes len(Ends) after each row; that is the row's list offset.
//
// The caller owns both slices and may hand them to Arrow once it appends no
// more. The zero value is empty and ready to use. It is not safe for
// concurrent use.
type Strings struct {
	Data []byte
	Ends []int32
}

// Len is the number of values.
func (s *Strings) Len() int { return len(s.Ends) }

// Value is the bytes of value i, 0 <= i < Len. They alias Data and are valid
// until the next append or Reset.
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
