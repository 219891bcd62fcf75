package sql

import (
	"fmt"
	"io"
	"strings"
)

// maxText is how long a text of statements may be, in bytes.
const maxText = 1 << 20

// ReadText reads a text of statements to its end, and refuses one of more than 1 MiB.
func ReadText(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("the text is longer than the %d bytes that statements may have", maxText)
	}
	return string(text), err
}

// maxDepth is how deep expressions and queries may lie in each other.
const maxDepth = 150

// Parse reads one statement, which may end with a semicolon.
func Parse(src string) (*Statement, error) {
	l := lexer{src: src}
	tokens, err := l.all()
	if err != nil {
		return nil, err
	}
	p := &parser{src: src, tokens: tokens}
	st, err := p.statement()
	if err != nil {
		return nil, err
	}
	for p.accept(";") {
	}
	if t := p.peek(); t.kind != endOfText {
		if p.at > 0 && p.tokens[p.at-1].is(";") {
			return nil, Wrong(t.at, "Next: give one statement at a time.", "there is a second statement")
		}
		return nil, p.unexpected("the end of the statement")
	}
	return st, nil
}

// Split cuts a text at the semicolons between statements, and returns the whole
// statements, each with its semicolon, and what is behind the last one.
func Split(src string) (statements []string, rest string) {
	l, begin, empty := lexer{src: src}, 0, true
	for {
		if l.skip() != nil {
			return statements, src[begin:]
		}
		t, err := l.next()
		switch {
		case err != nil && strings.IndexByte(`'"`, src[l.at]) >= 0: // which is not closed
			return statements, src[begin:]
		case err != nil:
			l.at++
		case t.kind == endOfText:
			if empty {
				return statements, ""
			}
			return statements, src[begin:]
		case t.is(";"):
			if !empty {
				statements = append(statements, src[begin:l.at])
			}
			begin, empty = l.at, true
		default:
			empty = false
		}
	}
}

// parser reads statements by recursive descent.
type parser struct {
	src    string
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead returns the token so many places after the next.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfText {
		p.at++
	}
	return t
}

// accept takes the words if they are next, all of them.
func (p *parser) accept(words ...string) bool {
	if !p.sees(words...) {
		return false
	}
	p.at += len(words)
	return true
}

func (p *parser) sees(words ...string) bool {
	for i, w := range words {
		if !p.ahead(i).is(w) {
			return false
		}
	}
	return true
}

// expect takes the words or says that they are missing.
func (p *parser) expect(words ...string) error {
	for _, w := range words {
		if !p.accept(w) {
			return p.unexpected(w)
		}
	}
	return nil
}

// last is the span of the token taken last.
func (p *parser) last() Span {
	if p.at == 0 {
		return Span{}
	}
	return p.tokens[p.at-1].at
}

func (p *parser) unexpected(wanted string) error {
	t := p.peek()
	switch {
	case t.kind == endOfText:
		return Wrong(t.at, "", "the statement ends where %s should be", wanted)
	case t.kind == word && reserved(t.text) && strings.Contains(wanted, "name"):
		return Wrong(t.at, fmt.Sprintf("Next: write \"%s\" if it is a name.", t.text), "%s stands where %s should be", strings.ToUpper(t.text), wanted)
	}
	return Wrong(t.at, "", "%q stands where %s should be", p.src[t.at.Begin:t.at.End], wanted)
}

// deeper counts how deep the parser is; the function that it returns ends that.
func (p *parser) deeper() (func(), error) {
	if p.depth++; p.depth > maxDepth {
		return nil, Wrong(p.peek().at, "", "the statement is nested deeper than %d", maxDepth)
	}
	return func() { p.depth-- }, nil
}

// statement reads a query and the verb before it.
func (p *parser) statement() (*Statement, error) {
	first := p.peek()
	st := &Statement{At: first.at}
	switch {
	case p.accept("EXPLAIN"):
		st.Verb, st.Analyze = Explain, p.accept("ANALYZE")
	case p.accept("DESCRIBE"):
		st.Verb = Describe
	case p.accept("SUMMARIZE"):
		st.Verb = Summarize
	case p.accept("COPY"):
		return p.copyStatement(st)
	case first.kind == endOfText:
		return nil, Wrong(first.at, "Next: write a query, such as SELECT * FROM 'file.csv' LIMIT 10.", "there is no statement")
	case first.kind == word && !p.startsQuery():
		return nil, p.foreign(first)
	}
	if (st.Verb == Describe || st.Verb == Summarize) && !p.startsQuery() {
		from, err := p.fromItem()
		if err != nil {
			return nil, err
		}
		st.Query = starOf(from)
		return st, nil
	}
	var err error
	st.Query, err = p.query()
	return st, err
}

// starOf is the query of all that a table has.
func starOf(from *From) *Query {
	star := Item{Expr: &Expr{Kind: Star, At: from.At}}
	return &Query{At: from.At, Select: &Select{At: from.At, Items: []Item{star}, From: from}}
}

// foreign names a statement that is no query.
func (p *parser) foreign(t token) error {
	verb := strings.ToUpper(t.text)
	switch verb {
	case "CREATE", "INSERT", "UPDATE", "DELETE", "DROP", "ALTER", "ATTACH", "DETACH", "INSTALL", "LOAD", "PRAGMA", "SET", "RESET", "USE",
		"PIVOT", "UNPIVOT", "MERGE", "TRUNCATE", "VACUUM", "CALL", "EXPORT", "IMPORT", "BEGIN", "COMMIT", "ROLLBACK", "SHOW", "PREPARE", "EXECUTE":
		return Unsupported(t.at, "Next: write a query; files are read as they are.", verb+" statements")
	}
	return Wrong(t.at, "Next: a statement begins with SELECT, FROM, WITH or VALUES.", "%q does not begin a statement", t.text)
}

func (p *parser) copyStatement(st *Statement) (*Statement, error) {
	st.Verb = Copy
	if !p.accept("(") {
		from := &From{At: p.peek().at}
		if p.peek().kind == text {
			from.File = p.take().text
		} else {
			n, err := p.name("the name of a table")
			if err != nil {
				return nil, err
			}
			from.Path = []string{n}
		}
		st.Query = starOf(from)
	} else {
		var err error
		if st.Query, err = p.query(); err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
	}
	if err := p.expect("TO"); err != nil {
		return nil, err
	}
	var err error
	if st.To, err = p.quoted("the name of a file in quotes"); err != nil {
		return nil, err
	}
	p.accept("WITH")
	if !p.accept("(") {
		return st, nil
	}
	if !p.accept("FORMAT") {
		return nil, Unsupported(p.peek().at, "There is FORMAT.", "such options of COPY")
	}
	format := p.take()
	if format.kind != word && format.kind != text {
		return nil, Wrong(format.at, "", "the name of a format is missing")
	}
	st.Format = strings.ToLower(format.text)
	return st, p.expect(")")
}

func (p *parser) startsQuery() bool {
	t := p.peek()
	return t.is("SELECT") || t.is("FROM") || t.is("WITH") || t.is("VALUES") || t.is("(")
}

// query reads a query with everything before and behind it.
func (p *parser) query() (*Query, error) {
	leave, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer leave()
	begin := p.peek().at
	var with []CTE
	recursive := false
	if p.accept("WITH") {
		if p.sees("RECURSIVE") {
			begin = p.peek().at
			recursive = p.accept("RECURSIVE")
		}
		if with, err = p.ctes(); err != nil {
			return nil, err
		}
	}
	q, err := p.setOperation(0)
	if err != nil {
		return nil, err
	}
	if len(with) > 0 {
		if len(q.With) > 0 || q.hasTail() {
			q = wrapped(q)
		}
		q.With, q.Recursive = with, recursive
	}
	q.At = begin.Join(p.last())
	if p.sees("ORDER") || p.sees("LIMIT") || p.sees("FETCH") || p.sees("OFFSET") {
		if q.hasTail() {
			with, recursive := q.With, q.Recursive
			q.With, q.Recursive = nil, false
			q = wrapped(q)
			q.With, q.Recursive = with, recursive
		}
		if err := p.tail(q); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *Query) hasTail() bool {
	return len(q.Order) > 0 || q.OrderAll != nil || q.Limit != nil || q.Offset != nil
}

// wrapped makes a query that gives the rows of q as they are.
func wrapped(q *Query) *Query {
	star := Item{Expr: &Expr{Kind: Star, At: q.At}}
	return &Query{At: q.At, Select: &Select{At: q.At, Items: []Item{star}, From: &From{At: q.At, Query: q}}}
}

func (p *parser) ctes() ([]CTE, error) {
	var all []CTE
	for {
		c := CTE{At: p.peek().at}
		var err error
		if c.Name, err = p.name("a name"); err != nil {
			return nil, err
		}
		if p.sees("(") {
			if c.Columns, err = p.names(); err != nil {
				return nil, err
			}
		}
		if err := p.expect("AS"); err != nil {
			return nil, err
		}
		if !p.accept("NOT", "MATERIALIZED") { // a plan shares equal parts in any case
			p.accept("MATERIALIZED")
		}
		if err := p.expect("("); err != nil {
			return nil, err
		}
		if c.Query, err = p.query(); err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		all = append(all, c)
		if !p.accept(",") {
			return all, nil
		}
	}
}

// setOperation reads queries joined by operations that bind at least so tightly:
// INTERSECT binds tighter than the others.
func (p *parser) setOperation(least int) (*Query, error) {
	left, err := p.simpleQuery()
	if err != nil {
		return nil, err
	}
	for {
		op, tight := NoSetOp, 1
		switch {
		case p.sees("UNION"):
			op = Union
		case p.sees("EXCEPT"):
			op = Except
		case p.sees("INTERSECT"):
			op, tight = Intersect, 2
		}
		if op == NoSetOp || tight <= least {
			return left, nil
		}
		at := p.take().at
		if p.accept("ALL") {
			op += " ALL"
		} else {
			p.accept("DISTINCT")
		}
		byName := p.accept("BY", "NAME")
		right, err := p.setOperation(tight)
		if err != nil {
			return nil, err
		}
		left = &Query{At: at, OpAt: at, Op: op, ByName: byName, Left: left, Right: right}
	}
}

// simpleQuery reads one SELECT, VALUES or query in parentheses.
func (p *parser) simpleQuery() (*Query, error) {
	begin := p.peek().at
	switch {
	case p.accept("("):
		q, err := p.query()
		if err != nil {
			return nil, err
		}
		return q, p.expect(")")
	case p.accept("VALUES"):
		return p.values(begin)
	case p.sees("SELECT"), p.sees("FROM"):
		s, err := p.selectClauses()
		if err != nil {
			return nil, err
		}
		return &Query{At: s.At, Select: s}, nil
	case p.sees("TABLE"):
		return nil, Unsupported(begin, "Next: write FROM and the table's name.", "TABLE queries")
	}
	return nil, p.unexpected("a query")
}

func (p *parser) values(begin Span) (*Query, error) {
	q := &Query{At: begin}
	for {
		if err := p.expect("("); err != nil {
			return nil, err
		}
		row, err := p.exprs()
		if err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		q.Values = append(q.Values, row)
		if !p.accept(",") {
			return q, nil
		}
	}
}

// tail reads what orders and limits a query.
func (p *parser) tail(q *Query) error {
	if p.accept("ORDER") {
		if err := p.expect("BY"); err != nil {
			return err
		}
		if p.sees("ALL") {
			all := Order{At: p.take().at}
			if err := p.direction(&all); err != nil {
				return err
			}
			q.OrderAll = &all
		} else {
			var err error
			if q.Order, err = p.orders(); err != nil {
				return err
			}
		}
	}
	for {
		var err error
		switch {
		case q.Limit == nil && p.accept("LIMIT"):
			if p.accept("ALL") {
				continue
			}
			if q.Limit, err = p.expr(); err != nil {
				return err
			}
			q.Percent = p.accept("%") || p.accept("PERCENT")
		case q.Limit == nil && p.accept("FETCH"):
			if err = p.fetch(q); err != nil {
				return err
			}
		case q.Offset == nil && p.accept("OFFSET"):
			if q.Offset, err = p.expr(); err != nil {
				return err
			}
			if !p.accept("ROWS") {
				p.accept("ROW")
			}
		default:
			return nil
		}
	}
}

// fetch reads what stands behind FETCH, which is another way to write LIMIT.
func (p *parser) fetch(q *Query) (err error) {
	if !p.accept("FIRST") && !p.accept("NEXT") {
		return p.unexpected("FIRST or NEXT")
	}
	q.Limit = &Expr{Kind: Number, Text: "1", At: p.last()}
	if !p.sees("ROW") && !p.sees("ROWS") {
		if q.Limit, err = p.expr(); err != nil {
			return err
		}
		q.Percent = p.accept("PERCENT")
	}
	if !p.accept("ROWS") && !p.accept("ROW") {
		return p.unexpected("ROWS")
	}
	if p.sees("WITH") {
		return Unsupported(p.peek().at, "Next: write ONLY, or use rank() with QUALIFY.", "FETCH clauses WITH TIES")
	}
	return p.expect("ONLY")
}

func (p *parser) orders() ([]Order, error) {
	var all []Order
	for {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		o := Order{At: e.At, Expr: e}
		if err := p.direction(&o); err != nil {
			return nil, err
		}
		all = append(all, o)
		if !p.accept(",") {
			return all, nil
		}
	}
}

func (p *parser) direction(o *Order) error {
	if o.Desc = p.accept("DESC"); !o.Desc {
		p.accept("ASC")
	}
	if p.accept("NULLS") {
		switch {
		case p.accept("FIRST"):
			o.Nulls = "FIRST"
		case p.accept("LAST"):
			o.Nulls = "LAST"
		default:
			return p.unexpected("FIRST or LAST")
		}
	}
	o.At = o.At.Join(p.last())
	return nil
}

// name reads a name; what says whose, for errors.
func (p *parser) name(what string) (string, error) {
	t := p.peek()
	if t.kind == quotedName || t.kind == word && !reserved(t.text) {
		p.take()
		return t.text, nil
	}
	return "", p.unexpected(what)
}

// names reads names in parentheses.
func (p *parser) names() ([]string, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var all []string
	for {
		n, err := p.name("the name of a column")
		if err != nil {
			return nil, err
		}
		all = append(all, n)
		if !p.accept(",") {
			return all, p.expect(")")
		}
	}
}
