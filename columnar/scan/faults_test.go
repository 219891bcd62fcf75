package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

// faultyRatings has a rejected row every ten, and a record that is too long.
func faultyRatings(rows int) []byte {
	b := bytes.NewBufferString("userId,movieId,rating,timestamp\n")
	for i := range rows {
		switch {
		case i%100 == 13:
			b.WriteString("\n")
		case i%10 == 3:
			fmt.Fprintf(b, "1,x%d,2.5,9\n", i)
		case i%50 == 7:
			fmt.Fprintf(b, "1,%d,,9\n", i)
		default:
			fmt.Fprintf(b, "1,%d,2.5,9\n", i)
		}
	}
	return b.Bytes()
}

// TestMaxRejects checks that a scan ends at the same row no matter how the file is read.
func TestMaxRejects(t *testing.T) {
	data := faultyRatings(2000)
	want := refScan(data, ratingsTable).rejects
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 5))
		limit := rng.IntN(len(want))
		opts := Options{CSV: csv.Options{BlockSize: 10 + rng.IntN(3000)}, LimitRejects: true, MaxRejects: int64(limit)}
		got, err := collect(memFile(t, "ratings.csv", data), ratingsTable, opts, 1+rng.IntN(4), nil)
		var e *InputError
		if !errors.Is(err, ErrTooManyRejects) || !errors.As(err, &e) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if e.Line != want[limit].Line || e.Reason != ReasonTooManyRejects || len(got.rejects) != limit+1 {
			t.Fatalf("seed %d: %v after %d rows, limit %d: want line %d", seed, e, len(got.rejects), limit, want[limit].Line)
		}
	}
	// Without OnReject, and with one sample.
	for limit, rejected := range want {
		s, err := Open(t.Context(), memFile(t, "ratings.csv", data), ratingsTable, nil, Options{
			CSV: csv.Options{BlockSize: 700}, LimitRejects: true, MaxRejects: int64(limit), Samples: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		var e *InputError
		for w := s.NewWorker(); err == nil; {
			_, err = w.Next(t.Context())
		}
		if !errors.As(err, &e) || e.Line != rejected.Line {
			t.Fatalf("limit %d: %v, not in line %d", limit, err, rejected.Line)
		}
		s.Close()
	}
	opts := Options{LimitRejects: true, MaxRejects: int64(len(want))}
	if _, err := collect(memFile(t, "ratings.csv", data), ratingsTable, opts, 2, nil); err != nil {
		t.Fatal(err)
	}
}

// TestFirstError has two records that are too long, and always names the first.
func TestFirstError(t *testing.T) {
	rows := string(faultyRatings(300))
	long := `1,"` + strings.Repeat("\n", 1000) + `",2,3` + "\n"
	data := []byte(rows + long + rows + long + rows)
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		opts := Options{CSV: csv.Options{BlockSize: 10 + rng.IntN(2000), MaxRecord: 500}}
		_, err := collect(memFile(t, "ratings.csv", data), ratingsTable, opts, 1+rng.IntN(4), nil)
		var e *InputError
		if !errors.As(err, &e) || e.Reason != csv.ReasonRecordTooLong || e.Line != 302 {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// lateFile is slow to read what follows the first block of 500 bytes, but not to
// read the second.
type lateFile struct{ vfs.File }

func (f lateFile) ReadAt(p []byte, off int64) (int, error) {
	if off == 500 && len(p) > 500 {
		time.Sleep(50 * time.Millisecond)
	}
	return f.File.ReadAt(p, off)
}

// TestLateError finds a later record that is too long before an earlier one.
func TestLateError(t *testing.T) {
	head := "userId,movieId,rating\n1,1,1\n"
	first := `1,"` + strings.Repeat("x", 10000)
	rows := `"` + "\n" + strings.Repeat("1,1,1\n", 1000)
	second := `1,"` + strings.Repeat("y", 1000) + `"` + "\n"
	data := []byte(head + first + rows + second + rows[2:])
	opts := Options{CSV: csv.Options{BlockSize: 500, MaxRecord: 900}}
	f := lateFile{memFile(t, "r.csv", data)}
	var e *InputError
	if _, err := collect(f, ratingsTable, opts, 3, nil); !errors.As(err, &e) || e.Line != 3 {
		t.Fatal(err)
	}
}

func TestSamples(t *testing.T) {
	data := faultyRatings(2000)
	for samples, want := range map[int]int{0: DefaultSamples, 2: 2, -1: 0} {
		got, err := collect(memFile(t, "ratings.csv", data), ratingsTable, Options{CSV: csv.Options{BlockSize: 100}, Samples: samples}, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		last := int64(0)
		for _, r := range got.stats.Samples {
			count[r.Reason]++
			if r.Line < last || r.Record != nil || r.File != "ratings.csv" {
				t.Fatalf("%+v", got.stats.Samples)
			}
			last = r.Line
		}
		if count["not-an-int"] != want || count["empty"] != want || count[RejectBlank] != 0 {
			t.Fatalf("%d: %v", samples, count)
		}
		first := Reject{File: "ratings.csv", Line: 5, Column: "movieId", Reason: "not-an-int", Cell: "x3"}
		if s := got.stats.Samples; want > 0 && fmt.Sprint(s[0]) != fmt.Sprint(first) {
			t.Fatalf("%+v", s[0])
		}
	}
}

func TestSamplesOfEveryColumn(t *testing.T) {
	data := []byte("userId,movieId,rating,timestamp\n" + strings.Repeat("1,,4.5,0\n", 19) + strings.Repeat("1,2,,0\n", 4) + "1,2,4.5,0\n")
	got, err := collect(memFile(t, "ratings.csv", data), ratingsTable, Options{CSV: csv.Options{BlockSize: 40}, Samples: 2}, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range got.stats.Samples {
		lines = append(lines, fmt.Sprintf("%d %s %s", r.Line, r.Reason, r.Column))
	}
	if want := "[2 empty movieId 3 empty movieId 21 empty rating 22 empty rating]"; fmt.Sprint(lines) != want {
		t.Errorf("samples %v, want %s", lines, want)
	}
	for most, fails := range map[float64]bool{0.95: true, 0.96: false, 1: false} { // 23 of 24
		if err := got.stats.CheckRejects(-1, most); errors.Is(err, ErrTooManyRejects) != fails {
			t.Errorf("%v are allowed: %v", most, err)
		}
	}
}

func TestOnRejectError(t *testing.T) {
	full := errors.New("no space")
	s, err := Open(t.Context(), memFile(t, "r.csv", faultyRatings(500)), ratingsTable, nil, Options{
		CSV: csv.Options{BlockSize: 100}, OnReject: func(Reject) error { return full },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			w := s.NewWorker()
			for {
				if _, err := w.Next(t.Context()); errors.Is(err, full) {
					return
				} else if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestReadErrors fails each operation on the file in turn.
func TestReadErrors(t *testing.T) {
	broken := errors.New("the disk is broken")
	mem := vfs.NewMem()
	f, err := mem.Create("r.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(faultyRatings(500)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for n := 0; ; n++ {
		left := n
		fs := vfstest.Inject(mem, func(op vfs.Op) error {
			if op.Kind == vfs.OpOpen || op.Kind == vfs.OpClose {
				return nil
			}
			if left--; left == -1 {
				return broken
			}
			return nil
		})
		f, err := fs.Open("r.csv")
		if err != nil {
			t.Fatal(err)
		}
		_, err = collect(f, ratingsTable, Options{CSV: csv.Options{BlockSize: 500}}, 3, nil)
		f.Close()
		if err == nil {
			if n < 10 {
				t.Fatalf("only %d operations", n)
			}
			return
		}
		var input *InputError
		if !errors.Is(err, broken) || errors.As(err, &input) {
			t.Fatalf("operation %d: %v", n, err)
		}
	}
}

// TestCancel cancels after some chunks; every worker returns, and the rejected
// rows told until then are the first of the file.
func TestCancel(t *testing.T) {
	data := faultyRatings(2000)
	want := refScan(data, ratingsTable).rejects
	for after := range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		var told []Reject
		s, err := Open(ctx, memFile(t, "r.csv", data), ratingsTable, nil, Options{
			CSV: csv.Options{BlockSize: 500}, OnReject: func(r Reject) error { told = append(told, r); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		chunks := make(chan struct{})
		for range 3 {
			wg.Go(func() {
				w := s.NewWorker()
				for {
					_, err := w.Next(ctx)
					if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					select {
					case chunks <- struct{}{}:
					case <-ctx.Done():
					}
				}
			})
		}
		for range after {
			<-chunks
		}
		cancel()
		wg.Wait()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for i, r := range told {
			if r.Line != want[i].Line {
				t.Fatalf("reject %d is line %d, not %d", i, r.Line, want[i].Line)
			}
		}
	}
}

func TestMaterialiseErrors(t *testing.T) {
	s, err := Open(t.Context(), memFile(t, "r.csv", []byte("movieId,rating\n1,2\n")), ratingsTable, []string{"rating"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.NewWorker().Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct {
		columns []int
		sel     []int32
	}{{[]int{1}, nil}, {[]int{-1}, nil}, {[]int{0}, []int32{1}}, {[]int{0}, []int32{-1}}} {
		if _, err := c.Materialise(bad.columns, bad.sel); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
	rows, err := c.Materialise(nil, nil)
	if err != nil || rows.Len != 1 || len(rows.Cols) != 0 {
		t.Fatal(rows, err)
	}
}

// TestStrict rejects rows for cells of strict columns that do not fit, also of columns that
// are not asked for. Empty cells and null words are null.
func TestStrict(t *testing.T) {
	table := &columnar.Table{Name: "t", Columns: []columnar.TableColumn{
		{Name: "a", Header: "a", Format: columnar.FormatInt, Strict: true},
		{Name: "b", Header: "b", Format: columnar.FormatDay, Strict: true},
		{Name: "c", Header: "c", Format: columnar.FormatOptional, Strict: true},
		{Name: "d", Header: "d", Format: columnar.FormatInt},
		{Name: "e", Header: "none", Format: columnar.FormatInt, Strict: true},
	}}
	data := "a,b,c,d\n1,2020-01-01,x,1\n,,,\n\"\",\"\",\"\",\"\"\nx,2020-01-01,,\n2,2020-02-30,,\n3,2020-02-28,y,z\n\"NA\",-,NA,NA\nNAN,NULL,,\n"
	var rejects []string
	s, err := Open(t.Context(), memFile(t, "t.csv", []byte(data)), table, []string{"a", "d"}, Options{OnReject: func(r Reject) error {
		rejects = append(rejects, fmt.Sprintf("%d %s %s %s", r.Line, r.Column, r.Reason, r.Cell))
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.NewWorker().Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := c.Materialise([]int{0, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(texts(rows)); got != "[[1 1] [null null] [null null] [3 null] [null null]]" {
		t.Error(got)
	}
	if got := strings.Join(rejects, "; "); got != "5 a not-an-int x; 6 b not-a-date 2020-02-30; 9 a not-an-int NAN" {
		t.Error(got)
	}
}
