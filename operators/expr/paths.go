package expr

import (
	"bytes"
	"net/url"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Texts as parts of addresses, and paths of files, of which a text has the separators.
const (
	OpFileName Op = "parse_filename"
	OpDirName  Op = "parse_dirname"
	OpDirPath  Op = "parse_dirpath"
	OpPath     Op = "parse_path"
)

func init() { functions.Add(pathFunctions) }

func pathFunctions() []function {
	return []function{
		ofText(registry.Texts.Doc("url_encode", "(text)", "the text as it stands in an address: other bytes than letters, digits and -_.~ as % and two digits",
			"url_encode('a b/c')", "a%20b%2Fc"), appendURLEncoded),
		ofText(registry.Texts.Doc("url_decode", "(text)", "the text that stands in an address", "url_decode('a%20b+c')", "a b+c"), appendURLDecoded),
		ofText(registry.Texts.Doc("strip_accents", "(text)", "the text without accents", "strip_accents('Köln')", "Koln"), appendUnaccented),
		ofText(registry.Texts.Doc("nfc_normalize", "(text)", "the text with letters and their accents as one character each, as far as there are such (NFC)",
			"length(nfc_normalize('e' || chr(769)))", "1"), appendComposed),
		{
			op: OpFileName, takes: "a text, a bool and a text", types: only(columnar.Text, columnar.Text, columnar.Bool, columnar.Text), cost: costText * 2,
			build: perRow(func(out *result, args []*columnar.Vector, i int) error {
				name := args[0].Bytes(i)
				name = name[bytes.LastIndexAny(name, string(args[2].Bytes(i)))+1:]
				if dot := bytes.LastIndexByte(name, '.'); args[1].Bools[i] && dot >= 0 {
					name = name[:dot]
				}
				out.Data = append(out.Data, name...)
				return nil
			}),
		},
		ofPath(OpDirPath, func(dst, path []byte, separators string) []byte {
			return append(dst, path[:max(bytes.LastIndexAny(path, separators), 0)]...)
		}),
		ofPath(OpDirName, func(dst, path []byte, separators string) []byte {
			switch at := bytes.IndexAny(path, separators); {
			case at == 0:
				return append(dst, path[0])
			case at > 0:
				return append(dst, path[:at]...)
			}
			return dst
		}),
		{
			op: OpPath, takes: "two texts", types: only(columnar.TextList, columnar.Text, columnar.Text), cost: costText * 4,
			build: perRow(func(out *result, args []*columnar.Vector, i int) error {
				parsePath(out.Child, args[0].Bytes(i), string(args[1].Bytes(i)))
				return nil
			}),
		},
	}
}

// ofPath is the entry of a function of a path and of its separators that appends its result to dst.
func ofPath(op Op, of func(dst, path []byte, separators string) []byte) function {
	return function{
		op: op, takes: "two texts", types: only(columnar.Text, columnar.Text, columnar.Text), cost: costText * 2,
		build: perRow(func(out *result, args []*columnar.Vector, i int) error {
			out.Data = of(out.Data, args[0].Bytes(i), string(args[1].Bytes(i)))
			return nil
		}),
	}
}

// ofText is the entry of a function of a text that appends its result to dst.
func ofText(doc registry.Doc, of func(dst, text []byte) []byte) function {
	return function{
		op: Op(doc.Names[0]), doc: doc, takes: "a text", types: oneOf(columnar.Text, columnar.Text), cost: costCase, canFail: true,
		build: perRow(func(out *result, args []*columnar.Vector, i int) error {
			if out.Data = of(out.Data, args[0].Bytes(i)); len(out.Data) > maxMade {
				return ErrMuchText
			}
			return nil
		}),
	}
}

func appendURLEncoded(dst, text []byte) []byte {
	const digits = "0123456789ABCDEF"
	for _, b := range text {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || bytes.IndexByte([]byte("-_.~"), b) >= 0 {
			dst = append(dst, b)
		} else {
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst
}

func appendURLDecoded(dst, text []byte) []byte {
	decoded, err := url.PathUnescape(string(text))
	if err != nil {
		return append(dst, text...)
	}
	return append(dst, bytes.ToValidUTF8([]byte(decoded), []byte("\uFFFD"))...)
}

func appendUnaccented(dst, text []byte) []byte {
	if columnar.IsASCII(text) {
		return append(dst, text...)
	}
	var bare []byte
	for _, r := range string(norm.NFD.Bytes(text)) {
		if !unicode.IsMark(r) {
			bare = utf8.AppendRune(bare, r)
		}
	}
	return appendComposed(dst, bare) // so that Korean syllables stay one character each
}

// appendComposed appends a text in the form NFC. By itself: an accent at its begin does not belong to what is in dst.
func appendComposed(dst, text []byte) []byte {
	if columnar.IsASCII(text) {
		return append(dst, text...)
	}
	return append(dst, norm.NFC.Bytes(text)...)
}

func parsePath(parts *columnar.Vector, path []byte, separators string) {
	if bytes.IndexAny(path, separators) == 0 {
		parts.AppendBytes(path[:1])
		path = path[1:]
	}
	for len(path) > 0 {
		at := bytes.IndexAny(path, separators)
		if at < 0 {
			parts.AppendBytes(path)
			return
		}
		if at > 0 {
			parts.AppendBytes(path[:at])
		}
		path = path[at+1:]
	}
}
