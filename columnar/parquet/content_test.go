package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/s2"
)

// FuzzContent decompresses whatever bytes in pieces of any size: what comes out is what a plain implementation says.
func FuzzContent(f *testing.F) {
	for _, text := range snappyTexts() {
		f.Add(s2.EncodeSnappy(nil, text[:min(len(text), 500)]), uint64(len(text)))
	}
	f.Add([]byte("\x50\x00a\x01\x01\x00b\xff\x02\x00\x00\x00"), uint64(7))
	f.Fuzz(func(t *testing.T, stored []byte, seed uint64) {
		want, err := plainSnappy(stored)
		size := len(want)
		if err != nil {
			size = 1 << 16
			if n, bytes := binary.Uvarint(stored); bytes > 0 && n < 1<<20 {
				size = int(n)
			}
		}
		got, failed := inPieces(stored, size, rand.New(rand.NewPCG(seed, 1)))
		if err == nil && failed != nil {
			t.Fatal(failed)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if err != nil && failed == nil && size > 0 {
			t.Fatalf("%d bytes, want the error %v", len(got), err)
		}
	})
}

// TestContent reads texts that Snappy compresses in all ways, and what is not compressed.
func TestContent(t *testing.T) {
	for i, text := range snappyTexts() {
		for seed := range uint64(8) {
			got, err := inPieces(s2.EncodeSnappy(nil, text), len(text), rand.New(rand.NewPCG(seed, 2)))
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("text %d of %d bytes is other bytes, or %v", i, len(text), err)
			}
		}
	}
}

// TestFarCopies reads copies from further back than compressors usually look.
func TestFarCopies(t *testing.T) {
	text := snappyTexts()[0]
	for _, back := range []int{1 << 16, 1<<16 + 1, 5 << 16, len(text)} {
		stored := binary.AppendUvarint(nil, uint64(len(text)+60+4))
		stored = append(stored, 62<<2, byte(len(text)-1), byte((len(text)-1)>>8), byte((len(text)-1)>>16))
		stored = append(stored, text...)
		stored = binary.LittleEndian.AppendUint32(append(stored, 59<<2|3), uint32(back))
		stored = append(stored, 3<<2, 't', 'a', 'i', 'l')
		want := append(bytes.Clone(text), text[len(text)-back:][:60]...)
		want = append(want, "tail"...)
		for seed := range uint64(8) {
			got, err := inPieces(stored, len(want), rand.New(rand.NewPCG(seed, 3)))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("a copy from %d bytes before gives %d bytes, or %v", back, len(got), err)
			}
		}
	}
}

// snappyTexts returns texts that are long or short, and repeat themselves in several ways.
func snappyTexts() (all [][]byte) {
	random := rand.New(rand.NewPCG(1, 5))
	noise := make([]byte, 400_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	all = append(all, noise, noise[:3], noise[:61], noise[:1<<16+1], make([]byte, 300_000), nil)
	for _, period := range []int{1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 65, 1000, 60_000} {
		var text []byte
		for len(text) < 200_000 {
			text = append(text, noise[:period]...)
			if random.IntN(3) == 0 {
				text = binary.LittleEndian.AppendUint32(text, random.Uint32N(1000))
			}
		}
		all = append(all, text)
	}
	return all
}

// inPieces reads a page of some bytes that Snappy has compressed, which stands between others in a file.
func inPieces(stored []byte, size int, random *rand.Rand) (got []byte, err error) {
	const before, behind = "before", "behind"
	file := bytes.NewReader(append(append([]byte(before), stored...), behind...))
	var w window
	w.open(file, int64(len(before)), file.Size())
	if random.IntN(2) == 0 {
		w.end -= int64(len(behind))
	}
	var c content
	if err := c.open(&w, len(stored), size, true); err != nil {
		return nil, err
	}
	var rest []byte
	for c.size > 0 {
		n := min(random.IntN(1<<random.IntN(18)), len(rest)+c.size)
		if rest, err = c.more(rest, n); err != nil {
			return got, err
		}
		got = append(got, rest[:n]...)
		rest = rest[n:]
	}
	got = append(got, rest...)
	c.close()
	if next, err := w.peek(1); w.end == file.Size() && (err != nil || next[0] != behind[0]) {
		return nil, errors.New("the window does not go on behind the page")
	}
	return got, nil
}

// plainSnappy decompresses Snappy, tag by tag and byte by byte.
func plainSnappy(stored []byte) (text []byte, err error) {
	size, n := binary.Uvarint(stored)
	if n <= 0 || size > 1<<20 {
		return nil, errSnappy
	}
	at := stored[n:]
	take := func(n int) (bytes []byte) {
		if n > len(at) {
			err, n = errSnappy, len(at)
		}
		bytes, at = at[:n], at[n:]
		return bytes
	}
	number := func(bytes []byte) (n int) {
		for i, b := range bytes {
			n |= int(b) << (8 * i)
		}
		return n
	}
	for len(at) > 0 && err == nil && uint64(len(text)) < size {
		tag := int(take(1)[0])
		length, offset := tag>>2+1, 0
		switch tag & 3 {
		case 0:
			if length > 60 {
				length = number(take(length-60)) + 1
			}
			text = append(text, take(length)...)
			continue
		case 1:
			length, offset = tag>>2&7+4, tag>>5<<8|number(take(1))
		case 2:
			offset = number(take(2))
		case 3:
			offset = number(take(4))
		}
		if offset == 0 || offset > len(text) {
			return nil, errSnappy
		}
		for range length {
			text = append(text, text[len(text)-offset])
		}
	}
	if err == nil && (uint64(len(text)) != size || len(at) > 0) {
		err = errSnappy
	}
	return text, err
}
