package sql

import (
	"strings"
)

// String returns the text of a statement, on one line.
func (s *Statement) String() string {
	var p printer
	switch s.Verb {
	case Explain:
		p.write("EXPLAIN ")
		if s.Analyze {
			p.write("ANALYZE ")
		}
	case Copy:
		p.write("COPY (")
		p.query(s.Query)
		p.write(") TO ", QuoteText(s.To))
		if s.Format != "" {
			p.write(" (FORMAT ", s.Format, ")")
		}
		return p.b.String()
	case Describe, Summarize:
		p.write(string(s.Verb), " ")
	}
	p.query(s.Query)
	return p.b.String()
}

// String returns the text of an expression, on one line.
func (e *Expr) String() string {
	var p printer
	p.expr(e)
	return p.b.String()
}

// QuoteText returns a text as a statement has it.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// QuoteName returns a name as a statement has it: in double quotes if it must be.
func QuoteName(name string) string {
	if name != "" && isNameStart([]rune(name)[0]) && nameLength(name) == len(name) && !reserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// printer writes statements.
type printer struct{ b strings.Builder }

func (p *printer) write(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

// list writes n things with commas between them.
func (p *printer) list(n int, one func(i int)) {
	for i := range n {
		if i > 0 {
			p.write(", ")
		}
		one(i)
	}
}

func (p *printer) names(names []string) {
	p.write("(")
	p.list(len(names), func(i int) { p.write(QuoteName(names[i])) })
	p.write(")")
}

func (p *printer) exprs(all []*Expr) { p.list(len(all), func(i int) { p.expr(all[i]) }) }

func (p *printer) query(q *Query) {
	if len(q.With) > 0 {
		p.write("WITH ")
		if q.Recursive {
			p.write("RECURSIVE ")
		}
		p.list(len(q.With), func(i int) {
			c := q.With[i]
			p.write(QuoteName(c.Name))
			if len(c.Columns) > 0 {
				p.names(c.Columns)
			}
			p.write(" AS (")
			p.query(c.Query)
			p.write(")")
		})
		p.write(" ")
	}
	switch {
	case q.Op != NoSetOp:
		p.operand(q.Left)
		p.write(" ", string(q.Op))
		if q.ByName {
			p.write(" BY NAME")
		}
		p.write(" ")
		p.operand(q.Right)
	case q.Values != nil:
		p.write("VALUES ")
		p.list(len(q.Values), func(i int) {
			p.write("(")
			p.exprs(q.Values[i])
			p.write(")")
		})
	default:
		p.selection(q.Select)
	}
	p.tail(q)
}

// operand writes a query that a set operation is of.
func (p *printer) operand(q *Query) {
	if q.Op == NoSetOp && len(q.With) == 0 && !q.hasTail() {
		p.query(q)
		return
	}
	p.write("(")
	p.query(q)
	p.write(")")
}

func (p *printer) tail(q *Query) {
	if q.OrderAll != nil {
		p.write(" ORDER BY ALL")
		p.direction(*q.OrderAll)
	}
	if len(q.Order) > 0 {
		p.write(" ")
		p.orderBy(q.Order)
	}
	if q.Limit != nil {
		p.write(" LIMIT ")
		p.expr(q.Limit)
		if q.Percent {
			p.write(" PERCENT")
		}
	}
	if q.Offset != nil {
		p.write(" OFFSET ")
		p.expr(q.Offset)
	}
}

func (p *printer) orderBy(all []Order) {
	p.write("ORDER BY ")
	p.list(len(all), func(i int) {
		p.expr(all[i].Expr)
		p.direction(all[i])
	})
}

func (p *printer) direction(o Order) {
	if o.Desc {
		p.write(" DESC")
	}
	if o.Nulls != "" {
		p.write(" NULLS ", o.Nulls)
	}
}

func (p *printer) selection(s *Select) {
	p.write("SELECT ")
	if s.Distinct {
		p.write("DISTINCT ")
	}
	if len(s.DistinctOn) > 0 {
		p.write("ON (")
		p.exprs(s.DistinctOn)
		p.write(") ")
	}
	p.list(len(s.Items), func(i int) { p.item(s.Items[i]) })
	if s.From != nil {
		p.write(" FROM ")
		p.from(s.From)
	}
	p.clause(" WHERE ", s.Where)
	if s.GroupAll {
		p.write(" GROUP BY ALL")
	} else if len(s.GroupBy) > 0 {
		p.write(" GROUP BY ")
		p.exprs(s.GroupBy)
	}
	p.clause(" HAVING ", s.Having)
	if len(s.Windows) > 0 {
		p.write(" WINDOW ")
		p.list(len(s.Windows), func(i int) {
			p.write(QuoteName(s.Windows[i].Name), " AS ")
			p.window(s.Windows[i].Window)
		})
	}
	p.clause(" QUALIFY ", s.Qualify)
}

func (p *printer) clause(name string, e *Expr) {
	if e != nil {
		p.write(name)
		p.expr(e)
	}
}

func (p *printer) item(item Item) {
	p.expr(item.Expr)
	if item.Alias != "" {
		p.write(" AS ", QuoteName(item.Alias))
	}
}

func (p *printer) window(w *Window) {
	parts := 0
	space := func() {
		if parts++; parts > 1 {
			p.write(" ")
		}
	}
	p.write("(")
	if w.Name != "" {
		space()
		p.write(windowName(w.Name))
	}
	if len(w.Partition) > 0 {
		space()
		p.write("PARTITION BY ")
		p.exprs(w.Partition)
	}
	if len(w.Order) > 0 {
		space()
		p.orderBy(w.Order)
	}
	if w.Frame != nil {
		space()
		p.frame(w.Frame)
	}
	p.write(")")
}

func (p *printer) frame(f *Frame) {
	p.write(f.Unit, " BETWEEN ")
	p.frameBound(f.From)
	p.write(" AND ")
	p.frameBound(f.To)
	if f.Exclude != "" {
		p.write(" EXCLUDE ", f.Exclude)
	}
}

func (p *printer) frameBound(b FrameBound) {
	switch {
	case b.Offset == nil:
	case b.Offset.Kind == Column: // which may be named UNBOUNDED
		p.write("(")
		p.expr(b.Offset)
		p.write(") ")
	default:
		p.expr(b.Offset)
		p.write(" ")
	}
	p.write(string(b.Kind))
}

// windowName quotes the words that begin a part of a window.
func windowName(name string) string {
	switch strings.ToUpper(name) {
	case "PARTITION", "ROWS", "RANGE", "GROUPS":
		return `"` + name + `"`
	}
	return QuoteName(name)
}

func (p *printer) from(f *From) {
	if f.Lateral {
		p.write("LATERAL ")
	}
	switch {
	case f.File != "":
		p.write(QuoteText(f.File))
	case f.Query != nil:
		p.write("(")
		p.query(f.Query)
		p.write(")")
	case f.Call != nil:
		p.expr(f.Call)
	case f.Join != nil && f.Alias != "":
		p.write("(")
		p.join(f.Join)
		p.write(")")
	case f.Join != nil:
		p.join(f.Join)
	default:
		p.path(f.Path)
	}
	if f.Alias != "" {
		p.write(" AS ", QuoteName(f.Alias))
		if len(f.Columns) > 0 {
			p.names(f.Columns)
		}
	}
}

func (p *printer) join(j *Join) {
	p.from(j.Left)
	if j.Kind == CommaJoin {
		p.write(", ")
	} else {
		p.write(" ")
		if j.Natural {
			p.write("NATURAL ")
		}
		p.write(string(j.Kind), " ")
	}
	if inner := j.Right; inner.Join != nil && inner.Alias == "" && j.Kind != CommaJoin {
		p.write("(")
		p.from(inner)
		p.write(")")
	} else {
		p.from(inner)
	}
	if j.On != nil {
		p.write(" ON ")
		p.expr(j.On)
	}
	if len(j.Using) > 0 {
		p.write(" USING ")
		p.names(j.Using)
	}
}

func (p *printer) path(path []string) {
	for i, name := range path {
		if i > 0 {
			p.write(".")
		}
		p.write(QuoteName(name))
	}
}

// binds says how tightly the outermost operator of an expression binds.
func (e *Expr) binds() int {
	switch e.Kind {
	case Binary:
		switch e.Text {
		case "OR":
			return bindOr
		case "AND":
			return bindAnd
		case "=", "<>", "<", "<=", ">", ">=":
			return bindCompare
		case "+", "-":
			return bindAdd
		case "*", "/", "//", "%":
			return bindMul
		case "^":
			return bindPower
		}
		return bindOther
	case Unary:
		if e.Text == "NOT" {
			return bindNot
		}
		return bindSign
	case Exists:
		if e.Not {
			return bindNot
		}
	case IsNull, IsTruth, IsDistinct:
		return bindIs
	case Quantified:
		return bindCompare
	case In, Between, Like:
		return bindRange
	}
	return bindPostfix
}

// within writes an expression where only those stand that bind at least so tightly.
func (p *printer) within(e *Expr, least int) {
	if e.binds() >= least {
		p.expr(e)
		return
	}
	p.write("(")
	p.expr(e)
	p.write(")")
}

func (p *printer) expr(e *Expr) {
	switch e.Kind {
	case Column:
		p.path(e.Path)
	case Star:
		p.star(e)
	case Number, Boolean:
		p.write(e.Text)
	case String:
		p.write(QuoteText(e.Text))
	case Null:
		p.write("NULL")
	case Param:
		p.write("$", e.Text)
	case Case:
		p.caseOf(e)
	case Cast:
		p.write(pick(e.Try, "TRY_CAST(", "CAST("))
		p.expr(e.Args[0])
		p.write(" AS ", e.Text, ")")
	case Subquery:
		p.subquery("", e.Query)
	case Exists:
		p.subquery(pick(e.Not, "NOT EXISTS ", "EXISTS "), e.Query)
	case Interval:
		p.write("INTERVAL (")
		p.expr(e.Args[0])
		p.write(")")
		if e.Text != "" {
			p.write(" ", e.Text)
		}
	case List:
		p.write("[")
		p.exprs(e.Args)
		p.write("]")
	case Struct:
		p.write("{")
		p.list(len(e.Args), func(i int) {
			p.write(QuoteText(e.Path[i]), ": ")
			p.expr(e.Args[i])
		})
		p.write("}")
	case Tuple:
		p.write("(")
		p.exprs(e.Args)
		p.write(")")
	case Grouping:
		p.write(e.Text, " (")
		p.exprs(e.Args)
		p.write(")")
	case Call:
		p.call(e)
	case Index, Slice:
		p.subscript(e)
	default:
		p.operator(e)
	}
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (p *printer) subquery(before string, q *Query) {
	p.write(before, "(")
	p.query(q)
	p.write(")")
}

// operator writes what has operators or the words of predicates.
func (p *printer) operator(e *Expr) {
	binds := e.binds()
	not := pick(e.Not, " NOT ", " ")
	switch e.Kind {
	case Unary:
		p.write(e.Text, pick(e.Text == "NOT" || e.Args[0].Kind == Unary, " ", ""))
		p.within(e.Args[0], binds)
		return
	default:
		first := binds
		if binds >= bindIs && binds <= bindRange { // of which none follows another
			first++
		}
		p.within(e.Args[0], first)
	}
	switch e.Kind {
	case Binary:
		p.write(" ", e.Text, " ")
		p.within(e.Args[1], binds+1)
	case IsNull:
		p.write(" IS", not, "NULL")
	case IsTruth:
		p.write(" IS", not, e.Text)
	case IsDistinct:
		p.write(" IS", not, "DISTINCT FROM ")
		p.within(e.Args[1], binds+1)
	case In:
		p.write(not, "IN ")
		if e.Query != nil {
			p.subquery("", e.Query)
			return
		}
		p.write("(")
		p.exprs(e.Args[1:])
		p.write(")")
	case Between:
		p.write(not, "BETWEEN ")
		p.within(e.Args[1], binds+1)
		p.write(" AND ")
		p.within(e.Args[2], binds+1)
	case Like:
		p.write(not, e.Text, " ")
		p.within(e.Args[1], binds+1)
		if len(e.Args) > 2 {
			p.write(" ESCAPE ")
			p.within(e.Args[2], binds+1)
		}
	case Quantified:
		p.subquery(" "+e.Text+" ", e.Query)
	}
}

func (p *printer) star(e *Expr) {
	if len(e.Path) > 0 {
		p.path(e.Path)
		p.write(".")
	}
	p.write("*")
	if len(e.Exclude) > 0 {
		p.write(" EXCLUDE ")
		p.names(e.Exclude)
	}
	if len(e.Replace) > 0 {
		p.write(" REPLACE (")
		p.list(len(e.Replace), func(i int) { p.item(e.Replace[i]) })
		p.write(")")
	}
}

func (p *printer) caseOf(e *Expr) {
	p.write("CASE")
	if e.Args[0] != nil {
		p.write(" ")
		p.expr(e.Args[0])
	}
	last := len(e.Args) - 1
	for i := 1; i < last; i += 2 {
		p.write(" WHEN ")
		p.expr(e.Args[i])
		p.write(" THEN ")
		p.expr(e.Args[i+1])
	}
	if e.Args[last] != nil {
		p.write(" ELSE ")
		p.expr(e.Args[last])
	}
	p.write(" END")
}

func (p *printer) subscript(e *Expr) {
	p.within(e.Args[0], bindPostfix)
	p.write("[")
	for i, a := range e.Args[1:] {
		if i > 0 {
			p.write(":")
		}
		if a != nil {
			p.expr(a)
		}
	}
	p.write("]")
}

func (p *printer) call(e *Expr) {
	p.write(e.Text, "(")
	if e.Text == positionName {
		p.within(e.Args[1], bindRange)
		p.write(" IN ")
		p.expr(e.Args[0])
		p.write(")")
		return
	}
	if e.Distinct {
		p.write("DISTINCT ")
	}
	p.exprs(e.Args)
	if len(e.Order) > 0 {
		p.write(" ")
		p.orderBy(e.Order)
	}
	p.write(")")
	if e.Filter != nil {
		p.write(" FILTER (WHERE ")
		p.expr(e.Filter)
		p.write(")")
	}
	if w := e.Window; w != nil {
		p.write(" OVER ")
		if w.Name != "" && len(w.Partition)+len(w.Order) == 0 && w.Frame == nil {
			p.write(QuoteName(w.Name))
		} else {
			p.window(w)
		}
	}
}
