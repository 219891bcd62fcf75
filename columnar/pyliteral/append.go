package pyliteral

import "math"

// AppendNames reads cell as a list and appends to dst, for each dict in it that
// has text under key, that text; other items are passed over. Of a key that a
// dict repeats the last value counts. The texts are valid UTF-8 if cell is.
//
// On an error, a SyntaxError or ErrFull, dst is as before. dst must not alias
// cell. Calls with different dst may run concurrently.
func AppendNames(dst *Strings, cell []byte, key string) error {
	if int64(len(dst.Data))+int64(len(cell)) > math.MaxInt32 {
		return ErrFull
	}
	s := newScanner(cell, dst.Data)
	ends, ok := s.names(dst.Ends, key)
	return s.finish(dst, ends, ok)
}

// AppendStrings reads cell as a list and appends its texts to dst; other items
// are passed over. Errors, aliasing and concurrency are as for AppendNames.
func AppendStrings(dst *Strings, cell []byte) error {
	if int64(len(dst.Data))+int64(len(cell)) > math.MaxInt32 {
		return ErrFull
	}
	s := newScanner(cell, dst.Data)
	ends, ok := s.strings(dst.Ends)
	return s.finish(dst, ends, ok)
}

// finish makes what was appended part of dst if the cell was right to its end.
// No escape is shorter than the character it stands for, so Data grows by at
// most len(cell) and the offsets cannot overflow.
func (s *scanner) finish(dst *Strings, ends []int32, ok bool) error {
	if ok && s.next() == 0 && s.pos == len(s.cell) {
		dst.Data, dst.Ends = s.out, ends
		return nil
	}
	if ok {
		s.fail(s.pos, trailing)
	}
	dst.Data, dst.Ends = s.out[:len(dst.Data)], ends[:len(dst.Ends)]
	return SyntaxError{Offset: s.offset, Problem: s.problem}
}

// beginList passes the opening bracket of the list that the cell must be.
func (s *scanner) beginList() bool {
	if s.next() != '[' {
		return s.fail(s.pos, notList)
	}
	s.pos++
	return true
}

// endItem passes what may follow an item of the list: a comma, or nothing
// before the closing bracket.
func (s *scanner) endItem() bool {
	switch s.next() {
	case ',':
		s.pos++
		return true
	case ']':
		return true
	default:
		return s.unexpectedHere()
	}
}

func (s *scanner) names(ends []int32, key string) ([]int32, bool) {
	if !s.beginList() {
		return ends, false
	}
	for c := s.next(); c != ']'; c = s.next() {
		if c != '{' {
			if !s.value(c, 1) {
				return ends, false
			}
		} else {
			s.pos++
			found, ok := s.dict(key)
			if !ok {
				return ends, false
			}
			if found {
				ends = append(ends, int32(len(s.out)))
			}
		}
		if !s.endItem() {
			return ends, false
		}
	}
	s.pos++
	return ends, true
}

func (s *scanner) strings(ends []int32) ([]int32, bool) {
	if !s.beginList() {
		return ends, false
	}
	for c := s.next(); c != ']'; c = s.next() {
		if c == '\'' || c == '"' {
			if !s.appendText(c) {
				return ends, false
			}
			ends = append(ends, int32(len(s.out)))
		} else if !s.value(c, 1) {
			return ends, false
		}
		if !s.endItem() {
			return ends, false
		}
	}
	s.pos++
	return ends, true
}

// appendText appends the text at pos, which begins with quote, to out.
func (s *scanner) appendText(quote byte) bool {
	if text, ok := s.plain(quote); ok {
		s.out = append(s.out, text...)
		return true
	}
	return s.text(quote)
}
