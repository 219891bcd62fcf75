package expr

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions of regular expressions in RE2 syntax, which are literals but for OpMatchEach.
const (
	OpMatch         Op = "regexp_matches"
	OpMatchEach     Op = "regexp_matches_each" // by a regular expression that is a value of the row
	OpRegexpReplace Op = "regexp_replace"
	OpRegexpExtract Op = "regexp_extract"
	OpRegexpAll     Op = "regexp_extract_all"
	OpRegexpSplit   Op = "string_split_regex"
)

func init() { functions.Add(regexpFunctions) }

func regexpFunctions() []function {
	return []function{
		{
			op: OpMatch, takes: "a text and a regular expression", cost: costCase * 2, check: boundedRegexp, build: buildMatch,
			types:   []registry.Signature{sig(columnar.Bool, columnar.Text, columnar.Text)},
			example: Call(OpMatch, Str("abc"), Str("^a.c$")),
		},
		{
			op: OpMatchEach, takes: "a text and a regular expression", cost: costCase * 8, canFail: true, build: buildMatchEach,
			types:   []registry.Signature{sig(columnar.Bool, columnar.Text, columnar.Text)},
			example: Call(OpMatchEach, Str("abc"), Str("^a.c$")),
		},
		{
			op: OpRegexpReplace, takes: "a text, a regular expression, a text and a bool", cost: costCase * 4, canFail: true, check: boundedRegexp, build: buildRegexpReplace,
			types:   []registry.Signature{sig(columnar.Text, columnar.Text, columnar.Text, columnar.Text, columnar.Bool)},
			example: Call(OpRegexpReplace, Str("ab-cd"), Str("([a-z])([a-z])"), Str(`\2\1`), Bool(true)),
		},
		{
			op: OpRegexpExtract, takes: "a text, a regular expression and an int", cost: costCase * 4, check: boundedRegexp, build: buildRegexpExtract,
			types:   []registry.Signature{sig(columnar.Text, columnar.Text, columnar.Text, columnar.Int)},
			example: Call(OpRegexpExtract, Str("ab12"), Str("([a-z]+)([0-9]+)"), Int(2)),
		},
		{
			op: OpRegexpAll, takes: "a text, a regular expression and an int", cost: costCase * 4, canFail: true, check: boundedRegexp, build: buildRegexpAll,
			types:   []registry.Signature{sig(columnar.TextList, columnar.Text, columnar.Text, columnar.Int)},
			example: Call(OpRegexpAll, Str("a1b2"), Str("[0-9]"), Int(0)),
		},
		{
			op: OpRegexpSplit, takes: "a text and a regular expression", cost: costCase * 4, canFail: true, check: boundedRegexp, build: buildRegexpSplit,
			types:   []registry.Signature{sig(columnar.TextList, columnar.Text, columnar.Text)},
			example: Call(OpRegexpSplit, Str("a1b2"), Str("[0-9]")),
		},
	}
}

func (b *build) regexp(i int) (*regexp.Regexp, error) {
	p, err := b.pattern(i)
	if err != nil {
		return nil, err
	}
	return compileRegexp(p)
}

// maxSteps bounds the instructions of a compiled regular expression: in the worst case each
// byte of a text is matched against all of them. maxPlaces bounds the matches that are
// replaced in one text, each counted once and once more per group.
const (
	maxSteps  = 10_000
	maxPlaces = 1 << 20
)

// compileRegexp compiles a regular expression, and refuses one beyond the bounds.
func compileRegexp(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes; %d are possible", len(pattern), maxPattern)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if n := len(program.Inst); n > maxSteps {
		return nil, fmt.Errorf("a regular expression of %d steps; %d are possible", n, maxSteps)
	}
	return regexp.Compile(pattern)
}

// boundedRegexp checks that the second argument of a function, if it is a literal, is a
// regular expression within the bounds.
func boundedRegexp(args []*Expr) error {
	v := args[1].Value
	if v == nil {
		return nil
	}
	_, err := compileRegexp(v.Text)
	return err
}

// buildMatchEach compiles a regular expression when it is another than that of the row before.
func buildMatchEach(*build) (kernel, error) {
	return func(out *result, args []*columnar.Vector) error {
		var last []byte
		var re *regexp.Regexp
		for i := range out.Bools {
			if out.IsNull(i) {
				continue
			}
			if p := args[1].Bytes(i); re == nil || !bytes.Equal(p, last) {
				last = p
				var err error
				if re, err = compileRegexp(string(p)); err != nil {
					return fmt.Errorf("%w: %w", ErrCast, err)
				}
			}
			out.Bools[i] = re.Match(args[0].Bytes(i))
		}
		return nil
	}, nil
}

func buildMatch(b *build) (kernel, error) {
	re, err := b.regexp(1)
	if err != nil {
		return nil, err
	}
	b.keep(0)
	return predicate(func(a, _ *columnar.Vector, i int) bool { return re.Match(a.Bytes(i)) }), nil
}

// CheckRegexp returns an error if a text is not a regular expression, or has no such group.
func CheckRegexp(pattern string, group int64) error {
	re, err := compileRegexp(pattern)
	if err == nil && (group < 0 || group > int64(re.NumSubexp())) {
		err = fmt.Errorf("the regular expression has %d groups, and no group %d", re.NumSubexp(), group)
	}
	return err
}

// CheckReplacement returns an error if a text is not a replacement for the matches of a
// regular expression.
func CheckReplacement(pattern, replacement string) error {
	re, err := compileRegexp(pattern)
	if err != nil {
		return err
	}
	_, err = parseReplacement(re, replacement)
	return err
}

// replacement is what replaces a match: texts, and references to groups.
type replacement []replacementPart

type replacementPart struct {
	text  string
	group int // if there is no text
}

func parseReplacement(re *regexp.Regexp, text string) (replacement, error) {
	var out replacement
	begin := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if begin < i {
			out = append(out, replacementPart{text: text[begin:i]})
		}
		i++
		switch {
		case i < len(text) && text[i] == '\\':
			out = append(out, replacementPart{text: `\`})
		case i == len(text) || text[i]-'0' > 9:
			return nil, fmt.Errorf(`behind a \ there is the number of a group, or another \, in %q`, text)
		case int(text[i]-'0') > re.NumSubexp():
			return nil, fmt.Errorf("the regular expression has %d groups, and %q names another one", re.NumSubexp(), text)
		default:
			out = append(out, replacementPart{group: int(text[i] - '0')})
		}
		begin = i + 1
	}
	if begin < len(text) {
		out = append(out, replacementPart{text: text[begin:]})
	}
	return out, nil
}

// size is the number of bytes that append adds.
func (p replacement) size(groups []int) int {
	n := 0
	for _, part := range p {
		if at := 2 * part.group; part.text != "" {
			n += len(part.text)
		} else if groups[at] >= 0 {
			n += groups[at+1] - groups[at]
		}
	}
	return n
}

// append writes the replacement of a match, whose groups are at the positions in text that
// package regexp returns.
func (p replacement) append(dst, text []byte, groups []int) []byte {
	for _, part := range p {
		switch at := 2 * part.group; {
		case part.text != "":
			dst = append(dst, part.text...)
		case groups[at] >= 0:
			dst = append(dst, text[groups[at]:groups[at+1]]...)
		}
	}
	return dst
}

func buildRegexpReplace(b *build) (kernel, error) {
	re, err := b.regexp(1)
	if err != nil {
		return nil, err
	}
	text, err := b.pattern(2)
	if err != nil {
		return nil, err
	}
	by, err := parseReplacement(re, text)
	if err != nil {
		return nil, err
	}
	places := 1
	if all := b.literal(3); all != nil && all.Bool {
		places = maxPlaces/(1+re.NumSubexp()) + 2
	}
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			text, done := args[0].Bytes(i), 0
			found := re.FindAllSubmatchIndex(text, places)
			if places > 1 && len(found) == places {
				return fmt.Errorf("a text of %d bytes has more than %d places to replace", len(text), places-1)
			}
			for _, groups := range found {
				if err := out.fits(len(text) - done + by.size(groups)); err != nil {
					return err
				}
				out.Data = by.append(append(out.Data, text[done:groups[0]]...), text, groups)
				done = groups[1]
			}
			out.Data = append(out.Data, text[done:]...)
		}
		return nil
	}, nil
}

// regexpGroup returns the regular expression of the second argument, and where the places of the
// group of the third begin in those of a match.
func (b *build) regexpGroup() (re *regexp.Regexp, at int, err error) {
	if re, err = b.regexp(1); err != nil {
		return nil, 0, err
	}
	group := b.literal(2)
	if group == nil || group.Int < 0 || group.Int > int64(re.NumSubexp()) {
		return nil, 0, errors.New("there is no such group")
	}
	b.keep(0)
	return re, 2 * int(group.Int), nil
}

func buildRegexpExtract(b *build) (kernel, error) {
	re, at, err := b.regexpGroup()
	if err != nil {
		return nil, err
	}
	return eachText(func(dst, text []byte) []byte {
		groups := re.FindSubmatchIndex(text)
		if groups == nil || groups[at] < 0 {
			return dst
		}
		return append(dst, text[groups[at]:groups[at+1]]...)
	}), nil
}

// matchesIn returns the places of all matches in a text, or an error if there are too many.
func matchesIn(re *regexp.Regexp, text []byte) ([][]int, error) {
	most := maxPlaces/(1+re.NumSubexp()) + 2
	found := re.FindAllSubmatchIndex(text, most)
	if len(found) == most {
		return nil, fmt.Errorf("a text of %d bytes has more than %d matches", len(text), most-1)
	}
	return found, nil
}

func buildRegexpAll(b *build) (kernel, error) {
	re, at, err := b.regexpGroup()
	if err != nil {
		return nil, err
	}
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			text := args[0].Bytes(i)
			found, err := matchesIn(re, text)
			if err != nil {
				return err
			}
			for _, groups := range found {
				if groups[at] < 0 {
					out.Child.AppendNull()
				} else {
					out.Child.AppendBytes(text[groups[at]:groups[at+1]])
				}
				if len(out.Child.Data)+4*out.Child.Len > maxMade {
					return ErrMuchText
				}
			}
		}
		return nil
	}, nil
}

func buildRegexpSplit(b *build) (kernel, error) {
	re, err := b.regexp(1)
	if err != nil {
		return nil, err
	}
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			text, done := args[0].Bytes(i), 0
			found, err := matchesIn(re, text)
			if err != nil {
				return err
			}
			for _, groups := range found {
				if groups[1] == groups[0] && (groups[0] == 0 || groups[0] == len(text)) {
					continue // nothing lies before it, or behind it
				}
				out.Child.AppendBytes(text[done:groups[0]])
				done = groups[1]
			}
			if out.Child.AppendBytes(text[done:]); out.Child.Len > maxMade/4 {
				return ErrMuchText
			}
		}
		return nil
	}, nil
}
