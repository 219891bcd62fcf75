package csv

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
)

// salesIn makes rows in some dialect, of which the function writes one.
func salesIn(row func(b *bytes.Buffer, id int)) []byte {
	b := bytes.NewBufferString("id,shop,day,amount\n")
	for id := 1; b.Len() < 2*DefaultBlockSize; id++ {
		row(b, id)
	}
	return b.Bytes()
}

func writeSale(b *bytes.Buffer, id int) {
	fmt.Fprintf(b, "%d,shop %d,2020-%02d-%02d,%d.%02d\n", id, id%500, 1+id%12, 1+id%28, id%10007, id%100)
}

// BenchmarkColumn takes the columns of a block in memory, of which few records are not as the others, or
// many, or none.
func BenchmarkColumn(b *testing.B) {
	withComments := func(every int) []byte {
		return salesIn(func(b *bytes.Buffer, id int) {
			if id%every == 0 {
				b.WriteString("# checked\n")
			}
			writeSale(b, id)
		})
	}
	short := func(every int) []byte {
		return salesIn(func(b *bytes.Buffer, id int) {
			if id%every == 0 {
				fmt.Fprintf(b, "%d,shop\n", id)
			} else {
				writeSale(b, id)
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	ragged := salesIn(func(b *bytes.Buffer, id int) {
		fmt.Fprintf(b, "%s\n", strings.Join([]string{fmt.Sprint(id), "shop", "2020-01-01", fmt.Sprint(id % 10007)}[:1+rng.IntN(4)], ","))
	})
	quoted := func(format string) []byte {
		return salesIn(func(b *bytes.Buffer, id int) {
			fmt.Fprintf(b, format, id, id%500, id%1e4)
		})
	}
	comments, padding := columnar.Dialect{Comment: "#"}, columnar.Dialect{Pad: 4}
	for _, file := range []struct {
		name    string
		data    []byte
		dialect columnar.Dialect
	}{
		{"plain", salesIn(writeSale), columnar.Dialect{}},
		{"few comments", withComments(1000), comments},
		{"many comments", withComments(3), comments},
		{"few short", short(1000), padding},
		{"many short", short(3), padding},
		{"ragged", ragged, padding},
		{"two colons", bytes.ReplaceAll(salesIn(writeSale), []byte(","), []byte("::")), columnar.Dialect{Delimiter: "::"}},
		{"quoted", quoted(`"%d","shop %d","2021-01-01","%d"` + "\n"), columnar.Dialect{}},
		{"spaced", quoted(`"%d", "shop %d", "2021-01-01", "%d"` + "\n"), columnar.Dialect{Spaced: true}},
		{"backslashes", quoted(`"%d","the \"shop\" %d","2021-01-01","%d"` + "\n"), columnar.Dialect{Escape: `\`}},
	} {
		b.Run(file.name, func(b *testing.B) {
			r, err := Open(context.Background(), newFile(file.data), Options{Dialect: file.dialect})
			if err != nil {
				b.Fatal(err)
			}
			var blk Block
			if err := r.Next(context.Background(), &blk); err != nil {
				b.Fatal(err)
			}
			var records []int32
			for i := range blk.Len() {
				if blk.Fields(i) > 0 {
					records = append(records, int32(i))
				}
			}
			b.SetBytes(int64(len(blk.Data())))
			var column Column
			b.ReportAllocs()
			for b.Loop() {
				blk.made.forget()
				for c := range 4 {
					blk.Values(&column, c, records)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*4*len(records)), "ns/cell")
		})
	}
}
