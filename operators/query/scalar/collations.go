package scalar

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/query/sql"
)

// collationCalls are the functions that make texts equal that a collation does not tell apart.
var collationCalls = map[string]string{"NOCASE": "lower", "NOACCENT": "strip_accents"}

// collated returns values as they are compared with each other: if some has a collation, all have it.
func collated(values []*sql.Expr) []*sql.Expr {
	for _, v := range values {
		if v.Kind == sql.Collate {
			return columnar.Each(values, func(e *sql.Expr) *sql.Expr { return by(v.Path, e) })
		}
	}
	return values
}

// comparing returns a call with the collation of its arguments, if it looks for one of them in the other.
func comparing(e *sql.Expr) *sql.Expr {
	if !slices.Contains([]string{"contains", "starts_with", "instr", "strpos", "position"}, e.Text) {
		return e
	}
	same := *e
	same.Args = collated(e.Args)
	return &same
}

// by returns a value as a collation compares it.
func by(names []string, e *sql.Expr) *sql.Expr {
	for e.Kind == sql.Collate {
		e = e.Args[0]
	}
	for _, name := range names {
		e = e.At.Call(collationCalls[name], e)
	}
	return e
}

// SortKey returns what a key of ORDER BY, GROUP BY, PARTITION BY or of an aggregate orders or groups by.
func SortKey(e *sql.Expr) *sql.Expr { return collated([]*sql.Expr{e})[0] }
