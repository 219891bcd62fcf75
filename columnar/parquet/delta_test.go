package parquet

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// bitByBit adds deltas as the format says, a bit at a time.
func bitByBit(n int, packed []byte, width int, last, least int64) (all []int64) {
	for i := range n {
		var delta uint64
		for k := range width {
			bit := i*width + k
			delta |= uint64(packed[bit/8]>>(bit%8)&1) << k
		}
		last += least + int64(delta)
		all = append(all, last)
	}
	return all
}

// TestDeltas compares sums of deltas of any width with those that are read bit by bit.
func TestDeltas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, n := rapid.IntRange(0, 64).Draw(t, "width"), rapid.IntRange(1, 70).Draw(t, "n")
		packed := rapid.SliceOfN(rapid.Byte(), (n*width+7)/8, (n*width+7)/8+9).Draw(t, "packed")
		last, least := rapid.Int64().Draw(t, "last"), rapid.Int64().Draw(t, "least")
		got, want := make([]int64, n), bitByBit(n, packed, width, last, least)
		if end := addDeltas(got, packed, width, last, least); !slices.Equal(got, want) || end != want[n-1] {
			t.Fatalf("%d, at the end %d, want %d", got, end, want)
		}
	})
}

// FuzzDeltas reads numbers, texts and arrays from any bytes. What comes out is as many as is wanted at most, and
// lies within what was read.
func FuzzDeltas(f *testing.F) {
	f.Add([]byte{128, 1, 4, 3, 2, 2, 0, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f'}, 5)
	f.Add(append([]byte{128, 1, 4, 2, 0, 0, 0, 0, 0, 0}, 128, 1, 4, 2, 2, 0, 0, 0, 0, 0, 'x', 'y'), 9)
	f.Fuzz(func(t *testing.T, data []byte, most int) {
		if most < 0 || most > 1<<12 {
			t.Skip()
		}
		if numbers, rest, err := new(sums).readAll(nil, data, most); err == nil && (len(numbers) > most || len(rest) > len(data)) {
			t.Errorf("%d numbers of at most %d, and %d of %d bytes are left", len(numbers), most, len(rest), len(data))
		}
		var d deltas
		if v, err := d.readTexts(data, most); err == nil {
			for i := range v.Len {
				_ = v.Bytes(i)
			}
		}
		v, last, err := d.readArrays(data, most, nil)
		if err == nil && (v.Len > most || v.Len > 0 && string(v.Bytes(v.Len-1)) != string(last)) {
			t.Errorf("%d texts, at most %d, and the last is not %q", v.Len, most, last)
		}
	})
}

// TestJoined takes some of the values whose bytes are stored apart.
func TestJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, all := rapid.IntRange(1, 9).Draw(t, "size"), rapid.IntRange(0, 40).Draw(t, "all")
		from := rapid.IntRange(0, all).Draw(t, "from")
		n := rapid.IntRange(0, all-from).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Byte(), size*all, size*all).Draw(t, "values")
		streams := make([]byte, len(values))
		for i, b := range values {
			streams[i%size*all+i/size] = b
		}
		if got := joined(nil, streams, size, from, n); !slices.Equal(got, values[from*size:(from+n)*size]) {
			t.Fatalf("%d, want %d", got, values[from*size:(from+n)*size])
		}
	})
}

func BenchmarkDeltas(b *testing.B) {
	for _, width := range []int{3, 17, 40} {
		var data []byte
		for _, head := range []uint64{128, 4, 128*100 + 1, 0} {
			data = binary.AppendUvarint(data, head)
		}
		for range 100 {
			data = append(data, 0, byte(width), byte(width), byte(width), byte(width))
			data = append(data, make([]byte, 16*width)...)
		}
		var numbers []int64
		var d sums
		for b.Loop() {
			numbers, _, _ = d.readAll(numbers[:0], data, 1<<20)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(numbers)), "ns/number")
	}
}
