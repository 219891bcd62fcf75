package expr

import (
	"errors"

	"analyzer/columnar"
)

// OpSingle is true where a number of rows is at most one, and ErrSeveralRows where it is more.
const OpSingle Op = "single"

// ErrSeveralRows means that a query which stands for one value gives several rows.
var ErrSeveralRows = errors.New("a query that stands for one value gives several rows")

// Single is value where a number of rows is one, null where it is null, and ErrSeveralRows where
// it is more than one.
func Single(value *Expr, t columnar.Type, rows *Expr) *Expr {
	return If(Call(OpSingle, rows), value, Null(t))
}

func init() { functions.Add(singleFunctions) }

func singleFunctions() []function {
	return []function{
		{
			op: OpSingle, takes: "an int", types: oneOf(columnar.Bool, columnar.Int), cost: costFixed, canFail: true,
			build: just(single),
		},
	}
}

func single(out *result, args []*columnar.Vector) error {
	for i, rows := range args[0].Ints[:out.Len] {
		if rows > 1 && !out.IsNull(i) {
			return ErrSeveralRows
		}
		out.Bools[i] = true
	}
	return nil
}
