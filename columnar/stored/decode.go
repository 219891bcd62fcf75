package stored

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decoder is a reader that converts text in another encoding to UTF-8. It is many times as fast as a
// converter that makes one rune at a time, since most text is ASCII: one core converts as
// quickly as another finds fields in the result.
type decoder struct {
	from io.Reader
	// convert converts the beginning of src to dst, as far as there is room, and returns how
	// many bytes it wrote and took. Without last, more bytes follow src, and it may leave the
	// beginning of a character.
	convert func(dst, src []byte, last bool) (wrote, took int)

	space []byte // the memory of in
	in    []byte // read, not yet converted
	room  []byte // the memory of out
	out   []byte // converted, not yet returned by Read
	err   error  // the error that ended from
}

const decoderBytes = 64 << 10

func newDecoder(from io.Reader, convert func(dst, src []byte, last bool) (wrote, took int)) *decoder {
	return &decoder{from: from, convert: convert, space: make([]byte, decoderBytes), room: make([]byte, decoderBytes)}
}

func (d *decoder) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for idle := 0; len(d.out) == 0; {
		if len(d.in) < utf8.UTFMax && d.err == nil {
			had := copy(d.space, d.in)
			var n int
			n, d.err = d.from.Read(d.space[had:])
			d.in = d.space[:had+n]
			if idle++; idle > MaxIdleReads && d.err == nil {
				d.err = io.ErrNoProgress
			}
		}
		if len(d.in) == 0 && d.err != nil {
			return 0, d.err
		}
		to := d.room
		if len(p) >= len(to) { // nothing needs to be kept
			to = p
		}
		wrote, took := d.convert(to, d.in, errors.Is(d.err, io.EOF))
		d.in, d.out = d.in[took:], to[:wrote]
		if d.err != nil && !errors.Is(d.err, io.EOF) && took == 0 {
			return 0, d.err // a character that failed to come
		}
	}
	n := len(d.out)
	if &d.out[0] != &p[0] {
		n = copy(p, d.out)
	}
	d.out = d.out[n:]
	return n, nil
}

// utf16Decoder converts UTF-16. A byte order mark decides the order of bytes.
type utf16Decoder struct {
	order binary.ByteOrder
	begun bool
}

func (u *utf16Decoder) convert(dst, src []byte, last bool) (wrote, took int) {
	if !u.begun && (len(src) > 1 || last) {
		u.begun = true
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			if len(src) > 1 && order.Uint16(src) == 0xFEFF {
				u.order, took = order, 2
				break
			}
		}
	}
	low := uint64(0x007F007F007F007F) // the bits that characters of ASCII may have
	if u.order == binary.BigEndian {
		low <<= 8
	}
	for len(dst)-wrote >= 8 {
		if n := ascii16(dst[wrote:], src[took:], low); n > 0 {
			wrote, took = wrote+n, took+2*n
			continue
		}
		r, n := u.one(src[took:], last)
		if n == 0 {
			break
		}
		took += n
		wrote += utf8.EncodeRune(dst[wrote:], r)
	}
	return wrote, took
}

// ascii16 converts characters of ASCII at the beginning of src, as far as there is room, eight at a time
// or more, and returns how many. low has the bits that may be set in four of them.
func ascii16(dst, src []byte, low uint64) (n int) {
	order := bits.TrailingZeros64(low)
	n = asciiGroups(dst, src, low)
	for n+8 <= len(dst) && 2*n+16 <= len(src) {
		a, b := binary.LittleEndian.Uint64(src[2*n:]), binary.LittleEndian.Uint64(src[2*n+8:])
		if (a|b)&^low != 0 {
			break
		}
		a, b = a>>order, b>>order
		a, b = (a|a>>8)&0x0000FFFF0000FFFF, (b|b>>8)&0x0000FFFF0000FFFF
		binary.LittleEndian.PutUint64(dst[n:], (a|a>>16)&0xFFFFFFFF|(b|b>>16)<<32)
		n += 8
	}
	return n
}

// asciiGroups is ascii16 for groups of characters, where the processor supports them.
func asciiGroups(dst, src []byte, low uint64) (n int) {
	const group = 32 // characters
	groups := min(len(dst)/group, len(src)/(2*group))
	if groups == 0 || !inGroups {
		return 0
	}
	return group * ascii16Groups(&dst[0], &src[0], groups, ^low, uint64(bits.TrailingZeros64(low)))
}

// one returns the first character of src, and how many bytes it takes, 0 if more are needed.
// What is no character becomes U+FFFD.
func (u *utf16Decoder) one(src []byte, last bool) (r rune, n int) {
	switch {
	case len(src) == 0 || len(src) == 1 && !last:
		return 0, 0
	case len(src) == 1:
		return utf8.RuneError, 1
	}
	r = rune(u.order.Uint16(src))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(src) < 4 {
		if last {
			return utf8.RuneError, 2
		}
		return 0, 0
	}
	if low := rune(u.order.Uint16(src[2:])); low >= 0xDC00 && low <= 0xDFFF {
		return utf16.DecodeRune(r, low), 4
	}
	return utf8.RuneError, 2
}

// newCharDecoder returns the converter of an encoding in which each byte is a character.
func newCharDecoder(chars *charmap.Charmap) func(dst, src []byte, last bool) (wrote, took int) {
	texts := new(charTexts)
	for c := range texts {
		var text [utf8.UTFMax]byte
		texts[c].n = utf8.EncodeRune(text[:], chars.DecodeByte(byte(c)))
		texts[c].bytes = binary.LittleEndian.Uint32(text[:])
	}
	return func(dst, src []byte, _ bool) (wrote, took int) {
		wrote, took = texts.groups(dst, src)
		for len(dst)-wrote >= utf8.UTFMax && took < len(src) {
			wrote += texts.put(dst[wrote:], src[took])
			took++
		}
		return wrote, took
	}
}

// charTexts are the characters of an encoding in UTF-8, n bytes each.
type charTexts [256]struct {
	bytes uint32
	n     int
}

// put writes a character, and up to three bytes more, and returns its length.
func (t *charTexts) put(dst []byte, c byte) int {
	text := &t[c]
	binary.LittleEndian.PutUint32(dst, text.bytes)
	return text.n
}

// groups converts characters eight at a time, as far as there is room for the longest.
func (t *charTexts) groups(dst, src []byte) (wrote, took int) {
	const group, room = 8, 8 * utf8.UTFMax
	for len(src)-took >= group && len(dst)-wrote >= room {
		from, to := src[took:][:group], dst[wrote:][:room]
		v := binary.LittleEndian.Uint64(from)
		binary.LittleEndian.PutUint64(to, v)
		others := v & 0x8080808080808080
		switch {
		case others == 0:
			wrote, took = wrote+group, took+group
		case others&(others-1) == 0: // one among characters of ASCII
			at := bits.TrailingZeros64(others) / 8
			n := t.put(to[at:], from[at])
			binary.LittleEndian.PutUint64(to[at+n:], v>>(8*at)>>8)
			wrote, took = wrote+group-1+n, took+group
		default:
			n := 0
			for _, c := range from {
				n += t.put(to[n:], c)
			}
			wrote, took = wrote+n, took+group
		}
	}
	return wrote, took
}
