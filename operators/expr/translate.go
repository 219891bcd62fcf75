package expr

import (
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpTranslate replaces single characters of a text, or drops them.
const OpTranslate Op = "translate"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpTranslate, takes: "three texts", types: only(columnar.Text, columnar.Text, columnar.Text, columnar.Text),
			cost: costCase, canFail: true, build: just(translate),
			doc: registry.Texts.Doc("translate", "(text, from, to)", "the text with each character of from replaced by the one in its place in to, or left out where to is shorter",
				"translate('a-b.c', '-.', '+')", "a+bc"),
		}}
	})
}

func translate(out *result, args []*columnar.Vector) error {
	var from, to []rune
	for i := range out.rows() {
		if err := out.fits(utf8.UTFMax * len(args[0].Bytes(i))); err != nil {
			return err
		}
		from, to = appendRunes(from[:0], args[1].Bytes(i)), appendRunes(to[:0], args[2].Bytes(i))
		for text := args[0].Bytes(i); len(text) > 0; {
			r, size := utf8.DecodeRune(text)
			switch at := indexRune(from, r); {
			case at < 0:
				out.Data = append(out.Data, text[:size]...)
			case at < len(to):
				out.Data = utf8.AppendRune(out.Data, to[at])
			}
			text = text[size:]
		}
	}
	return nil
}

func appendRunes(dst []rune, text []byte) []rune {
	for _, r := range string(text) {
		dst = append(dst, r)
	}
	return dst
}

func indexRune(all []rune, r rune) int {
	for i, other := range all {
		if other == r {
			return i
		}
	}
	return -1
}
