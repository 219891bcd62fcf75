package gateway

import (
	"fmt"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/flight"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
)

// checkSchema checks that a stream has the schema of its scan; node is the scan's node.
func checkSchema(s *scatter.Scan, node int, header []byte) error {
	if err := ipc.MatchSchema(header, s.Schema()); err != nil {
		return badBatch("the schema is not that of scan %d, which reads %s: %v", node, s.Schema(), err)
	}
	return nil
}

func badBatch(format string, args ...any) error {
	return protocol.Errorf(protocol.BadBatch, format, args...)
}

func tooLarge(what string) error {
	return protocol.Errorf(protocol.TooLarge, "%s; open the job with smaller blocks (--block-size)", what)
}

// decode decodes a batch of a scan from a client's bytes. The rows share the bytes, which
// decode may change. It checks everything that is read later: lengths and offsets, and
// that texts are UTF-8.
func decode(schema columnar.Schema, d *flight.FlightData) (columnar.Rows, error) {
	rows, err := ipc.DecodeParts(schema, d.DataHeader, d.DataBody)
	if err != nil {
		return columnar.Rows{}, badBatch("%v", err)
	}
	if rows.Len > protocol.MaxRows {
		return columnar.Rows{}, tooLarge(fmt.Sprintf("%v: it has %d rows; %d are possible", scatter.ErrTooLarge, rows.Len, protocol.MaxRows))
	}
	for i, v := range rows.Cols {
		if !validText(v) {
			return columnar.Rows{}, badBatch("column %q holds text that is not UTF-8", schema[i].Name)
		}
		rows.Cols[i] = cleaned(v)
	}
	return rows, nil
}

// bodySize returns the size in bytes of a batch's whole body. d may hold only its
// beginning.
func bodySize(d *flight.FlightData) (int64, error) {
	if len(d.DataHeader) == 0 {
		return int64(len(d.DataBody)), nil
	}
	n, err := ipc.BodySize(d.DataHeader)
	switch {
	case err != nil:
		return 0, badBatch("%v", err)
	case n > protocol.MaxBatch-uint64(len(d.DataHeader)):
		return 0, tooLarge(fmt.Sprintf("%v: a body of %d bytes; %d are possible with its header", scatter.ErrTooLarge, n, protocol.MaxBatch))
	case n < uint64(len(d.DataBody)):
		return 0, badBatch("a body of %d bytes that says it has %d", len(d.DataBody), n)
	}
	return int64(n), nil
}

// validText reports whether every text of a vector, or of its lists, is UTF-8.
func validText(v *columnar.Vector) bool {
	if v.Child != nil {
		return validText(v.Child)
	}
	if v.Type != columnar.Text {
		return true
	}
	lo, hi := v.Offsets[0], v.Offsets[v.Len]
	if !utf8.Valid(v.Data[lo:hi]) {
		return false
	}
	for _, at := range v.Offsets[:v.Len+1] {
		if at < hi && !utf8.RuneStart(v.Data[at]) {
			return false
		}
	}
	return true
}

// cleaned sets the slots of nulls to the values that Vector specifies.
func cleaned(v *columnar.Vector) *columnar.Vector {
	if v.Child != nil {
		v.Child = cleaned(v.Child)
	}
	if v.Valid == nil {
		return v
	}
	full := false // a null holds a text or a list
	for i, ok := range v.Valid {
		if ok {
			continue
		}
		switch v.Type.Kind() {
		case columnar.KindBool:
			v.Bools[i] = false
		case columnar.KindInt64:
			v.Ints[i] = 0
		case columnar.KindFloat64:
			v.Floats[i] = 0
		default:
			full = full || v.Offsets[i] != v.Offsets[i+1]
		}
	}
	if !full {
		return v
	}
	out := columnar.NewVector(v.Type)
	for i, ok := range v.Valid {
		if ok {
			out.AppendRange(v, i, i+1)
		} else {
			out.AppendNull()
		}
	}
	return out
}
