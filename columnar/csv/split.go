package csv

import "analyzer/columnar"

// Splitter finds the ends of records in bytes that arrive in pieces, so that a pipe can be
// cut between two records. It parses as Reader does.
type Splitter struct {
	delimiter byte

	state  state
	at     int64 // number of bytes so far
	marks  int64 // how many of them match the byte order mark
	filled bool  // the current record is not blank
	cr     bool  // the last byte was a CR that ended a record, so that an LF belongs to it
	header int64
	end    int64
}

// NewSplitter returns a splitter for files in a dialect. ok is false if such files cannot
// be cut as they arrive: they differ in more than a delimiter, or have lines to leave out.
// A file that is not Plain cannot be cut either.
func NewSplitter(d columnar.Dialect) (s Splitter, ok bool) {
	o, err := Options{Dialect: d}.withDefaults()
	if err != nil {
		return Splitter{}, false
	}
	return Splitter{delimiter: o.syntax.delimiter[0]}, o.asStored() && o.syntax.plain() && d.Skip == 0 && len(d.Omit) == 0
}

// Header returns the offset after the first record that is not blank, 0 if there is none yet.
func (s *Splitter) Header() int64 { return s.header }

// End returns the offset after the last complete record.
func (s *Splitter) End() int64 { return s.end }

// Write processes the next bytes.
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

// ends records that a record ends here.
func (s *Splitter) ends() {
	if s.filled && s.header == 0 {
		s.header = s.at
	}
	s.state, s.filled, s.end = recordStart, false, s.at
}
