// Package lazydfa tells whether texts match a regular expression, and from where on, in one step for each character.
//
// It is the automaton of RE2 (https://swtch.com/~rsc/regexp/regexp3.html#caching): a state is the set of
// all instructions of the program that may be next, and is made when a text reaches it first. Package
// regexp, whose programs these are, follows each instruction for each character instead. It is still
// who says where a match lies; most texts are asked whether there is one.
package lazydfa

import (
	"bytes"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// The bounds of a matcher. One that reaches them gives up, and its texts are left to package regexp.
const (
	maxStates = 1000
	maxInsts  = 1 << 15 // in all states
	maxMoves  = 1 << 17
)

// Size is about how many bytes a matcher takes at most.
const Size = 4*(maxInsts+maxMoves) + 64*maxStates

// Matcher matches texts against one program. It has one user at a time.
type Matcher struct {
	prog     *syntax.Prog
	asserts  bool // some instruction asks what stands around a place
	anchored bool // all matches begin where the text does

	// skips means that the state in which no match has begun is the first one, wherever in the text that is. A match
	// begins with prefix, and if that is empty, with none of the bytes of stays.
	skips  bool
	prefix []byte
	stays  [256]bool

	classes []rune // the first rune of each class, of which no instruction tells runes apart, ascending
	ascii   [utf8.RuneSelf]uint16
	width   int // moves of a state: one for each class, and one for the end of the text

	states []state
	moves  []move // by state, and then by class; none before first
	ids    map[string]move
	insts  int // in all states
	gaveUp bool

	seen  []uint32 // by instruction: the step that has seen it last
	step  uint32
	stack []uint32
	set   []uint32
	key   []byte
}

// state is what may follow the part of a text that was read.
type state struct {
	insts  []uint32 // that may be next, ascending
	before rune     // the character before, as far as it matters
}

// move is where the moves of the state that follows begin, or one of these.
type move int32

const (
	unknown move = iota // not made yet
	match
	fail  // no further character can lead to a match
	first // the state at the beginning of a text
)

// New returns a matcher of a program, which it only reads.
func New(prog *syntax.Prog) *Matcher {
	m := &Matcher{prog: prog, seen: make([]uint32, len(prog.Inst)), ids: make(map[string]move)}
	m.anchored = prog.StartCond()&syntax.EmptyBeginText != 0
	m.classify()
	m.width = len(m.classes) + 1
	m.moves = make([]move, first)
	before := rune(-1)
	if !m.asserts {
		before = m.kindOf(before)
	}
	m.add([]uint32{uint32(prog.Start)}, before)
	m.findBeginnings()
	return m
}

// findBeginnings finds out how matches begin.
func (m *Matcher) findBeginnings() {
	if m.anchored {
		return
	}
	prefix, _ := m.prog.Prefix()
	m.prefix = []byte(prefix)
	if m.skips = len(prefix) > 0 || !m.asserts; !m.skips || len(prefix) > 0 {
		return
	}
	for c, class := range m.ascii {
		m.stays[c] = m.make(first, int(class)) == first
	}
}

// skip returns the position from i on where a match may begin.
func (m *Matcher) skip(text []byte, i int) int {
	if len(m.prefix) > 0 {
		n := bytes.Index(text[i:], m.prefix)
		if n < 0 {
			return len(text)
		}
		return i + n
	}
	for i < len(text) && m.stays[text[i]] {
		i++
	}
	return i
}

// classify finds the runes that all instructions take for the same.
func (m *Matcher) classify() {
	begins := []rune{0}
	between := func(lo, hi rune) { begins = append(begins, lo, hi+1) }
	for i := range m.prog.Inst {
		switch inst := &m.prog.Inst[i]; inst.Op {
		case syntax.InstRune, syntax.InstRune1:
			for k := 0; k+1 < len(inst.Rune); k += 2 {
				between(inst.Rune[k], inst.Rune[k+1])
			}
			if len(inst.Rune) == 1 {
				between(inst.Rune[0], inst.Rune[0])
				for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
					between(r, r)
				}
			}
		case syntax.InstRuneAnyNotNL:
			between('\n', '\n')
		case syntax.InstEmptyWidth:
			m.asserts = true
		}
	}
	if m.asserts {
		between('\n', '\n')
		between('0', '9')
		between('A', 'Z')
		between('_', '_')
		between('a', 'z')
	}
	slices.Sort(begins)
	m.classes = slices.Compact(begins)
	for r := range rune(utf8.RuneSelf) {
		m.ascii[r] = uint16(m.classOf(r))
	}
}

func (m *Matcher) classOf(r rune) int {
	i, begins := slices.BinarySearch(m.classes, r)
	if !begins {
		i--
	}
	return i
}

// Match returns a place in a text before which no match begins, or -1 if the text has no match. What stands before the
// place makes no difference to the matches. known is false if the matcher has given up, as it does for good once it
// would take more memory than Size.
func (m *Matcher) Match(text []byte) (begin int, known bool) {
	at, moves := first, m.moves
	if m.skips {
		begin = m.skip(text, 0)
	}
	for i := begin; i < len(text); {
		class, size := 0, 1
		if c := text[i]; c < utf8.RuneSelf {
			class = int(m.ascii[c])
		} else {
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			class = m.classOf(r)
		}
		next := moves[int(at)+class]
		if next == unknown {
			next = m.make(at, class)
			moves = m.moves
		}
		at, i = next, i+size
		if next > first {
			continue
		}
		if next < first {
			return beginOf(next, begin), next != unknown
		}
		if m.skips {
			i = m.skip(text, i)
			begin = i
		}
	}
	next := moves[int(at)+m.width-1]
	if next == unknown {
		next = m.make(at, m.width-1)
	}
	return beginOf(next, begin), next != unknown
}

// beginOf returns what Match does, if a match would begin there.
func beginOf(next move, begin int) int {
	if next == match {
		return begin
	}
	return -1
}

// make makes the state behind a class of characters, or behind the end of the text. It returns unknown if
// the matcher has given up.
func (m *Matcher) make(at move, class int) move {
	if m.gaveUp {
		return unknown
	}
	r, end := rune(-1), class == m.width-1
	if !end {
		r = m.classes[class]
	}
	next := fail
	switch matches := m.follow(m.states[int(at-first)/m.width], r); {
	case matches:
		next = match
	case end:
	case m.skips && len(m.set) == 1 && m.set[0] == uint32(m.prog.Start):
		next = first
	case len(m.set) > 0:
		next = m.add(m.set, m.kindOf(r))
	}
	m.moves[int(at)+class] = next
	return next
}

// follow sets the instructions that may be next behind a character, -1 for the end of the text, and reports
// whether there is a match before it.
func (m *Matcher) follow(from state, r rune) (matches bool) {
	here := syntax.EmptyOpContext(from.before, r)
	m.set, m.stack = m.set[:0], append(m.stack[:0], from.insts...)
	m.step++
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.step {
			continue
		}
		m.seen[pc] = m.step
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			m.stack = append(m.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^here == 0 {
				m.stack = append(m.stack, inst.Out)
			}
		case syntax.InstFail:
		default:
			if r >= 0 && inst.MatchRune(r) {
				m.set = append(m.set, inst.Out)
			}
		}
	}
	if !m.anchored {
		m.set = append(m.set, uint32(m.prog.Start))
	}
	slices.Sort(m.set)
	m.set = slices.Compact(m.set)
	return false
}

// kindOf returns a character that stands for all that assertions take for the same as r.
func (m *Matcher) kindOf(r rune) rune {
	switch {
	case !m.asserts:
		return 0
	case r == '\n':
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// add returns the state of some instructions, which it makes if there is none. Beyond its bounds the matcher
// gives up.
func (m *Matcher) add(insts []uint32, before rune) move {
	m.key = binary.AppendVarint(m.key[:0], int64(before))
	for _, pc := range insts {
		m.key = binary.AppendUvarint(m.key, uint64(pc))
	}
	if id, ok := m.ids[string(m.key)]; ok {
		return id
	}
	m.insts += len(insts)
	if len(m.states) == maxStates || m.insts > maxInsts || len(m.moves)+m.width > maxMoves {
		m.gaveUp = true
		return unknown
	}
	id := move(len(m.moves))
	m.ids[string(m.key)] = id
	m.states = append(m.states, state{insts: slices.Clone(insts), before: before})
	m.moves = append(m.moves, make([]move, m.width)...)
	return id
}
