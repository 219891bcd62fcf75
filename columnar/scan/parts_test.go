package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// TestUnlikeRecords reads tables in which few records are not like the others: columns are made of the records
// between them. The result is that of blocks so small that each record is read by itself.
func TestUnlikeRecords(t *testing.T) {
	table := columnar.Table{Name: "unlike", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
		{Name: "city", Header: "city", Format: columnar.FormatOptional},
		{Name: "amount", Header: "amount", Format: columnar.FormatDecimal},
		{Name: "note", Header: "note", Format: columnar.FormatText, Required: true},
		{Name: "day", Header: "day", Format: columnar.FormatDay},
	}}
	unlike := []string{"# a comment, that is", "", "7,Ulm", "8,Ulm,1.5,a note,2024-01-01,,", "9,Ulm,1.5,a note,2024-01-01,more", "x,Ulm,1.5,a note,2024-01-01", "10,Ulm,1.5,,2024-01-01", ",,,,"}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 4))
		data := salesFile(100_000, func(b *bytes.Buffer, i int, cells []string) {
			separated(",", "")(b, i, cells)
			if rng.IntN(200) == 0 {
				b.WriteString(unlike[rng.IntN(len(unlike))] + "\n")
			}
		})
		if rng.IntN(3) == 0 {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		read := func(size int) collected {
			table.Dialect = columnar.Dialect{Comment: strings.Repeat("#", int(seed%2)), Pad: 5 * int(seed/2%2)}
			got, err := collect(memFile(t, "unlike.csv", data), &table, Options{CSV: csv.Options{BlockSize: size}}, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			got.stats.Progress = Progress{Rows: got.stats.Rows}
			return got
		}
		large, small := read(1<<20), read(100)
		if len(large.rows) < 1000 || !reflect.DeepEqual(large.rows, small.rows) {
			t.Fatalf("seed %d: %s", seed, firstUnlike(large.rows, small.rows))
		}
		if fmt.Sprint(large.rejects) != fmt.Sprint(small.rejects) || fmt.Sprint(large.stats) != fmt.Sprint(small.stats) {
			t.Fatalf("seed %d: rejects %+v and %+v, of %+v and %+v", seed, large.rejects, small.rejects, large.stats, small.stats)
		}
	}
}

func firstUnlike(a, b [][]string) string {
	for i := range min(len(a), len(b)) {
		if !reflect.DeepEqual(a[i], b[i]) {
			return fmt.Sprintf("row %d is %q and %q", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("there are %d and %d rows", len(a), len(b))
}
