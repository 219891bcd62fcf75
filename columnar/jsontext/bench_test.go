package jsontext_test

import (
	"testing"

	"analyzer/columnar/jsontext"
)

const doc = `{"id": 12345, "name": "user 345", "tags": ["a", "b", "3"], "geo": {"lat": 1763.5714285714287, "lon": -1371.6666666666667}, "text": "\u00e9 and more text to make it longer 12345"}`

func BenchmarkValid(b *testing.B) {
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if !jsontext.Valid([]byte(doc)) {
			b.Fatal("it is not valid")
		}
	}
}

// BenchmarkFind finds the last member, so that all others are passed over.
func BenchmarkFind(b *testing.B) {
	path, err := jsontext.ParsePath("text")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := path.Find([]byte(doc)); !ok {
			b.Fatal("it is not found")
		}
	}
}

// BenchmarkContains looks for a text that is in the middle, and for an array.
func BenchmarkContains(b *testing.B) {
	for _, part := range []string{`"3"`, `["b", "a"]`, `7`} {
		b.Run(part, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			var c jsontext.Container
			for b.Loop() {
				c.Contains([]byte(doc), []byte(part))
			}
		})
	}
}
