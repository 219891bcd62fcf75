package envelope

import (
	"fmt"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	for _, kib := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("%dKiB", kib), func(b *testing.B) {
			body := states(kib << 10)
			dst := mustAppend(b, sample, body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Append(dst[:0], sample, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, kib := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("%dKiB", kib), func(b *testing.B) {
			message := mustAppend(b, sample, states(kib<<10))
			b.SetBytes(int64(kib << 10))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Decode(message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
