package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/s2"
)

// withSlack returns a copy that has memory behind its end, with which a reader must not do anything.
func withSlack(b []byte) []byte {
	b = slices.Grow(slices.Clone(b), slack+1)
	for i := range slack {
		b[:cap(b)][len(b)+i] = 0xFE
	}
	return b
}

// inSteps decompresses in steps of up to some bytes.
func inSteps(compressed []byte, size int, step func() int) ([]byte, error) {
	var s snappy
	err := s.begin(nil, compressed, size)
	for left := size; err == nil && left > 0; {
		left = max(left-step(), 0)
		if err = s.allBut(left); err == nil && s.done < size-left {
			err = fmt.Errorf("%d bytes and not %d", s.done, size-left)
		}
	}
	if err == nil {
		err = s.allBut(0)
	}
	return s.to, err
}

// contents are pages of many kinds.
func contents(r *rand.Rand) (all [][]byte) {
	for _, size := range []int{0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 70_000, 300_000} {
		random := make([]byte, size)
		for i := range random {
			random[i] = byte(r.Uint32())
		}
		all = append(all, random, bytes.Repeat([]byte("a"), size))
		for _, period := range []int{2, 3, 5, 7, 11, 15, 16, 17, 31, 33, 65} {
			all = append(all, bytes.Repeat(random[:min(period, size)], size/period+1)[:size])
		}
		few, numbers := make([]byte, size), make([]byte, 0, size+8)
		for i := range few {
			few[i] = "ab"[r.IntN(2)]
		}
		for len(numbers) < size {
			numbers = binary.LittleEndian.AppendUint64(numbers, r.Uint64N(100_000)<<20)
		}
		all = append(all, few, numbers[:size])
	}
	return all
}

func TestSnappy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, content := range contents(r) {
		for name, compressed := range map[string][]byte{
			"fast": s2.EncodeSnappy(nil, content), "better": s2.EncodeSnappyBetter(nil, content), "best": s2.EncodeSnappyBest(nil, content),
		} {
			for _, stored := range [][]byte{slices.Clip(compressed), withSlack(compressed)} {
				for _, most := range []int{1, 100, 5000, 1 << 20} {
					got, err := inSteps(stored, len(content), func() int { return 1 + r.IntN(most) })
					if err != nil || !bytes.Equal(content, got) {
						t.Fatalf("%s %d: %v", name, i, err)
					}
				}
			}
		}
	}
}

// elements are what a damaged page may have, and what few programs write.
func TestElementsOfSnappy(t *testing.T) {
	for _, c := range []struct {
		name, compressed, want string
	}{
		{"nothing", "\x00", ""},
		{"literal", "\x02\x04ab", "ab"},
		{"copy1", "\x08\x04ab\x09\x02", "abababab"},
		{"copy2", "\x08\x04ab\x16\x02\x00", "abababab"},
		{"copy4", "\x08\x04ab\x17\x02\x00\x00\x00", "abababab"},
		{"long literal", "\x02\xf0\x01ab", "ab"},
		{"longer literal", "\x02\xf4\x01\x00ab", "ab"},
		{"longest literal", "\x02\xfc\x01\x00\x00\x00ab", "ab"},
	} {
		for _, stored := range [][]byte{slices.Clip([]byte(c.compressed)), withSlack([]byte(c.compressed))} {
			got, err := inSteps(stored, len(c.want), func() int { return 1 })
			if err != nil || string(got) != c.want {
				t.Errorf("%s: %q, %v", c.name, got, err)
			}
		}
	}
	for name, compressed := range map[string]string{
		"no length":            "",
		"another length":       "\x03\x04ab",
		"too little":           "\x04\x00a",
		"too much":             "\x04\x10abcde",
		"more behind the end":  "\x04\x0cabcd\x00e",
		"cut literal":          "\x04\x0cabc",
		"cut length":           "\x04\xf0",
		"cut copy1":            "\x04\x00a\x01",
		"cut copy2":            "\x04\x00a\x06\x01",
		"cut copy4":            "\x04\x00a\x07\x01\x00\x00",
		"no offset":            "\x04\x00a\x0a\x00\x00",
		"no offset of copy1":   "\x08\x0cabcd\x01\x00",
		"before the beginning": "\x04\x00a\x0a\x02\x00",
		"too long a copy":      "\x04\x00a\x2a\x01\x00",
	} {
		for _, stored := range [][]byte{slices.Clip([]byte(compressed)), withSlack([]byte(compressed))} {
			_, err := inSteps(stored, 4, func() int { return 1 })
			if name == "no offset of copy1" {
				_, err = inSteps(stored, 8, func() int { return 1 })
			}
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

// FuzzSnappy compares with another decoder, which also reads what is not Snappy: copies of the offset before.
func FuzzSnappy(f *testing.F) {
	for _, content := range contents(rand.New(rand.NewPCG(3, 4))) {
		if len(content) <= 1000 {
			f.Add(s2.EncodeSnappy(nil, content), uint8(13))
		}
	}
	f.Fuzz(func(t *testing.T, compressed []byte, step uint8) {
		size, err := s2.DecodedLen(compressed)
		if err != nil || size > mostRatio*len(compressed) {
			return
		}
		want, failed := s2.Decode(make([]byte, size), compressed)
		for _, stored := range [][]byte{slices.Clip(compressed), withSlack(compressed)} {
			got, err := inSteps(stored, size, func() int { return int(step) + 1 })
			if failed != nil && err == nil || failed == nil && err == nil && !bytes.Equal(want, got) {
				t.Errorf("%q and %q, %v and %v", got, want, err, failed)
			}
		}
	})
}

func BenchmarkSnappy(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	var prices, times, texts []byte
	for i := range 120_000 {
		prices = binary.LittleEndian.AppendUint64(prices, math.Float64bits(float64(r.IntN(10_000))/100))
		times = binary.LittleEndian.AppendUint64(times, uint64(1_600_000_000_000_000+i*31_000_000))
		texts = fmt.Appendf(texts, "user-%d", r.IntN(1_000_000))
	}
	for name, content := range map[string][]byte{"prices": prices, "times": times, "texts": texts} {
		stored := withSlack(s2.EncodeSnappy(nil, content))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			var s snappy
			for b.Loop() {
				if err := s.begin(s.to, stored, len(content)); err != nil {
					b.Fatal(err)
				}
				for left := len(content); left > 0; {
					left = max(left-100_000, 0)
					if err := s.allBut(left); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/s2", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			to := make([]byte, len(content))
			for b.Loop() {
				if _, err := s2.Decode(to, stored); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
