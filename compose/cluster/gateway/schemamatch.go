package gateway

import (
	"errors"
	"fmt"

	"analyzer/columnar"
)

// Slots of the flatbuffer tables of a schema message, and the numbers of Arrow's
// types (Message.fbs and Schema.fbs of Arrow).
const (
	messageHeaderType, messageHeader = 1, 2
	schemaEndianness, schemaFields   = 0, 1

	fieldName, fieldTypeKind, fieldType = 0, 2, 3
	fieldDictionary, fieldChildren      = 4, 5

	intWidth, intSigned            = 0, 1
	floatPrecision                 = 0
	decimalPrecision, decimalScale = 0, 1

	headerSchema = 1

	typeInt, typeFloat, typeBinary, typeText = 2, 3, 4, 5
	typeBool, typeDecimal, typeList          = 6, 7, 12
)

// matchSchema checks that a message is a schema with the given columns, whoever
// wrote it: names, types and their order. Whether columns may hold nulls and what
// else is said of them does not matter. Nothing is allocated by what the bytes say.
func matchSchema(header []byte, want columnar.Schema) error {
	message, err := rootTable(header)
	if err != nil {
		return err
	}
	kind, err := message.byteAt(messageHeaderType)
	if err != nil {
		return err
	}
	if kind != headerSchema {
		return fmt.Errorf("a message of type %d", kind)
	}
	schema, err := message.table(messageHeader)
	if err != nil {
		return err
	}
	if little, err := schema.are(fbNumber{schemaEndianness, 2, 0}); err != nil || !little {
		return errors.Join(err, errors.New("numbers are not little endian"))
	}
	fields, err := schema.vector(schemaFields)
	if err != nil {
		return err
	}
	if fields.count != len(want) {
		return fmt.Errorf("it has %d columns, the scan reads %d", fields.count, len(want))
	}
	for i, f := range want {
		field, err := fields.table(i)
		if err != nil {
			return err
		}
		if err := matchField(field, f.Name, f.Type); err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

// matchField checks one column; the items of a list may have any name.
func matchField(field fbTable, name string, t columnar.Type) error {
	got, err := field.text(fieldName)
	if err != nil {
		return err
	}
	if got != name && name != "" {
		return fmt.Errorf("it is %.100q, the scan reads %q", got, name)
	}
	if field.has(fieldDictionary) {
		return fmt.Errorf("%q is a dictionary", name)
	}
	kind, err := field.byteAt(fieldTypeKind)
	if err != nil {
		return err
	}
	ok, err := matchType(field, kind, t)
	if err == nil && !ok {
		err = fmt.Errorf("%q is of another type than %s, which is %s", name, t, t.Arrow())
	}
	return err
}

func matchType(field fbTable, kind byte, t columnar.Type) (bool, error) {
	if want := arrowKind(t); kind != want {
		return false, nil
	}
	details, err := field.table(fieldType)
	if err != nil {
		return false, err
	}
	switch t {
	case columnar.Int, columnar.Decimal:
		return details.are(fbNumber{intWidth, 4, 64}, fbNumber{intSigned, 1, 1})
	case columnar.Float:
		return details.are(fbNumber{floatPrecision, 2, 2})
	case columnar.Wide:
		return details.are(fbNumber{decimalPrecision, 4, 38}, fbNumber{decimalScale, 4, 6})
	case columnar.TextList, columnar.IntList:
		item := columnar.Text
		if t == columnar.IntList {
			item = columnar.Int
		}
		children, err := field.vector(fieldChildren)
		if err != nil || children.count != 1 {
			return false, err
		}
		child, err := children.table(0)
		if err != nil {
			return false, err
		}
		return true, matchField(child, "", item)
	}
	return true, nil
}

// arrowKind returns the number of the Arrow type that carries t.
func arrowKind(t columnar.Type) byte {
	switch t {
	case columnar.Bool:
		return typeBool
	case columnar.Int, columnar.Decimal:
		return typeInt
	case columnar.Float:
		return typeFloat
	case columnar.Text:
		return typeText
	case columnar.FloatSum:
		return typeBinary
	case columnar.Wide:
		return typeDecimal
	case columnar.TextList, columnar.IntList:
		return typeList
	}
	return 0
}
