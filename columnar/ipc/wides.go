package ipc

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	numbers "analyzer/columnar/number"
)

// wides appends integers of 128 bits. For other programs, intervals are months, days and nanoseconds,
// which may not fit, and UUIDs their bytes.
func (e *encoder) wides(t columnar.Type, values []decimal128.Num) {
	switch {
	case e.public && t == columnar.Interval:
		e.intervals(values)
	case e.public && t == columnar.UUID:
		for _, bits := range values {
			e.out = numbers.AppendUUIDBytes(e.out, bits)
		}
	default:
		e.out = append(e.out, arrow.Decimal128Traits.CastToBytes(values)...)
	}
}

func (e *encoder) intervals(values []decimal128.Num) {
	for _, bits := range values {
		i := numbers.IntervalOf(bits)
		nanos, ok := i.Nanos()
		if !ok {
			e.err = fmt.Errorf("the interval %s has more nanoseconds than fit: %w", numbers.AppendInterval(nil, i), columnar.ErrNoForm)
		}
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(i.Months))
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(i.Days))
		e.out = binary.LittleEndian.AppendUint64(e.out, uint64(nanos))
	}
}
