package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/s2"
	"pgregory.net/rapid"

	"analyzer/columnar/ipc"
	"analyzer/columnar/rowtest"
)

func TestCompressedRowsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		schema, rows := drawRows(rt)
		body := encode(t, schema, rows)
		before := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(rt, "before")
		dst := Compress(bytes.Clone(before), body)
		if !bytes.HasPrefix(dst, before) || len(dst)-len(before) > len(body) {
			rt.Fatalf("%x after %x and %d bytes", dst, before, len(body))
		}
		rowtest.Checked(rt, func(alloc memory.Allocator) {
			got, err := Decode(schema.Arrow(), dst[len(before):], alloc)
			if err != nil {
				rt.Fatal(err)
			}
			defer got.Release()
			checkRows(t, schema, got, rows)
		})
	})
}

func TestWhatShrinksIsCompressed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	body := encode(t, names, randomNames(rng, 1000))
	if got := Compress(nil, body); !compressed(got) || len(got) > len(body)/2 {
		t.Errorf("names of %d bytes become %d", len(body), len(got))
	}
	body = encode(t, ints, rowtest.Random(rng, ints, 1000, 0))
	if got := Compress(nil, body); !bytes.Equal(got, body) {
		t.Errorf("numbers at random of %d bytes become %d others", len(body), len(got))
	}
	large := make([]byte, MaxExpanded+1)
	if got := Compress(nil, large); compressed(got) || len(got) != len(large) {
		t.Errorf("%d bytes become %d", len(large), len(got))
	}
}

func TestWhatIsNoCompressedBody(t *testing.T) {
	body := encode(t, names, randomNames(rand.New(rand.NewPCG(1, 1)), 100))
	whole := Compress(nil, body)
	bomb := string(binary.AppendUvarint([]byte(compressedMagic), MaxExpanded+1)) + "some bytes"
	for name, data := range map[string]string{
		"nothing":      compressedMagic,
		"a bomb":       bomb,
		"no bytes":     compressedMagic + string(s2.Encode(nil, nil)),
		"cut":          string(whole[:len(whole)-1]),
		"longer":       string(whole) + "\x00",
		"compressed 2": compressedMagic + string(s2.Encode(nil, whole)),
		"text":         compressedMagic + string(s2.Encode(nil, []byte("some text, some text, some text"))),
	} {
		rowtest.Checked(t, func(alloc memory.Allocator) {
			if batch, err := Decode(names.Arrow(), []byte(data), alloc); batch != nil || !errors.Is(err, ipc.ErrMalformed) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	before := allocated()
	if _, err := Decode(names.Arrow(), []byte(bomb), memory.DefaultAllocator); err == nil {
		t.Error("a bomb is decoded")
	}
	if grown := allocated() - before; grown > 1<<20 {
		t.Errorf("%d bytes were allocated for a bomb", grown)
	}
}
