package sql

import "strings"

// lambda reads lambda x, y: expression.
func (p *parser) lambda() *Expr {
	begin := p.take().at
	e := &Expr{Kind: Lambda, Path: commas(p, func() string { return p.name("a parameter") })}
	p.expect(":")
	e.Args = []*Expr{p.lambdaBody()}
	e.At = begin.Join(p.last())
	return e
}

// TakesLambda reports whether the second argument of a function is a lambda. In it, an arrow behind a
// name begins the lambda's expression; anywhere else it finds a part of a JSON text.
func TakesLambda(function string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(function, "list_"), "array_") {
	case "transform", "apply", "filter", "reduce":
		return function != "transform"
	}
	return false
}

// lambdaBody reads the expression of a lambda.
func (p *parser) lambdaBody() *Expr {
	return p.inLambdaArgument(false, func() *Expr { return p.binding(0) })
}

// inLambdaArgument reads an expression that is the argument for a lambda, or that is not.
func (p *parser) inLambdaArgument(is bool, read func() *Expr) *Expr {
	defer func(before bool) { p.lambdaNext = before }(p.lambdaNext)
	p.lambdaNext = is
	return read()
}

// mentions reports whether a column of that name stands in an expression.
func (e *Expr) mentions(name string) bool {
	found := false
	e.Walk(func(a *Expr) bool {
		found = found || a.Kind == Column && len(a.Path) == 1 && strings.EqualFold(a.Path[0], name)
		return !found
	})
	return found
}

// parameters returns the names that stand before the arrow of a lambda: a name, or several in
// parentheses. It is nil for anything else.
func (e *Expr) parameters() []string {
	if e.Kind == Column && len(e.Path) == 1 {
		return e.Path
	}
	if e.Kind != Tuple {
		return nil
	}
	var all []string
	for _, a := range e.Args {
		if a.Kind != Column || len(a.Path) != 1 {
			return nil
		}
		all = append(all, a.Path[0])
	}
	return all
}

// comprehension reads FOR x IN list IF condition after the first expression of a list in
// brackets, which it is of each item.
func (p *parser) comprehension(of *Expr) *Expr {
	p.expect("FOR")
	names := commas(p, func() string { return p.name("a name for the items") })
	p.expect("IN")
	list := p.expr()
	if p.accept("IF") {
		condition := p.expr()
		if len(names) > 1 && of.mentions(names[1]) {
			panic(Unsupported(condition.At, "Next: write list_filter(list, lambda x, i: …).", "list comprehensions with positions and IF"))
		}
		list = &Expr{Kind: Call, Text: "list_filter", Args: []*Expr{list, {Kind: Lambda, Path: names, Args: []*Expr{condition}, At: condition.At}}, At: list.At.Join(condition.At)}
	}
	p.expect("]")
	return &Expr{Kind: Call, Text: "list_transform", Args: []*Expr{list, {Kind: Lambda, Path: names, Args: []*Expr{of}, At: of.At}}}
}

// lambda is the text of a lambda, in the form in which it was written.
func (e *Expr) lambda() string {
	if !e.Not {
		return "lambda " + names(e.Path)[1:len(names(e.Path))-1] + ": " + e.Args[0].String()
	}
	before := QuoteName(e.Path[0])
	if len(e.Path) > 1 {
		before = names(e.Path)
	}
	return before + " -> " + e.Args[0].String()
}
