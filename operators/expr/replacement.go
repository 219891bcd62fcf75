package expr

import (
	"errors"
	"fmt"
	"unsafe"

	"analyzer/columnar"
)

// replacement is what replaces a match: texts, and references to groups.
type replacement []replacementPart

type replacementPart struct {
	text  string
	group int // if there is no text
}

func parseReplacement(text string) (out replacement, size int, err error) {
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
			return nil, 0, fmt.Errorf(`behind a \ there is the number of a group, or another \, in %q`, text)
		default:
			out = append(out, replacementPart{group: int(text[i] - '0')})
		}
		begin = i + 1
	}
	if begin < len(text) {
		out = append(out, replacementPart{text: text[begin:]})
	}
	return out, len(out) * int(unsafe.Sizeof(replacementPart{})), nil
}

// check returns an error if a group is not one of the regular expression.
func (p replacement) check(re *expression) error {
	for _, part := range p {
		if err := checkGroup(re, int64(part.group)); err != nil {
			return err
		}
	}
	return nil
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

// CheckReplacement returns an error if a text is not a replacement for the matches of a
// regular expression.
func CheckReplacement(pattern, replacement string) error {
	re, _, err := compileRegexp(pattern)
	if err != nil {
		return err
	}
	by, _, err := parseReplacement(replacement)
	if err != nil {
		return err
	}
	return by.check(re)
}

func buildRegexpReplace(b *build) (kernel, error) {
	regexps, err := b.regexps()
	if err != nil {
		return nil, err
	}
	replacements, err := patternsOf(b, 2, parseReplacement)
	if err != nil {
		return nil, err
	}
	if !regexps.each && !replacements.each {
		if err := replacements.made.check(regexps.made); err != nil {
			return nil, err
		}
	}
	all := b.literal(3)
	if all == nil {
		return nil, errors.New("whether all matches are replaced must be a literal")
	}
	b.dropLiterals()
	return regexps.kernel(func(re *expression, out *result, args []*columnar.Vector, i int) error {
		if replacements.each {
			if err := replacements.find(args[2].Bytes(i)); err != nil {
				return err
			}
		}
		by := replacements.made
		if regexps.each || replacements.each {
			if err := by.check(re); err != nil {
				return err
			}
		}
		return out.replace(re, by, args[0].Bytes(i), all.Bool)
	}), nil
}

// replace appends a text, in which the first match or all are replaced.
func (r *result) replace(re *expression, by replacement, text []byte, all bool) error {
	places, done := 1, 0
	if all {
		places = maxPlaces/(1+re.NumSubexp()) + 2
	}
	found := re.places(text, places)
	if all && len(found) == places {
		return fmt.Errorf("a text of %d bytes has more than %d places to replace: %w", len(text), places-1, ErrMatches)
	}
	for _, groups := range found {
		if err := r.fits(len(text) - done + by.size(groups)); err != nil {
			return err
		}
		r.Data = by.append(append(r.Data, text[done:groups[0]]...), text, groups)
		done = groups[1]
	}
	r.Data = append(r.Data, text[done:]...)
	return nil
}
