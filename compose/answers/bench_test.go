package answers

import (
	"fmt"
	"io"
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
