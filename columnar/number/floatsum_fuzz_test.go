package number

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// FuzzFloatSumUnmarshal checks that a sum that decodes is canonical and usable.
func FuzzFloatSumUnmarshal(f *testing.F) {
	for _, values := range [][]float64{nil, {1}, {-0.1, 1e300}, {math.Inf(1)}, {math.NaN()}, {math.SmallestNonzeroFloat64}} {
		f.Add(encoding(f, sumFloats(values...)))
	}
	f.Add([]byte{kindPositive, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sumFloats(7)
		if sum.UnmarshalBinary(data) != nil {
			if sum.Float64() != 7 {
				t.Fatal("a failed decoding changed the sum")
			}
			return
		}
		if again := encoding(t, sum); !bytes.Equal(again, data) {
			t.Fatalf("%x decodes, but is encoded as %x", data, again)
		}
		want := sum.Float64()
		sum.AddSum(sum)
		if doubled := sum.Float64(); want-want == 0 && doubled != 2*want {
			t.Fatalf("twice %g is %g", want, doubled)
		}
	})
}

// FuzzFloatSumAdd takes the input as float64 values one after the other.
func FuzzFloatSumAdd(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x10\x80"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var values []float64
		for len(data) >= 8 && len(values) < 100 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(data))
			if x-x == 0 {
				values = append(values, x)
			}
			data = data[8:]
		}
		checkNearest(t, sumFloats(values...).Float64(), exactSum(values))
	})
}
