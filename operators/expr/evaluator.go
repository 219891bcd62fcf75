package expr

import (
	"fmt"

	"analyzer/columnar"
)

// Evaluator computes one expression over batches of one schema. It reuses the memory of
// its intermediate results, so that only the first batch allocates. It must be used by
// one goroutine at a time.
type Evaluator struct {
	root   node
	typ    columnar.Type
	schema columnar.Schema
	reads  []int
	parts  int  // of the expression, for each of which it makes a vector
	varies bool // whether it makes texts or lists
	// decoded are the coded columns whose values it makes.
	decoded map[int]bool
	in      input
	pieces  Pieces // of Select
}

// node computes one operation for all rows of a batch. The vector it returns has the
// batch's length, is valid until the node's next eval, and must not be changed. A null's
// slot holds a zero, false or empty value.
type node interface {
	eval(in *input) (*columnar.Vector, error)
}

// input is a batch on its way through a tree of nodes.
type input struct {
	cols []*columnar.Vector
	rows int
	pass uint64 // a new number for each batch
	made int    // bytes of texts and lists that were made of it
}

// Type returns the type of the vectors Eval returns.
func (ev *Evaluator) Type() columnar.Type { return ev.typ }

// Eval computes the expression for each row of a batch. cols holds the columns of the
// schema; those the expression does not read may be nil. The result may be one of cols;
// otherwise it belongs to the evaluator and is valid until the next Eval or Select.
// Neither it nor cols may be changed. An error says that a row has no value, as an
// ErrOverflow or ErrCast does, or that cols do not fit the schema.
func (ev *Evaluator) Eval(cols []*columnar.Vector, rows int) (*columnar.Vector, error) {
	if err := ev.check(cols, rows); err != nil {
		return nil, err
	}
	ev.in.cols, ev.in.rows = cols, rows
	ev.in.pass++
	ev.in.made = 0
	v, err := ev.root.eval(&ev.in)
	ev.in.cols = nil
	return v, err
}

// Made returns how many bytes of texts and lists the last Eval made, those of parts of the expression included.
func (ev *Evaluator) Made() int { return ev.in.made }

func (ev *Evaluator) check(cols []*columnar.Vector, rows int) error {
	if len(cols) != len(ev.schema) {
		return fmt.Errorf("evaluate an expression over %d columns: it was compiled for %d", len(cols), len(ev.schema))
	}
	for _, i := range ev.reads {
		switch f, v := ev.schema[i], cols[i]; {
		case v == nil:
			return fmt.Errorf("evaluate an expression: column %q is missing", f.Name)
		case v.Type != f.Type:
			return fmt.Errorf("evaluate an expression: column %q has type %s, not %s", f.Name, v.Type, f.Type)
		case v.Len != rows:
			return fmt.Errorf("evaluate an expression: column %q has %d rows, not %d", f.Name, v.Len, rows)
		}
	}
	return nil
}

// Select appends to dst the positions, in order, of the rows in which a Bool
// expression is true. Its arguments and errors are those of Eval.
func (ev *Evaluator) Select(cols []*columnar.Vector, rows int, dst []int32) ([]int32, error) {
	if ev.typ != columnar.Bool {
		return dst, fmt.Errorf("select rows by an expression of type %s, not bool", ev.typ)
	}
	for lo := 0; lo < rows; {
		n, of := ev.pieces.Next(rows-lo), cols
		if n < rows {
			of = sliced(cols, lo, lo+n)
		}
		v, err := ev.Eval(of, n)
		if ev.pieces.Again(n, ev.Made(), err) {
			continue
		}
		if err != nil {
			return dst, err
		}
		dst = appendTrue(dst, v.Bools[:n], v.Valid, lo)
		lo += n
	}
	return dst, nil
}

// sliced returns the rows from lo up to, not including, hi of columns, some of which may be missing.
func sliced(cols []*columnar.Vector, lo, hi int) []*columnar.Vector {
	out := make([]*columnar.Vector, len(cols))
	for i, c := range cols {
		if c != nil {
			out[i] = c.Slice(lo, hi)
		}
	}
	return out
}

// appendTrue appends the positions, counted from the first on, that are true and not null. It writes every position
// but advances only past those, so that there is no branch to mispredict.
func appendTrue(dst []int32, bools, valid []bool, first int) []int32 {
	n := len(dst)
	dst = resizeKeep(dst, n+len(bools))
	if valid != nil {
		for i, ok := range valid[:len(bools)] {
			dst[n] = int32(first + i)
			if ok && bools[i] {
				n++
			}
		}
		return dst[:n]
	}
	for i, ok := range bools {
		dst[n] = int32(first + i)
		if ok {
			n++
		}
	}
	return dst[:n]
}
