package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// sqlColumn is something that a random expression may read: a column, or an aggregate of one.
type sqlColumn struct {
	text string
	typ  columnar.Type
}

// sqlGrower grows random expressions of statements over the tables of worlds: of every operation that
// statements call by name, and of the forms that have words or signs instead.
type sqlGrower struct {
	rng   *rand.Rand
	reads []sqlColumn
}

// The columns of the tables of worlds.
var (
	columnsOfT = []sqlColumn{
		{"t.id", columnar.Int},
		{"t.i", columnar.Int},
		{"t.h", columnar.Int},
		{"t.d", columnar.Decimal},
		{"t.f", columnar.Float},
		{"t.s", columnar.Text},
		{"t.b", columnar.Bool},
		{"t.dt", columnar.Date},
		{"t.ts", columnar.Timestamp},
	}
	columnsOfU = []sqlColumn{
		{"u.k", columnar.Int},
		{"u.e", columnar.Decimal},
		{"u.fu", columnar.Float},
		{"u.y", columnar.Float},
		{"u.w", columnar.Text},
		{"u.du", columnar.Date},
		{"u.tu", columnar.Timestamp},
	}
)

// someConstants are constants of each type that stands in an expression, beside NULL.
var someConstants = map[columnar.Type][]string{
	columnar.Int:       {"0", "1", "2", "-1", "5", "3", "9007199254740993"},
	columnar.Decimal:   {"0.5", "7.25", "-6.25", "0.0", "1.5"},
	columnar.Float:     {"0.25::DOUBLE", "2.5e2", "0e0", "-0.0::DOUBLE", "'nan'::DOUBLE", "'infinity'::DOUBLE", "1e15"},
	columnar.Text:      {"''", "'a'", "'Ab'", "'no'", "'true'", "'5'", "'%'", "'Ωmega'", "' a '", "'2020-06-06'"},
	columnar.Bool:      {"true", "false"},
	columnar.Date:      {"DATE '2020-02-29'", "DATE '2019-04-12'", "DATE '0001-01-01'"},
	columnar.Timestamp: {"TIMESTAMP '2020-02-29 12:34:56.5'", "TIMESTAMP '1969-12-31 23:59:59.999999'"},
	columnar.IntList:   {"[1, 2]", "[]::BIGINT[]", "[NULL, 5]"},
	columnar.TextList:  {"['a', 'Ab']", "[NULL]::VARCHAR[]"},
}

func one[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// condition grows an expression that is true, false or null.
func (g *sqlGrower) condition(depth int) string {
	if depth <= 0 {
		return g.comparison(0)
	}
	switch g.rng.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("(%s AND %s)", g.condition(depth-1), g.condition(depth-1))
	case 2, 3:
		return fmt.Sprintf("(%s OR %s)", g.condition(depth-1), g.condition(depth-1))
	case 4:
		return fmt.Sprintf("(NOT %s)", g.condition(depth-1))
	case 5:
		return fmt.Sprintf("(%s IS %s%s)", g.value(g.someType(), depth-1), one(g.rng, "", "NOT "), "NULL")
	case 6:
		return g.ofQuery(depth - 1)
	case 7:
		return g.value(columnar.Bool, depth)
	}
	return g.comparison(depth - 1)
}

// comparison grows a comparison of values of one type.
func (g *sqlGrower) comparison(depth int) string {
	t := g.someType()
	a, b := g.value(t, depth), g.value(t, depth)
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s %sBETWEEN %s AND %s)", a, one(g.rng, "", "NOT "), b, g.value(t, 0))
	case 1:
		return fmt.Sprintf("(%s %sIN (%s, %s, %s))", a, one(g.rng, "", "NOT "), b, g.constant(t), g.constant(t))
	case 2:
		return fmt.Sprintf("(%s IS %sDISTINCT FROM %s)", a, one(g.rng, "", "NOT "), b)
	case 3:
		if t == columnar.Text {
			return fmt.Sprintf("(%s %s %s)", a, one(g.rng, "LIKE", "NOT LIKE", "ILIKE"), one(g.rng, "'a%'", "'%'", "'_b'", "'%e%g%'"))
		}
	}
	return fmt.Sprintf("(%s %s %s)", a, one(g.rng, "=", "<>", "<", "<=", ">", ">="), b)
}

// ofQuery grows a condition with a query in it, which may depend on the row.
func (g *sqlGrower) ofQuery(depth int) string {
	inner := &sqlGrower{rng: g.rng, reads: []sqlColumn{{"v.k", columnar.Int}, {"v.e", columnar.Decimal}, {"v.w", columnar.Text}, {"v.du", columnar.Date}}}
	both := &sqlGrower{rng: g.rng, reads: append(slices.Clone(g.reads), inner.reads...)}
	where := one(g.rng, inner, both).condition(depth)
	c := one(g.rng, inner.reads...)
	switch g.rng.IntN(4) {
	case 0:
		return fmt.Sprintf("%s(SELECT 1 FROM u AS v WHERE %s)", one(g.rng, "EXISTS ", "NOT EXISTS "), where)
	case 1:
		return fmt.Sprintf("(%s %s (SELECT %s(%s) FROM u AS v WHERE %s))", g.value(c.typ, 0), one(g.rng, "=", "<", ">="), one(g.rng, "min", "max"), c.text, where)
	case 2:
		return fmt.Sprintf("(%s %s (SELECT %s FROM u AS v WHERE %s))", g.value(c.typ, 0), one(g.rng, "< ANY", ">= ALL", "<> ALL"), c.text, where)
	}
	return fmt.Sprintf("(%s %sIN (SELECT %s FROM u AS v WHERE %s))", g.value(c.typ, 0), one(g.rng, "", "NOT "), c.text, where)
}

// someType is the type of a column that may be read.
func (g *sqlGrower) someType() columnar.Type { return one(g.rng, g.reads...).typ }

func (g *sqlGrower) constant(t columnar.Type) string {
	texts := someConstants[t]
	if len(texts) == 0 || g.rng.IntN(12) == 0 {
		return "NULL"
	}
	return one(g.rng, texts...)
}

// value grows an expression of a type.
func (g *sqlGrower) value(t columnar.Type, depth int) string {
	if depth > 0 {
		switch g.rng.IntN(6) {
		case 0:
			return fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", g.condition(depth-1), g.value(t, depth-1), g.value(t, depth-1))
		case 1:
			return fmt.Sprintf("%s(%s, %s)", one(g.rng, "coalesce", "nullif", "ifnull", "greatest", "least"), g.value(t, depth-1), g.value(t, depth-1))
		case 2:
			if t == columnar.Int || t == columnar.Decimal || t == columnar.Float {
				return fmt.Sprintf("(%s %s %s)", g.value(t, depth-1), one(g.rng, "+", "-", "*", "%"), g.value(t, depth-1))
			}
			return g.call(t, depth-1)
		case 3, 4:
			return g.call(t, depth-1)
		}
	}
	var texts []string
	for _, c := range g.reads {
		if c.typ == t {
			texts = append(texts, c.text)
		}
	}
	if len(texts) == 0 || g.rng.IntN(4) == 0 {
		return g.constant(t)
	}
	return one(g.rng, texts...)
}

// call grows a call of an operation that gives a type; what can fail in a row is tried.
func (g *sqlGrower) call(t columnar.Type, depth int) string {
	calls := callsGiving(t)
	if len(calls) == 0 {
		return g.value(t, 0)
	}
	c := one(g.rng, calls...)
	args := make([]string, len(c.takes))
	for i, arg := range c.takes {
		args[i] = g.value(arg, depth)
	}
	return fmt.Sprintf("TRY(%s(%s))", c.name, strings.Join(args, ", "))
}

// sqlCall is an operation as a statement calls it.
type sqlCall struct {
	name  string
	takes []columnar.Type
}

// callsGiving returns the operations that give a type, for arguments that expressions can have.
func callsGiving(t columnar.Type) (calls []sqlCall) {
	for _, o := range expr.AllCalled() {
		signatures, _ := o.Op.Signatures()
		for _, s := range signatures {
			if s, ok := s.Giving(t); ok && o.Value != "" && !slices.ContainsFunc(s.Takes, func(t columnar.Type) bool { return someConstants[t] == nil }) {
				calls = append(calls, sqlCall{o.Names[0], s.Takes})
			}
		}
	}
	return calls
}
