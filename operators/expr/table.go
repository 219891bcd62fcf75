package expr

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
)

// function describes one operation of expressions. Checking, typing, folding, ordering by
// cost, compiling, printing and the documentation all follow from its fields, so that adding
// an operation means writing one of these.
type function struct {
	op Op
	// takes describes its arguments in words, for errors.
	takes string
	// types are the argument types it takes, each with the type it gives.
	types []signature
	many  bool // it takes one argument or more, all of one type
	// cost is roughly how many nanoseconds it takes per row. If canFail is set, rows can have
	// errors, and the operations and and or skip it in decided rows.
	cost    int
	canFail bool
	// seesNulls means that it is not simply null where an argument is.
	seesNulls bool
	// binds is its precedence if it is an operator; 0 prints as a call.
	binds int
	// check checks the bounds of literals among its arguments, all of which are present, before
	// anything is done with them; nil if there are no bounds.
	check func(args []*Expr) error
	// build builds its kernel for arguments of types that it takes. It is nil for and, or and
	// if, which are compiled specially since they choose the rows their arguments see.
	build func(*build) (kernel, error)

	example *Expr // without columns, for tests of all operations
}

// signature is one list of argument types and the result type for it.
type signature struct {
	gives columnar.Type
	takes []columnar.Type
}

func sig(gives columnar.Type, takes ...columnar.Type) signature {
	return signature{gives: gives, takes: takes}
}

// Signature returns the result type and argument types of an operation; ok is false unless it
// has exactly one signature.
func (op Op) Signature() (gives columnar.Type, takes []columnar.Type, ok bool) {
	f := byOp[op]
	if f == nil || f.many || len(f.types) != 1 {
		return columnar.Invalid, nil, false
	}
	return f.types[0].gives, f.types[0].takes, true
}

// twoOf returns the signatures of an operation on two arguments of the given types, in all
// combinations.
func twoOf(types []columnar.Type, gives func(a, b columnar.Type) columnar.Type) []signature {
	var all []signature
	for _, a := range types {
		for _, b := range types {
			all = append(all, sig(gives(a, b), a, b))
		}
	}
	return all
}

// oneOf returns the signatures of an operation on one argument of one of the given types.
func oneOf(gives columnar.Type, types ...columnar.Type) []signature {
	all := make([]signature, len(types))
	for i, t := range types {
		all[i] = sig(gives, t)
	}
	return all
}

// numbers are the numeric types, each before those it is converted to.
var numbers = []columnar.Type{columnar.Int, columnar.Decimal, columnar.Wide, columnar.Float}

// rank orders the numeric types: each converts to those of higher rank. 0 is not a number.
func rank(t columnar.Type) int { return slices.Index(numbers, t) + 1 }

func wider(a, b columnar.Type) columnar.Type {
	if rank(a) < rank(b) {
		return b
	}
	return a
}

// functions are all operations but columns and literals, in the order in which they are
// documented; byOp finds them by name. Both are read only once init has filled them. It is init
// that fills them because kernels print expressions in their errors, and printing reads them.
var (
	functions []*function
	byOp      = map[Op]*function{}
)

func init() {
	for _, group := range [][]function{
		logicFunctions, chooseFunctions, singleFunctions, extremeFunctions, compareFunctions, arithmeticFunctions, roundFunctions, powerFunctions, bitFunctions, textFunctions, editFunctions,
		partFunctions, patternFunctions, regexpFunctions, dateFunctions, dateArithmetic, timeFunctions, formatFunctions, castFunctions, digitFunctions, listFunctions, listEditFunctions, pairFunctions, modelFunctions,
	} {
		for i := range group {
			functions = append(functions, &group[i])
			byOp[group[i].op] = &group[i]
		}
	}
}

// result returns the type a function gives for argument types, or Invalid if it does not
// take them.
func (f *function) result(args []columnar.Type) columnar.Type {
	for _, s := range f.types {
		takes := s.takes
		if f.many && len(args) > 0 {
			takes = slices.Repeat(takes, len(args))
		}
		if slices.Equal(takes, args) {
			return s.gives
		}
	}
	return columnar.Invalid
}

// givesOnly returns the one type of its results, or Invalid if there are several.
func (f *function) givesOnly() columnar.Type {
	t := f.types[0].gives
	for _, s := range f.types {
		if s.gives != t {
			return columnar.Invalid
		}
	}
	return t
}

func (f *function) gives(t columnar.Type) bool {
	return slices.ContainsFunc(f.types, func(s signature) bool { return s.gives == t })
}

// checkArity returns an error unless f takes so many arguments.
func (f *function) checkArity(n int) error {
	want := len(f.types[0].takes)
	switch {
	case f.many && n > 0 || n == want:
		return nil
	case f.many:
		return fmt.Errorf("%s takes one argument or more, not %d arguments", f.op, n)
	case want == 1:
		return fmt.Errorf("%s takes one argument, not %d arguments", f.op, n)
	}
	return fmt.Errorf("%s takes %d arguments, not %d arguments", f.op, want, n)
}

// TypeOf returns the type of e's values over columns of schema s. Its errors name the part
// of e that is wrong, and for an unknown column the columns that exist.
func (e *Expr) TypeOf(s columnar.Schema) (columnar.Type, error) {
	if err := e.checkShape(); err != nil {
		return columnar.Invalid, err
	}
	switch e.Op {
	case OpColumn:
		if i := s.Index(e.Name); i >= 0 {
			return s[i].Type, nil
		}
		return columnar.Invalid, fmt.Errorf("there is no column %q; the columns are %s", e.Name, strings.Join(s.Names(), ", "))
	case OpLiteral:
		return e.Value.Type, nil
	}
	args, names := make([]columnar.Type, len(e.Args)), make([]string, len(e.Args))
	for i, a := range e.Args {
		t, err := a.TypeOf(s)
		if err != nil {
			return columnar.Invalid, err
		}
		args[i], names[i] = t, t.String()
	}
	f := byOp[e.Op]
	t := f.result(args)
	if t == columnar.Invalid {
		return t, fmt.Errorf("%s takes %s, but in %s it is given %s", e.Op, f.takes, e.brief(), strings.Join(names, ", "))
	}
	return t, nil
}

// Expensive is the least cost of an expression that runs a text model. A model costs a
// thousand times as much per row as anything else, so it should run last and on the fewest
// rows.
const Expensive = 100_000

// The costs of operations, roughly in nanoseconds per row.
const (
	costFixed = 1
	costText  = 5
	costList  = 20
	costCase  = 100
)

// Cost estimates what evaluating e takes per row, so that conditions that may come in any
// order can be sorted cheapest first. Comparing numbers is cheapest, then come looking into
// texts, lists, changing case, and by far the text models (see Expensive).
func (e *Expr) Cost() int {
	if e == nil {
		return 0
	}
	cost := e.ownCost()
	for _, a := range e.Args {
		cost += a.Cost()
	}
	return cost
}

func (e *Expr) ownCost() int {
	f := byOp[e.Op]
	switch {
	case f == nil:
		return 0
	case slices.ContainsFunc(e.Args, (*Expr).maybeText):
		return max(f.cost, costText)
	}
	return f.cost
}

// maybeText reports whether e may be a text, as far as that shows without the schema.
func (e *Expr) maybeText() bool {
	if e == nil {
		return false
	}
	f := byOp[e.Op]
	return e.isLiteral() && e.Value.Type == columnar.Text || f != nil && f.gives(columnar.Text)
}

// CanFail reports whether evaluating e can be an error for some rows.
func (e *Expr) CanFail() bool { return e.canFail() || slices.ContainsFunc(e.Args, (*Expr).CanFail) }

func (e *Expr) canFail() bool { f := byOp[e.Op]; return f != nil && f.canFail }
