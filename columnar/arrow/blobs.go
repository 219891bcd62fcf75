package arrow

import (
	"errors"
	"math"

	"analyzer/columnar/ipc"
	"analyzer/columnar/number"
)

// blobs reads bytes whose offsets say where they are.
func blobs(r *reading, at, n int64) error {
	width := int64(4)
	if r.part.Kind == ipc.LargeBinary {
		width = 8
	}
	ends, data, err := r.varying(width, at, n)
	if err != nil {
		return err
	}
	return r.encode(func(dst []byte, i int) []byte { return append(dst, data[ends[i]-ends[0]:ends[i+1]-ends[0]]...) })
}

// fixedBlobs reads bytes of which all values have the same number.
func fixedBlobs(r *reading, at, n int64) error {
	width := r.part.Width
	if width < 0 || n*width > math.MaxInt32 || at > math.MaxInt64/max(width, 1) {
		return errors.New("the values of consecutive rows are too long")
	}
	if width == 0 {
		return r.encode(func(dst []byte, _ int) []byte { return dst })
	}
	stored, err := r.bytes(1, width, at, n)
	if err != nil {
		return err
	}
	return r.encode(func(dst []byte, i int) []byte { return append(dst, stored[int64(i)*width:int64(i+1)*width]...) })
}

// uuids reads the bytes of UUIDs.
func uuids(r *reading, at, n int64) error {
	stored, err := r.bytes(1, number.UUIDBytes, at, n)
	if err != nil {
		return err
	}
	r.vector.Wides = growTo(r.vector.Wides, int(n))
	for i := range r.vector.Wides {
		r.vector.Wides[i] = number.Int128{}
		if !r.vector.IsNull(i) {
			r.vector.Wides[i] = number.UUIDOf(stored[i*number.UUIDBytes:])
		}
	}
	return nil
}
