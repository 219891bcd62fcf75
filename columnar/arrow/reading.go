package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// reader reads n values of a part, from a position on, into its vector, which is empty.
type reader func(r *reading, at, n int64) error

// reading is a worker's state of reading a part.
type reading struct {
	part    *part
	body    *body // in which batch
	length  int64 // values there
	nulls   bool  // some are null
	vector  *columnar.Vector
	valid   []bool
	buffers []*buffer
	open    []bool // which buffers are those of the batch
	items   *reading
	fields  []*reading
	offsets []int64
	sel     []int32
	words   *columnar.Vector // the values of a dictionary, with a null behind them
}

func newReading(p *part) *reading {
	r := &reading{part: p, vector: columnar.NewVector(p.typ)}
	if p.items != nil {
		r.items = newReading(p.items)
	}
	for _, field := range p.fields {
		r.fields = append(r.fields, newReading(field))
	}
	return r
}

// goTo makes the reading one of a batch.
func (r *reading) goTo(b *body) (err error) {
	r.body, r.words = b, nil
	clear(r.open)
	if r.length, r.nulls, err = b.length(r.part); err == nil && r.items != nil {
		err = r.items.goTo(b)
	}
	for i := 0; i < len(r.fields) && err == nil; i++ {
		err = r.fields[i].goTo(b)
	}
	return err
}

// take reads n values from a position on. The vector is valid until the next call.
func (r *reading) take(at, n int64) (err error) {
	if at < 0 || n < 0 || at > r.length-n {
		return fmt.Errorf("values %d to %d of %d", at, at+n, r.length)
	}
	if r.part.read == nil {
		return errors.New("the type is not read")
	}
	r.vector.Reset()
	r.vector.Len = int(n)
	if r.nulls && r.part.Kind != ipc.Null {
		if err := r.validity(at, n); err != nil {
			return err
		}
	}
	return r.part.read(r, at, n)
}

// buffer returns a buffer of the part.
func (r *reading) buffer(i int) (*buffer, error) {
	for len(r.buffers) <= i {
		r.buffers, r.open = append(r.buffers, new(buffer)), append(r.open, false)
	}
	b := r.buffers[i]
	if r.open[i] {
		return b, nil
	}
	at, size, err := r.body.place(r.part, i)
	if err == nil {
		err = b.open(r.body.file.source, at, size, r.body.Codec)
	}
	r.open[i] = err == nil
	return b, err
}

// bytes returns the bytes of n values of equal width from a position on in a buffer.
func (r *reading) bytes(buffer int, width, at, n int64) ([]byte, error) {
	b, err := r.buffer(buffer)
	if err != nil {
		return nil, err
	}
	if at > math.MaxInt64/width || n > math.MaxInt64/width {
		return nil, fmt.Errorf("%d values at %d", n, at)
	}
	return b.read(at*width, n*width)
}

// bits sets out to n bits of a buffer.
func (r *reading) bits(out []bool, buffer int, at int64) error {
	n := int64(len(out))
	first := at / 8
	packed, err := r.bytes(buffer, 1, first, (at+n+7)/8-first)
	if err != nil {
		return err
	}
	shift := int(at % 8)
	for i := range out {
		k := i + shift
		out[i] = packed[k>>3]>>(k&7)&1 != 0
	}
	return nil
}

// validity sets the vector's Valid.
func (r *reading) validity(at, n int64) error {
	r.valid = growTo(r.valid, int(n))
	err := r.bits(r.valid, 0, at)
	r.vector.Valid = r.valid
	return err
}

// ends reads the offsets of n values that vary in size, and checks that they do not fall. They are
// valid until the next call.
func (r *reading) ends(width, at, n int64) ([]int64, error) {
	r.offsets = growTo(r.offsets, int(n)+1)
	if n == 0 { // there need not be any
		r.offsets[0] = 0
		return r.offsets, nil
	}
	stored, err := r.bytes(1, width, at, n+1)
	if err != nil {
		return nil, err
	}
	last := int64(0)
	for i := range r.offsets {
		o := int64(0)
		if width == 4 {
			o = int64(int32(binary.LittleEndian.Uint32(stored[4*i:])))
		} else {
			o = int64(binary.LittleEndian.Uint64(stored[8*i:]))
		}
		if o < last {
			return nil, errors.New("offsets are negative or fall")
		}
		r.offsets[i], last = o, o
	}
	if r.offsets[n]-r.offsets[0] > math.MaxInt32 {
		return nil, errors.New("the values of consecutive rows are too long")
	}
	return r.offsets, nil
}

func growTo[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
