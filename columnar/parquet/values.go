package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"

	"analyzer/columnar/number"
)

// scratch is memory for the values of a block that are not null, as they are stored.
type scratch struct {
	levels   []int16
	valid    []bool
	int32s   []int32
	int64s   []int64
	int96s   []parquet.Int96
	float32s []float32
	arrays   []parquet.ByteArray
	fixed    []parquet.FixedLenByteArray
}

// chunkReader is what the typed readers of a column have in common.
type chunkReader[T any] interface {
	ReadBatch(n int64, values []T, definition, repetition []int16) (total int64, stored int, err error)
}

// batch reads n values, and returns those that are not null. Which ones are not says the
// vector's Valid then.
func batch[T any](r *reading, n int, memory *[]T) ([]T, error) {
	chunk, ok := r.chunk.(chunkReader[T])
	if !ok {
		return nil, fmt.Errorf("the column is stored as %s", r.chunk.Type())
	}
	r.levels, *memory = growTo(r.levels, n), growTo(*memory, n)
	total, stored, err := chunk.ReadBatch(int64(n), *memory, r.levels, nil)
	if err != nil {
		return nil, err
	}
	if int(total) != n || stored > n {
		return nil, cmp.Or(r.chunk.Err(), io.ErrUnexpectedEOF)
	}
	if stored < n {
		valid, seen := growTo(r.valid, n), 0
		for i, level := range r.levels {
			if valid[i] = level > 0; valid[i] {
				seen++
			}
		}
		if seen != stored {
			return nil, errors.New("values and levels do not agree")
		}
		r.valid, r.vector.Valid = valid, valid
	}
	return (*memory)[:stored], nil
}

// spread makes room for nulls among values, of which only the first ones are there.
func spread[T any](values []T, valid []bool) {
	if valid == nil {
		return
	}
	from := 0
	for _, ok := range valid {
		if ok {
			from++
		}
	}
	var zero T
	for i := len(values) - 1; i >= 0; i-- {
		if !valid[i] {
			values[i] = zero
			continue
		}
		from--
		values[i] = values[from]
	}
}

func growTo[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

func bools(r *reading, n int) error {
	if _, err := batch(r, n, &r.vector.Bools); err != nil {
		return err
	}
	spread(r.vector.Bools, r.vector.Valid)
	return nil
}

func float32s(r *reading, n int) error {
	stored, err := batch(r, n, &r.float32s)
	if err != nil {
		return err
	}
	out := growTo(r.vector.Floats, n)
	for i, f := range stored {
		out[i] = float64(f)
	}
	spread(out, r.vector.Valid)
	r.vector.Floats = out
	return nil
}

func float64s(r *reading, n int) error {
	if _, err := batch(r, n, &r.vector.Floats); err != nil {
		return err
	}
	spread(r.vector.Floats, r.vector.Valid)
	return nil
}

// unit says what a stored whole number stands for: a multiple, a part, which is cut off
// to a whole one below it, a fraction or a text.
type unit struct {
	factor   int64
	part     int64
	unsigned bool
	divisor  float64
	text     func(dst []byte, v int64) []byte
}

func int32s(u unit) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, &r.int32s)
		if err != nil {
			return err
		}
		r.int64s = growTo(r.int64s, len(stored))
		for i, v := range stored {
			r.int64s[i] = int64(v)
			if u.unsigned {
				r.int64s[i] = int64(uint32(v))
			}
		}
		return u.append(r, n, r.int64s)
	}
}

func int64s(u unit) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, &r.int64s)
		if err != nil {
			return err
		}
		if u.unsigned && slices.ContainsFunc(stored, func(v int64) bool { return v < 0 }) {
			return errTooLarge
		}
		return u.append(r, n, stored)
	}
}

var errTooLarge = errors.New("a number is too large for this type here")

// append appends n values, of which those that are not null are stored.
func (u unit) append(r *reading, n int, stored []int64) error {
	switch {
	case u.text != nil:
		return texts(r, n, stored, func(dst []byte, v int64) ([]byte, error) { return u.text(dst, v), nil })
	case u.divisor != 0:
		out := growTo(r.vector.Floats, n)
		for i, v := range stored {
			out[i] = float64(v) / u.divisor
		}
		spread(out, r.vector.Valid)
		r.vector.Floats = out
		return nil
	}
	out := growTo(r.vector.Ints, n)
	switch {
	case u.part > 1:
		for i, v := range stored {
			if out[i] = v / u.part; v%u.part < 0 {
				out[i]--
			}
		}
	case u.factor == 1:
		copy(out, stored)
	default:
		for i, v := range stored {
			high, low := bits.Mul64(uint64(max(v, -v)), uint64(u.factor))
			if high != 0 || int64(low) < 0 {
				return errTooLarge
			}
			out[i] = v * u.factor
		}
	}
	spread(out, r.vector.Valid)
	r.vector.Ints = out
	return nil
}

// microsOf makes timestamps of instants in so many units a second. What nanoseconds say
// below a microsecond is cut off.
func microsOf(perSecond int64) unit {
	if perSecond > number.Second {
		return unit{part: perSecond / number.Second}
	}
	return unit{factor: number.Second / perSecond}
}

// int96s are timestamps as old programs store them.
func int96s(r *reading, n int) error {
	stored, err := batch(r, n, &r.int96s)
	if err != nil {
		return err
	}
	r.int64s = growTo(r.int64s, len(stored))
	for i, v := range stored {
		r.int64s[i] = v.ToTime().UnixMicro()
	}
	return unit{factor: 1}.append(r, n, r.int64s)
}
