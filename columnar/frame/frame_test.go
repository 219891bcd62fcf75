package frame

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// The format is read by other versions of the program: these bytes stay.
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
		src := iotest.OneByteReader(bytes.NewReader(data))
		rest := data
		for i, want := range payloads {
			got, err := Read(src, 100)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("read frame %d: %x, %v, want %x", i, got, err, want)
			}
			got, rest, err = Decode(rest, 100)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("decode frame %d: %x, %v, want %x", i, got, err, want)
			}
		}
		if _, err := Read(src, 100); err != io.EOF {
			t.Errorf("read at the end: %v", err)
		}
		if _, _, err := Decode(rest, 100); err != io.EOF {
			t.Errorf("decode at the end: %v", err)
		}
	})
}

// both reads data in the two ways, which must agree, and returns the error.
func both(t *testing.T, data []byte, limit int) error {
	t.Helper()
	decoded, _, decodeErr := Decode(data, limit)
	read, readErr := Read(bytes.NewReader(data), limit)
	for _, kind := range []error{ErrTorn, ErrCorrupt, io.EOF} {
		if errors.Is(decodeErr, kind) != errors.Is(readErr, kind) {
			t.Fatalf("decode: %v, read: %v", decodeErr, readErr)
		}
	}
	if !bytes.Equal(decoded, read) {
		t.Fatalf("decoded %x, read %x", decoded, read)
	}
	return readErr
}

func TestACutIsTorn(t *testing.T) {
	data := Append(nil, []byte("some payload"))
	for n := 1; n < len(data); n++ {
		if err := both(t, data[:n], 100); !errors.Is(err, ErrTorn) || errors.Is(err, ErrCorrupt) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestEveryFlippedBitIsCorrupt(t *testing.T) {
	data := Append(nil, []byte("some payload"))
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		if err := both(t, data, 100); !errors.Is(err, ErrCorrupt) || errors.Is(err, ErrTorn) {
			t.Errorf("bit %d: %v", bit, err)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

func TestZerosAreCorrupt(t *testing.T) {
	if err := both(t, make([]byte, 100), 100); !errors.Is(err, ErrCorrupt) {
		t.Errorf("zeros: %v", err)
	}
}

func TestTheBoundHoldsBeforeAllocation(t *testing.T) {
	data := Append(nil, make([]byte, 1000))
	for limit, ok := range map[int]bool{1000: true, 1001: true, 999: false, 0: false, -1: false} {
		if err := both(t, data, limit); (err == nil) != ok || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if err := both(t, Append(nil, nil), 0); err != nil {
		t.Errorf("empty payload: %v", err)
	}
	header := Append(nil, make([]byte, 1<<20))[:HeaderSize]
	allocated := testing.AllocsPerRun(10, func() {
		if _, err := Read(bytes.NewReader(header), 1<<10); !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
	if allocated > 10 {
		t.Errorf("%v allocations to refuse a length", allocated)
	}
}

func TestReadPassesOnErrors(t *testing.T) {
	data := Append(nil, []byte("abc"))
	for n := range data {
		src := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(errBroken))
		if _, err := Read(src, 10); !errors.Is(err, errBroken) || errors.Is(err, ErrTorn) {
			t.Errorf("broken after %d bytes: %v", n, err)
		}
	}
}

var errBroken = errors.New("broken")

func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(Append(nil, nil))
	f.Add(Append(Append(nil, []byte("abc")), []byte("def")))
	f.Add(make([]byte, HeaderSize))
	f.Add(Append(nil, []byte("abc"))[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 64
		src := bufio.NewReader(bytes.NewReader(data))
		rest := data
		for {
			read, readErr := Read(src, limit)
			var decoded []byte
			var decodeErr error
			decoded, rest, decodeErr = Decode(rest, limit)
			if (readErr == nil) != (decodeErr == nil) || !bytes.Equal(read, decoded) {
				t.Fatalf("read %x, %v; decoded %x, %v", read, readErr, decoded, decodeErr)
			}
			if readErr != nil {
				break
			}
			if !bytes.HasPrefix(data, Append(nil, read)) {
				t.Fatalf("%x is not what a frame of %x looks like", data, read)
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
