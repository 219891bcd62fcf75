// Package rowwise holds the operators that look at one row at a time and keep
// nothing between batches: filter, project and unnest. They emit their output
// at once, batch by batch and in the order of the rows, and reuse its memory.
// Coded columns stay so where the values need not be read.
package rowwise

import (
	"context"

	"analyzer/columnar"
	"analyzer/operators"
)

// stateless is embedded in operators that keep no rows.
type stateless struct{}

// Finish does nothing: no row is kept.
func (stateless) Finish(ctx context.Context, _ int, _ operators.Emit) error { return ctx.Err() }

// Close does nothing.
func (stateless) Close() error { return nil }

// gathered makes a column of some rows of another one, coded if that one is.
type gathered struct {
	values *columnar.Vector // the column if it is not coded
	coded  *columnar.Vector // the column if it is; nil: it never was
}

// of returns the values at some positions, which are valid until the next call.
func (g *gathered) of(from *columnar.Vector, at []int32) *columnar.Vector {
	if from.Dictionary != nil {
		return g.code(from, at)
	}
	g.values.Reset()
	g.values.AppendGather(from, at)
	return g.values
}

// code is of for whoever takes the values coded, whether or not they are.
func (g *gathered) code(from *columnar.Vector, at []int32) *columnar.Vector {
	if g.coded == nil {
		g.coded = new(columnar.Vector)
	}
	g.coded.Code(from, at)
	return g.coded
}

// decoder makes plain columns of coded ones, for expressions.
type decoder struct {
	in    columnar.Schema
	reads []bool             // columns that expressions read
	plain []*columnar.Vector // of those that were coded
	of    []*columnar.Vector // what decode returns
}

func newDecoder(in columnar.Schema) decoder {
	return decoder{in: in, reads: make([]bool, len(in)), plain: make([]*columnar.Vector, len(in)), of: make([]*columnar.Vector, len(in))}
}

// read says that expressions read a column.
func (d *decoder) read(column int) { d.reads[column] = true }

// takesCoded reports whether a column of the input may be coded: expressions do not read it, or its values are small.
func (d *decoder) takesCoded(column int) bool {
	return !d.reads[column] || !d.in[column].Type.Kind().Varies()
}

// decode returns the columns of rows, of which those that expressions read are plain. They are valid until the next
// call.
func (d *decoder) decode(rows columnar.Rows) []*columnar.Vector {
	copy(d.of, rows.Cols)
	for i, v := range rows.Cols {
		if d.reads[i] && v.Dictionary != nil {
			if d.plain[i] == nil {
				d.plain[i] = columnar.NewVector(v.Type)
			}
			d.of[i] = d.plain[i]
			d.of[i].Reset()
			d.of[i].AppendGather(v.Dictionary, v.Places)
		}
	}
	return d.of
}
