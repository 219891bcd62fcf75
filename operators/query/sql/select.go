package sql

import (
	"strings"
)

// selectClauses reads SELECT … FROM … and what follows, or FROM … SELECT …, or FROM
// alone.
func (p *parser) selectClauses() *Select {
	s := &Select{At: p.peek().at}
	if p.sees("FROM") {
		s.From = p.fromClause()
		if !p.accept("SELECT") {
			s.Items = []Item{{Expr: &Expr{Kind: Star, At: s.At}}}
		} else {
			p.items(s)
		}
	} else {
		p.expect("SELECT")
		p.items(s)
		if p.sees("FROM") {
			s.From = p.fromClause()
		}
	}
	p.clauses(s)
	s.At = s.At.Join(p.last())
	return s
}

// items reads the columns between SELECT and FROM.
func (p *parser) items(s *Select) {
	s.Distinct = p.which("DISTINCT", "ALL") == "DISTINCT"
	if s.Distinct && p.accept("ON") {
		s.DistinctOn = parentheses(p, p.exprs)
	}
	s.Items = commas(p, p.item)
}

// item reads a column with its name, which may also stand before it and a colon.
func (p *parser) item() Item {
	if name := p.nameBefore(); name != "" {
		return Item{Expr: p.expr(), Alias: name}
	}
	return Item{Expr: p.expr(), Alias: p.alias("the name of a column")}
}

// nameBefore reads a name and a colon; "" if they are not next.
func (p *parser) nameBefore() (name string) {
	if p.peek().isName() && p.ahead(1).is(":") {
		name = p.take().text
		p.take()
	}
	return name
}

// alias reads AS and a name, or the name alone; "" if there is none.
func (p *parser) alias(what string) string {
	if p.accept("AS") {
		if t := p.peek(); t.kind == word || t.kind == text { // any word may stand here
			p.take()
			return t.text
		}
		return p.name(what)
	}
	if name := p.peek(); name.isName() {
		p.checkUnit(name)
		return p.take().text
	}
	return ""
}

// checkUnit refuses a unit that other dialects have behind a number, as in day + 1 MONTH, and that would be the name of
// another sum.
func (p *parser) checkUnit(name token) {
	if p.at < 2 || p.tokens[p.at-1].kind != number || !p.tokens[p.at-2].isAny("+", "-") || name.kind != word || unitNamed(name.text) == "" {
		return
	}
	panic(Wrong(name.at, "Next: write INTERVAL "+p.tokens[p.at-1].text+" "+name.upper()+", or AS before a name.", "%q stands behind a number", name.text))
}

// clauses reads the clauses after FROM, from WHERE to QUALIFY.
func (p *parser) clauses(s *Select) {
	s.Where = p.after("WHERE")
	if p.sees("GROUP") {
		p.expect("GROUP", "BY")
		if s.GroupAll = p.accept("ALL") || p.accept("*"); !s.GroupAll {
			s.GroupBy = commas(p, p.group)
		}
	}
	s.Having = p.after("HAVING")
	if p.accept("WINDOW") {
		s.Windows = commas(p, p.namedWindow)
	}
	s.Qualify = p.after("QUALIFY")
	if p.accept("USING", "SAMPLE") {
		switch sample := p.sample(); {
		case s.From == nil:
			panic(Wrong(sample.At, "Next: add FROM.", "there are no rows to take a sample of"))
		case s.From.Join != nil || s.From.Sample != nil:
			s.Sample = sample
		default:
			s.From.Sample = sample
		}
	}
}

// group reads an element of GROUP BY: a key, or ROLLUP, CUBE or GROUPING SETS, which stand
// for several sets of keys.
func (p *parser) group() *Expr {
	begin := p.peek().at
	if p.accept("(", ")") { // one group of all rows
		at := begin.Join(p.last())
		return &Expr{Kind: Grouping, Text: "GROUPING SETS", Args: []*Expr{{Kind: Tuple, At: at}}, At: at}
	}
	if !p.sees("ROLLUP", "(") && !p.sees("CUBE", "(") && !p.sees("GROUPING", "SETS") {
		return p.expr()
	}
	kind := p.which("ROLLUP", "CUBE", "GROUPING SETS")
	set := func() *Expr {
		if p.accept("(", ")") {
			return &Expr{Kind: Tuple, At: p.last()}
		}
		return p.group()
	}
	e := &Expr{Kind: Grouping, Text: kind}
	e.Args = parentheses(p, func() []*Expr { return commas(p, set) })
	e.At = begin.Join(p.last())
	return e
}

func (p *parser) namedWindow() NamedWindow {
	n := p.name("the name of a window")
	p.expect("AS")
	return NamedWindow{n, p.window()}
}

// window reads a window in parentheses.
func (p *parser) window() *Window {
	w := &Window{At: p.peek().at}
	p.expect("(")
	if t := p.peek(); t.isName() && !t.is("PARTITION") && !p.seesFrame() {
		w.Name = p.take().text
	}
	if p.accept("PARTITION", "BY") {
		w.Partition = p.exprs()
	}
	if p.accept("ORDER", "BY") {
		w.Order = commas(p, p.order)
	}
	if p.seesFrame() {
		w.Frame = p.frame()
	}
	p.expect(")")
	w.At = w.At.Join(p.last())
	return w
}

func (p *parser) seesFrame() bool { return p.peek().isAny("ROWS", "RANGE", "GROUPS") }

// frame reads a frame. One without BETWEEN ends at the current row.
func (p *parser) frame() *Frame {
	begin := p.peek().at
	f := &Frame{Unit: strings.ToUpper(p.take().text), To: FrameBound{Kind: CurrentRow}}
	between := p.accept("BETWEEN")
	f.From = p.frameBound()
	if f.To.At = f.From.At; between {
		p.expect("AND")
		f.To = p.frameBound()
	}
	if p.accept("EXCLUDE") {
		if what := p.oneOf("CURRENT ROW", "GROUP", "TIES", "NO OTHERS"); what != "NO OTHERS" {
			f.Exclude = what
		}
	}
	f.At = begin.Join(p.last())
	return f
}

func (p *parser) frameBound() FrameBound {
	b := FrameBound{At: p.peek().at}
	b.Kind = BoundKind(p.which(string(FromFirst), string(ToLast), string(CurrentRow)))
	if b.Kind == "" {
		b.Offset = p.expr()
		b.Kind = BoundKind(p.oneOf(string(Preceding), string(Following)))
	}
	b.At = b.At.Join(p.last())
	return b
}

// spaced returns the tokens of a part of the text with spaces between them.
func (p *parser) spaced(at Span) string {
	var words []string
	for _, t := range p.tokens {
		if t.at.Begin >= at.Begin && t.at.End <= at.End && t.kind != endOfText {
			words = append(words, p.src[t.at.Begin:t.at.End])
		}
	}
	return strings.Join(words, " ")
}
