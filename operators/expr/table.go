package expr

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
)

// function is one operation of expressions. Checking, typing, folding, ordering
// by cost, compiling, printing and the list that people read all follow from
// its fields, so that to add one is to write one of these.
type function struct {
	op Op
	// takes is its arguments in words, for errors.
	takes string
	// types are the arguments it takes and what it gives for each.
	types []signature
	many  bool // it takes one argument or more, all of one type
	// cost is about how many nanoseconds it takes a row. Errors of rows are
	// possible where it canFail; then and and or spare it the rows they can.
	cost    int
	canFail bool
	// seesNulls means that it is not simply null where an argument is.
	seesNulls bool
	// binds is how tightly it binds as an operator; others print as calls.
	binds int
	// check holds literals among its arguments, none of which is missing, against bounds,
	// before anything is done with them; nil if there are none.
	check func(args []*Expr) error
	// build makes its kernel for arguments of types that it takes. It is nil
	// for and, or and if, which choose the rows their arguments see.
	build func(*build) (kernel, error)

	help    string // what it gives, in a line
	example *Expr  // without columns
}

// signature is one list of arguments and the type given for it.
type signature struct {
	gives columnar.Type
	takes []columnar.Type
}

func sig(gives columnar.Type, takes ...columnar.Type) signature {
	return signature{gives: gives, takes: takes}
}

// Signature returns what an operation takes and gives; ok is false if it takes arguments of
// several types.
func (op Op) Signature() (gives columnar.Type, takes []columnar.Type, ok bool) {
	f := byOp[op]
	if f == nil || f.many || len(f.types) != 1 {
		return columnar.Invalid, nil, false
	}
	return f.types[0].gives, f.types[0].takes, true
}

// twoOf are the signatures of an operation on two arguments of the given types,
// in all combinations.
func twoOf(types []columnar.Type, gives func(a, b columnar.Type) columnar.Type) []signature {
	var all []signature
	for _, a := range types {
		for _, b := range types {
			all = append(all, sig(gives(a, b), a, b))
		}
	}
	return all
}

// oneOf are the signatures of an operation on one argument of the given types.
func oneOf(gives columnar.Type, types ...columnar.Type) []signature {
	all := make([]signature, len(types))
	for i, t := range types {
		all[i] = sig(gives, t)
	}
	return all
}

// numbers are the numeric types, each before those it is converted to.
var numbers = []columnar.Type{columnar.Int, columnar.Decimal, columnar.Wide, columnar.Float}

// rank orders the numeric types by which converts to which; 0 is no number.
func rank(t columnar.Type) int { return slices.Index(numbers, t) + 1 }

func wider(a, b columnar.Type) columnar.Type {
	if rank(a) < rank(b) {
		return b
	}
	return a
}

// functions are all operations but columns and literals, in the
// order in which they are listed; byOp finds them. Both are read only. They are
// filled by init since kernels print expressions in their errors, which looks
// here.
var (
	functions []*function
	byOp      = map[Op]*function{}
)

func init() {
	for _, group := range [][]function{
		logicFunctions, chooseFunctions, extremeFunctions, compareFunctions, arithmeticFunctions, roundFunctions, powerFunctions, bitFunctions, textFunctions, editFunctions,
		partFunctions, patternFunctions, regexpFunctions, dateFunctions, dateArithmetic, timeFunctions, formatFunctions, castFunctions, digitFunctions, listFunctions, listEditFunctions, pairFunctions, modelFunctions,
	} {
		for i := range group {
			functions = append(functions, &group[i])
			byOp[group[i].op] = &group[i]
		}
	}
}

// result returns the type a function gives for arguments of the given types, or
// Invalid if it does not take them.
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

// givesOnly returns the type of all its results, or Invalid if there are
// several.
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

// TypeOf returns the type of e's values over columns of schema s. Its errors
// name the part of e that is wrong, and for an unknown column the columns there
// are.
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

// Expensive is the least cost of an expression that runs a text model. Its cost
// by row is a thousand times that of anything else, so that it is best evaluated
// last and on the fewest rows.
const Expensive = 100_000

// The costs of operations, about in nanoseconds a row.
const (
	costFixed = 1
	costText  = 5
	costList  = 20
	costCase  = 100
)

// Cost returns roughly what evaluating e takes per row, to order conditions by:
// comparing numbers costs less than looking into texts, that less than lists,
// changing the case more again, and the text models most of all (see Expensive).
// The cheapest of conditions that may come in any order should come first.
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

// maybeText reports whether e looks like a text without knowing the schema.
func (e *Expr) maybeText() bool {
	if e == nil {
		return false
	}
	f := byOp[e.Op]
	return e.isLiteral() && e.Value.Type == columnar.Text || f != nil && f.gives(columnar.Text)
}

// CanFail reports whether there are values for which e has none but an error.
func (e *Expr) CanFail() bool { return e.canFail() || slices.ContainsFunc(e.Args, (*Expr).CanFail) }

func (e *Expr) canFail() bool { f := byOp[e.Op]; return f != nil && f.canFail }

// Doc is what people read of a function, of expressions or an aggregate.
type Doc struct {
	Usage   string // a call, what it gives, and of what
	Help    string // the value in words
	Example string // a call, and its value
}

// Docs describes all functions in an order that keeps related ones together. It
// computes the examples, and so makes the text models.
func Docs(env *Env) ([]Doc, error) {
	docs := make([]Doc, len(functions))
	for i, f := range functions {
		value, err := f.example.compute(env)
		if err != nil {
			return nil, fmt.Errorf("the example of %s: %w", f.op, err)
		}
		docs[i] = Doc{Usage: f.usage(), Help: f.help, Example: fmt.Sprintf("%s is %s", f.example, value)}
	}
	return docs, nil
}

func (f *function) usage() string {
	call := Call(f.op, Col("a"), Col("b"), Col("c"), Col("d"))
	call.Args = call.Args[:2]
	if !f.many {
		call.Args = call.Args[:len(f.types[0].takes)]
	}
	var gives []string
	for _, s := range f.types {
		if name := s.gives.String(); !slices.Contains(gives, name) {
			gives = append(gives, name)
		}
	}
	switch {
	case len(gives) > 2 && slices.Contains(gives, columnar.Text.String()):
		gives = []string{"value"}
	case len(gives) > 2 && f.types[0].gives.Kind() == columnar.KindList:
		gives = []string{"list"}
	case len(gives) > 2:
		gives = []string{"number"}
	}
	return fmt.Sprintf("%s: %s, of %s", call, strings.Join(gives, " or "), f.takes)
}
