package sql

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
)

// executed begins the names of the macros that PREPARE makes, which no call has.
const executed = "EXECUTE "

// prepare reads PREPARE name AS query, which makes a macro of the query. Its parameters are those of the query.
func (p *parser) prepare(st *Statement) *Statement {
	p.expect("PREPARE")
	m := &Macro{At: p.peek().at}
	m.Name = executed + p.name("a name")
	p.expect("AS")
	p.preparing = true
	var names []string
	query := Rewriter{Expr: func(e *Expr) *Expr {
		if e.Kind != Param {
			return nil
		}
		if name := "$" + e.Text; !slices.Contains(names, name) {
			names = append(names, name)
		}
		return e.At.Column("$" + e.Text)
	}}.Of(p.query())
	slices.SortFunc(names, func(a, b string) int { // $1, $2, … $10
		if d := len(a) - len(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	m.Forms = []Form{{Parameters: columnar.Each(names, func(name string) Parameter { return Parameter{Name: name} }), Query: query}}
	st.Verb, st.Macro, st.Replace = CreateMacro, m, true
	return st
}

// execute reads EXECUTE name(values), which calls the macro that PREPARE made.
func (p *parser) execute(st *Statement) *Statement {
	p.expect("EXECUTE")
	call := &Expr{Kind: Call, At: p.peek().at}
	call.Text = strings.ToLower(executed + p.name("the name of a prepared query"))
	if p.sees("(") {
		call.Args = parentheses(p, func() []*Expr { return commas(p, p.argument) })
	}
	for _, a := range call.Args {
		if a.Kind == Binary && a.Not { // name := value
			a.Args[0].Path[0] = "$" + a.Args[0].Path[0]
		}
	}
	call.At = call.At.Join(p.last())
	st.Query = StarOf(&From{At: call.At, Call: call})
	return st
}

// written returns the query that the text of a call of query holds, or that reads the tables that query_table
// names; nil for any other call.
func (x expander) written(call *Expr) *Query {
	texts := columnar.Each(call.Args, x.constant)
	switch {
	case strings.HasPrefix(call.Text, strings.ToLower(executed)):
		panic(Wrong(call.At, "Next: PREPARE name AS SELECT …, before.", "there is no prepared query %q", call.Text[len(executed):]))
	case call.Text == "query" && len(texts) == 1 && texts[0].Kind == String:
		return x.parsed(call, texts[0].Text)
	case call.Text == "query_table" && len(texts) > 0 && len(texts) < 3:
		names := []*Expr{texts[0]}
		if names[0].Kind == List {
			names = columnar.Each(names[0].Args, x.constant)
		}
		if slices.ContainsFunc(names, func(e *Expr) bool { return e.Kind != String }) || len(names) == 0 {
			break
		}
		byName := len(texts) == 2 && texts[1].Kind == Boolean && texts[1].Text == "TRUE"
		all := columnar.Each(names, func(e *Expr) *Query { return StarOf(&From{At: call.At, Path: []string{e.Text}}) })
		for _, q := range all[1:] {
			all[0] = &Query{At: call.At, OpAt: call.At, Op: UnionAll, ByName: byName, Left: all[0], Right: q}
		}
		return all[0]
	}
	if usage := map[string]string{"query": "query('SELECT …')", "query_table": "query_table('table') or query_table(['table', 'other'])"}[call.Text]; usage != "" {
		panic(Wrong(call.At, "Next: write texts in quotes, ||, and getvariable('name').", "it is %s, of texts that are known before any row is", usage))
	}
	return nil
}

// parsed reads the query in a text. Its parts stand where the call does.
func (x expander) parsed(call *Expr, text string) *Query {
	st, err := Parse(x.work, text)
	switch {
	case err != nil:
		panic(Wrong(call.At, "", "the text %s is no query: %v", QuoteText(text), err))
	case st.Verb != Answer:
		panic(Wrong(call.At, "", "the text %s is no query but a statement", QuoteText(text)))
	}
	return Rewriter{
		Query: func(q *Query) *Query { q.At, q.OpAt = call.At, call.At; return q },
		From:  func(f *From) *From { f.At = call.At; return nil },
		Expr:  func(e *Expr) *Expr { e.At = call.At; return nil },
	}.Of(st.Query)
}

// constant returns the text, or the list of texts, that is known of an expression before any row, or else the expression.
func (x expander) constant(e *Expr) *Expr {
	isText := func(e *Expr) bool { return e.Kind == String }
	of := e
	switch {
	case e.Kind == Call && e.Text == "getvariable":
		of = x.constant(x.variable(e))
	case e.Kind == Cast && (e.Text == "VARCHAR" || e.Text == "VARCHAR[]"):
		of = x.constant(e.Args[0])
	case e.Kind == Binary && e.Text == "||":
		if left, right := x.constant(e.Args[0]), x.constant(e.Args[1]); isText(left) && isText(right) {
			return e.At.Text(left.Text + right.Text)
		}
	case e.Kind == Call && e.Text == "chr" && len(e.Args) == 1 && e.Args[0].Kind == Number: // a delimiter that no line has
		if n, err := strconv.ParseInt(e.Args[0].Text, 10, 32); err == nil && utf8.ValidRune(rune(n)) {
			return e.At.Text(string(rune(n)))
		}
	case e.Kind == List:
		of = e.At.List(columnar.Each(e.Args, x.constant)...)
	}
	if isText(of) || of.Kind == List && !slices.ContainsFunc(of.Args, func(e *Expr) bool { return !isText(e) }) {
		return of
	}
	return e
}

// named returns a call in FROM, or COLUMNS, with the texts that are known of its arguments, such as names of files.
func (x expander) named(e *Expr) *Expr {
	out := *e
	out.Args = columnar.Each(e.Args, func(a *Expr) *Expr {
		if a.Kind == Binary && a.Text == "=" { // of an option
			option := *a
			option.Args = []*Expr{a.Args[0], x.constant(a.Args[1])}
			return &option
		}
		return x.constant(a)
	})
	return &out
}
