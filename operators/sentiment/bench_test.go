package sentiment

import (
	"testing"
)

// BenchmarkPolarity scores real texts with the model and the reference.
func BenchmarkPolarity(b *testing.B) {
	p := newPair(b)
	texts := readTexts(b)
	var raw [][]byte
	bytes := 0
	for _, text := range texts {
		raw = append(raw, []byte(text))
		bytes += len(text)
	}
	perText := func(b *testing.B) {
		b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
	}
	b.Run("lexicon", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range raw {
				p.model.Polarity(text)
			}
		}
		perText(b)
	})
	b.Run("reference", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range texts {
				p.ref.PolarityScores(text)
			}
		}
		perText(b)
	})
}

// BenchmarkNew measures what a plan pays once for using sentiment.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Lexicon); err != nil {
			b.Fatal(err)
		}
	}
}
