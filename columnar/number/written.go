package number

import "bytes"

// Number says how a text writes a number: which forms it allows, and what is known of the
// number in each.
type Number struct {
	Marks MarkSet // in which it may be written
	// Same means that the number is the same with the point and with the comma as the decimal mark.
	Same bool
	// Shows means that it has something that only a number has, unlike 123 456 789, which might
	// be a telephone number.
	Shows    bool
	Listed   bool  // it is a whole number in brackets, as in lists: (1)
	Unmarked bool  // it has no marks
	Percent  bool  // a per cent sign is behind it
	Currency uint8 // the number of its currency, 0: none
	// Whole and Places are how many digits it has before and behind its decimal mark, the most
	// in any form. Places counts a per cent sign as two.
	Whole, Places int
	// PointInt and CommaInt report whether it is a whole number where the decimal mark is a point
	// or a comma.
	PointInt, CommaInt bool
	Exponent           bool

	negative bool
	body     []byte // digits and marks
	exponent []byte
}

// longestNumber is how many bytes the digits and marks of a number have at most.
const longestNumber = 64

// Written finds out how a text writes a number. ok is false if it does not.
func Written(text []byte) (n Number, ok bool) {
	if !n.cutAffixes(text) {
		return n, false
	}
	return n, n.understand()
}

// understand finds out about the digits and marks.
func (n *Number) understand() bool {
	at := bytes.IndexByte(n.body, 'e')
	if at < 0 {
		at = bytes.IndexByte(n.body, 'E')
	}
	if at >= 0 {
		if _, rest, ok := cutExponent(n.body[at+1:]); !ok || len(rest) > 0 {
			return false
		}
		n.body, n.exponent, n.Exponent = n.body[:at], n.body[at:], true
	}
	return len(n.body) > 0 && n.divide() && n.Marks != 0
}

// affixes are what was cut from both ends of a number.
type affixes struct {
	open bool // a bracket that is not closed yet
	plus bool
}

// cutAffixes finds the sign, currency and per cent sign around the digits.
func (n *Number) cutAffixes(text []byte) bool {
	var a affixes
	for len(text) > 0 && text[0]-'0' > 9 && text[0] != '.' && text[0] != ',' {
		size := spaceAt(text)
		if size == 0 {
			size = n.cutBefore(text, &a)
		}
		if size == 0 {
			return false
		}
		text = text[size:]
	}
	for len(text) > 0 && text[len(text)-1]-'0' > 9 {
		size := spaceBefore(text)
		if size == 0 {
			size = n.cutBehind(text, &a)
		}
		if size == 0 && text[len(text)-1] == '.' {
			break
		}
		if size == 0 {
			return false
		}
		text = text[:len(text)-size]
	}
	n.body = text
	return !a.open && len(text) > 0 && len(text) <= longestNumber && (!a.plus || n.mayHavePlus())
}

// cutBefore takes note of what stands before the digits, and returns its length; 0: it is no part of a number.
func (n *Number) cutBefore(text []byte, a *affixes) int {
	minus, signed := minusAt(text), n.negative || a.plus
	switch {
	case minus > 0 || text[0] == '+':
		size := max(minus, 1)
		if signed || len(text) > size && spaceAt(text[size:]) > 0 { // - 1 may be a line of a list
			return 0
		}
		n.negative, a.plus = minus > 0, minus == 0
		return size
	case text[0] == '(':
		if signed {
			return 0
		}
		n.negative, n.Listed, a.open = true, true, true
		return 1
	}
	return n.cutCurrency(affixBefore(text))
}

// cutBehind is cutBefore for what stands behind the digits.
func (n *Number) cutBehind(text []byte, a *affixes) int {
	last, signed := text[len(text)-1], n.negative || a.plus
	switch {
	case last == ')' && a.open:
		a.open = false
		return 1
	case last == '-' && len(text) > 1 && (text[len(text)-2] == '.' || text[len(text)-2] == ','): // 12.- is 12 francs
		return 2
	case last == '-' || last == '+':
		if signed {
			return 0
		}
		n.negative, a.plus = last == '-', last == '+'
		return 1
	case last == '%':
		if n.Percent || n.Currency > 0 {
			return 0
		}
		n.Percent = true
		return 1
	case n.Percent:
		return 0
	}
	return n.cutCurrency(affixBehind(text))
}

// cutCurrency takes note of a currency, and returns its length; 0: there is none, or another one.
func (n *Number) cutCurrency(a *affix) int {
	if a == nil || n.Currency > 0 {
		return 0
	}
	n.Currency = a.id
	return len(a.text)
}

// mayHavePlus reports whether a number with a plus is surely one: it has something that a telephone number, such
// as +49 30 1234 or +351.912.345.678, has not.
func (n *Number) mayHavePlus() bool {
	if n.Percent || n.Currency > 0 {
		return true
	}
	points, commas := bytes.Count(n.body, []byte(".")), bytes.Count(n.body, []byte(","))
	return points < 3 && commas < 3 && points+commas > 0 || bytes.ContainsAny(n.body, "eE")
}

func affixBefore(text []byte) *affix {
	for i, a := range byFirst[text[0]] {
		if len(text) >= len(a.text) && string(text[:len(a.text)]) == a.text {
			return &byFirst[text[0]][i]
		}
	}
	return nil
}

func affixBehind(text []byte) *affix {
	last := text[len(text)-1]
	for i, a := range byLast[last] {
		if len(text) >= len(a.text) && string(text[len(text)-len(a.text):]) == a.text {
			return &byLast[last][i]
		}
	}
	return nil
}

// spaceAt returns the length of the space at the beginning of a text, which may be one that is
// narrow or does not break; 0: there is none.
func spaceAt(text []byte) int {
	switch {
	case text[0] == ' ':
		return 1
	case text[0] == 0xC2 && len(text) > 1 && text[1] == 0xA0: // U+00A0
		return 2
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x80 && (text[2] == 0xAF || text[2] >= 0x80 && text[2] <= 0x8A): // U+202F, U+2000 to U+200A
		return 3
	}
	return 0
}

func spaceBefore(text []byte) int {
	for size := 1; size <= min(3, len(text)); size++ {
		if spaceAt(text[len(text)-size:]) == size {
			return size
		}
	}
	return 0
}

// minusAt is spaceAt for a minus, which may be U+2212, or the dash into which word processors make it.
func minusAt(text []byte) int {
	switch {
	case text[0] == '-':
		return 1
	case text[0] == 0xE2 && len(text) > 2 && (text[1] == 0x88 && text[2] == 0x92 || text[1] == 0x80 && text[2] == 0x93):
		return 3
	}
	return 0
}

// markAt returns the mark at the beginning of a text, with a space for all kinds of spaces, and its
// length; 0: there is none.
func markAt(text []byte) (mark byte, size int) {
	switch c := text[0]; {
	case c == '.' || c == ',' || c == '\'' || c == ' ':
		return c, 1
	case c == 0xE2 && len(text) > 2 && text[1] == 0x80 && text[2] == 0x99: // U+2019
		return '\'', 3
	}
	return ' ', spaceAt(text)
}

// groups are the digits of a number, divided by its marks.
type groups struct {
	marks         int
	before, last  byte // the mark before the last one, which all before it equal; the last mark
	first, behind int  // lengths of the first group, and of the one behind the last mark
	between       int  // length of the group before the last mark, unless it is the first
	digits        int
	threes        bool // all groups between marks have three digits
	twos          bool // all groups between marks have two digits, except the one before the last mark
	bytes         bool // no group is more than 255
}

// groupsOf divides digits by marks. ok is false if there is something else, or no digit between
// two marks, or if different marks precede the last one.
func groupsOf(body []byte) (g groups, ok bool) {
	length, value := 0, 0
	g.threes, g.twos, g.bytes = true, true, true
	for at := 0; at < len(body); {
		if digit := body[at] - '0'; digit <= 9 {
			length, value, at = length+1, value*10+int(digit), at+1
			g.bytes = g.bytes && value <= 255
			continue
		}
		mark, size := markAt(body[at:])
		if size == 0 {
			return g, false
		}
		switch at += size; {
		case g.marks == 0:
			g.first = length
		case length == 0 || g.marks > 1 && g.last != g.before:
			return g, false
		default:
			g.twos = g.twos && (g.marks == 1 || g.between == 2)
			g.threes = g.threes && length == 3
			g.between, g.before = length, g.last
		}
		g.digits += length
		g.last, length, value = mark, 0, 0
		g.marks++
	}
	if g.marks == 0 {
		g.first = length
	}
	g.behind, g.digits = length, g.digits+length
	return g, g.digits > 0 && (length > 0 || g.marks == 1 && g.last == '.')
}

// divide finds the marks that the digits and marks of a text allow.
func (n *Number) divide() bool {
	g, ok := groupsOf(n.body)
	if !ok || g.first > 1 && n.body[0] == '0' { // 007 is not 7
		return false
	}
	if n.body[0] == '0' && g.marks > 1 {
		return false
	}
	thousands, decimal := n.meanings(&g)
	n.Marks, n.Same = thousands|decimal, thousands == 0 || decimal == 0
	n.PointInt, n.CommaInt = thousands&PointMarks != 0, thousands&CommaMarks != 0
	if n.Whole = g.digits; thousands == 0 {
		n.Whole -= g.behind
	}
	if decimal != 0 {
		n.Places = g.behind
	}
	n.Unmarked, n.Listed = g.marks == 0, n.Listed && g.marks == 0 && n.Currency == 0 && !n.Percent
	n.Shows = n.Currency > 0 || n.Percent || thousands == 0 || g.marks > 0 && (g.first < 3 || n.negative)
	if n.Percent {
		n.Places += 2
	}
	if n.Percent || n.Exponent {
		n.PointInt, n.CommaInt = false, false
	}
	return true
}

// meanings returns the marks with which all marks in a number divide thousands, and those with which the last one is the decimal
// mark.
func (n *Number) meanings(g *groups) (thousands, decimal MarkSet) {
	thousands, decimal = g.thousands(), g.decimal()
	either := thousands != 0 && decimal != 0
	switch {
	case g.marks == 0:
		return PointMarks | CommaMarks, decimal
	case n.body[0] == '0':
		return 0, decimal
	case either && g.last == ',' && n.Currency > 0 && pointed(n.Currency):
		return thousands, 0 // nobody writes thousandths of a dollar
	case either && n.Exponent:
		return 0, decimal // nobody divides the digits before an exponent
	}
	return thousands, decimal
}

// thousands returns the marks with which all marks in a number divide thousands.
func (g *groups) thousands() (s MarkSet) {
	switch {
	case g.marks == 0 || g.first == 0 || g.first > 3 || g.behind != 3 || g.marks > 1 && g.before != g.last:
		return 0
	case g.last == '.' && g.marks == 3 && g.bytes:
		return 0 // an address of a computer
	}
	if g.threes {
		s = Thousands(g.last) &^ (1 << PointIndian)
	}
	if g.last == ',' && g.first < 3 && g.twos && (g.marks == 1 || g.between == 2) {
		s |= 1 << PointIndian
	}
	return s
}

// decimal returns the marks of which the last one in a number is the decimal mark.
func (g *groups) decimal() (s MarkSet) {
	switch g.last {
	case '.':
		s = PointMarks
	case ',':
		s = CommaMarks
	}
	switch {
	case g.marks < 2:
		return s
	case g.before == g.last || g.first == 0 || g.first > 3:
		return 0
	}
	grouped := MarkSet(0)
	if g.threes {
		grouped = Thousands(g.before) &^ (1 << PointIndian)
	}
	if g.before == ',' && g.first < 3 && g.twos && g.between == 3 {
		grouped |= 1 << PointIndian
	}
	return s & grouped
}
