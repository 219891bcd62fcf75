package ipc

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"pgregory.net/rapid"

	"analyzer/columnar"
)

// schemaOf returns the metadata that announces a schema.
func schemaOf(t interface{ Fatal(...any) }, schema *arrow.Schema) []byte {
	metadata, err := Schema(schema)
	if err != nil {
		t.Fatal(err)
	}
	return metadata
}

func FuzzMatchSchema(f *testing.F) {
	f.Add(schemaOf(f, everyType.Arrow()))
	f.Add(schemaOf(f, everyType[1:].Arrow()))
	f.Fuzz(func(t *testing.T, metadata []byte) {
		if MatchSchema(metadata, everyType) == nil && len(metadata) < 4*len(everyType) {
			t.Fatal("a schema without columns is taken for one with some")
		}
		_, _ = BodySize(metadata)
	})
}

// A schema matches the schema it was written from and no other.
func TestSchemasMatchThemselves(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) columnar.Schema {
		var s columnar.Schema
		for range rapid.IntRange(0, 5).Draw(t, "columns") {
			f := rapid.SampledFrom(everyType).Draw(t, "type")
			f.Name = rapid.SampledFrom([]string{"a", "b", "ä"}).Draw(t, "name")
			s = append(s, f)
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		metadata := schemaOf(t, a.Arrow())
		if err := MatchSchema(metadata, a); err != nil {
			t.Fatalf("%s is not itself: %v", a, err)
		}
		// Decimals and dates are integers to Arrow, in lists as well.
		same := slices.EqualFunc(a, b, func(f, g columnar.Field) bool {
			return f.Name == g.Name && arrow.TypeEqual(f.Type.Arrow(), g.Type.Arrow())
		})
		if err := MatchSchema(metadata, b); (err == nil) != same {
			t.Fatalf("%s against %s: %v", a, b, err)
		}
		for range 20 { // and no byte of it can make the reader look elsewhere
			flipped := bytes.Clone(metadata)
			flipped[rapid.IntRange(0, len(metadata)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			_ = MatchSchema(flipped, a)
		}
	})
}

// MatchSchema distinguishes similar Arrow types.
func TestTypesThatLookAlike(t *testing.T) {
	for want, others := range map[columnar.Type][]arrow.DataType{
		columnar.Int:      {arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Uint64, arrow.FixedWidthTypes.Timestamp_us},
		columnar.Float:    {arrow.PrimitiveTypes.Float32},
		columnar.Text:     {arrow.BinaryTypes.LargeString, arrow.BinaryTypes.Binary, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}},
		columnar.Wide:     {&arrow.Decimal128Type{Precision: 38, Scale: 5}, &arrow.Decimal128Type{Precision: 37, Scale: 6}, &arrow.Decimal256Type{Precision: 38, Scale: 6}},
		columnar.Huge:     {columnar.Wide.Arrow(), &arrow.Decimal128Type{Precision: 37}},
		columnar.TextList: {arrow.ListOf(arrow.PrimitiveTypes.Int64), arrow.LargeListOf(arrow.BinaryTypes.String), arrow.FixedSizeListOf(1, arrow.BinaryTypes.String)},
	} {
		schema := columnar.Schema{{Name: "x", Type: want}}
		for _, other := range append(others, want.Arrow()) {
			metadata := schemaOf(t, arrow.NewSchema([]arrow.Field{{Name: "x", Type: other}}, nil))
			if err := MatchSchema(metadata, schema); (err == nil) != arrow.TypeEqual(other, want.Arrow()) {
				t.Errorf("%s against %s: %v", other, want, err)
			}
		}
	}
}

func TestWhatIsNoSchema(t *testing.T) {
	schema := columnar.Schema{{Name: "name", Type: columnar.Int}}
	message := encode(t, schema, columnar.Rows{Len: 1, Cols: []*columnar.Vector{{Type: columnar.Int, Len: 1, Ints: []int64{1}}}})
	batch, _, err := Split(message)
	if err != nil {
		t.Fatal(err)
	}
	var big bytes.Buffer
	swapped := schema.Arrow().WithEndianness(1 - schema.Arrow().Endianness())
	if err := ipc.NewWriter(&big, ipc.WithSchema(swapped)).Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		metadata []byte
		want     string
	}{
		"nothing":       {nil, "flatbuffer"},
		"a batch":       {batch, "a message of type 3"},
		"big endian":    {big.Bytes()[prefixSize:], "little endian"},
		"no columns":    {schemaOf(t, columnar.Schema{}.Arrow()), "it has 0 columns, not 1"},
		"another name":  {schemaOf(t, columnar.Schema{{Name: "nome", Type: columnar.Int}}.Arrow()), `column 0 is "nome", not "name"`},
		"another type":  {schemaOf(t, columnar.Schema{{Name: "name", Type: columnar.Text}}.Arrow()), `"name" is of another type than int`},
		"a second type": {schemaOf(t, arrow.NewSchema([]arrow.Field{{Name: "name", Type: arrow.Null}}, nil)), "another type"},
	} {
		if err := MatchSchema(c.metadata, schema); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
