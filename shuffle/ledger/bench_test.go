package ledger

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRecord records ids as a broker delivers them: nearly in order.
func BenchmarkRecord(b *testing.B) {
	l := newLedger(b, ports)
	b.ReportAllocs()
	for id := uint64(0); b.Loop(); id++ {
		if _, err := l.Record(0, scan, id^5); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMarshal writes a ledger of a million messages, of which a thousand
// are late.
func BenchmarkMarshal(b *testing.B) {
	l := newLedger(b, ports)
	rng := rand.New(rand.NewPCG(1, 1))
	for id := range uint64(1_000_000) {
		if rng.IntN(1000) > 0 {
			record(b, l, 0, scan, id)
		}
	}
	b.ReportAllocs()
	var size int
	for b.Loop() {
		size = len(marshal(b, l))
	}
	b.ReportMetric(float64(size), "bytes")
}

func BenchmarkUnmarshal(b *testing.B) {
	l := newLedger(b, ports)
	record(b, l, 0, scan, shuffled(rand.New(rand.NewPCG(1, 1)), 1_000_000)...)
	record(b, l, 1, left, 3, 5, 7)
	data := []byte(marshal(b, l))
	b.ReportAllocs()
	for b.Loop() {
		if err := l.UnmarshalBinary(data); err != nil {
			b.Fatal(err)
		}
	}
}
