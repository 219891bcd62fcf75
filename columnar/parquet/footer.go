package parquet

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/apache/thrift/lib/go/thrift"

	"analyzer/columnar/input"
)

// checkSchema refuses a schema in which a field states more children than the schema has
// elements, because Arrow allocates memory for as many. Arrow detects all other faults of the
// footer. The field numbers are those of parquet.thrift of the format.
func checkSchema(f io.ReaderAt, size int64) error {
	const fileSchema, fieldParts, fieldLogical, tailBytes = 2, 5, 10, 8
	var tail [tailBytes]byte
	if _, err := f.ReadAt(tail[:], size-tailBytes); err != nil {
		return err
	}
	if string(tail[len(tail)-len(encrypted):]) == encrypted {
		return &input.MissingError{What: "the Parquet file is encrypted, which is not read", Hint: "write it without encryption"}
	}
	footer := int64(binary.LittleEndian.Uint32(tail[:]))
	stored := io.NewSectionReader(f, size-tailBytes-footer, footer)
	p := thrift.NewTCompactProtocolConf(thrift.NewStreamTransportR(bufio.NewReader(stored)), nil)
	return structFields(p, func(field int16, is thrift.TType) (bool, error) {
		if field != fileSchema || is != thrift.LIST {
			return false, nil
		}
		_, n, err := p.ReadListBegin(context.Background())
		for i := 0; i < n && err == nil; i++ {
			err = structFields(p, func(field int16, is thrift.TType) (bool, error) {
				if field == fieldLogical && is == thrift.STRUCT {
					return true, checkLogicalType(p)
				}
				if field != fieldParts || is != thrift.I32 {
					return false, nil
				}
				parts, err := p.ReadI32(context.Background())
				if err == nil && int(parts) > n {
					err = fmt.Errorf("a field has %d parts of %d", parts, n)
				}
				return true, err
			})
		}
		return true, err
	})
}

// structFields reads a struct. It calls read for each field, and skips fields for which read
// returns false.
func structFields(p thrift.TProtocol, read func(field int16, is thrift.TType) (bool, error)) error {
	ctx := context.Background()
	if _, err := p.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, is, field, err := p.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if is == thrift.STOP {
			return p.ReadStructEnd(ctx)
		}
		taken, err := read(field, is)
		if err == nil && !taken {
			err = thrift.SkipDefaultDepth(ctx, p, is)
		}
		if err != nil {
			return err
		}
	}
}
