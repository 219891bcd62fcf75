package number

// ParseBool parses true, false, 1 or 0, in any case and with ASCII space around it. ok is
// false for anything else.
func ParseBool(cell []byte) (value, ok bool) {
	cell = trim(cell)
	switch {
	case equalFold(cell, "true"), string(cell) == "1":
		return true, true
	case equalFold(cell, "false"), string(cell) == "0":
		return false, true
	default:
		return false, false
	}
}

// ParseBoolWord parses a truth value as casts of text do: true, t, yes, y or 1, or their
// opposites, in any case.
func ParseBoolWord(text []byte) (value, ok bool) {
	for _, words := range [...]struct{ yes, no string }{{"true", "false"}, {"t", "f"}, {"yes", "no"}, {"y", "n"}, {"1", "0"}} {
		switch {
		case equalFold(text, words.yes):
			return true, true
		case equalFold(text, words.no):
			return false, true
		}
	}
	return false, false
}

// equalFold compares a cell with a word in lower-case ASCII, ignoring case.
// bytes.EqualFold would also accept the long s (U+017F) for an s.
func equalFold(cell []byte, word string) bool {
	if len(cell) != len(word) {
		return false
	}
	for i, c := range cell {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}

// trim cuts the six ASCII space characters off both ends.
func trim(cell []byte) []byte {
	for len(cell) > 0 && isSpace(cell[0]) {
		cell = cell[1:]
	}
	for len(cell) > 0 && isSpace(cell[len(cell)-1]) {
		cell = cell[:len(cell)-1]
	}
	return cell
}

func isSpace(c byte) bool { return c == ' ' || c-'\t' <= '\r'-'\t' }

func cutSign(cell []byte) (negative bool, rest []byte) {
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		return cell[0] == '-', cell[1:]
	}
	return false, cell
}

// countDigits returns the length of the run of digits at the beginning of cell.
func countDigits(cell []byte) int {
	for i, c := range cell {
		if c-'0' > 9 {
			return i
		}
	}
	return len(cell)
}
