package number

// ParseBool reads true, false, 1 or 0 in letters of any case, with ASCII space
// around it. ok is false for anything else.
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

// equalFold compares with a word in small ASCII letters. bytes.EqualFold would
// also take the long s for an s.
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
