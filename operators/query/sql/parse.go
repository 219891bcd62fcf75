package sql

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"analyzer/columnar/budget"
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

// maxDepth is how deep expressions and queries may be nested.
const maxDepth = 150

// maxTypes is how deep types may stand in each other: each reads again what stands in it.
const maxTypes = 10

// maxChain is how many operators may follow each other without parentheses. Each lies within
// the next, so what walks over an expression goes as deep.
const maxChain = 5000

// Parse reads one statement, which may end with a semicolon.
func Parse(work *budget.Work, src string) (st *Statement, err error) {
	defer Catch(&err)
	p := newParser(work, src)
	st = p.statement()
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

// ParseExpr reads one expression.
func ParseExpr(work *budget.Work, src string) (e *Expr, err error) {
	defer Catch(&err)
	p := newParser(work, src)
	if e = p.expr(); p.peek().kind != endOfText {
		return nil, p.unexpected("the end of the expression")
	}
	return e, nil
}

// TypeField is a field of a type of structs, with the name of its type.
type TypeField struct{ Name, Type string }

// StructFields returns the fields of a type of structs as the text of a cast names it; nil if it is none.
func StructFields(name string) (fields []TypeField) {
	if !inType(name, structType, func(p *parser) {
		fields = commas(p, func() TypeField { return TypeField{p.name("the name of a field"), p.typeName()} })
	}) {
		return nil
	}
	return fields
}

// MapTypes returns the types of the keys and the values of a type of maps as the text of a cast names it;
// ok is false if it is none.
func MapTypes(name string) (key, value string, ok bool) {
	ok = inType(name, mapType, func(p *parser) {
		key = p.typeName()
		p.expect(",")
		value = p.typeName()
	})
	return key, value, ok
}

// inType reads what stands in the parentheses of a type's name, and reports whether the name begins so and
// ends with them.
func inType(name, begin string, read func(p *parser)) (whole bool) {
	inside, begins := strings.CutPrefix(name, begin)
	inside, ends := strings.CutSuffix(inside, ")")
	if !begins || !ends {
		return false
	}
	var mistake error // whoever needs a type says what is wrong
	defer Catch(&mistake)
	p := newParser(nil, inside)
	read(p)
	return p.peek().kind == endOfText
}

// What begins the names of types of structs and maps.
const (
	structType = "STRUCT("
	mapType    = "MAP("
)

// Split cuts a text at the semicolons between statements. It returns the complete
// statements, each with its semicolon, and the rest after the last one.
func Split(src string) (statements []string, rest string) {
	l, begin, empty := lexer{src: src}, 0, true
	for {
		t, err := l.try()
		switch {
		case err != nil && strings.IndexByte(`'"/`, src[l.at]) >= 0: // a text, name or comment that is not closed
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
	types  int // how deep a type stands in others
	// lambdaNext means that an arrow behind a name begins a lambda.
	lambdaNext bool
}

func newParser(work *budget.Work, src string) *parser {
	l := lexer{src: src}
	return &parser{src: src, tokens: l.all(work)}
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead returns the token n places after the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfText {
		p.at++
	}
	return t
}

// accept takes the words if all of them are next.
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

// expect takes the words, or panics with the error that they are missing.
func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			panic(p.unexpected(w))
		}
	}
}

// which takes and returns the first of the phrases that is next, or returns "".
func (p *parser) which(phrases ...string) string {
	for _, phrase := range phrases {
		if p.accept(strings.Fields(phrase)...) {
			return phrase
		}
	}
	return ""
}

// oneOf takes one of the phrases, or panics with the error that they are missing.
func (p *parser) oneOf(phrases ...string) string {
	found, last := p.which(phrases...), len(phrases)-1
	if found == "" {
		panic(p.unexpected(strings.Join(phrases[:last], ", ") + " or " + phrases[last]))
	}
	return found
}

// commas reads one or more items separated by commas.
func commas[T any](p *parser, one func() T) []T {
	all := []T{one()}
	for p.accept(",") {
		all = append(all, one())
	}
	return all
}

// parentheses reads an item in parentheses.
func parentheses[T any](p *parser, inside func() T) T {
	p.expect("(")
	v := inside()
	p.expect(")")
	return v
}

// after reads a word and the expression after it. It returns nil if the word is not next.
func (p *parser) after(word string) *Expr {
	if !p.accept(word) {
		return nil
	}
	return p.expr()
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

// deeper enters a level of nesting; the function that it returns leaves it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		panic(Wrong(p.peek().at, "", "the statement is nested deeper than %d", maxDepth))
	}
	return func() { p.depth-- }
}

// statement reads a query and the verb before it.
func (p *parser) statement() *Statement {
	first := p.peek()
	st := &Statement{At: first.at}
	switch {
	case p.sees("SET", "VARIABLE"):
		return p.setStatement(st)
	case p.sees("SHOW", "TABLES"):
		p.expect("SHOW", "TABLES")
		st.Verb = ShowTables
		return st
	}
	verb := p.which("EXPLAIN", "DESCRIBE", "SUMMARIZE", "COPY", "CREATE")
	if p.sees("SHOW") && !p.ahead(1).isAny("ALL", "DATABASES", "SCHEMAS") {
		p.take()
		verb = "DESCRIBE"
	}
	switch st.Verb = Verb(verb); {
	case verb == "COPY":
		return p.copyStatement(st)
	case verb == "CREATE":
		return p.createStatement(st)
	case verb == "EXPLAIN":
		st.Analyze = p.accept("ANALYZE") || p.accept("(", "ANALYZE", ")")
		st.Rules = !st.Analyze && p.accept("(", "RULES", ")")
		if p.sees("DESCRIBE") || p.sees("SUMMARIZE") {
			f := &From{At: p.peek().at}
			p.listing(f)
			st.Query = StarOf(f)
			return st
		}
	case verb != "":
		st.Query = p.described()
		return st
	case first.kind == endOfText:
		panic(Wrong(first.at, "Next: write a query, such as SELECT * FROM 'file.csv' LIMIT 10.", "there is no statement"))
	case first.kind == word && verb == "" && !p.startsQuery():
		panic(p.foreign(first))
	}
	st.Query = p.query()
	return st
}

// described reads a query, or a table of which all columns are meant.
func (p *parser) described() *Query {
	if p.startsQuery() {
		return p.query()
	}
	return StarOf(p.fromItem())
}

// StarOf is the query SELECT * FROM from.
func StarOf(from *From) *Query {
	star := Item{Expr: &Expr{Kind: Star, At: from.At}}
	return &Query{At: from.At, Select: &Select{At: from.At, Items: []Item{star}, From: from}}
}

// OrderedBy is a query whose answer is ordered by the columns of the given names first.
func OrderedBy(q *Query, names []string) *Query {
	ordered := StarOf(&From{At: q.At, Query: q})
	for _, name := range names {
		ordered.Order = append(ordered.Order, Order{Expr: &Expr{Kind: Column, Path: []string{name}, At: q.At}})
	}
	return ordered
}

// foreign returns the error for a statement that is not a query.
func (p *parser) foreign(t token) error {
	verb := strings.ToUpper(t.text)
	if hint := foreignVerbs[verb]; hint != "" {
		return Unsupported(t.at, hint, verb+" statements")
	}
	return Wrong(t.at, "Next: a statement begins with SELECT, FROM, WITH or VALUES.", "%q does not begin a statement", t.text)
}

// What to do instead of statements that are not queries.
const (
	readOnly  = "Next: write a query; files are read as they are. COPY (SELECT …) TO 'new.csv' writes another one."
	asFiles   = "Next: name files in FROM, such as FROM 'data.csv', or give them names by --table NAME=FILE."
	noSetting = "Next: give a flag, which “analyzer sql --help” lists; SET VARIABLE name = value is for values of statements."
	noBounds  = "Next: leave it out: each statement sees the files as they are."
)

var foreignVerbs = map[string]string{
	"INSERT": "Next: CREATE TABLE new AS FROM old UNION ALL SELECT …, or CREATE OR REPLACE TABLE.", "UPDATE": "Next: CREATE TABLE new AS SELECT * REPLACE (… AS column) FROM old.",
	"DELETE": "Next: CREATE TABLE new AS FROM old WHERE …, with the rows to keep.", "MERGE": readOnly, "TRUNCATE": readOnly, "ALTER": "Next: CREATE TABLE new AS SELECT …, with other columns.",
	"DROP": "Next: CREATE OR REPLACE puts another in its place; all end with the session.", "EXPORT": readOnly, "IMPORT": asFiles,
	"ATTACH": asFiles, "DETACH": asFiles, "USE": asFiles, "INSTALL": "Next: leave it out: nothing need be loaded.", "LOAD": "Next: leave it out: nothing need be loaded.",
	"PRAGMA": noSetting, "SET": noSetting, "RESET": noSetting, "CALL": readOnly, "VACUUM": noBounds, "ANALYZE": noBounds, "CHECKPOINT": noBounds,
	"BEGIN": noBounds, "COMMIT": noBounds, "ROLLBACK": noBounds, "SHOW": "Next: SHOW TABLES, or DESCRIBE a table.",
	"PREPARE": "Next: write $name for values, and give --param name=value.", "EXECUTE": "Next: write $name for values, and give --param name=value.", "DEALLOCATE": noBounds,
}

// createStatement reads CREATE VIEW. All views are temporary, with or without the word.
func (p *parser) createStatement(st *Statement) *Statement {
	st.Verb, st.Replace = Create, p.accept("OR", "REPLACE")
	p.which("TEMP", "TEMPORARY")
	switch {
	case p.sees("MACRO"), p.sees("FUNCTION"):
		st.Verb, st.Macro = CreateMacro, p.macro()
		return st
	case p.sees("TABLE"):
		st.Verb, st.View = CreateTable, p.tableAs()
	case p.sees("VIEW"):
		st.View = p.view()
	default:
		panic(Unsupported(st.At, "Next: CREATE VIEW name AS SELECT …, which reads files as they are.", "CREATE "+strings.ToUpper(p.peek().text)+" statements"))
	}
	st.Query = st.View.Query
	return st
}

// tableAs reads TABLE name AS query.
func (p *parser) tableAs() *View {
	p.expect("TABLE")
	v := &View{At: p.peek().at}
	v.Name = p.name("the name of a table")
	if p.sees("(") {
		panic(Unsupported(v.At, "Next: CREATE TABLE name AS SELECT …, or a file, which is a table as it is.", "CREATE TABLE statements with columns"))
	}
	p.expect("AS")
	v.Query = p.query()
	return v
}

// setStatement reads SET VARIABLE name = value.
func (p *parser) setStatement(st *Statement) *Statement {
	p.expect("SET", "VARIABLE")
	st.Verb, st.View = SetVariable, &View{At: p.peek().at}
	st.View.Name = p.name("the name of a variable")
	p.oneOf("=", "TO")
	value := p.expr()
	st.Query = &Query{At: value.At, Select: &Select{At: value.At, Items: []Item{{Expr: value}}}}
	st.View.Query = st.Query
	return st
}

func (p *parser) copyStatement(st *Statement) *Statement {
	if from := (&From{At: p.peek().at}); p.sees("(") {
		st.Query = parentheses(p, p.query)
	} else if st.Query = StarOf(from); p.peek().kind == text {
		from.File = p.take().text
	} else {
		from.Path = []string{p.name("the name of a table")}
	}
	p.expect("TO")
	st.To = p.quoted("the name of a file in quotes")
	p.accept("WITH")
	if !p.accept("(") {
		return st
	}
	st.Options = commas(p, p.copyOption)
	p.expect(")")
	return st
}

// copyOption reads an option of COPY: its name and perhaps a value, such as a name, a literal, names in
// parentheses or *. Without a value it is true.
func (p *parser) copyOption() Option {
	name := p.taken("the name of an option", word)
	o := Option{Name: strings.ToLower(name.text), Value: &Expr{Kind: Boolean, Text: "TRUE", At: name.at}}
	p.accept("=")
	switch {
	case p.peek().is(",") || p.peek().is(")"):
	case p.accept("*"):
		o.Value = &Expr{Kind: String, Text: "*", At: p.last()}
	default:
		o.Value = p.expr()
	}
	o.At = name.at.Join(p.last())
	return o
}

func (p *parser) startsQuery() bool { return p.peek().beginsQuery() || p.sees("(") }

// beginsQuery reports whether a query without parentheses can begin with the token.
func (t token) beginsQuery() bool {
	return t.isAny("SELECT", "FROM", "WITH", "VALUES", "TABLE") || t.pivots()
}

// query reads a query with its WITH, ORDER BY, LIMIT and OFFSET.
func (p *parser) query() *Query {
	defer p.deeper()()
	begin := p.peek().at
	var with []CTE
	recursive := false
	if p.accept("WITH") {
		recursive = p.accept("RECURSIVE")
		with = commas(p, p.cte)
	}
	for i, c := range with {
		if slices.ContainsFunc(with[:i], func(o CTE) bool { return strings.EqualFold(o.Name, c.Name) }) {
			panic(Wrong(c.At, "Next: give one of them another name.", "there are two queries of the name %q in WITH", c.Name))
		}
	}
	if i := slices.IndexFunc(with, func(c CTE) bool { return len(c.Key) > 0 && !recursive }); i >= 0 {
		panic(Wrong(with[i].At, "Next: write WITH RECURSIVE.", "USING KEY stands with a recursive query"))
	}
	q := p.setOperation(0)
	if len(with) > 0 {
		if len(q.With) > 0 || q.hasTail() {
			q = StarOf(&From{At: q.At, Query: q})
		}
		q.With, q.Recursive = with, recursive
	}
	q.At = begin.Join(p.last())
	if p.peek().isAny("ORDER", "LIMIT", "FETCH", "OFFSET") {
		if q.hasTail() {
			with, recursive := q.With, q.Recursive
			q.With, q.Recursive = nil, false
			q = StarOf(&From{At: q.At, Query: q})
			q.With, q.Recursive = with, recursive
		}
		p.tail(q)
	}
	return q
}

func (q *Query) hasTail() bool {
	return len(q.Order) > 0 || q.OrderAll != nil || q.Limit != nil || q.Offset != nil
}

func (p *parser) cte() CTE {
	c := CTE{At: p.peek().at, Name: p.name("a name")}
	if p.sees("(") {
		c.Columns = p.names()
	}
	if p.accept("USING", "KEY") {
		c.Key = p.names()
	}
	p.expect("AS")
	p.which("NOT MATERIALIZED", "MATERIALIZED") // ignored: a plan shares equal parts in any case
	c.Query = parentheses(p, p.query)
	return c
}

// setOperation reads queries joined by set operations that bind tighter than least.
// INTERSECT binds tighter than the others.
func (p *parser) setOperation(least int) *Query {
	left := p.simpleQuery()
	for {
		op := SetOp(p.peek().upper())
		tight := map[SetOp]int{Union: 1, Except: 1, Intersect: 2}[op]
		if tight <= least {
			return left
		}
		at := p.take().at
		if p.which("ALL", "DISTINCT") == "ALL" {
			op += " ALL"
		}
		byName := p.accept("BY", "NAME")
		right := p.setOperation(tight)
		left = &Query{At: at, OpAt: at, Op: op, ByName: byName, Left: left, Right: right}
	}
}

// simpleQuery reads one SELECT, VALUES or query in parentheses.
func (p *parser) simpleQuery() *Query {
	begin := p.peek().at
	switch {
	case p.sees("("):
		return parentheses(p, p.query)
	case p.accept("VALUES"):
		row := func() []*Expr { return parentheses(p, p.exprs) }
		return &Query{At: begin, Values: commas(p, row)}
	case p.sees("SELECT"), p.sees("FROM"):
		s := p.selectClauses()
		return &Query{At: s.At, Select: s}
	case p.peek().pivots():
		return p.pivotStatement()
	case p.accept("TABLE"):
		return StarOf(p.fromItem())
	}
	panic(p.unexpected("a query"))
}

// tail reads the ORDER BY, LIMIT, FETCH and OFFSET of a query.
func (p *parser) tail(q *Query) {
	if p.accept("ORDER") {
		p.expect("BY")
		if p.sees("ALL") {
			all := Order{At: p.take().at}
			p.direction(&all)
			q.OrderAll = &all
		} else {
			q.Order = commas(p, p.order)
		}
	}
	for {
		switch {
		case q.Limit == nil && p.accept("LIMIT"):
			if p.accept("ALL") {
				continue
			}
			p.limit(q)
		case q.Limit == nil && p.accept("FETCH"):
			p.fetch(q)
		case q.Offset == nil && p.accept("OFFSET"):
			q.Offset = p.expr()
			p.which("ROWS", "ROW")
		default:
			return
		}
	}
}

// limit reads how many rows LIMIT leaves, or how many percent of them. A number with a per cent sign is a
// percentage if nothing follows that could be divided by.
func (p *parser) limit(q *Query) {
	if next := p.ahead(2); p.peek().kind == number && p.ahead(1).is("%") && (next.kind == endOfText || next.isAny(")", ";", "OFFSET")) {
		q.Limit = p.primary()
	} else {
		q.Limit = p.expr()
	}
	q.Percent = p.which("%", "PERCENT") != ""
}

// fetch reads the clause after FETCH, which is another way to write LIMIT.
func (p *parser) fetch(q *Query) {
	p.oneOf("FIRST", "NEXT")
	q.Limit = &Expr{Kind: Number, Text: "1", At: p.last()}
	if !p.peek().isAny("ROW", "ROWS") {
		p.limit(q)
	}
	if p.which("ROWS", "ROW") == "" {
		panic(p.unexpected("ROWS"))
	}
	if p.sees("WITH") {
		panic(Unsupported(p.peek().at, "Next: write ONLY, or use rank() with QUALIFY.", "FETCH clauses WITH TIES"))
	}
	p.expect("ONLY")
}

func (p *parser) order() Order {
	e := p.expr()
	o := Order{At: e.At, Expr: e}
	p.direction(&o)
	return o
}

func (p *parser) direction(o *Order) {
	o.Desc = p.which("DESC", "ASC") == "DESC"
	if p.accept("NULLS") {
		o.Nulls = p.oneOf("FIRST", "LAST")
	}
	o.At = o.At.Join(p.last())
}

// taken takes the next token, which must be of one of the kinds; wanted names them in errors.
func (p *parser) taken(wanted string, kinds ...tokenKind) token {
	if !slices.Contains(kinds, p.peek().kind) {
		panic(p.unexpected(wanted))
	}
	return p.take()
}

// isName reports whether a token can be a name anywhere.
func (t token) isName() bool { return t.kind == quotedName || t.kind == word && !reserved(t.text) }

// name reads a name; what says whose it is, in errors.
func (p *parser) name(what string) string {
	if !p.peek().isName() {
		panic(p.unexpected(what))
	}
	return p.take().text
}

// names reads names of columns in parentheses.
func (p *parser) names() []string {
	name := func() string { return p.name("the name of a column") }
	return parentheses(p, func() []string { return commas(p, name) })
}
