package scan

import (
	"testing"

	"analyzer/columnar/csv"
)

// TestProgress counts the bytes of the file as stored, and as text.
func TestProgress(t *testing.T) {
	data := ratingsFile(100000)
	for name, stored := range map[string][]byte{"ratings.csv": data, "ratings.csv.gz": compressed(data)} {
		s, err := Open(t.Context(), memFile(t, name, stored), ratingsTable, nil, Options{CSV: csv.Options{BlockSize: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		last := Progress{}
		w := s.NewWorker()
		for _, err = w.Next(t.Context()); err == nil; _, err = w.Next(t.Context()) {
			p := s.Progress()
			if p.File < last.File || p.Data < last.Data || p.Rows < last.Rows || p.File > int64(len(stored)) {
				t.Fatalf("%s: %+v after %+v", name, p, last)
			}
			last = p
		}
		if last.File != int64(len(stored)) || last.Data != int64(len(data)) || last.Rows != s.Stats().Rows || last.Rows == 0 {
			t.Errorf("%s: %+v of %d and %d bytes", name, last, len(stored), len(data))
		}
		s.Close()
	}
}
