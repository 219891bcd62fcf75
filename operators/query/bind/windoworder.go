package bind

import (
	"analyzer/operators/query/sql"
)

// inOrder returns a call of a window function with an ORDER BY of its own, in which it sees the rows of the frame, as
// an expression of aggregates of the frame; nil if none expresses it.
func inOrder(e *sql.Expr) *sql.Expr {
	call := func(name string, args ...*sql.Expr) *sql.Expr {
		return &sql.Expr{Kind: sql.Call, Text: name, Args: args, At: e.At}
	}
	over := func(name string, args ...*sql.Expr) *sql.Expr {
		of := call(name, args...)
		of.Window, of.Filter, of.Order = e.Window, e.Filter, e.Order
		return of
	}
	binary := func(op string, x, y *sql.Expr) *sql.Expr {
		return &sql.Expr{Kind: sql.Binary, Text: op, Args: []*sql.Expr{x, y}, At: e.At}
	}
	one := &sql.Expr{Kind: sql.Number, Text: "1", At: e.At}
	key := call("row", each(e.Order, func(o sql.Order) *sql.Expr { return o.Expr })...)
	keys := over("list", key)
	switch {
	case e.IgnoreNulls:
		return nil
	case len(e.Args) > 0:
		place := map[string]*sql.Expr{"first_value": one, "last_value": {Kind: sql.Unary, Text: "-", Args: []*sql.Expr{one}, At: e.At}, "nth_value": e.Args[len(e.Args)-1]}[e.Text]
		if place == nil {
			return nil
		}
		return &sql.Expr{Kind: sql.Index, Args: []*sql.Expr{over("list", e.Args[0]), place}, At: e.At}
	case e.Text == "rank":
		return call("list_position", keys, key)
	case e.Text == "percent_rank":
		before := binary("-", call("list_position", keys, key), one)
		return call("coalesce", binary("/", before, binary("-", call("length", keys), one)), &sql.Expr{Kind: sql.Number, Text: "0", At: e.At})
	case e.Text == "cume_dist":
		behind := binary("-", call("list_position", call("list_reverse", keys), key), one)
		return binary("/", binary("-", call("length", keys), behind), call("length", keys))
	}
	return nil
}
