package scan

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar/csv"
)

// FuzzScan reads whatever follows a good header and compares with the reference.
func FuzzScan(f *testing.F) {
	var headers []string
	for _, c := range allFormats.Columns {
		headers = append(headers, c.Header)
	}
	header := strings.Join(headers, ",") + "\n"
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 8))
		f.Add(randomTable(rng, allFormats, 5, 100), uint16(rng.IntN(200)), uint8(seed))
	}
	f.Add([]byte("1,a,2.5,true,2000-01-02,1999,[],,,,,,,,\r\n\"\"\n"), uint16(3), uint8(2))
	f.Fuzz(func(t *testing.T, rows []byte, blockSize uint16, workers uint8) {
		if bytes.IndexByte(rows, 0) >= 0 {
			return
		}
		data := append([]byte(header), rows...)
		opts := Options{CSV: csv.Options{BlockSize: 1 + int(blockSize)}}
		if err := compare(memFile(t, "fuzz.csv", data), data, opts, 1+int(workers%4), rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatal(err)
		}
	})
}
