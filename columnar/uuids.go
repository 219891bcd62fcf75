package columnar

import (
	"errors"
	"reflect"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar/number"
)

// UUIDExtension is the name by which Arrow knows UUIDs, which are 16 bytes, for other programs.
const UUIDExtension = "arrow.uuid"

// uuidType is that extension type, as schemas announce it. No array of the Arrow package has it.
type uuidType struct{ arrow.ExtensionBase }

var uuids = &uuidType{arrow.ExtensionBase{Storage: &arrow.FixedSizeBinaryType{ByteWidth: number.UUIDBytes}}}

func (*uuidType) ArrayType() reflect.Type { return nil }

func (*uuidType) ExtensionName() string { return UUIDExtension }

func (*uuidType) ExtensionEquals(other arrow.ExtensionType) bool {
	return other.ExtensionName() == UUIDExtension
}

func (*uuidType) Serialize() string { return "" }

func (*uuidType) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return nil, errors.ErrUnsupported
}
