package expr

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"analyzer/columnar"
	"analyzer/operators/lazydfa"
)

// The functions of regular expressions in RE2 syntax.
const (
	OpMatch         Op = "regexp_matches"
	OpRegexpReplace Op = "regexp_replace"
	OpRegexpExtract Op = "regexp_extract"
	OpRegexpAll     Op = "regexp_extract_all"
	OpRegexpSplit   Op = "string_split_regex"
)

func init() { functions.Add(regexpFunctions) }

func regexpFunctions() []function {
	return []function{
		{
			op: OpMatch, takes: "a text and a regular expression", cost: costCase * 2, pattern: 1, check: boundedRegexp, build: buildMatch,
			types: only(columnar.Bool, columnar.Text, columnar.Text),
		},
		{
			op: OpRegexpReplace, takes: "a text, a regular expression, a text and a bool", cost: costCase * 4, canFail: true, pattern: 1, check: boundedRegexp, build: buildRegexpReplace,
			types: only(columnar.Text, columnar.Text, columnar.Text, columnar.Text, columnar.Bool),
		},
		{
			op: OpRegexpExtract, takes: "a text, a regular expression and an int", cost: costCase * 4, pattern: 1, check: boundedRegexp, build: buildRegexpExtract,
			types: only(columnar.Text, columnar.Text, columnar.Text, columnar.Int),
		},
		{
			op: OpRegexpAll, takes: "a text, a regular expression and an int", cost: costCase * 4, canFail: true, pattern: 1, check: boundedRegexp, build: buildRegexpAll,
			types: only(columnar.TextList, columnar.Text, columnar.Text, columnar.Int),
		},
		{
			op: OpRegexpSplit, takes: "a text and a regular expression", cost: costCase * 4, canFail: true, pattern: 1, check: boundedRegexp, build: buildRegexpSplit,
			types: only(columnar.TextList, columnar.Text, columnar.Text),
		},
	}
}

// maxSteps bounds the instructions of a compiled regular expression: in the worst case each
// byte of a text is matched against all of them. maxPlaces bounds the matches that are
// replaced in one text, each counted once and once more per group.
const (
	maxSteps  = 10_000
	maxPlaces = 1 << 20
)

// ErrMatches is wrapped by the error for a text with more matches than maxPlaces allows.
var ErrMatches = errors.New("too many matches")

// stepSize is about how many bytes a step of a compiled regular expression and of what runs it holds.
const stepSize = 128

// expression is a compiled regular expression. It has one user at a time.
type expression struct {
	*regexp.Regexp
	program *syntax.Prog
	runs    *classRuns       // nil: it is not that simple
	lasting bool             // it is a literal: there may be too many of those of rows for matchers
	asked   int              // how many texts the matcher was asked about, or would have been
	found   int              // how many of them it said match
	passed  int              // bytes in these before which no match begins
	matcher *lazydfa.Matcher // nil: not made yet
}

// worthMatcher is how many texts make the states of a matcher worth making.
const worthMatcher = 32

// matches is Match, mostly in a tenth of the time.
func (e *expression) matches(text []byte) bool {
	if begin, known := e.ask(text); known {
		return begin >= 0
	}
	return e.Match(text)
}

// from returns the part of a text from a place on before which no match begins, or nothing if there certainly is no match, as
// far as that takes little time. It is not worth asking where most texts match, and do so soon, or package regexp finds
// out by itself where a match may begin.
func (e *expression) from(text []byte) (rest []byte, may bool) {
	if told := e.asked - worthMatcher; told >= worthMatcher && e.found > told-told/8 && (e.passed < worthPassing*e.found || e.prefixed()) {
		return text, true
	}
	begin, known := e.ask(text)
	switch {
	case !known:
		return text, true
	case begin < 0:
		return nil, false
	}
	return text[begin:], true
}

// worthPassing is how many bytes before a match make it worth finding out where it may begin.
const worthPassing = 8

// prefixed reports whether all matches begin with the same text.
func (e *expression) prefixed() bool {
	prefix, _ := e.LiteralPrefix()
	return prefix != ""
}

// ask asks the matcher, if there is one. See lazydfa.Matcher.
func (e *expression) ask(text []byte) (begin int, known bool) {
	if !e.lasting {
		return 0, false
	}
	if e.asked++; e.asked < worthMatcher {
		return 0, false
	}
	if e.matcher == nil {
		e.matcher = lazydfa.New(e.program)
	}
	if begin, known = e.matcher.Match(text); !known { // nor will it know more of others
		e.lasting, e.matcher = false, nil
	}
	if begin >= 0 {
		e.found++
		e.passed += begin
	}
	return begin, known
}

// places returns where the groups of the first matches in a text lie, at most so many, until it is called again.
func (e *expression) places(text []byte, most int) [][]int {
	if e.runs != nil {
		return e.runs.find(text, most)
	}
	if _, may := e.from(text); !may {
		return nil
	}
	return e.FindAllSubmatchIndex(text, most)
}

// first returns where the groups of the first match lie in a part of a text; none if there is no match.
func (e *expression) first(text []byte) (part []byte, groups []int) {
	if e.runs != nil {
		if found := e.runs.find(text, 1); len(found) > 0 {
			return text, found[0]
		}
		return text, nil
	}
	part, may := e.from(text)
	if !may {
		return text, nil
	}
	return part, e.FindSubmatchIndex(part)
}

// compileRegexp compiles a regular expression, and refuses one beyond the bounds. It also returns about how
// many bytes that holds.
func compileRegexp(pattern string) (e *expression, size int, err error) {
	if len(pattern) > maxPattern {
		return nil, 0, fmt.Errorf("a regular expression of %d bytes; %d are possible", len(pattern), maxPattern)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, 0, err
	}
	if n := len(program.Inst); n > maxSteps {
		return nil, 0, fmt.Errorf("a regular expression of %d steps; %d are possible", n, maxSteps)
	}
	re, err := regexp.Compile(pattern)
	return &expression{Regexp: re, program: program, runs: classRunsOf(parsed)}, len(program.Inst) * stepSize, err
}

// boundedRegexp checks that the second argument of a function, if it is a literal, is a
// regular expression within the bounds.
func boundedRegexp(args []*Expr) error {
	v := args[1].Value
	if v == nil {
		return nil
	}
	_, _, err := compileRegexp(v.Text)
	return err
}

// regexps returns the regular expressions of the second argument.
func (b *build) regexps() (*patterns[*expression], error) {
	p, err := patternsOf(b, 1, compileRegexp)
	if err == nil && !p.each {
		p.made.lasting = true
	}
	return p, err
}

func buildMatch(b *build) (kernel, error) {
	regexps, err := b.regexps()
	if err != nil {
		return nil, err
	}
	b.dropLiterals()
	return regexps.kernel(func(re *expression, out *result, args []*columnar.Vector, i int) error {
		out.Bools[i] = re.matches(args[0].Bytes(i))
		return nil
	}), nil
}

// CheckRegexp returns an error if a text is not a regular expression, or has no such group.
func CheckRegexp(pattern string, group int64) error {
	re, _, err := compileRegexp(pattern)
	if err != nil {
		return err
	}
	return checkGroup(re, group)
}

func checkGroup(re *expression, group int64) error {
	if group < 0 || group > int64(re.NumSubexp()) {
		return fmt.Errorf("the regular expression has %d groups, and no group %d", re.NumSubexp(), group)
	}
	return nil
}

// regexpGroup returns the regular expressions of the second argument, and the group of the third, which a
// regular expression that is a literal has.
func (b *build) regexpGroup() (*patterns[*expression], int64, error) {
	regexps, err := b.regexps()
	if err != nil {
		return nil, 0, err
	}
	group := b.literal(2)
	if group == nil || group.Int < 0 || !regexps.each && checkGroup(regexps.made, group.Int) != nil {
		return nil, 0, errors.New("there is no such group")
	}
	b.dropLiterals()
	return regexps, group.Int, nil
}

func buildRegexpExtract(b *build) (kernel, error) {
	regexps, group, err := b.regexpGroup()
	if err != nil {
		return nil, err
	}
	at := 2 * int(group)
	return regexps.kernel(func(re *expression, out *result, args []*columnar.Vector, i int) error {
		text, groups := re.first(args[0].Bytes(i))
		if at < len(groups) && groups[at] >= 0 {
			out.Data = append(out.Data, text[groups[at]:groups[at+1]]...)
		}
		return nil
	}), nil
}

// matchesIn returns the places of all matches in a text, or an error if there are too many.
func matchesIn(re *expression, text []byte) ([][]int, error) {
	most := maxPlaces/(1+re.NumSubexp()) + 2
	found := re.places(text, most)
	if len(found) == most {
		return nil, fmt.Errorf("a text of %d bytes has more than %d matches: %w", len(text), most-1, ErrMatches)
	}
	return found, nil
}

func buildRegexpAll(b *build) (kernel, error) {
	regexps, group, err := b.regexpGroup()
	if err != nil {
		return nil, err
	}
	return regexps.kernel(func(re *expression, out *result, args []*columnar.Vector, i int) error {
		if err := checkGroup(re, group); err != nil {
			return err
		}
		return appendMatches(out.Child, re, 2*int(group), args[0].Bytes(i))
	}), nil
}

// appendMatches appends the groups of all matches, whose places in those of a match begin at a position.
func appendMatches(dst *columnar.Vector, re *expression, at int, text []byte) error {
	found, err := matchesIn(re, text)
	if err != nil {
		return err
	}
	for _, groups := range found {
		if groups[at] < 0 {
			dst.AppendNull()
		} else {
			dst.AppendBytes(text[groups[at]:groups[at+1]])
		}
		if len(dst.Data)+4*dst.Len > maxMade {
			return ErrMuchText
		}
	}
	return nil
}

func buildRegexpSplit(b *build) (kernel, error) {
	regexps, err := b.regexps()
	if err != nil {
		return nil, err
	}
	b.dropLiterals()
	return regexps.kernel(func(re *expression, out *result, args []*columnar.Vector, i int) error {
		return appendSplit(out.Child, re, args[0].Bytes(i))
	}), nil
}

// appendSplit appends the parts of a text between the matches.
func appendSplit(dst *columnar.Vector, re *expression, text []byte) error {
	found, err := matchesIn(re, text)
	if err != nil {
		return err
	}
	done := 0
	for _, groups := range found {
		if groups[1] == groups[0] && (groups[0] == 0 || groups[0] == len(text)) {
			continue // nothing lies before it, or behind it
		}
		dst.AppendBytes(text[done:groups[0]])
		done = groups[1]
	}
	if dst.AppendBytes(text[done:]); dst.Len > maxMade/4 {
		return ErrMuchText
	}
	return nil
}
