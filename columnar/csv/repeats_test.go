package csv

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
)

// TestRepeats puts copies of the header between the records of random files, with the byte order marks of other files
// before some, and checks that the other records are those of the file without them, and that the copies are listed.
func TestRepeats(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		header := []string{"a,b", "id,name,amount", "\"x, y\",z", "long name of it,and of this", "a,"}[rng.IntN(5)]
		end := []string{"\n", "\r\n"}[rng.IntN(2)]
		var with, without strings.Builder
		for _, out := range []*strings.Builder{&with, &without} {
			out.WriteString(header + end)
		}
		var copies []int64
		line := int64(1)
		for range rng.IntN(60) {
			line++
			if rng.IntN(4) == 0 {
				with.WriteString([]string{"", "\ufeff"}[rng.IntN(2)] + header + end)
				copies = append(copies, line)
				continue
			}
			record := []string{"1,2", "1", header + "x", "x" + header, strings.TrimSuffix(header, header[len(header)-1:]) + "q", "1,2,3,4", "\ufeff1,2", "\"a\nb\",c"}[rng.IntN(8)]
			if strings.Count(record, `"`)%2 == 1 {
				record = "1,2"
			}
			line += int64(strings.Count(record, "\n"))
			with.WriteString(record + end)
			without.WriteString(record + end)
		}
		opts := Options{Dialect: columnar.Dialect{Repeated: true}, BlockSize: 1 + rng.IntN(200)}
		var got [][]byte
		var found []int64
		_, err := readWith(newFile([]byte(with.String())), opts, 1, func(b *Block) error {
			for _, r := range b.Repeats() {
				found = append(found, b.Line(r))
			}
			for r := range b.Len() {
				if b.Fields(r) > 0 {
					got = append(got, bytes.Clone(b.Record(r)))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var want [][]byte
		if _, err := readWith(newFile([]byte(without.String())), Options{BlockSize: 1 << 20}, 1, func(b *Block) error {
			for r := range b.Len() {
				if b.Fields(r) > 0 {
					want = append(want, bytes.Clone(b.Record(r)))
				}
			}
			return nil
		}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if a, b := bytes.Join(got, []byte("|")), bytes.Join(want, []byte("|")); !bytes.Equal(a, b) {
			t.Fatalf("seed %d: %q: the records are\n%q, want\n%q", seed, with.String(), a, b)
		}
		if !slices.Equal(found, copies) {
			t.Fatalf("seed %d: %q: the header stands again in lines %v, want %v", seed, with.String(), found, copies)
		}
	}
}
