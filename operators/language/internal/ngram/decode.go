package ngram

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// maxBody bounds the memory that a file can ask for when it is decompressed.
const maxBody = 16 << 20

// Decode reads the file of a model. It returns an error that wraps [ErrCorrupt]
// for anything that [Encode] cannot have written, and never panics.
func Decode(file []byte) (*Model, error) {
	if len(file) < len(magic)+8 || string(file[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no magic number", ErrCorrupt)
	}
	frame, sum := file[:len(file)-8], binary.LittleEndian.Uint64(file[len(file)-8:])
	if xxhash.Sum64(frame) != sum {
		return nil, fmt.Errorf("%w: wrong checksum", ErrCorrupt)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, fmt.Errorf("make decompressor: %w", err)
	}
	defer z.Close()
	body, err := z.DecodeAll(frame[len(magic):], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: decompress: %w", ErrCorrupt, err)
	}
	return decodeBody(body)
}

// decodeBody reads what the frame holds.
func decodeBody(body []byte) (*Model, error) {
	d := decoder{rest: body}
	m := &Model{Base: uint16(d.uvarint("base", maxPoints))}
	for range d.uvarint("number of languages", maxLanguages) {
		m.Languages = append(m.Languages, string(d.bytes("language", 2)))
	}
	d.letters(m)
	d.keys(m)
	d.scores(m)
	if d.err == nil && len(d.rest) != 0 {
		d.fail("%d bytes too many", len(d.rest))
	}
	if d.err != nil {
		return nil, d.err
	}
	if err := check(m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return m, nil
}

// decoder reads fields until the first error, and zeros from there on.
type decoder struct {
	rest []byte
	err  error
}

// fail keeps the first error and ends the input.
func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
	d.rest = nil
}

// uvarint reads a number of at most limit.
func (d *decoder) uvarint(what string, limit uint64) uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > limit {
		d.fail("%s: no number up to %d", what, limit)
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// bytes reads n bytes.
func (d *decoder) bytes(what string, n int) []byte {
	if len(d.rest) < n {
		d.fail("%s: %d bytes of %d", what, len(d.rest), n)
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// count reads the number of items that have at least one byte each.
func (d *decoder) count(what string) int {
	return int(d.uvarint(what, uint64(len(d.rest))))
}

// letters reads the ranges of code points.
func (d *decoder) letters(m *Model) {
	var end rune
	for range d.count("number of letter ranges") {
		first := end + rune(d.uvarint("first letter", utf8.MaxRune))
		last := first + rune(d.uvarint("letters of a range", utf8.MaxRune)) - 1
		if last < first || last > utf8.MaxRune {
			d.fail("letters from %U to %U", first, last)
			return
		}
		m.Letters = append(m.Letters, Range{first, last})
		end = last + 1
	}
}

// keys reads the n-grams.
func (d *decoder) keys(m *Model) {
	var counts [kinds]int
	total := 0
	for kind := range counts {
		counts[kind] = d.count("number of n-grams")
		total += counts[kind]
	}
	if total > len(d.rest) {
		d.fail("%d n-grams in %d bytes", total, len(d.rest))
		return
	}
	m.Keys = make([]Key, 0, total)
	for kind, n := range counts {
		key := Kind(kind).Of(0)
		for range n {
			key += Key(d.uvarint("n-gram", 1<<32-1))
			if key >= Kind(kind+1).Of(0) {
				d.fail("n-gram %#x of kind %d", uint64(key), kind)
				return
			}
			m.Keys = append(m.Keys, key)
		}
	}
}

// scores reads the scores of all n-grams, which stay where they are.
func (d *decoder) scores(m *Model) {
	m.Counts = d.bytes("counts", len(m.Keys))
	total := 0
	for _, n := range m.Counts {
		total += int(n)
	}
	m.Spoken = d.bytes("languages of n-grams", total)
	m.Points = d.bytes("points of n-grams", total)
}
