package csv

// Splitter finds where records end in bytes that come piece by piece, so that a pipe can
// be cut between two of them. It reads as Reader does. Its zero value is for a file whose
// fields end with commas.
type Splitter struct {
	Delimiter byte // 0: the comma

	state  state
	at     int64 // how many bytes have come
	marks  int64 // of these, that are the beginning of a byte order mark
	filled bool  // a byte of the record that is read
	cr     bool  // the last byte ended a record, and an LF belongs to it
	header int64
	end    int64
}

// Header returns where the first record ends that is no blank line; 0: it has not come.
func (s *Splitter) Header() int64 { return s.header }

// End returns where the last record ends that has come.
func (s *Splitter) End() int64 { return s.end }

// Write takes in the bytes that come next.
func (s *Splitter) Write(data []byte) {
	delimiter := s.Delimiter
	if delimiter == 0 {
		delimiter = ','
	}
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
		s.take(c, delimiter)
	}
}

func (s *Splitter) take(c, delimiter byte) {
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
	case c == delimiter:
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
