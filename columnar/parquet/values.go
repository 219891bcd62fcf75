package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// scratch is memory for the stored values of a block, without nulls.
type scratch struct {
	levels   []int16
	valid    []bool
	bools    []bool
	int32s   []int32
	int64s   []int64
	int96s   []parquet.Int96
	float32s []float32
	float64s []float64
	arrays   []parquet.ByteArray
	fixed    []parquet.FixedLenByteArray
}

// chunkReader is the common method of Arrow's typed column readers.
type chunkReader[T any] interface {
	ReadBatch(n int64, values []T, definition, repetition []int16) (total int64, stored int, err error)
}

// batch reads n values and returns those that are not null. If some are null, it sets the
// vector's Valid.
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

// spread moves the values that are not null, which come first, to their positions, and puts
// zeros in place of nulls.
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

// values returns an appender to the slice of the vector that to selects. from selects the scratch
// memory for stored values, and convert turns them into values of the vector.
func values[S, V any](to func(*columnar.Vector) *[]V, from func(*scratch) *[]S, convert func(out []V, stored []S) error) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, from(&r.scratch))
		if err != nil {
			return err
		}
		out := growTo(*to(r.vector), n)
		if err := convert(out, stored); err != nil {
			return err
		}
		spread(out, r.vector.Valid)
		*to(r.vector) = out
		return nil
	}
}

func boolsOf(v *columnar.Vector) *[]bool     { return &v.Bools }
func intsOf(v *columnar.Vector) *[]int64     { return &v.Ints }
func floatsOf(v *columnar.Vector) *[]float64 { return &v.Floats }

func copied[T any](out, stored []T) error {
	copy(out, stored)
	return nil
}

func widened[S int32 | int64 | float32, V int64 | float64](out []V, stored []S) error {
	for i, v := range stored {
		out[i] = V(v)
	}
	return nil
}

// each turns a conversion of one value into one of slices.
func each[S, V any](convert func(S) (V, error)) func(out []V, stored []S) error {
	return func(out []V, stored []S) (err error) {
		for i, v := range stored {
			if out[i], err = convert(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// multiples multiplies by a factor. failed returns the error of a number that is too large.
func multiples[S int32 | int64](factor int64, failed func(int64) error) func(out []int64, stored []S) error {
	if factor == 1 {
		return widened[S, int64]
	}
	return func(out []int64, stored []S) error {
		for i, s := range stored {
			v := int64(s)
			high, low := bits.Mul64(uint64(max(v, -v)), uint64(factor))
			if high != 0 || int64(low) < 0 {
				return failed(v)
			}
			out[i] = v * factor
		}
		return nil
	}
}

// parts divides by a divisor and rounds down. It reduces nanoseconds to microseconds.
func parts[S int32 | int64](divisor int64) func(out []int64, stored []S) error {
	return func(out []int64, stored []S) error {
		for i, s := range stored {
			v := int64(s)
			if out[i] = v / divisor; v%divisor < 0 {
				out[i]--
			}
		}
		return nil
	}
}

// fractions divides by a divisor.
func fractions[S int32 | int64](divisor int64) func(S) (float64, error) {
	return func(stored S) (float64, error) { return float64(stored) / float64(divisor), nil }
}

// unsigned converts unsigned numbers of the given width in bits.
func unsigned[S int32 | int64](width int8) func(S) (int64, error) {
	return func(stored S) (int64, error) {
		v := int64(stored)
		if v < 0 && width == 64 {
			return 0, input.TooLarge(fmt.Sprint(uint64(v)), input.MostInt)
		}
		if v < 0 {
			v += 1 << 32
		}
		return v, nil
	}
}

// int96Micros converts a timestamp in the format of old programs.
func int96Micros(stored parquet.Int96) (int64, error) { return stored.ToTime().UnixMicro(), nil }
