package csv

import "analyzer/columnar"

// Splitter finds where records end in bytes that come piece by piece, so that a pipe can
// be cut between two of them. It reads as Reader does.
type Splitter struct {
	delimiter byte

	state  state
	at     int64 // how many bytes have come
	marks  int64 // of these, that are the beginning of a byte order mark
	filled bool  // a byte of the record that is read
	cr     bool  // the last byte ended a record, and an LF belongs to it
	header int64
	end    int64
}

// NewSplitter returns a splitter of files of a dialect. ok is false if they cannot be cut
// as they come, since they are rewritten before they are read, or begin with lines that
// are none of the table. Nor can one that is not Plain.
func NewSplitter(d columnar.Dialect) (s Splitter, ok bool) {
	o, err := Options{Dialect: d}.withDefaults()
	return Splitter{delimiter: o.delimiter}, err == nil && o.asStored() && d.Skip == 0
}

// Header returns where the first record ends that is no blank line; 0: it has not come.
func (s *Splitter) Header() int64 { return s.header }

// End returns where the last record ends that has come.
func (s *Splitter) End() int64 { return s.end }

// Write takes in the bytes that come next.
func (s *Splitter) Write(data []byte) {
	for _, c := range data {
		begins := s.at == s.marks && s.at < int64(len(byteOrderMark))
		s.at++
		if begins && c == byteOrderMark[s.marks] {
			s.marks++
			continue
		}
		if begins && s.marks > 0 { // it was text
			s.state, s.filled = inField, true
		}
		s.take(c)
	}
}

func (s *Splitter) take(c byte) {
	cr := s.cr
	s.cr = false
	switch {
	case cr && c == '\n':
		if s.header == s.end {
			s.header = s.at
		}
		s.end = s.at
	case s.state == inQuoted:
		if c == '"' {
			s.state = quoteInQuoted
		}
	case c == '"' && s.state != inField: // the first of a field, or the second of two
		s.state, s.filled = inQuoted, true
	case c == '\n' || c == '\r':
		s.cr = c == '\r'
		s.ends()
	case c == s.delimiter:
		s.state, s.filled = fieldStart, true
	default:
		s.state, s.filled = inField, true
	}
}

// ends notes that a record ends here.
func (s *Splitter) ends() {
	if s.filled && s.header == 0 {
		s.header = s.at
	}
	s.state, s.filled, s.end = recordStart, false, s.at
}
