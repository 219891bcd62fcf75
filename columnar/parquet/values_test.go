package parquet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
)

// FuzzValues reads whatever bytes as values of any type in any encoding: what is read in pieces between which values
// are passed over, from a file where the values need not be there at once, is what is read at once.
func FuzzValues(f *testing.F) {
	types := []parquet.Type{
		parquet.Types.Boolean, parquet.Types.Int32, parquet.Types.Int64, parquet.Types.Int96, parquet.Types.Float, parquet.Types.Double,
		parquet.Types.ByteArray, parquet.Types.FixedLenByteArray,
	}
	raw := []columnar.Type{
		columnar.Bool, columnar.Int, columnar.Int, columnar.Int, columnar.Float, columnar.Float, columnar.Text, columnar.Text,
	}
	encodings := []parquet.Encoding{
		parquet.Encodings.Plain, parquet.Encodings.RLE, parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray,
		parquet.Encodings.DeltaByteArray, byteStreamSplit,
	}
	for kind := range uint8(len(types)) {
		f.Add(bytes.Repeat([]byte{1, 0, 0, 0}, 30), kind, uint8(0), uint8(10), uint64(0x5a5a))
	}
	f.Add(binary.LittleEndian.AppendUint32(nil, 1<<31), uint8(6), uint8(0), uint8(1), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, kind, encoding, n uint8, reads uint64) {
		k, e := kind%uint8(len(types)), encodings[encoding%uint8(len(encodings))]
		node := schema.MustPrimitive(schema.NewPrimitiveNode("v", parquet.Repetitions.Required, types[k], -1, 3))
		column := schema.NewColumn(node, 0, 0)
		page := page{kind: dataPage, entries: int(n), encoding: e, values: data}
		whole, all := columnar.NewVector(raw[k]), values{}
		err := all.begin(&pages{column: column, page: page})
		if err == nil {
			err = all.append(whole, int(n))
		}
		if err != nil {
			return
		}
		whole.Len = int(n)
		var some values
		from := pages{column: column, page: page}
		if from.inParts() {
			from.values = nil
			from.stored.open(bytes.NewReader(data), 0, int64(len(data)))
			if err := from.content.open(&from.stored, len(data), len(data), false); err != nil {
				t.Fatal(err)
			}
		}
		if err := some.begin(&from); err != nil {
			t.Fatal(err)
		}
		for at := 0; at < int(n); reads = reads>>4 | reads<<60 {
			part := min(int(reads>>1&7)+1, int(n)-at)
			if reads&1 == 0 {
				if err := some.skip(part); err != nil {
					t.Fatal(err)
				}
				at += part
				continue
			}
			v := columnar.NewVector(raw[k])
			if err := some.append(v, part); err != nil {
				t.Fatal(err)
			}
			v.Len = part
			for i := range part {
				if got, want := v.AppendText(nil, i), whole.AppendText(nil, at+i); !slices.Equal(got, want) {
					t.Fatalf("value %d of type %s in %s is %q, want %q", at+i, types[k], e, got, want)
				}
			}
			at += part
		}
	})
}
