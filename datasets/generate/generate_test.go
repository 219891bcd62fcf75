package generate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// golden holds the first half of the SHA-256 of every file at scale 0.001 and
// seed 1. It must only change with a deliberate change of the generators.
var golden = map[string]string{
	"movies_metadata.csv": "2ffb9349a1fb66cc9aea7274e46fb821",
	"ratings.csv":         "bd59575130ce6e809060d4cda5751407",
	"credits.csv":         "3542079dc130431c769814fb6cf52edd",
	"games.csv":           "1084ced32f1ee1c090cc533b9b5881de",
	"reviews.csv":         "b712d8808b781ff3a23fff72e66eb0ec",
	"books_data.csv":      "50d6a8ca4285412e7ac204c1007cc629",
	"Books_rating.csv":    "c03b1fe9a3a55874e5d7bd5c8d4f6009",
}

func TestBytesAreGolden(t *testing.T) {
	for _, d := range datasets {
		files := generateFiles(t, d.run, Options{Scale: 0.001, Seed: 1})
		if len(files) != len(d.files) {
			t.Errorf("%s: %d files, want %v", d.name, len(files), d.files)
		}
		for _, name := range d.files {
			sum := sha256.Sum256(files[name])
			if got := hex.EncodeToString(sum[:16]); got != golden[name] {
				t.Errorf("%q: %q,", name, got)
			}
		}
	}
}

func TestBytesDoNotDependOnWorkers(t *testing.T) {
	for _, d := range datasets {
		o := Options{Scale: 0.005, Seed: 7, Workers: 5}
		want := generateFiles(t, d.run, o)
		for _, workers := range []int{1, 2, 3} {
			o.Workers = workers
			equal(t, d, want, generateFiles(t, d.run, o))
		}
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			o.Workers = 0
			equal(t, d, want, generateFiles(t, d.run, o))
		}()
	}
}

func equal(t *testing.T, d dataset, want, got map[string][]byte) {
	t.Helper()
	for _, name := range d.files {
		if !bytes.Equal(want[name], got[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestSeedChangesEveryFile(t *testing.T) {
	for _, d := range datasets {
		one := generateFiles(t, d.run, Options{Scale: 0.001, Seed: 1})
		two := generateFiles(t, d.run, Options{Scale: 0.001, Seed: 2})
		for _, name := range d.files {
			if bytes.Equal(one[name], two[name]) {
				t.Errorf("%s is the same for two seeds", name)
			}
		}
	}
}

func TestRowCountsFollowScale(t *testing.T) {
	want := map[string]map[float64]int{
		"movies_metadata.csv": {0.01: 455, 0.02: 909},
		"ratings.csv":         {0.01: 260_243, 0.02: 520_486},
		"credits.csv":         {0.01: 465, 0.02: 919},
		"games.csv":           {0.01: 974, 0.02: 1_948},
		"reviews.csv":         {0.01: 64_171, 0.02: 128_342},
		"books_data.csv":      {0.01: 2_124, 0.02: 4_248},
		"Books_rating.csv":    {0.01: 30_000, 0.02: 60_000},
	}
	for _, d := range datasets {
		for _, scale := range []float64{0.01, 0.02} {
			for name, content := range generateFiles(t, d.run, Options{Scale: scale, Seed: 3}) {
				if got := countRows(t, content); got != want[name][scale] {
					t.Errorf("scale %v: %s has %d rows, want %d", scale, name, got, want[name][scale])
				}
			}
		}
	}
}

// countRows counts the records after the header.
func countRows(t *testing.T, content []byte) int {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(content))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	for n := -1; ; n++ {
		if _, err := r.Read(); err == io.EOF {
			return n
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSizesAreThoseOfThePublishedFiles(t *testing.T) {
	published := map[string]int{ // bytes of the whole file
		"movies_metadata.csv": 34_445_126,
		"ratings.csv":         709_550_327,
		"credits.csv":         189_917_659,
		"games.csv":           370_000_000,
		"reviews.csv":         2_100_000_000,
		"books_data.csv":      181_000_000,
		"Books_rating.csv":    2_860_000_000,
	}
	const scale = 0.05
	for _, d := range datasets {
		for name, content := range generateFiles(t, d.run, Options{Scale: scale, Seed: 1}) {
			ratio := float64(len(content)) / scale / float64(published[name])
			if ratio < 0.9 || ratio > 1.1 {
				t.Errorf("%s has %.2f of the published size", name, ratio)
			}
		}
	}
}

func TestProgressEndsAtTheSizeOfAllFiles(t *testing.T) {
	for _, d := range datasets {
		var last, expected int64
		files := generateFiles(t, d.run, Options{Scale: 0.001, Seed: 1, Progress: func(n, all int64) {
			if n < last {
				t.Errorf("%s: progress went back from %d to %d", d.name, last, n)
			}
			last, expected = n, all
		}})
		total := 0
		for _, content := range files {
			total += len(content)
		}
		if last != int64(total) || expected != last {
			t.Errorf("%s: progress ended at %d of %d bytes, and expected %d", d.name, last, total, expected)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	create := func(string) (io.WriteCloser, error) { return &memory{}, nil }
	for _, o := range []Options{
		{},
		{Scale: 1},
		{Create: create},
		{Scale: -1, Create: create},
		{Scale: 1e9, Create: create},
		{Scale: nan(), Create: create},
		{Scale: 1, Create: create, Workers: -1},
	} {
		for _, d := range datasets {
			if err := d.run(t.Context(), o); err == nil {
				t.Errorf("%s accepts scale %v, workers %d", d.name, o.Scale, o.Workers)
			}
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestCancelStopsAndClosesFiles(t *testing.T) {
	for _, d := range datasets {
		ctx, cancel := context.WithCancel(t.Context())
		var files []*memory
		err := d.run(ctx, Options{
			Scale: 1, Seed: 1,
			Create: func(string) (io.WriteCloser, error) {
				files = append(files, &memory{})
				return files[len(files)-1], nil
			},
			Progress: func(n, _ int64) {
				if n > 3<<20 {
					cancel()
				}
			},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want a cancellation", d.name, err)
		}
		for _, f := range files {
			if f.closed != 1 || f.Len() > 16<<20 {
				t.Errorf("%s: a file of %d bytes was closed %d times", d.name, f.Len(), f.closed)
			}
		}
	}
}

// failing is a file that fails when it is written to or closed.
type failing struct {
	memory
	onWrite, onClose error
}

func (f *failing) Write(b []byte) (int, error) {
	if f.onWrite != nil && f.Len() > 0 {
		return 0, f.onWrite
	}
	return f.memory.Write(b)
}

func (f *failing) Close() error { f.closed++; return f.onClose }

func TestErrorsOfFilesAreReported(t *testing.T) {
	broken := errors.New("no space left")
	for _, d := range datasets {
		for name, o := range map[string]Options{
			"create": {Create: func(string) (io.WriteCloser, error) { return nil, broken }},
			"write":  {Create: func(string) (io.WriteCloser, error) { return &failing{onWrite: broken}, nil }},
			"close":  {Create: func(string) (io.WriteCloser, error) { return &failing{onClose: broken}, nil }},
		} {
			o.Scale = 0.001
			err := d.run(t.Context(), o)
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), d.files[0]) {
				t.Errorf("%s: error of %s became %v", d.name, name, err)
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, d := range datasets {
		b.Run(d.name, func(b *testing.B) {
			var size int64
			b.ReportAllocs()
			for b.Loop() {
				err := d.run(b.Context(), Options{
					Scale: 0.05, Seed: 1,
					Create:   func(string) (io.WriteCloser, error) { return discard{}, nil },
					Progress: func(n, _ int64) { size = n },
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(size)
		})
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) Close() error                { return nil }
