package expr

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// function describes one operation of expressions. Checking, typing, folding, ordering by
// cost, compiling, printing and the documentation all follow from its fields, so that adding
// an operation means writing one of these.
type function struct {
	op Op
	// takes describes its arguments in words, for errors.
	takes string
	// types are the argument types it takes, each with the type it gives.
	types []registry.Signature
	many  bool // it takes one argument or more, all of one type
	// typeOf returns the type of its results where signatures cannot say it, Invalid for arguments that
	// it does not take. types then has an example.
	typeOf func(args []*Expr, types []columnar.Type) columnar.Type
	// cost is roughly how many nanoseconds it takes per row. If canFail is set, rows can have
	// errors, and the operations and and or skip it in decided rows.
	cost    int
	canFail bool
	// pattern is the argument that is a pattern, if there is one: where that is no literal, rows can have errors.
	pattern int
	// seesNulls means that it is not simply null where an argument is.
	seesNulls bool
	// binds is its precedence if it is an operator; 0 prints as a call.
	binds int
	// coded means that its first argument, a list, may be a coded vector, unless the second one is a literal.
	coded bool
	// byValue means that it takes equal floats, -0 and 0, alike: from them it makes equal values.
	byValue bool
	// check checks the bounds of literals among its arguments, all of which are present, before
	// anything is done with them; nil if there are no bounds.
	check func(args []*Expr) error
	// build builds its kernel for arguments of types that it takes. It is nil for and, or, if and
	// try, which are compiled specially since they choose the rows their arguments see.
	build func(*build) (kernel, error)
	// lambda is set instead of build where the last argument is computed for each item of a list. So
	// many variables stand before it.
	lambda    func(l *lambda, out *result, args []*columnar.Vector) error
	variables int

	// doc is how statements call it, if they do so by name and with any arguments that it takes.
	doc registry.Doc
}

// The types that functions of any value or list take.
var (
	anyItem  = registry.Any
	anyOther = registry.Other
	anyList  = columnar.ListOf(anyItem)
)

func sig(gives columnar.Type, takes ...columnar.Type) registry.Signature {
	return registry.Signature{Gives: gives, Takes: takes}
}

// only returns the signature of an operation that has one.
func only(gives columnar.Type, takes ...columnar.Type) []registry.Signature {
	return []registry.Signature{sig(gives, takes...)}
}

// oneOf returns the signatures of an operation on one argument of one of the given types.
func oneOf(gives columnar.Type, types ...columnar.Type) []registry.Signature {
	return columnar.Each(types, func(t columnar.Type) registry.Signature { return sig(gives, t) })
}

// twoOf returns the signatures of an operation on two arguments of the given types, in all
// combinations.
func twoOf(types []columnar.Type, gives func(a, b columnar.Type) columnar.Type) []registry.Signature {
	var all []registry.Signature
	for _, a := range types {
		for _, b := range types {
			all = append(all, sig(gives(a, b), a, b))
		}
	}
	return all
}

// Called is an operation that statements call by name.
type Called struct {
	registry.Doc
	Op Op
}

// AllCalled returns the operations that statements call by name.
func AllCalled() []Called {
	var all []Called
	for _, f := range functions.All() {
		if f.doc.Called() {
			all = append(all, Called{f.doc, f.op})
		}
	}
	return all
}

// Signatures returns what an operation takes: at least one signature, all of one length. If many
// is set, they are of one argument, and it takes one or more of that type. They may have variables.
func (op Op) Signatures() (all []registry.Signature, many bool) {
	f := op.find()
	return f.types, f.many
}

// numbers are the numeric types, each before those it is converted to. Wide stands for all wide decimals.
var numbers = []columnar.Type{columnar.Int, columnar.Decimal, columnar.Huge, columnar.Wide, columnar.Float}

// IsNumber reports whether a type is numeric.
func IsNumber(t columnar.Type) bool { return t.IsWide() || slices.Contains(numbers, t) }

// functions are all operations but columns and literals. Each file adds its own.
var functions = registry.New(func(f *function) []string { return []string{string(f.op)} })

// find returns the function of an operation, nil for columns, literals and unknown ones.
func (op Op) find() *function { return functions.Find(string(op)) }

// result returns the type a function gives for arguments of such types, or Invalid if it does not
// take them.
func (f *function) result(of []*Expr, args []columnar.Type) columnar.Type {
	if f.typeOf != nil {
		return f.typeOf(of, args)
	}
	for _, s := range f.types {
		s = s.Of(args)
		takes := s.Takes
		if f.many && len(args) > 0 {
			takes = slices.Repeat(takes, len(args))
		}
		if slices.Equal(takes, args) {
			return s.Gives
		}
	}
	return columnar.Invalid
}

// givesOnly returns the one type of its results, or Invalid if there are several.
func (f *function) givesOnly() columnar.Type {
	t := f.types[0].Gives
	for _, s := range f.types {
		if s.Gives != t {
			return columnar.Invalid
		}
	}
	return t
}

func (f *function) gives(t columnar.Type) bool {
	return slices.ContainsFunc(f.types, func(s registry.Signature) bool { _, ok := s.Giving(t); return ok })
}

// checkArity returns an error unless f takes so many arguments.
func (f *function) checkArity(n int) error {
	want := len(f.types[0].Takes)
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
	case OpLiteral, OpVariable:
		return e.Value.Type, nil
	}
	args := make([]columnar.Type, len(e.Args))
	for i, a := range e.Args {
		t, err := a.TypeOf(s)
		if err != nil {
			return columnar.Invalid, err
		}
		args[i] = t
	}
	f := e.Op.find()
	t := f.result(e.Args, args)
	if t == columnar.Invalid {
		names := columnar.Each(args, columnar.Type.String)
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
	f := e.Op.find()
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
	f := e.Op.find()
	return e.isLiteral() && e.Value.Type == columnar.Text || f != nil && f.gives(columnar.Text)
}

// TakesAlike reports whether e has equal values for equal values of columns, which -0 and 0 are.
func (e *Expr) TakesAlike(columns []string) bool {
	if !slices.ContainsFunc(e.Columns(), func(c string) bool { return slices.Contains(columns, c) }) || e.Op == OpColumn {
		return true
	}
	return e.Op.find().byValue && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.TakesAlike(columns) })
}

// CanFail reports whether evaluating e can be an error for some rows.
func (e *Expr) CanFail() bool { return e.canFail() || slices.ContainsFunc(e.Args, (*Expr).CanFail) }

func (e *Expr) canFail() bool {
	f := e.Op.find()
	return f != nil && (f.canFail || f.pattern > 0 && !e.Args[f.pattern].isLiteral())
}
