package sql

import (
	"slices"
	"strings"
)

// selectClauses reads SELECT … FROM … and what follows, or FROM … SELECT …, or FROM
// alone.
func (p *parser) selectClauses() (*Select, error) {
	s := &Select{At: p.peek().at}
	var err error
	if p.sees("FROM") {
		if s.From, err = p.fromClause(); err != nil {
			return nil, err
		}
		if !p.accept("SELECT") {
			s.Items = []Item{{Expr: &Expr{Kind: Star, At: s.At}}}
		} else if err := p.items(s); err != nil {
			return nil, err
		}
	} else {
		if err := p.expect("SELECT"); err != nil {
			return nil, err
		}
		if err := p.items(s); err != nil {
			return nil, err
		}
		if p.sees("FROM") {
			if s.From, err = p.fromClause(); err != nil {
				return nil, err
			}
		}
	}
	if err := p.clauses(s); err != nil {
		return nil, err
	}
	s.At = s.At.Join(p.last())
	return s, nil
}

// items reads what stands between SELECT and FROM.
func (p *parser) items(s *Select) (err error) {
	if p.accept("DISTINCT") {
		s.Distinct = true
		if p.accept("ON") {
			if err := p.expect("("); err != nil {
				return err
			}
			if s.DistinctOn, err = p.exprs(); err != nil {
				return err
			}
			if err := p.expect(")"); err != nil {
				return err
			}
		}
	} else {
		p.accept("ALL")
	}
	for {
		item, err := p.item()
		if err != nil {
			return err
		}
		s.Items = append(s.Items, item)
		if !p.accept(",") || p.sees("FROM") { // a comma may stand behind the last one
			return nil
		}
	}
}

func (p *parser) item() (Item, error) {
	e, err := p.expr()
	if err != nil {
		return Item{}, err
	}
	item := Item{Expr: e}
	item.Alias, err = p.alias("the name of a column")
	return item, err
}

// alias reads AS and a name, or the name alone; "" if there is none.
func (p *parser) alias(what string) (string, error) {
	if p.accept("AS") {
		if t := p.peek(); t.kind == word || t.kind == text { // any word may stand here
			p.take()
			return t.text, nil
		}
		return p.name(what)
	}
	if t := p.peek(); t.kind == quotedName || t.kind == word && !reserved(t.text) {
		p.take()
		return t.text, nil
	}
	return "", nil
}

// clauses reads what stands behind FROM.
func (p *parser) clauses(s *Select) (err error) {
	if p.accept("WHERE") {
		if s.Where, err = p.expr(); err != nil {
			return err
		}
	}
	if p.sees("GROUP") {
		s.GroupAt = p.take().at
		if err := p.expect("BY"); err != nil {
			return err
		}
		if s.GroupAll = p.accept("ALL"); !s.GroupAll {
			if s.GroupBy, err = p.groups(); err != nil {
				return err
			}
		}
	}
	if p.accept("HAVING") {
		if s.Having, err = p.expr(); err != nil {
			return err
		}
	}
	if p.accept("WINDOW") {
		if s.Windows, err = p.windows(); err != nil {
			return err
		}
	}
	if p.accept("QUALIFY") {
		if s.Qualify, err = p.expr(); err != nil {
			return err
		}
	}
	if p.sees("USING", "SAMPLE") || p.sees("TABLESAMPLE") {
		return Unsupported(p.peek().at, "", "samples")
	}
	return nil
}

func (p *parser) groups() ([]*Expr, error) {
	var all []*Expr
	for {
		e, err := p.group()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
		if !p.accept(",") {
			return all, nil
		}
	}
}

// group reads a key of GROUP BY, which may stand for several sets of keys.
func (p *parser) group() (*Expr, error) {
	begin := p.peek().at
	kind := ""
	switch {
	case p.sees("ROLLUP", "("), p.sees("CUBE", "("):
		kind = strings.ToUpper(p.take().text)
	case p.accept("GROUPING", "SETS"):
		kind = "GROUPING SETS"
	default:
		return p.expr()
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	e := &Expr{Kind: Grouping, Text: kind}
	for {
		if p.accept("(", ")") {
			e.Args = append(e.Args, &Expr{Kind: Tuple, At: p.last()})
		} else {
			a, err := p.group()
			if err != nil {
				return nil, err
			}
			e.Args = append(e.Args, a)
		}
		if !p.accept(",") {
			break
		}
	}
	err := p.expect(")")
	e.At = begin.Join(p.last())
	return e, err
}

func (p *parser) windows() ([]NamedWindow, error) {
	var all []NamedWindow
	for {
		n, err := p.name("the name of a window")
		if err != nil {
			return nil, err
		}
		if err := p.expect("AS"); err != nil {
			return nil, err
		}
		w, err := p.window()
		if err != nil {
			return nil, err
		}
		all = append(all, NamedWindow{n, w})
		if !p.accept(",") {
			return all, nil
		}
	}
}

// window reads a window in parentheses.
func (p *parser) window() (*Window, error) {
	w := &Window{At: p.peek().at}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var err error
	if t := p.peek(); t.kind == quotedName || t.kind == word && !reserved(t.text) && !t.is("PARTITION") && !p.seesFrame() {
		w.Name = p.take().text
	}
	if p.accept("PARTITION", "BY") {
		if w.Partition, err = p.exprs(); err != nil {
			return nil, err
		}
	}
	if p.accept("ORDER", "BY") {
		if w.Order, err = p.orders(); err != nil {
			return nil, err
		}
	}
	if p.seesFrame() {
		if w.Frame, err = p.frame(); err != nil {
			return nil, err
		}
	}
	err = p.expect(")")
	w.At = w.At.Join(p.last())
	return w, err
}

func (p *parser) seesFrame() bool {
	return p.sees("ROWS") || p.sees("RANGE") || p.sees("GROUPS")
}

// frame reads a frame, which may leave out where it ends.
func (p *parser) frame() (*Frame, error) {
	begin := p.peek().at
	f := &Frame{Unit: strings.ToUpper(p.take().text), To: FrameBound{Kind: CurrentRow}}
	between := p.accept("BETWEEN")
	var err error
	if f.From, err = p.frameBound(); err != nil {
		return nil, err
	}
	if f.To.At = f.From.At; between {
		if err := p.expect("AND"); err != nil {
			return nil, err
		}
		if f.To, err = p.frameBound(); err != nil {
			return nil, err
		}
	}
	if p.accept("EXCLUDE") {
		switch {
		case p.accept("NO", "OTHERS"):
		case p.accept("CURRENT", "ROW"):
			f.Exclude = "CURRENT ROW"
		case p.accept("GROUP"):
			f.Exclude = "GROUP"
		case p.accept("TIES"):
			f.Exclude = "TIES"
		default:
			return nil, p.unexpected("CURRENT ROW, GROUP, TIES or NO OTHERS")
		}
	}
	f.At = begin.Join(p.last())
	return f, nil
}

func (p *parser) frameBound() (FrameBound, error) {
	b := FrameBound{At: p.peek().at}
	switch {
	case p.accept("UNBOUNDED", "PRECEDING"):
		b.Kind = FromFirst
	case p.accept("UNBOUNDED", "FOLLOWING"):
		b.Kind = ToLast
	case p.accept("CURRENT", "ROW"):
		b.Kind = CurrentRow
	default:
		var err error
		if b.Offset, err = p.expr(); err != nil {
			return b, err
		}
		switch {
		case p.accept("PRECEDING"):
			b.Kind = Preceding
		case p.accept("FOLLOWING"):
			b.Kind = Following
		default:
			return b, p.unexpected("PRECEDING or FOLLOWING")
		}
	}
	b.At = b.At.Join(p.last())
	return b, nil
}

// spaced returns a part of the text with a space between its tokens.
func (p *parser) spaced(at Span) string {
	var words []string
	for _, t := range p.tokens {
		if t.at.Begin >= at.Begin && t.at.End <= at.End && t.kind != endOfText {
			words = append(words, p.src[t.at.Begin:t.at.End])
		}
	}
	return strings.Join(words, " ")
}

// fromClause reads FROM and the tables behind it.
func (p *parser) fromClause() (*From, error) {
	if err := p.expect("FROM"); err != nil {
		return nil, err
	}
	left, err := p.joined()
	if err != nil {
		return nil, err
	}
	for p.sees(",") {
		at := p.take().at
		right, err := p.joined()
		if err != nil {
			return nil, err
		}
		left = &From{At: left.At.Join(right.At), Join: &Join{Kind: CommaJoin, Left: left, Right: right, At: at}}
	}
	return left, nil
}

// joined reads a table and the joins behind it.
func (p *parser) joined() (*From, error) {
	leave, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer leave()
	left, err := p.fromItem()
	if err != nil {
		return nil, err
	}
	for {
		j, err := p.joinWords()
		if err != nil || j == nil {
			return left, err
		}
		j.Left = left
		if j.Right, err = p.fromItem(); err != nil {
			return nil, err
		}
		if err := p.joinCondition(j); err != nil {
			return nil, err
		}
		left = &From{At: left.At.Join(p.last()), Join: j}
	}
}

// joinWords reads what says JOIN, nil if nothing does.
func (p *parser) joinWords() (*Join, error) {
	begin, from := p.peek().at, p.at
	j := &Join{Kind: InnerJoin, Natural: p.accept("NATURAL")}
	for _, kind := range []JoinKind{InnerJoin, LeftJoin, RightJoin, FullJoin, CrossJoin, SemiJoin, AntiJoin, AsofJoin, PositionalJoin} {
		if p.accept(strings.TrimSuffix(string(kind), " JOIN")) {
			j.Kind = kind
			break
		}
	}
	if j.Kind == LeftJoin || j.Kind == RightJoin || j.Kind == FullJoin {
		p.accept("OUTER")
	}
	if p.at == from && !p.sees("JOIN") {
		return nil, nil
	}
	err := p.expect("JOIN")
	j.At = begin.Join(p.last())
	return j, err
}

func (p *parser) joinCondition(j *Join) (err error) {
	switch {
	case j.Natural, j.Kind == CrossJoin, j.Kind == PositionalJoin:
		return nil
	case p.accept("USING"):
		j.Using, err = p.names()
		return err
	case p.accept("ON"):
		j.On, err = p.expr()
		return err
	}
	return p.unexpected("ON or USING")
}

// fromItem reads one table with its alias.
func (p *parser) fromItem() (*From, error) {
	f := &From{At: p.peek().at}
	f.Lateral = p.accept("LATERAL")
	var err error
	switch t := p.peek(); {
	case t.kind == text:
		f.File = p.take().text
		if f.File == "" {
			return nil, Wrong(t.at, "", "the name of a file is empty")
		}
	case t.is("("):
		err = p.fromParentheses(f)
	case t.kind == word && p.ahead(1).is("(") && !reserved(t.text):
		f.Call, err = p.call(p.take())
	default:
		f.Path, err = p.path("a table, a file in quotes or a query in parentheses")
	}
	if err != nil {
		return nil, err
	}
	f.At = f.At.Join(p.last())
	if f.Join != nil && !p.sees("AS") {
		return f, nil
	}
	if p.sees("TABLESAMPLE") || p.sees("PIVOT") || p.sees("UNPIVOT") {
		return nil, Unsupported(p.peek().at, "", strings.ToUpper(p.peek().text)+" clauses")
	}
	if f.Alias, err = p.alias("the name of a table"); err != nil {
		return nil, err
	}
	if f.Alias != "" && p.sees("(") {
		f.Columns, err = p.names()
	}
	return f, err
}

// fromParentheses reads a query, or a join that is put together first.
func (p *parser) fromParentheses(f *From) (err error) {
	leave, err := p.deeper()
	if err != nil {
		return err
	}
	defer leave()
	if p.beginsQuery() {
		p.take()
		if f.Query, err = p.query(); err != nil {
			return err
		}
		return p.expect(")")
	}
	p.take()
	inner, err := p.joined()
	if err != nil {
		return err
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	at, lateral := f.At, f.Lateral
	*f = *inner
	f.At, f.Lateral = at, lateral
	return nil
}

// beginsQuery reports whether a query stands in the parentheses that follow, and not a
// join, which may begin with a query in parentheses itself.
func (p *parser) beginsQuery() bool {
	n := 1
	for p.ahead(n).is("(") {
		n++
	}
	if t := p.ahead(n); !t.is("SELECT") && !t.is("FROM") && !t.is("WITH") && !t.is("VALUES") {
		return false
	}
	if n == 1 {
		return true
	}
	behind := 2
	for depth := 1; depth > 0 && p.ahead(behind).kind != endOfText; behind++ {
		switch t := p.ahead(behind); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
	}
	return slices.ContainsFunc([]string{")", "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "FETCH", "OFFSET"}, p.ahead(behind).is)
}

// path reads names joined by points.
func (p *parser) path(what string) ([]string, error) {
	n, err := p.name(what)
	if err != nil {
		return nil, err
	}
	path := []string{n}
	for p.sees(".") && !p.ahead(1).is("*") {
		p.take()
		t := p.peek()
		if t.kind != word && t.kind != quotedName { // behind a point any word is a name
			return nil, p.unexpected("a name")
		}
		p.take()
		path = append(path, t.text)
	}
	return path, nil
}
