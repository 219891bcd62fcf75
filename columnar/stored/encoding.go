package stored

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
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

// textIn makes the converter of an encoding whose characters have one byte or more.
func textIn(e encoding.Encoding) converter {
	return func() func(dst, src []byte, last bool) (wrote, took int) {
		decoder := e.NewDecoder()
		return func(dst, src []byte, last bool) (wrote, took int) {
			wrote, took, _ = decoder.Transform(dst, src, last) // what is no character becomes U+FFFD
			return wrote, took
		}
	}
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
	{"windows-1250", charsOf(charmap.Windows1250)},
	{"windows-1251", charsOf(charmap.Windows1251)},
	{"windows-1253", charsOf(charmap.Windows1253)},
	{"windows-1254", charsOf(charmap.Windows1254)},
	{"windows-1255", charsOf(charmap.Windows1255)},
	{"windows-1256", charsOf(charmap.Windows1256)},
	{"windows-1257", charsOf(charmap.Windows1257)},
	{"windows-874", charsOf(charmap.Windows874)},
	{"iso-8859-2", charsOf(charmap.ISO8859_2)},
	{"iso-8859-15", charsOf(charmap.ISO8859_15)},
	{"iso-8859-5", charsOf(charmap.ISO8859_5)},
	{"koi8-r", charsOf(charmap.KOI8R)},
	{"cp437", charsOf(charmap.CodePage437)},
	{"cp850", charsOf(charmap.CodePage850)},
	{"cp866", charsOf(charmap.CodePage866)},
	{"macintosh", charsOf(charmap.Macintosh)},
	{"gb18030", textIn(simplifiedchinese.GB18030)},
	{"gbk", textIn(simplifiedchinese.GBK)},
	{"big5", textIn(traditionalchinese.Big5)},
	{"shift-jis", textIn(japanese.ShiftJIS)},
	{"euc-jp", textIn(japanese.EUCJP)},
	{"euc-kr", textIn(korean.EUCKR)},
}

// aliases are other names of encodings.
var aliases = []struct{ name, is string }{
	{"cp1250", "windows-1250"},
	{"cp1251", "windows-1251"},
	{"cp1253", "windows-1253"},
	{"cp1254", "windows-1254"},
	{"cp1255", "windows-1255"},
	{"cp1256", "windows-1256"},
	{"cp1257", "windows-1257"},
	{"cp874", "windows-874"},
	{"tis-620", "windows-874"},
	{"gb2312", "gbk"},
	{"cp936", "gbk"},
	{"cp932", "shift-jis"},
	{"sjis", "shift-jis"},
	{"windows-31j", "shift-jis"},
	{"cp949", "euc-kr"},
	{"cp950", "big5"},
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
	for _, alias := range aliases {
		if strings.EqualFold(text, alias.name) {
			text = alias.is
		}
	}
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

// Decode converts a text in one of the Encodings to UTF-8. What is no character there becomes U+FFFD.
func Decode(encoding string, text []byte) []byte {
	converter := converterOf(encoding)
	if converter == nil {
		return text
	}
	out := make([]byte, utf8.UTFMax*(len(text)+2)) // room for all: none stops before the last two characters
	wrote, _ := converter()(out, text, true)
	return out[:wrote]
}

// decoded returns a reader that converts text in an encoding to UTF-8.
func decoded(encoding string, r io.Reader) io.Reader {
	if converter := converterOf(encoding); converter != nil {
		return newDecoder(r, converter())
	}
	return r
}

// converterOf returns the converter of an encoding; nil: its texts are UTF-8.
func converterOf(encoding string) converter {
	for _, e := range encodings {
		if e.name == encoding {
			return e.converter
		}
	}
	return nil
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
