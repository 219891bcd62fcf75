package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// TestBlocksInParts reads texts by blocks, and by blocks in parts: each block has the same rows.
func TestBlocksInParts(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 8))
		parts := 2 + rng.IntN(7)
		size := parts * (1 + rng.IntN(300))
		for name, text := range textsOfRows(rng) {
			table := columnar.Table{Name: "t", Format: "CSV", Columns: []columnar.TableColumn{
				{Name: "id", Header: "id", Format: columnar.FormatInt}, {Name: "text", Header: "text", Format: columnar.FormatText},
			}}
			if strings.HasSuffix(name, "json") {
				table.Format = "JSON"
			}
			whole := rowsByBlock(t, name, text, &table, Options{CSV: csv.Options{BlockSize: size}})
			divided := rowsByBlock(t, name, text, &table, Options{CSV: csv.Options{BlockSize: size}, Parts: parts})
			if !reflect.DeepEqual(whole, divided) {
				t.Fatalf("seed %d, %s: blocks of %d bytes in %d parts: %v; want %v", seed, name, size, parts, divided, whole)
			}
		}
	}
}

// textsOfRows returns rows in several formats, some longer than a block.
func textsOfRows(rng *rand.Rand) map[string][]byte {
	var table, lines, array bytes.Buffer
	table.WriteString("id,text\n")
	for i := range 1 + rng.IntN(60) {
		text := strings.Repeat("x\n\"{},[", rng.IntN(1+rng.IntN(40)))
		fmt.Fprintf(&table, "%d,\"%s\"\n", i, strings.ReplaceAll(text, `"`, `""`))
		object := fmt.Sprintf(`{"id": %d, "text": %q}`, i, text)
		lines.WriteString(object + "\n")
		array.WriteString(map[bool]string{true: "[", false: ",\n"}[i == 0] + object)
	}
	array.WriteString("]\n")
	return map[string][]byte{"t.csv": table.Bytes(), "lines.json": lines.Bytes(), "array.json": array.Bytes()}
}

// rowsByBlock returns the rows of each block, and how many blocks there are said to be.
func rowsByBlock(t *testing.T, name string, text []byte, table *columnar.Table, o Options) map[int64][][]string {
	t.Helper()
	s, err := Open(t.Context(), memFile(t, name, text), table, []string{"id", "text"}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	blocks := map[int64][][]string{}
	for w := s.NewWorker(); ; {
		c, err := w.Next(t.Context())
		if errors.Is(err, io.EOF) {
			blocks[-1] = [][]string{{fmt.Sprint(s.Progress().Blocks)}}
			return blocks
		}
		if err != nil {
			t.Fatal(err)
		}
		rows, err := materialiseAll(s, c)
		if err != nil {
			t.Fatal(err)
		}
		blocks[c.Index()] = append(blocks[c.Index()], rows...)
	}
}
