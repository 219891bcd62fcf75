package columnar_test

import (
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
)

func BenchmarkAppendGather(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := columnar.NewVector(columnar.Text)
	for range 8192 {
		texts.AppendBytes(make([]byte, rng.IntN(16)))
	}
	random, some, all := make([]int32, 4096), []int32{}, make([]int32, 4096)
	for i := range random {
		random[i], all[i] = int32(rng.IntN(8192)), int32(i)
	}
	for i := range 8192 {
		if rng.IntN(2) == 0 {
			some = append(some, int32(i))
		}
	}
	for name, sel := range map[string][]int32{"random": random, "half": some, "all": all} {
		b.Run(name, func(b *testing.B) {
			out := columnar.NewVector(columnar.Text)
			for b.Loop() {
				out.Reset()
				out.AppendGather(texts, sel)
			}
		})
	}
}
