package columnar

import "bytes"

// IsFormula reports whether a text is a formula of spreadsheets that stands for a text: ="007" or
// =("007"), which programs write lest it becomes the number 7.
func IsFormula(text []byte) bool {
	_, ok := withinFormula(text)
	return ok
}

// TextOfFormula returns the text for which a formula stands, in the formula's memory, and any other
// text as it is.
func TextOfFormula(text []byte) []byte {
	inner, ok := withinFormula(text)
	if !ok {
		return text
	}
	n := 0
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if inner[n] = c; c == '"' {
			i++ // the second of two quotes
		}
		n++
	}
	return inner[:n]
}

// withinFormula returns what is between the quotes of a formula, where quotes are doubled.
func withinFormula(text []byte) (inner []byte, ok bool) {
	if len(text) < 3 || text[0] != '=' {
		return nil, false
	}
	if text = text[1:]; text[0] == '(' && text[len(text)-1] == ')' {
		text = text[1 : len(text)-1]
	}
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return nil, false
	}
	inner = text[1 : len(text)-1]
	for rest := inner; ; {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			return inner, true
		}
		if i+1 == len(rest) || rest[i+1] != '"' { // the formula goes on behind this text
			return nil, false
		}
		rest = rest[i+2:]
	}
}
