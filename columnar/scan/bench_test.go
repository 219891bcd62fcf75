package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

var ratingsTable = &columnar.Table{Name: "ratings", Columns: []columnar.TableColumn{
	{Name: "user_id", Header: "userId", Format: columnar.FormatInt},
	{Name: "movie_id", Header: "movieId", Format: columnar.FormatInt, Required: true},
	{Name: "rating", Header: "rating", Format: columnar.FormatDecimal, Required: true},
}}

var reviewsTable = &columnar.Table{Name: "reviews", Columns: []columnar.TableColumn{
	{Name: "app_id", Header: "app_id", Format: columnar.FormatInt, Required: true},
	{Name: "review_text", Header: "review_text", Format: columnar.FormatText, Required: true},
	{Name: "review_score", Header: "review_score", Format: columnar.FormatInt, Required: true},
}}

// ratingsFile makes rows like 1,31,2.5,1260759144.
func ratingsFile(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := bytes.NewBufferString("userId,movieId,rating,timestamp\n")
	for user := 1; b.Len() < size; user++ {
		fmt.Fprintf(b, "%d,%d,%d.%d,%d\n", user/20, rng.IntN(100000), rng.IntN(5), 5*rng.IntN(2), 800000000+rng.IntN(700000000))
	}
	return b.Bytes()
}

// reviewsFile makes rows of prose, most of them quoted.
func reviewsFile(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`this game is great , I have played it for hours and the ""story"" makes me laugh ; would not buy again , 10/10`)
	b := bytes.NewBufferString("app_id,app_name,review_text,review_score,review_votes\n")
	for b.Len() < size {
		fmt.Fprintf(b, "%d,A Name,\"", rng.IntN(1000000))
		for range 5 + rng.IntN(100) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		fmt.Fprintf(b, "\",%d,0\n", 1-2*rng.IntN(2))
	}
	return b.Bytes()
}

func BenchmarkScanRatings(b *testing.B) {
	benchmarkScan(b, ratingsTable, []string{"movie_id", "rating"}, openBench(b, "RATINGS", ratingsFile))
}

func BenchmarkScanReviews(b *testing.B) {
	benchmarkScan(b, reviewsTable, []string{"app_id", "review_text", "review_score"}, openBench(b, "REVIEWS", reviewsFile))
}

// BenchmarkScanWords reads a column of short words that may be empty.
func BenchmarkScanWords(b *testing.B) {
	table := &columnar.Table{Name: "words", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatOptional}, {Name: "flag", Header: "flag", Format: columnar.FormatOptional},
	}}
	benchmarkScan(b, table, []string{"id", "flag"}, memFile(b, "bench.csv", func() []byte {
		rng := rand.New(rand.NewPCG(1, 2))
		file := []byte("id,flag\n")
		for len(file) < 32<<20 {
			file = fmt.Appendf(file, "id%d,%c\n", rng.IntN(100_000), 'A'+rune(rng.IntN(3)))
		}
		return file
	}()))
}

// BenchmarkScanDeclared checks the cells of columns of all usual types, which are declared.
func BenchmarkScanDeclared(b *testing.B) {
	table := &columnar.Table{Name: "sales", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt, Strict: true},
		{Name: "n", Header: "n", Format: columnar.FormatInt, Strict: true},
		{Name: "price", Header: "price", Format: columnar.FormatFloat, Strict: true},
		{Name: "tax", Header: "tax", Format: columnar.FormatDecimal, Strict: true},
		{Name: "day", Header: "day", Format: columnar.FormatDay, Strict: true},
		{Name: "time", Header: "time", Format: columnar.FormatTimestamp, Strict: true},
		{Name: "flag", Header: "flag", Format: columnar.FormatBool, Strict: true},
		{Name: "name", Header: "name", Format: columnar.FormatOptional},
	}}
	file := memFile(b, "bench.csv", func() []byte {
		rng := rand.New(rand.NewPCG(1, 2))
		file := []byte("id,n,price,tax,day,time,flag,name\n")
		for i := 0; len(file) < 32<<20; i++ {
			file = fmt.Appendf(file, "%d,%d,%.2f,%d.%02d,2024-%02d-%02d,2024-%02d-%02d %02d:%02d:00,%v,name %d\n", i, rng.IntN(100_000), 1000*rng.Float64(), rng.IntN(100), rng.IntN(100),
				1+i%12, 1+i%28, 1+i%12, 1+i%28, i%24, i%60, i%3 == 0, i%1000)
		}
		return file
	}())
	benchmarkScan(b, table, []string{"n"}, file)
	for i := range table.Columns {
		b.Run("one="+table.Columns[i].Name, func(b *testing.B) {
			one := *table
			one.Columns = slices.Clone(table.Columns)
			for j := range one.Columns {
				if j != i {
					one.Columns[j].Format, one.Columns[j].Strict = columnar.FormatOptional, false
				}
			}
			benchmarkScan(b, &one, []string{one.Columns[i].Name}, file)
		})
	}
}

// openBench opens the file that an environment variable names, or one made in
// memory.
func openBench(b *testing.B, variable string, make func(int) []byte) vfs.File {
	var f vfs.File
	if name := os.Getenv(variable); name != "" {
		var err error
		if f, err = vfs.OS().Open(name); err != nil {
			b.Fatal(err)
		}
	} else {
		f = memFile(b, "bench.csv", make(32<<20))
	}
	b.Cleanup(func() { f.Close() })
	return f
}

// benchmarkScan scans a file without and with materialising its columns.
func benchmarkScan(b *testing.B, table *columnar.Table, columns []string, f vfs.File) {
	size, err := f.Size()
	if err != nil {
		b.Fatal(err)
	}
	for _, materialise := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("materialise=%v/workers=%d", materialise, workers), func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				rows, begin := int64(0), cpuTime()
				for b.Loop() {
					rows += scanOnce(b, table, columns, f, Options{}, workers, materialise)
				}
				b.ReportMetric(float64(rows)/1e6/b.Elapsed().Seconds(), "Mrows/s")
				b.ReportMetric(float64(rows)/1e6/(cpuTime()-begin).Seconds(), "Mrows/cpu-s")
			})
		}
	}
}

func scanOnce(b *testing.B, table *columnar.Table, columns []string, f vfs.File, opts Options, workers int, materialise bool) int64 {
	ctx := context.Background()
	s, err := Open(ctx, f, table, columns, opts)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	positions := make([]int, len(columns))
	for i := range positions {
		positions[i] = i
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := s.NewWorker()
			for {
				c, err := w.Next(ctx)
				if errors.Is(err, io.EOF) {
					return
				}
				if err != nil {
					b.Error(err)
					return
				}
				if !materialise {
					continue
				}
				if _, err := c.Materialise(positions, nil); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return s.Progress().Rows
}
