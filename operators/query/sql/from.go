package sql

import (
	"cmp"
	"strings"
)

// fromClause reads FROM and the tables after it.
func (p *parser) fromClause() *From {
	p.expect("FROM")
	left := p.joined()
	for p.sees(",") {
		at := p.take().at
		if p.endsList() { // it may follow the last one
			break
		}
		right := p.joined()
		left = &From{At: left.At.Join(right.At), Join: &Join{Kind: CommaJoin, Left: left, Right: right, At: at}}
	}
	return left
}

// joined reads a table and the joins after it.
func (p *parser) joined() *From {
	defer p.deeper()()
	left := p.fromItem()
	for {
		if p.sees("PIVOT") || p.sees("UNPIVOT") {
			left = p.pivotClause(left)
			continue
		}
		j := p.joinWords()
		if j == nil {
			return left
		}
		j.Left, j.Right = left, p.fromItem()
		p.joinCondition(j)
		left = &From{At: left.At.Join(p.last()), Join: j}
	}
}

// joinWords reads the words of a join up to JOIN. It returns nil if no join is next.
func (p *parser) joinWords() *Join {
	begin, from := p.peek().at, p.at
	j := &Join{Kind: InnerJoin, Natural: p.accept("NATURAL")}
	j.Asof = !j.Natural && p.accept("ASOF")
	kinds := []string{"INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "CROSS", "POSITIONAL"}
	if j.Asof {
		kinds = kinds[:6]
	}
	if kind := p.which(kinds...); kind != "" {
		j.Kind = JoinKind(kind + " JOIN")
	}
	if j.Kind == LeftJoin || j.Kind == RightJoin || j.Kind == FullJoin {
		p.accept("OUTER")
	}
	if p.at == from && !p.sees("JOIN") {
		return nil
	}
	p.expect("JOIN")
	j.At = begin.Join(p.last())
	return j
}

func (p *parser) joinCondition(j *Join) {
	switch {
	case j.Natural, j.Kind == CrossJoin, j.Kind == PositionalJoin:
	case p.accept("USING"):
		j.Using = p.names()
	case p.accept("ON"):
		j.On = p.expr()
	default:
		panic(p.unexpected(onOrUsing))
	}
}

// aTable is what stands in FROM.
const (
	aTable    = "a table, a file in quotes or a query in parentheses"
	onOrUsing = "ON or USING" // behind tables that are joined
)

// fromItem reads one table with its alias.
func (p *parser) fromItem() *From {
	f := &From{At: p.peek().at}
	name := p.nameBefore()
	f.Lateral = p.accept("LATERAL")
	switch t := p.peek(); {
	case t.kind == text:
		f.File = p.take().text
		if f.File == "" {
			panic(Wrong(t.at, "", "the name of a file is empty"))
		}
	case t.is("VALUES"):
		f.Query = p.simpleQuery()
	case t.is("("):
		p.fromParentheses(f)
	case t.kind == word && p.ahead(1).is("(") && !reserved(t.text):
		f.Call = filesInQuotes(p.call(p.take()))
		f.Ordinality = p.accept("WITH", "ORDINALITY")
		f.repeated()
		f.numbered()
	default:
		f.Path = inSchema(p.path(aTable), 1)
		if p.sees("/") {
			panic(p.unexpected(aTable))
		}
	}
	f.At = f.At.Join(p.last())
	if f.Join != nil && !p.sees("AS") {
		return f
	}
	f.Alias = cmp.Or(name, p.alias("the name of a table"))
	if f.Alias != "" && p.sees("(") {
		f.Columns = p.names()
	}
	if p.accept("TABLESAMPLE") {
		f.Sample = p.sample()
	}
	return f
}

// fromParentheses reads a query, or a join that is grouped by parentheses.
func (p *parser) fromParentheses(f *From) {
	defer p.deeper()()
	if p.sees("(", "DESCRIBE") || p.sees("(", "SUMMARIZE") || p.sees("(", "SHOW") {
		parentheses(p, func() *From { return p.listing(f) })
		return
	}
	if p.beginsQuery() {
		f.Query = parentheses(p, p.query)
		return
	}
	inner := parentheses(p, p.joined)
	at, lateral := f.At, f.Lateral
	*f = *inner
	f.At, f.Lateral = at, lateral
}

// listing reads a table that shows the columns of a query, or the tables that there are.
func (p *parser) listing(f *From) *From {
	if f.Call = p.shownTables(); f.Call != nil {
		return f
	}
	if f.Verb = Verb(p.which("DESCRIBE", "SUMMARIZE", "SHOW")); f.Verb == "SHOW" {
		f.Verb = Describe
	}
	f.Query = p.described()
	return f
}

// shownTables reads SHOW TABLES, or SHOW ALL TABLES, as a call that lists them; nil if they are not next.
func (p *parser) shownTables() *Expr {
	at := p.peek().at
	switch p.which("SHOW TABLES", "SHOW ALL TABLES") {
	case "SHOW TABLES":
		if p.accept("FROM") {
			p.expect("MAIN") // all tables lie in it
		}
		return at.Join(p.last()).Call("show_tables")
	case "SHOW ALL TABLES":
		return at.Join(p.last()).Call("show_tables_expanded")
	}
	return nil
}

// beginsQuery reports whether the parentheses that follow hold a query and not a join. A
// join may itself begin with a query in parentheses.
func (p *parser) beginsQuery() bool {
	if !p.queryInParentheses() {
		return false
	}
	if p.opened() == 1 {
		return true
	}
	return p.ahead(p.behindParentheses(1)).isAny(")", "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "FETCH", "OFFSET")
}

// behindParentheses returns how far ahead the token behind those is that are open at n, counted like n.
func (p *parser) behindParentheses(n int) int {
	for depth := 0; p.ahead(n).kind != endOfText; n++ {
		switch t := p.ahead(n); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		if depth == 0 {
			return n + 1
		}
	}
	return n
}

// path reads names separated by dots.
func (p *parser) path(what string) []string {
	path := []string{p.name(what)}
	for p.sees(".") && !p.ahead(1).is("*") {
		p.take()
		path = append(path, p.taken("a name", word, quotedName).text) // any word is a name after a dot
	}
	return path
}

// filesInQuotes takes names in double quotes for those of files, as FROM "data.csv" does, in a call that reads files.
func filesInQuotes(call *Expr) *Expr {
	if !ReadsFile(call) || len(call.Args) == 0 {
		return call
	}
	named := call.Args[:1]
	if named[0].Kind == List {
		named = named[0].Args
	}
	for i, e := range named {
		if e.Kind == Column && len(e.Path) == 1 && strings.ContainsAny(e.Path[0], "./*") {
			named[i] = e.At.Text(e.Path[0])
		}
	}
	return call
}

// qualified reads the name of a table, behind that of its schema if it has one.
func (p *parser) qualified(what string) []string {
	at := p.peek().at
	path := inSchema(p.path(what), 1)
	if len(path) > 2 {
		panic(Unsupported(at.Join(p.last()), "Next: leave it out: there is one database.", "databases such as "+QuoteName(path[0])))
	}
	return path
}

// unqualified reads the name of something in the only schema, which may stand before it.
func (p *parser) unqualified(what string) string {
	at := p.peek().at
	path := inSchema(p.path(what), 1)
	if len(path) > 1 {
		panic(Unsupported(at.Join(p.last()), "Next: leave it out: all names lie in main.", "schemas such as "+QuoteName(path[0])))
	}
	return path[0]
}

// inSchema returns a path without the names of DuckDB's own database and schema, in which all tables
// lie; there are parts behind them.
func inSchema(path []string, parts int) []string {
	for _, name := range []string{"memory", "main"} {
		if len(path) > parts && strings.EqualFold(path[0], name) {
			path = path[1:]
		}
	}
	return path
}

// numbered makes the rows of files that WITH ORDINALITY numbers a query that numbers them.
func (f *From) numbered() {
	if f.Call == nil || !f.Ordinality || !strings.HasPrefix(f.Call.Text, "read_") {
		return
	}
	f.Query = StarOf(&From{At: f.At, Call: f.Call, Alias: f.Call.Text})
	f.Query.Select.Items = append(f.Query.Select.Items, Item{Expr: &Expr{Kind: Call, Text: "row_number", Window: &Window{At: f.At}, At: f.At}, Alias: "ordinality"})
	f.Call, f.Ordinality = nil, false
}

// repeated makes FROM repeat(value, n) a query of as many rows.
func (f *From) repeated() {
	if f.Call.Text != "repeat" || len(f.Call.Args) != 2 {
		return
	}
	rows := &From{At: f.At, Call: f.Call.At.Call("range", f.Call.Args[1:]...), Ordinality: f.Ordinality}
	items := []Item{{Expr: f.Call.Args[0]}}
	if f.Ordinality {
		items = append(items, Item{Expr: f.At.Column("ordinality")})
	}
	f.Query = &Query{At: f.At, Select: &Select{At: f.At, Items: items, From: rows}}
	f.Call, f.Ordinality = nil, false
}
