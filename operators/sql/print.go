package sql

import (
	"slices"
	"strings"
)

// String returns the text of a statement, on one line.
func (s *Statement) String() string {
	query := s.Query.text()
	switch s.Verb {
	case Explain:
		return "EXPLAIN " + when(s.Analyze, "ANALYZE ") + query
	case Copy:
		return "COPY (" + query + ") TO " + QuoteText(s.To) + when(s.Format != "", " (FORMAT "+s.Format+")")
	case Create:
		return "CREATE " + when(s.Replace, "OR REPLACE ") + "VIEW " + QuoteName(s.View.Name) + " AS " + query
	case Describe, Summarize:
		return string(s.Verb) + " " + query
	}
	return query
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

// when is a text that stands only under a condition.
func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// list puts things behind each other with commas between them.
func list[T any](all []T, text func(T) string) string { return joined(all, ", ", text) }

func joined[T any](all []T, between string, text func(T) string) string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = text(one)
	}
	return strings.Join(texts, between)
}

func names(all []string) string { return "(" + list(all, QuoteName) + ")" }

func exprs(all []*Expr) string { return list(all, (*Expr).String) }

func (q *Query) text() string {
	with, rows := "", ""
	if len(q.With) > 0 {
		with = "WITH " + when(q.Recursive, "RECURSIVE ") + list(q.With, CTE.text) + " "
	}
	switch {
	case q.Op != NoSetOp:
		rows = q.Left.operand() + " " + string(q.Op) + when(q.ByName, " BY NAME") + " " + q.Right.operand()
	case q.Values != nil:
		rows = "VALUES " + list(q.Values, func(row []*Expr) string { return "(" + exprs(row) + ")" })
	default:
		rows = q.Select.text()
	}
	return with + rows + q.tail()
}

func (c CTE) text() string {
	return QuoteName(c.Name) + when(len(c.Columns) > 0, names(c.Columns)) + " AS (" + c.Query.text() + ")"
}

// operand is a query that a set operation is of.
func (q *Query) operand() string {
	if q.Op == NoSetOp && len(q.With) == 0 && !q.hasTail() {
		return q.text()
	}
	return "(" + q.text() + ")"
}

func (q *Query) tail() string {
	order := ""
	if q.OrderAll != nil {
		order = " ORDER BY ALL" + q.OrderAll.direction()
	}
	if len(q.Order) > 0 {
		order += " " + orderBy(q.Order)
	}
	return order + clause(" LIMIT ", q.Limit) + when(q.Limit != nil && q.Percent, " PERCENT") + clause(" OFFSET ", q.Offset)
}

func orderBy(all []Order) string {
	return "ORDER BY " + list(all, func(o Order) string { return o.Expr.String() + o.direction() })
}

func (o Order) direction() string {
	return when(o.Desc, " DESC") + when(o.Nulls != "", " NULLS "+o.Nulls)
}

// clause is an expression behind the words that begin it, if there is one.
func clause(words string, e *Expr) string {
	if e == nil {
		return ""
	}
	return words + e.String()
}

func (s *Select) text() string {
	var b strings.Builder
	b.WriteString("SELECT " + when(s.Distinct, "DISTINCT ") + when(len(s.DistinctOn) > 0, "ON ("+exprs(s.DistinctOn)+") ") + list(s.Items, Item.text))
	if s.From != nil {
		b.WriteString(" FROM " + s.From.text())
	}
	b.WriteString(clause(" WHERE ", s.Where))
	if s.GroupAll {
		b.WriteString(" GROUP BY ALL")
	} else if len(s.GroupBy) > 0 {
		b.WriteString(" GROUP BY " + exprs(s.GroupBy))
	}
	b.WriteString(clause(" HAVING ", s.Having))
	if len(s.Windows) > 0 {
		b.WriteString(" WINDOW " + list(s.Windows, func(w NamedWindow) string { return QuoteName(w.Name) + " AS " + w.Window.text() }))
	}
	b.WriteString(clause(" QUALIFY ", s.Qualify))
	return b.String()
}

func (item Item) text() string {
	return item.Expr.String() + when(item.Alias != "", " AS "+QuoteName(item.Alias))
}

func (w *Window) text() string {
	var parts []string
	if w.Name != "" {
		parts = append(parts, windowName(w.Name))
	}
	if len(w.Partition) > 0 {
		parts = append(parts, "PARTITION BY "+exprs(w.Partition))
	}
	if len(w.Order) > 0 {
		parts = append(parts, orderBy(w.Order))
	}
	if f := w.Frame; f != nil {
		parts = append(parts, f.Unit+" BETWEEN "+f.From.text()+" AND "+f.To.text()+when(f.Exclude != "", " EXCLUDE "+f.Exclude))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (b FrameBound) text() string {
	switch {
	case b.Offset == nil:
		return string(b.Kind)
	case b.Offset.Kind == Column: // which may be named UNBOUNDED
		return "(" + b.Offset.String() + ") " + string(b.Kind)
	}
	return b.Offset.String() + " " + string(b.Kind)
}

// windowName quotes the words that begin a part of a window.
func windowName(name string) string {
	if slices.Contains([]string{"PARTITION", "ROWS", "RANGE", "GROUPS"}, strings.ToUpper(name)) {
		return `"` + name + `"`
	}
	return QuoteName(name)
}

func (f *From) text() string {
	table := ""
	switch {
	case f.File != "":
		table = QuoteText(f.File)
	case f.Query != nil:
		table = "(" + f.Query.text() + ")"
	case f.Call != nil:
		table = f.Call.String()
	case f.Join != nil && f.Alias != "":
		table = "(" + f.Join.text() + ")"
	case f.Join != nil:
		table = f.Join.text()
	default:
		table = path(f.Path)
	}
	if f.Alias != "" {
		table += " AS " + QuoteName(f.Alias) + when(len(f.Columns) > 0, names(f.Columns))
	}
	return when(f.Lateral, "LATERAL ") + table
}

func (j *Join) text() string {
	words, right := ", ", j.Right.text()
	if j.Kind != CommaJoin {
		words = " " + when(j.Natural, "NATURAL ") + string(j.Kind) + " "
		if j.Right.Join != nil && j.Right.Alias == "" {
			right = "(" + right + ")"
		}
	}
	return j.Left.text() + words + right + clause(" ON ", j.On) + when(len(j.Using) > 0, " USING "+names(j.Using))
}

func path(all []string) string { return joined(all, ".", QuoteName) }

// binds says how tightly the outermost operator of an expression binds.
func (e *Expr) binds() int {
	switch e.Kind {
	case Binary:
		return operators[e.Text]
	case Unary:
		return signs[e.Text]
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

// within is an expression where only those stand that bind at least so tightly.
func (e *Expr) within(least int) string {
	if e.binds() >= least {
		return e.String()
	}
	return "(" + e.String() + ")"
}

// String returns the text of an expression, on one line.
func (e *Expr) String() string {
	switch e.Kind {
	case Column:
		return path(e.Path)
	case Star:
		return e.star()
	case Number, Boolean:
		return e.Text
	case String:
		return QuoteText(e.Text)
	case Null:
		return "NULL"
	case Param:
		return "$" + e.Text
	case Case:
		return e.caseOf()
	case Cast:
		return when(e.Try, "TRY_") + "CAST(" + e.Args[0].String() + " AS " + e.Text + ")"
	case Subquery:
		return "(" + e.Query.text() + ")"
	case Exists:
		return when(e.Not, "NOT ") + "EXISTS (" + e.Query.text() + ")"
	case Interval:
		return "INTERVAL (" + e.Args[0].String() + ")" + when(e.Text != "", " "+e.Text)
	case List:
		return "[" + exprs(e.Args) + "]"
	case Struct:
		fields := make([]string, len(e.Args))
		for i, value := range e.Args {
			fields[i] = QuoteText(e.Path[i]) + ": " + value.String()
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case Tuple:
		return "(" + exprs(e.Args) + ")"
	case Grouping:
		return e.Text + " (" + exprs(e.Args) + ")"
	case Call:
		return e.call()
	case Index, Slice:
		return e.Args[0].within(bindPostfix) + "[" + joined(e.Args[1:], ":", func(a *Expr) string { return clause("", a) }) + "]"
	}
	return e.operator()
}

// operator is the text of what has operators or the words of predicates.
func (e *Expr) operator() string {
	binds := e.binds()
	if e.Kind == Unary {
		arg := e.Args[0]
		if e.Text == "~" && arg.Kind != Unary { // which binary operators that bind as tightly follow
			binds++
		}
		return e.Text + when(e.Text == "NOT" || arg.Kind == Unary, " ") + arg.within(binds)
	}
	first := binds
	if binds >= bindIs && binds <= bindRange { // of which none follows another
		first++
	}
	left := e.Args[0].within(first)
	not := when(e.Not, " NOT") + " "
	behind := func(i int) string { return e.Args[i].within(binds + 1) }
	switch e.Kind {
	case IsNull:
		return left + " IS" + not + "NULL"
	case IsTruth:
		return left + " IS" + not + e.Text
	case IsDistinct:
		return left + " IS" + not + "DISTINCT FROM " + behind(1)
	case In:
		if e.Query != nil {
			return left + not + "IN (" + e.Query.text() + ")"
		}
		return left + not + "IN (" + exprs(e.Args[1:]) + ")"
	case Between:
		return left + not + "BETWEEN " + behind(1) + " AND " + behind(2)
	case Like:
		text := left + not + e.Text + " " + behind(1)
		if len(e.Args) > 2 {
			text += " ESCAPE " + behind(2)
		}
		return text
	case Quantified:
		if e.Query != nil {
			return left + " " + e.Text + " (" + e.Query.text() + ")"
		}
		return left + " " + e.Text + " (" + e.Args[1].String() + ")"
	}
	return left + " " + e.Text + " " + behind(1) // Binary
}

func (e *Expr) star() string {
	return when(len(e.Path) > 0, path(e.Path)+".") + "*" + when(len(e.Exclude) > 0, " EXCLUDE "+names(e.Exclude)) +
		when(len(e.Replace) > 0, " REPLACE ("+list(e.Replace, Item.text)+")")
}

func (e *Expr) caseOf() string {
	text := "CASE" + clause(" ", e.Args[0])
	last := len(e.Args) - 1
	for i := 1; i < last; i += 2 {
		text += " WHEN " + e.Args[i].String() + " THEN " + e.Args[i+1].String()
	}
	return text + clause(" ELSE ", e.Args[last]) + " END"
}

func (e *Expr) call() string {
	if e.Text == positionName {
		return e.Text + "(" + e.Args[1].within(bindRange) + " IN " + e.Args[0].String() + ")"
	}
	if e.Within {
		return e.orderedSet()
	}
	text := e.Text + "(" + when(e.Distinct, "DISTINCT ") + exprs(e.Args)
	if len(e.Order) > 0 {
		text += " " + orderBy(e.Order)
	}
	return text + when(e.IgnoreNulls, " IGNORE NULLS") + ")" + e.behindCall()
}

// orderedSet is a call of one of orderedSets.
func (e *Expr) orderedSet() string {
	for written, called := range orderedSets {
		if called == e.Text {
			return written + "(" + exprs(e.Args[1:]) + ") WITHIN GROUP (ORDER BY " + e.Args[0].String() + ")" + e.behindCall()
		}
	}
	return ""
}

// behindCall is what stands behind the arguments.
func (e *Expr) behindCall() string {
	text := ""
	if e.Filter != nil {
		text = " FILTER (WHERE " + e.Filter.String() + ")"
	}
	switch w := e.Window; {
	case w == nil:
		return text
	case w.Name != "" && len(w.Partition)+len(w.Order) == 0 && w.Frame == nil:
		return text + " OVER " + QuoteName(w.Name)
	default:
		return text + " OVER " + w.text()
	}
}
