package stored

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// converter makes the function that converts an encoding for a decoder.
type converter func() func(dst, src []byte, last bool) (wrote, took int)

func utf16In(order binary.ByteOrder) converter {
	return func() func(dst, src []byte, last bool) (wrote, took int) {
		return (&utf16Decoder{order: order}).convert
	}
}

func charsOf(chars *charmap.Charmap) converter {
	return func() func(dst, src []byte, last bool) (wrote, took int) { return newCharDecoder(chars) }
}

// encodings are the supported encodings by their names in lower case; UTF-8 has no converter.
var encodings = []struct {
	name      string
	converter converter
}{
	{"utf-8", nil},
	{"utf-16", utf16In(binary.LittleEndian)},
	{"utf-16le", utf16In(binary.LittleEndian)},
	{"utf-16be", utf16In(binary.BigEndian)},
	{"latin-1", charsOf(charmap.ISO8859_1)},
	{"iso-8859-1", charsOf(charmap.ISO8859_1)},
	{"windows-1252", charsOf(charmap.Windows1252)},
	{"cp1252", charsOf(charmap.Windows1252)},
}

// Encodings returns the names of the encodings that files may have.
func Encodings() []string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return names
}

// EncodingNamed returns the canonical name of an encoding, as in Dialect; "" for UTF-8.
func EncodingNamed(text string) (name string, ok bool) {
	for _, e := range encodings {
		if strings.EqualFold(e.name, text) || strings.EqualFold(strings.ReplaceAll(e.name, "-", ""), strings.ReplaceAll(text, "_", "")) {
			if e.converter == nil {
				return "", true
			}
			return e.name, true
		}
	}
	return "", false
}

// decoded returns a reader that converts text in an encoding to UTF-8.
func decoded(encoding string, r io.Reader) io.Reader {
	for _, e := range encodings {
		if e.name == encoding && e.converter != nil {
			return newDecoder(r, e.converter())
		}
	}
	return r
}

// utf16Of detects UTF-16 from the first bytes of a file: by a byte order mark, or by ASCII
// characters in UTF-16. It returns the name of the encoding, or "" for all other files.
func utf16Of(head []byte) string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return "utf-16"
	}
	if len(head) < 4 || len(head)%2 != 0 {
		return ""
	}
	var zero [2]int // zeros among the first and the second bytes of pairs
	for i, c := range head {
		if c == 0 {
			zero[i%2]++
		}
	}
	switch half := len(head) / 2; {
	case zero == [2]int{0, half}:
		return "utf-16le"
	case zero == [2]int{half, 0}:
		return "utf-16be"
	}
	return ""
}
