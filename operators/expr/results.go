package expr

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The types of what is computed of numbers, as SQL has them: all decimal places are kept, and there is room for
// one digit more in a sum and for the digits of both factors in a product. Where that is more than 38 digits, there
// are 38, and a value that needs more is an error.

// Wider returns the type that holds the values of two numeric types: the Float nearest to them
// if one is a Float, and otherwise all their digits, though not all their range if one has
// decimal places and the other 128 bits.
func Wider(a, b columnar.Type) columnar.Type {
	switch wide := a.Kind() == columnar.KindInt128 || b.Kind() == columnar.KindInt128; {
	case a == b:
		return a
	case a == columnar.Float || b == columnar.Float:
		return columnar.Float
	case !a.IsWide() && !b.IsWide() && a.Scale() == 0 && b.Scale() == 0:
		return columnar.Huge
	case wide:
		return widerBy(a, b, 0)
	}
	return columnar.Decimal
}

// widerBy is the wide decimal with all places of two exact types, and so many digits more than they need.
func widerBy(a, b columnar.Type, more int) columnar.Type {
	places := max(a.Scale(), b.Scale())
	whole := max(a.Digits()-a.Scale(), b.Digits()-b.Scale())
	return columnar.DecimalOf(min(whole+places+more, number.MaxPlaces), places)
}

// Sum is the type of the sum or the difference of two numbers.
func Sum(a, b columnar.Type) columnar.Type {
	if t := Wider(a, b); !t.IsWide() {
		return t
	}
	return widerBy(a, b, 1)
}

// Product is the type of the product of two numbers; Invalid if it has more places than there are.
func Product(a, b columnar.Type) columnar.Type {
	if t := Wider(a, b); !t.IsWide() && (a != columnar.Decimal || b != columnar.Decimal) {
		return t
	}
	return columnar.DecimalOf(min(a.Digits()+b.Digits(), number.MaxPlaces), a.Scale()+b.Scale())
}

// difference is the type of a-b; without a sum, the digits suffice.
func difference(of []*Expr, types []columnar.Type) columnar.Type {
	if zero := first(of).Literal(); zero != nil && zero.Type == columnar.Int && zero.Int == 0 && types[1].IsWide() {
		return types[1]
	}
	return Sum(types[0], types[1])
}

// first is the first of the arguments, nil where only their types are known.
func first(of []*Expr) *Expr {
	if len(of) == 0 {
		return nil
	}
	return of[0]
}

// Rounded is the type of a number that is rounded to so many places. Where none is dropped behind the point, a whole
// number may need one digit more.
func Rounded(t columnar.Type, places int64) columnar.Type {
	switch {
	case !t.IsWide():
		return t
	case t.Scale() == 0 && places < 0:
		return columnar.DecimalOf(min(t.Digits()+1, number.MaxPlaces), 0)
	}
	return columnar.DecimalOf(t.Digits(), int(min(max(places, 0), int64(t.Scale()))))
}

// onNumbers says of which type an operation on two numbers is.
func onNumbers(gives func(of []*Expr, types []columnar.Type) columnar.Type) func([]*Expr, []columnar.Type) columnar.Type {
	return func(of []*Expr, types []columnar.Type) columnar.Type {
		if len(types) != 2 || !IsNumber(types[0]) || !IsNumber(types[1]) {
			return columnar.Invalid
		}
		return gives(of, types)
	}
}

// byTypes is a result that follows from the types alone.
func byTypes(gives func(a, b columnar.Type) columnar.Type) func([]*Expr, []columnar.Type) columnar.Type {
	return onNumbers(func(_ []*Expr, types []columnar.Type) columnar.Type { return gives(types[0], types[1]) })
}
