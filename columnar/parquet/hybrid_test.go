package parquet

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHybrid reads and skips runs of any width in pieces of any size.
func TestHybrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 32).Draw(t, "width")
		var data []byte
		var want []int32
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			if rapid.Bool().Draw(t, "repeated") {
				n, value := rapid.IntRange(1, 50).Draw(t, "times"), rapid.Uint32().Draw(t, "value")&uint32(1<<width-1)
				data = binary.AppendUvarint(data, uint64(n)<<1)
				data = append(data, binary.LittleEndian.AppendUint32(nil, value)[:(width+7)/8]...)
				want = append(want, slices.Repeat([]int32{int32(value)}, n)...)
				continue
			}
			groups := rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(16, 40)).Draw(t, "groups")
			data = binary.AppendUvarint(data, uint64(groups)<<1|1)
			packed := make([]byte, groups*width)
			for i := range 8 * groups {
				value := rapid.Uint32().Draw(t, "value") & uint32(1<<width-1)
				for k := range width {
					packed[(i*width+k)/8] |= byte(value>>k&1) << ((i*width + k) % 8)
				}
				want = append(want, int32(value))
			}
			data = append(data, packed...)
		}
		h := hybrid{rest: data, width: width}
		for len(want) > 0 {
			n := rapid.IntRange(1, len(want)).Draw(t, "piece")
			switch {
			case rapid.IntRange(0, 3).Draw(t, "skipped") == 0:
				if err := h.skip(n); err != nil {
					t.Fatal(err)
				}
			case width == 1:
				got := make([]bool, n)
				all, err := h.allTrue(n)
				trues := n
				if !all && err == nil {
					trues, err = h.truths(got)
				}
				for i, value := range want[:n] {
					if err != nil || !all && got[i] != (value == 1) || all && value == 0 {
						t.Fatalf("%v, of which all are true: %t, %v, want %d", got, all, err, want[:n])
					}
					trues -= int(value)
				}
				if trues != 0 {
					t.Fatalf("%d more are true than there are", trues)
				}
			default:
				got := make([]int32, n)
				most, err := h.read(got)
				if err != nil || !slices.Equal(got, want[:n]) {
					t.Fatalf("width %d: %d, %v, want %d", width, got, err, want[:n])
				}
				for _, value := range want[:n] {
					if uint32(value) > most {
						t.Fatalf("%d is the greatest of %d", most, want[:n])
					}
				}
				if n > 0 && !slices.Contains(got, int32(most)) {
					t.Fatalf("%d is the greatest of %d", most, want[:n])
				}
			}
			want = want[n:]
		}
		if _, err := h.read(make([]int32, 1)); err == nil {
			t.Fatal("something was read after the end")
		}
	})
}

// FuzzHybrid reads any bytes: it ends, and reads no more values than were asked for.
func FuzzHybrid(f *testing.F) {
	f.Add([]byte{3, 0x88, 0xc6, 0xfa}, 3, 8)
	f.Add([]byte{16, 7}, 3, 8)
	f.Fuzz(func(t *testing.T, data []byte, width, n int) {
		if width < 0 || width > 32 || n < 0 || n > 1<<12 {
			t.Skip()
		}
		h := hybrid{rest: data, width: width}
		if _, err := h.read(make([]int32, n)); err == nil {
			_ = h.skip(n)
		}
		b := hybrid{rest: data, width: 1}
		if trues, err := b.truths(make([]bool, n)); err == nil && (trues < 0 || trues > n) {
			t.Errorf("%d of %d are true", trues, n)
		}
		for _, most := range []int{0, n} {
			if numbers, _, err := new(sums).readAll(nil, data, most); err == nil && len(numbers) > most {
				t.Errorf("%d numbers were read, at most %d were wanted", len(numbers), most)
			}
		}
	})
}

// TestUnpackWithAndWithoutVectors compares both ways to unpack numbers, which begin anywhere.
func TestUnpackWithAndWithoutVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, bit := rapid.IntRange(0, 32).Draw(t, "width"), rapid.IntRange(0, 40).Draw(t, "bit")
		packed := rapid.SliceOfN(rapid.Byte(), 0, 1<<10).Draw(t, "packed")
		most := 1 << 9
		if width > 0 {
			most = max(8*len(packed)-bit, 0) / width
		}
		got, want := make([]int32, rapid.IntRange(0, most).Draw(t, "n")), make([]int32, most)
		want = want[:len(got)]
		greatest, slowly := unpack(got, packed, bit, width, new(layout)), unpackRest(want, packed, bit, width)
		if greatest != slowly || !slices.Equal(got, want) {
			t.Fatalf("%d of %d bits: %d, at most %d, and otherwise %d, at most %d", len(got), width, got, greatest, want, slowly)
		}
	})
}
