package frame

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Other versions of the program read the format, so these bytes must not change.
func TestBytesOfAFrame(t *testing.T) {
	got := Append([]byte("before"), []byte("abc"))
	want := "before" +
		"\x03\x00\x00\x00\x00\x00\x00\x00" +
		"\x99\x09\x77\xad\xf5\x2c\xbc\x44" + // the published xxhash64 of "abc"
		"\x78\x8c\xed\x9c\xa3\xb8\xa9\x43" +
		"abc"
	if string(got) != want {
		t.Errorf("got %x, want %x", got, want)
	}
}

func TestFramesComeBackInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payloads := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 100)).Draw(t, "payloads")
		var data []byte
		for _, payload := range payloads {
			data = Append(data, payload)
		}
		rest := data
		for i, want := range payloads {
			var got []byte
			var err error
			got, rest, err = Decode(rest, 100)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("decode frame %d: %x, %v, want %x", i, got, err, want)
			}
		}
		if _, _, err := Decode(rest, 100); err != io.EOF {
			t.Errorf("decode at the end: %v", err)
		}
	})
}

func decodeError(data []byte, limit int) error {
	_, _, err := Decode(data, limit)
	return err
}

func TestACutIsTorn(t *testing.T) {
	data := Append(nil, []byte("some payload"))
	for n := 1; n < len(data); n++ {
		if err := decodeError(data[:n], 100); !errors.Is(err, ErrTorn) || errors.Is(err, ErrCorrupt) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestEveryFlippedBitIsCorrupt(t *testing.T) {
	data := Append(nil, []byte("some payload"))
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		if err := decodeError(data, 100); !errors.Is(err, ErrCorrupt) || errors.Is(err, ErrTorn) {
			t.Errorf("bit %d: %v", bit, err)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

func TestZerosAreCorrupt(t *testing.T) {
	if err := decodeError(make([]byte, 100), 100); !errors.Is(err, ErrCorrupt) {
		t.Errorf("zeros: %v", err)
	}
}

func TestTheBoundHoldsBeforeAllocation(t *testing.T) {
	data := Append(nil, make([]byte, 1000))
	for limit, ok := range map[int]bool{1000: true, 1001: true, 999: false, 0: false, -1: false} {
		if err := decodeError(data, limit); (err == nil) != ok || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if err := decodeError(Append(nil, nil), 0); err != nil {
		t.Errorf("empty payload: %v", err)
	}
	header := Append(nil, make([]byte, 1<<20))[:HeaderSize]
	allocated := testing.AllocsPerRun(10, func() {
		if err := decodeError(header, 1<<10); !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
	if allocated > 10 {
		t.Errorf("%v allocations to refuse a length", allocated)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(Append(nil, nil))
	f.Add(Append(Append(nil, []byte("abc")), []byte("def")))
	f.Add(make([]byte, HeaderSize))
	f.Add(Append(nil, []byte("abc"))[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 64
		for {
			payload, rest, err := Decode(data, limit)
			if err != nil {
				break
			}
			if again := Append(nil, payload); !bytes.HasPrefix(data, again) || len(again)+len(rest) != len(data) {
				t.Fatalf("%x and %x are not a frame of %x and the rest", data, rest, payload)
			}
			data = rest
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	payload := make([]byte, 1<<20)
	for i := range payload {
		payload[i] = byte(rand.Uint32())
	}
	b.Run("append", func(b *testing.B) {
		var dst []byte
		b.SetBytes(int64(len(payload)))
		b.ReportAllocs()
		for b.Loop() {
			dst = Append(dst[:0], payload)
		}
	})
	b.Run("decode", func(b *testing.B) {
		src := Append(nil, payload)
		b.SetBytes(int64(len(payload)))
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := Decode(src, len(payload)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
