package sql

import "strconv"

// Statements are also made of others. What is made stands where that was written of which it is made, so that
// errors show this.

// Call is a call of a function.
func (at Span) Call(name string, args ...*Expr) *Expr {
	return &Expr{Kind: Call, Text: name, Args: args, At: at}
}

// Column is a column, by its name behind those of what has it.
func (at Span) Column(path ...string) *Expr { return &Expr{Kind: Column, Path: path, At: at} }

// Number is a whole number.
func (at Span) Number(n int) *Expr { return &Expr{Kind: Number, Text: strconv.Itoa(n), At: at} }

// Text is a text in quotes.
func (at Span) Text(text string) *Expr { return &Expr{Kind: String, Text: text, At: at} }

// List is a list of items.
func (at Span) List(items ...*Expr) *Expr { return &Expr{Kind: List, Args: items, At: at} }

// Item is an item of a list, or a field of a struct, by its place.
func (at Span) Item(of *Expr, place int) *Expr {
	return &Expr{Kind: Index, Args: []*Expr{of, at.Number(place)}, At: at}
}

// Binary is two expressions with an operator between them.
func (at Span) Binary(op string, left, right *Expr) *Expr {
	return &Expr{Kind: Binary, Text: op, Args: []*Expr{left, right}, At: at}
}

// Cast is a value as one of a type.
func (at Span) Cast(of *Expr, to string) *Expr {
	return &Expr{Kind: Cast, Text: to, Args: []*Expr{of}, At: at}
}
