package answers

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
)

// counted counts what is written.
type counted struct{ n int64 }

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// BenchmarkFormats writes 8,192 rows of a number, a text, a list and a mean.
func BenchmarkFormats(b *testing.B) {
	const rows = 8192
	columns := columnar.Schema{
		{Name: "id", Type: columnar.Int},
		{Name: "title", Type: columnar.Text},
		{Name: "authors", Type: columnar.TextList},
		{Name: "mean", Type: columnar.Float},
	}
	vs := make([]*columnar.Vector, len(columns))
	for i, c := range columns {
		vs[i] = columnar.NewVector(c.Type)
	}
	for i := range rows {
		vs[0].AppendInt(int64(i) * 7919)
		vs[1].AppendBytes(fmt.Appendf(nil, "A title of a book, with a comma, number %d", i))
		vs[2].Child.AppendBytes([]byte("Somebody"))
		vs[2].Child.AppendBytes([]byte("Nobody"))
		vs[2].EndList()
		vs[3].AppendFloat(float64(i) / 7)
	}
	batch := columnar.Rows{Len: rows, Cols: vs}
	for _, f := range Formats() {
		b.Run(f, func(b *testing.B) {
			var out counted
			if err := writeBatch(&out, Format(f), columns, batch); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(out.n)
			b.ReportAllocs()
			for b.Loop() {
				if err := writeBatch(io.Discard, Format(f), columns, batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func writeBatch(w io.Writer, f Format, columns columnar.Schema, batch columnar.Rows) error {
	set, err := NewStream(w, Options{Format: f, Queries: 1})
	if err != nil {
		return err
	}
	if err := set.Begin("q1", columns); err != nil {
		return err
	}
	if err := set.Write(batch); err != nil {
		return err
	}
	if err := set.End(); err != nil {
		return err
	}
	return set.Finish()
}

// BenchmarkParquet writes two row groups of the kinds of columns that tables have, by compression.
func BenchmarkParquet(b *testing.B) {
	const rows = 2 * rowGroupRows
	columns := columnar.Schema{
		{Name: "id", Type: columnar.Int},
		{Name: "part", Type: columnar.Int},
		{Name: "quantity", Type: columnar.Int},
		{Name: "price", Type: columnar.Decimal},
		{Name: "rate", Type: columnar.Float},
		{Name: "flag", Type: columnar.Text},
		{Name: "day", Type: columnar.Date},
		{Name: "comment", Type: columnar.Text},
	}
	all, rng := columnar.NewRows(columns), rand.New(rand.NewPCG(1, 1))
	for i := range int64(rows) {
		all.Cols[0].AppendInt(i)
		all.Cols[1].AppendInt(rng.Int64N(200_000))
		all.Cols[2].AppendInt(rng.Int64N(50))
		all.Cols[3].AppendInt(rng.Int64N(10_000_000) * 10_000)
		all.Cols[4].AppendFloat(rng.Float64())
		all.Cols[5].AppendBytes([]byte{"ANR"[rng.IntN(3)]})
		all.Cols[6].AppendInt(8000 + rng.Int64N(2500))
		all.Cols[7].AppendBytes(fmt.Appendf(nil, "comment about %d furiously", rng.IntN(1e8)))
	}
	all.Len = rows
	var batches []columnar.Rows
	for lo := 0; lo < rows; lo += columnar.PageRows {
		part := columnar.NewRows(columns)
		part.AppendRange(all, lo, min(lo+columnar.PageRows, rows))
		batches = append(batches, part)
	}
	for _, compression := range []string{"uncompressed", "snappy", "zstd", "gzip"} {
		b.Run(compression, func(b *testing.B) {
			write := func(out io.Writer) {
				e := &parquetEncoder{out: out, codec: parquetCodecs[compression]}
				err := e.begin("q", columns)
				for _, batch := range batches {
					err = errors.Join(err, e.write(batch))
				}
				if err = errors.Join(err, e.end()); err != nil {
					b.Fatal(err)
				}
			}
			var out counted
			write(&out)
			b.ReportMetric(float64(out.n)/rows, "bytes/row")
			b.ReportAllocs()
			for b.Loop() {
				write(io.Discard)
			}
		})
	}
}
