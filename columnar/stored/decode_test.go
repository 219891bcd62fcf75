package stored

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// errBroken is the error of a reader in tests.
var errBroken = errors.New("broken")

// decoders are the encodings as another library converts them.
var decoders = map[string]encoding.Encoding{
	"utf-16":       unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"latin-1":      charmap.ISO8859_1,
	"windows-1252": charmap.Windows1252,
	"gb18030":      simplifiedchinese.GB18030,
	"big5":         traditionalchinese.Big5,
	"shift-jis":    japanese.ShiftJIS,
	"euc-jp":       japanese.EUCJP,
	"euc-kr":       korean.EUCKR,
}

// compareDecoded compares what is made of bytes, read at once and in small pieces.
func compareDecoded(t *testing.T, data []byte) {
	t.Helper()
	for name, other := range decoders {
		want, err := io.ReadAll(other.NewDecoder().Reader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(data)))} {
			got, err := io.ReadAll(decoded(name, from))
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%q in %s is %q, %v, not %q", data, name, got, err, want)
			}
		}
		if got := Decode(name, data); !bytes.Equal(got, want) {
			t.Fatalf("%q in %s is %q at once, not %q", data, name, got, want)
		}
		var all bytes.Buffer
		_, err = io.CopyBuffer(struct{ io.Writer }{&all}, decoded(name, bytes.NewReader(data)), make([]byte, decoderBytes))
		if err != nil || !bytes.Equal(all.Bytes(), want) {
			t.Fatalf("%q in %s is %q in large pieces, %v, not %q", data, name, all.Bytes(), err, want)
		}
	}
}

func TestDecoded(t *testing.T) {
	pieces := []string{"a\x00", "\x00a", "word", "w\x00o\x00r\x00d\x00s\x00", "\x00w\x00o\x00r\x00d\x00s", "\x3d\xd8", "\x00\xde", "\xd8\x3d", "\xde\x00", "\xff\xfe", "\xfe\xff", "\xac\x20", "\x81", "\xe9", "\n\x00", "\x95\x32\x82\x36", "\xb0\xa1", "\x8f\xa2\xaf", "\x83\x5c"}
	pieces = append(pieces, strings.Repeat("x\x00", 37), strings.Repeat("\x00y", 70), strings.Repeat("z", 45))
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 12))
		var data []byte
		for range rng.IntN(30) {
			data = append(data, pieces[rng.IntN(len(pieces))]...)
		}
		compareDecoded(t, data)
	}
	compareDecoded(t, bytes.Repeat([]byte("\x3d\xd8\x00\xdea\x00bc\xac\x20"), decoderBytes/4))
}

// TestDecoderFails passes on the error of a reader, within a character or not.
func TestDecoderFails(t *testing.T) {
	for _, data := range []string{"", "a\x00", "a\x00b", "\x3d\xd8"} {
		from := io.MultiReader(bytes.NewReader([]byte(data)), iotest.ErrReader(errBroken))
		if got, err := io.ReadAll(decoded("utf-16", from)); err != errBroken || len(got) > 1 {
			t.Errorf("%q: %q, %v", data, got, err)
		}
	}
}

func FuzzDecoded(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00\x3d\xd8\x00\xde"))
	f.Add([]byte("\xfe\xff\x00a\xd8\x3d\xde\x00 caf\xe9"))
	f.Fuzz(func(t *testing.T, data []byte) { compareDecoded(t, data) })
}

// BenchmarkChars converts texts of which few bytes, or most, are letters beyond ASCII.
func BenchmarkChars(b *testing.B) {
	for name, text := range map[string]string{"few": "17,caf\xe9 23,2024-03-01,12.50\n", "most": "\xcc\xee\xf1\xea\xe2\xe0,\xd1\xe0\xed\xea\xf2\n"} {
		b.Run(name, func(b *testing.B) {
			data, p := bytes.Repeat([]byte(text), 1<<20/len(text)), make([]byte, 256<<10)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				d := decoded("windows-1251", bytes.NewReader(data))
				for {
					if _, err := d.Read(p); err != nil {
						break
					}
				}
			}
		})
	}
}
