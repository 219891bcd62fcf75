package expr

import (
	"bytes"
	"regexp"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpGlobbed is the regular expression that matches what a pattern of GLOB does, if it matches a whole text.
const OpGlobbed Op = "globbed"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpGlobbed, takes: "a text", types: []registry.Signature{sig(columnar.Text, columnar.Text)}, cost: costCase,
			canFail: true, build: just(globs), example: Call(OpGlobbed, Str("[ab]*.csv")),
		}}
	})
}

func globs(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		out.Data = appendGlobbed(out.Data, args[0].Bytes(i))
		if err := out.fits(0); err != nil {
			return err
		}
	}
	return nil
}

var inBrackets = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

func appendGlobbed(dst, pattern []byte) []byte {
	dst = append(dst, "(?s)"...)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			dst = append(dst, ".*"...)
		case c == '?':
			dst = append(dst, '.')
		case c == '[' && bytes.IndexByte(pattern[i:], ']') > 1:
			end := i + 2 + bytes.IndexByte(pattern[i+2:], ']') // what is first in brackets is no end
			inside, negated := pattern[i+1:end], ""
			if inside[0] == '!' || inside[0] == '^' {
				inside, negated = inside[1:], "^"
			}
			dst = append(append(append(append(dst, '['), negated...), inBrackets.Replace(string(inside))...), ']')
			i = end
		case c == '\\' && i+1 < len(pattern):
			i++
			dst = append(dst, regexp.QuoteMeta(string(pattern[i:i+1]))...)
		default:
			dst = append(dst, regexp.QuoteMeta(string(pattern[i:i+1]))...)
		}
	}
	return dst
}
