package ipc

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"analyzer/columnar"
)

// Schema returns the metadata of a schema message, as at the beginning of files and streams.
// Such a message has no body.
func Schema(schema *arrow.Schema) ([]byte, error) {
	var stream bytes.Buffer
	err := ipc.NewWriter(&stream, ipc.WithSchema(schema)).Close()
	if err == nil {
		var metadata []byte
		metadata, _, err = Split(stream.Bytes())
		if err == nil {
			return metadata, nil
		}
	}
	return nil, fmt.Errorf("write the schema %s: %w", schema, err)
}

// Slots of the flatbuffer tables Schema, Field and Bool, Int and so on
// (Schema.fbs).
const (
	schemaEndianness, schemaFields   = 0, 1
	fieldName, fieldTypeKind         = 0, 2
	fieldType, fieldDict, fieldItems = 3, 4, 5
	fieldMetadata                    = 6
)

// typeDetail is a field of a type's table, with the value that it must have.
type typeDetail struct {
	number
	value uint64
}

// decimalScale is the number of decimal places of a decimal.
var decimalScale = number{1, 4, 0}

// arrowTypes are the types of columns, with the numbers and fields of Schema.fbs.
var arrowTypes = map[arrow.Type]struct {
	kind    uint64
	details []typeDetail
}{
	arrow.INT64:      {2, []typeDetail{{number{0, 4, 0}, 64}, {number{1, 1, 0}, 1}}},     // bits, signed
	arrow.FLOAT64:    {3, []typeDetail{{number{0, 2, 0}, 2}}},                            // precision
	arrow.DECIMAL128: {7, []typeDetail{{number{0, 4, 0}, 38}, {number{2, 4, 128}, 128}}}, // precision, bits; the scale is decimalScale
	arrow.BINARY:     {kind: 4},
	arrow.STRING:     {kind: 5},
	arrow.BOOL:       {kind: 6},
	arrow.LIST:       {kind: 12},
}

// MatchSchema checks that metadata, from any writer, is a schema message for the given
// columns: their names, types and order. It ignores whether columns may hold nulls, and all
// other properties. No length in the bytes causes an allocation.
func MatchSchema(metadata []byte, want columnar.Schema) error {
	schema, err := messageTable(metadata, headerSchema)
	if err != nil {
		return err
	}
	if big, err := schema.number(number{slot: schemaEndianness, size: 2}); err != nil || big != 0 {
		return errors.Join(err, errors.New("numbers are not little endian"))
	}
	fields, err := schema.vector(schemaFields, offsetSize)
	if err != nil {
		return err
	}
	if fields.count != len(want) {
		return fmt.Errorf("it has %d columns, not %d", fields.count, len(want))
	}
	for i, f := range want {
		field, err := fields.table(i)
		if err != nil {
			return err
		}
		name, err := field.vector(fieldName, 1)
		if err != nil {
			return err
		}
		if got := name.bytes(1); string(got) != f.Name {
			return fmt.Errorf("column %d is %.100q, not %q", i, got, f.Name)
		}
		same, err := matchType(field, f.Type.Arrow())
		if err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("column %d: %q is of another type than %s, which is %s", i, f.Name, f.Type, f.Type.Arrow())
		}
	}
	return nil
}

// matchType reports whether a field has the given type. The items of a list may have any name.
func matchType(field table, want arrow.DataType) (bool, error) {
	expected, known := arrowTypes[want.ID()]
	kind, err := field.number(number{slot: fieldTypeKind, size: 1})
	if err != nil || !known || kind != expected.kind || field.has(fieldDict) {
		return false, err
	}
	details, err := field.table(fieldType)
	if err != nil {
		return false, err
	}
	for _, d := range expected.details {
		if got, err := details.number(d.number); err != nil || got != d.value {
			return false, err
		}
	}
	if d, ok := want.(*arrow.Decimal128Type); ok {
		scale, err := details.number(decimalScale)
		return err == nil && scale == uint64(d.Scale), err
	}
	list, ok := want.(*arrow.ListType)
	if !ok {
		return true, nil
	}
	items, err := field.vector(fieldItems, offsetSize)
	if err != nil || items.count != 1 {
		return false, err
	}
	item, err := items.table(0)
	if err != nil {
		return false, err
	}
	return matchType(item, list.Elem())
}
