package expr

import (
	"regexp/syntax"
	"unicode/utf8"
)

// classRuns finds the matches of regular expressions such as \s, [^0-9] and [a-z]+, which clean texts: one class of
// characters, or as many of them as there are. To find them package regexp takes ten times as long.
type classRuns struct {
	ascii  [utf8.RuneSelf]bool
	ranges []rune // of the class: first and last ones, ascending
	many   bool
	at     []int   // of the matches of the last text
	places [][]int // parts of at
}

// classRunsOf returns nil for other regular expressions.
func classRunsOf(parsed *syntax.Regexp) *classRuns {
	c := &classRuns{}
	if parsed.Op == syntax.OpPlus && parsed.Flags&syntax.NonGreedy == 0 {
		parsed, c.many = parsed.Sub[0], true
	}
	switch {
	case parsed.Op == syntax.OpCharClass:
		c.ranges = parsed.Rune
	case parsed.Op == syntax.OpLiteral && len(parsed.Rune) == 1 && parsed.Flags&syntax.FoldCase == 0:
		c.ranges = []rune{parsed.Rune[0], parsed.Rune[0]}
	default:
		return nil
	}
	for r := range c.ascii {
		c.ascii[r] = c.inRanges(rune(r))
	}
	return c
}

func (c *classRuns) inRanges(r rune) bool {
	for i := 0; i < len(c.ranges) && c.ranges[i] <= r; i += 2 {
		if r <= c.ranges[i+1] {
			return true
		}
	}
	return false
}

// find returns where the first matches in a text lie, at most so many, until it is called again.
func (c *classRuns) find(text []byte, most int) [][]int {
	c.at = c.at[:0]
	for i, before := 0, false; i < len(text); {
		in, size := c.has(text[i:])
		switch {
		case in && before && c.many:
			c.at[len(c.at)-1] = i + size
		case in && len(c.at) == 2*most:
			return c.parts()
		case in:
			c.at = append(c.at, i, i+size)
		}
		before, i = in, i+size
	}
	return c.parts()
}

func (c *classRuns) parts() [][]int {
	c.places = c.places[:0]
	for i := 0; i < len(c.at); i += 2 {
		c.places = append(c.places, c.at[i:i+2])
	}
	return c.places
}

// has reports whether the first character of a text is in the class, and its bytes.
func (c *classRuns) has(text []byte) (in bool, size int) {
	if b := text[0]; b < utf8.RuneSelf {
		return c.ascii[b], 1
	}
	r, size := utf8.DecodeRune(text)
	return c.inRanges(r), size
}
