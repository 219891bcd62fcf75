package expr

import (
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpInitcap writes each word of a text with a capital letter. Words are letters and digits in a
// row.
const OpInitcap Op = "initcap"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpInitcap, takes: "a text", types: oneOf(columnar.Text, columnar.Text),
			cost: costCase, build: just(eachText(appendInitcap)),
			doc: registry.Texts.Doc("initcap", "(text)", "the text with a capital letter at the beginning of each word, and small letters after it",
				"initcap('bad KÖSEN')", "Bad Kösen"),
		}}
	})
}

func appendInitcap(dst, text []byte) []byte {
	within := false
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || within && unicode.IsMark(r)
		if !within {
			r = unicode.ToUpper(r)
		} else if word {
			r = unicode.ToLower(r)
		}
		dst, within = utf8.AppendRune(dst, r), word
	}
	return dst
}
