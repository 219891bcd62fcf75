package number

// ParseBool parses true, false, 1 or 0, in any case and with ASCII space around it. ok is
// false for anything else.
func ParseBool(cell []byte) (value, ok bool) {
	switch string(cell) { // in most files
	case "true":
		return true, true
	case "false":
		return false, true
	}
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

// TruthWords are the words of a column of truth values: whole words, or a letter for each.
type TruthWords uint8

// The words of truth values. Words are those of English, German, Spanish, French and Portuguese.
const (
	Words     TruthWords = 1 << iota // yes and no, ja and nein, true and false …
	LettersTF                        // T and F
	LettersYN                        // Y and N
	LettersJN                        // J and N
)

// ParseTruth parses a truth value written as people do, in any case, and says which columns may
// hold the word.
func ParseTruth(text []byte) (value bool, of TruthWords, ok bool) {
	if len(text) == 1 {
		switch text[0] | 0x20 {
		case 't':
			return true, LettersTF, true
		case 'f':
			return false, LettersTF, true
		case 'y':
			return true, LettersYN, true
		case 'j':
			return true, LettersJN, true
		case 'n':
			return false, LettersYN | LettersJN, true
		}
		return false, 0, false
	}
	if len(text) < 2 || len(text) > 10 {
		return false, 0, false
	}
	for _, word := range [...]string{"true", "yes", "ja", "wahr", "oui", "vrai", "si", "s\xc3\xad", "s\xc3\xac", "verdadero", "sim", "verdadeiro", "vero"} {
		if equalFold(text, word) {
			return true, Words, true
		}
	}
	for _, word := range [...]string{"false", "no", "nein", "falsch", "nee", "nej", "nei", "non", "faux", "falso", "n\xc3\xa3o"} {
		if equalFold(text, word) {
			return false, Words, true
		}
	}
	return false, 0, false
}

// equalFold compares a cell with a word in small letters, of ASCII or such as í, ignoring case.
// bytes.EqualFold would also accept the long s (U+017F) for an s.
func equalFold(cell []byte, word string) bool {
	if len(cell) != len(word) {
		return false
	}
	for i, c := range cell {
		if c|0x20 != word[i] && (c != word[i] || c < 0x80) {
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
