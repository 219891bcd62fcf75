package ipc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// workloads are batches of the sizes that are sent.
func workloads() []workload {
	rng := rand.New(rand.NewPCG(1, 1))
	var loads []workload
	for _, kib := range []int{64, 256} {
		loads = append(loads, workload{fmt.Sprintf("ints/%dKiB", kib), ints, rowtest.Random(rng, ints, kib<<10/16, 0)})
		loads = append(loads, workload{fmt.Sprintf("names/%dKiB", kib), names, randomNames(rng, kib<<10/40)})
		loads = append(loads, workload{fmt.Sprintf("every/%dKiB", kib), everyType, rowtest.Random(rng, everyType, kib<<10/115, 1)})
	}
	return loads
}

var (
	ints  = columnar.Schema{{Name: "key", Type: columnar.Int}, {Name: "value", Type: columnar.Int}}
	names = columnar.Schema{{Name: "name", Type: columnar.Text}, {Name: "count", Type: columnar.Int}}
)

type workload struct {
	name   string
	schema columnar.Schema
	rows   columnar.Rows
}

// randomNames are rows as a group-by sends them: a name and a small number.
func randomNames(rng *rand.Rand, rows int) columnar.Rows {
	out := columnar.NewRows(names)
	out.Len = rows
	for range rows {
		out.Cols[0].AppendBytes(fmt.Appendf(nil, "Group of users number %d", rng.IntN(1_000_000)))
		out.Cols[1].AppendInt(rng.Int64N(1000))
	}
	return out
}

func BenchmarkAppend(b *testing.B) {
	for _, load := range workloads() {
		b.Run(load.name, func(b *testing.B) {
			dst := encode(b, load.schema, load.rows)
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Append(dst[:0], load.schema, load.rows); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkArrowWriter is the same by way of Arrow's own writer.
func BenchmarkArrowWriter(b *testing.B) {
	for _, load := range workloads() {
		b.Run(load.name, func(b *testing.B) {
			var stream bytes.Buffer
			writeAll(b, Layout{Stream: true}, &stream, load.schema, 0, []columnar.Rows{load.rows})
			r, err := ipc.NewReader(&stream)
			if err != nil || !r.Next() {
				b.Fatal(err)
			}
			defer r.Release()
			w := ipc.NewWriter(&stream, ipc.WithSchema(load.schema.Arrow()))
			b.SetBytes(int64(len(encode(b, load.schema, load.rows))))
			b.ReportAllocs()
			for b.Loop() {
				stream.Reset()
				if err := w.Write(r.Record()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, load := range workloads() {
		b.Run(load.name, func(b *testing.B) {
			body := encode(b, load.schema, load.rows)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(load.schema, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
