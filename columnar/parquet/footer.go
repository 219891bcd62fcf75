package parquet

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/apache/thrift/lib/go/thrift"
)

// checkSchema refuses a schema in which a field has more parts than there are: Arrow makes
// room for as many as it says. What else is wrong with the footer, Arrow finds itself. The
// numbers of the fields are those of parquet.thrift of the format.
func checkSchema(f io.ReaderAt, size int64) error {
	const fileSchema, fieldParts, tailBytes = 2, 5, 8
	var tail [tailBytes]byte
	if _, err := f.ReadAt(tail[:], size-tailBytes); err != nil {
		return err
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

// structFields goes through a struct. What read does not take is passed over.
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
