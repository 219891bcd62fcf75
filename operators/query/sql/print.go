package sql

import (
	"slices"
	"strings"

	"analyzer/columnar"
)

// String returns the text of a statement, on one line.
func (s *Statement) String() string {
	absent := when(s.Lenient, "IF NOT EXISTS")
	if s.Query == nil {
		switch s.Verb {
		case CreateMacro:
			return words("CREATE", when(s.Replace, "OR REPLACE"), "MACRO", absent, s.Macro.text())
		case Drop:
			return words("DROP", s.Dropped, when(s.Lenient, "IF EXISTS"), QuoteName(s.View.Name))
		case Nothing:
			return s.Ready
		}
		return string(s.Verb)
	}
	query := s.Query.text()
	switch s.Verb {
	case CreateTable:
		return words("CREATE", when(s.Replace, "OR REPLACE"), "TABLE", absent, QuoteName(s.View.Name), "AS", query)
	case SetVariable:
		return words("SET VARIABLE", QuoteName(s.View.Name), "=", s.Query.Select.Items[0].Expr.String())
	case Explain:
		return words("EXPLAIN", when(s.Analyze, "ANALYZE"), when(s.Rules, "(RULES)"), query)
	case Copy:
		var options []string
		for _, o := range s.Options {
			options = append(options, o.Name+" "+o.Value.String())
		}
		return words("COPY ("+query+") TO", QuoteText(s.To), when(options != nil, "("+strings.Join(options, ", ")+")"))
	case Create:
		return words("CREATE", when(s.Replace, "OR REPLACE"), "VIEW", absent, QuoteName(s.View.Name), "AS", query)
	}
	return words(string(s.Verb), query)
}

// QuoteText returns a text as a SQL literal, in single quotes.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// QuoteName returns a name as a statement writes it, in double quotes if it needs them.
func QuoteName(name string) string {
	if name != "" && isNameStart([]rune(name)[0]) && nameLength(name) == len(name) && !reserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// when returns the text if the condition is true, and "" otherwise.
func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// words joins the texts that are not empty with spaces.
func words(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " ")
}

// list joins the texts of things with commas.
func list[T any](all []T, text func(T) string) string { return joined(all, ", ", text) }

func joined[T any](all []T, between string, text func(T) string) string {
	return strings.Join(columnar.Each(all, text), between)
}

func names(all []string) string { return "(" + list(all, QuoteName) + ")" }

func exprs(all []*Expr) string { return list(all, (*Expr).String) }

func (q *Query) text() string {
	rows, order := "", ""
	switch {
	case q.Op != NoSetOp:
		rows = words(q.Left.operand(), string(q.Op), when(q.ByName, "BY NAME"), q.Right.operand())
	case q.Values != nil:
		rows = "VALUES " + list(q.Values, func(row []*Expr) string { return "(" + exprs(row) + ")" })
	default:
		rows = q.Select.text()
	}
	if q.OrderAll != nil {
		order = words("ORDER BY ALL", q.OrderAll.direction())
	}
	with := when(len(q.With) > 0, "WITH "+when(q.Recursive, "RECURSIVE ")+list(q.With, CTE.text))
	return words(with, rows, order, orderBy(q.Order), clause("LIMIT", q.Limit), when(q.Percent, "PERCENT"), clause("OFFSET", q.Offset))
}

func (c CTE) text() string {
	return QuoteName(c.Name) + when(len(c.Columns) > 0, names(c.Columns)) + when(len(c.Key) > 0, " USING KEY "+names(c.Key)) + " AS (" + c.Query.text() + ")"
}

// operand is the text of a query as an operand of a set operation.
func (q *Query) operand() string {
	if q.Op == NoSetOp && len(q.With) == 0 && !q.hasTail() {
		return q.text()
	}
	return "(" + q.text() + ")"
}

// orderBy is the text of ORDER BY, "" without keys.
func orderBy(all []Order) string {
	return when(len(all) > 0, "ORDER BY "+list(all, func(o Order) string { return words(o.Expr.String(), o.direction()) }))
}

func (o Order) direction() string {
	return words(when(o.Desc, "DESC"), when(o.Nulls != "", "NULLS "+o.Nulls))
}

// clause is the text of a clause: its first words and its expression, "" without one.
func clause(begin string, e *Expr) string {
	if e == nil {
		return ""
	}
	return words(begin, e.String())
}

func (s *Select) text() string {
	from := ""
	if s.From != nil {
		from = "FROM " + s.From.text()
	}
	return words("SELECT", when(s.Distinct, "DISTINCT"), when(len(s.DistinctOn) > 0, "ON ("+exprs(s.DistinctOn)+")"), list(s.Items, Item.text),
		from, clause("WHERE", s.Where),
		when(s.GroupAll, "GROUP BY ALL"), when(len(s.GroupBy) > 0, "GROUP BY "+exprs(s.GroupBy)), clause("HAVING", s.Having),
		when(len(s.Windows) > 0, "WINDOW "+list(s.Windows, NamedWindow.text)), clause("QUALIFY", s.Qualify), s.sample())
}

func (s *Select) sample() string {
	if s.Sample == nil {
		return ""
	}
	return "USING SAMPLE " + s.Sample.text()
}

func (w NamedWindow) text() string { return QuoteName(w.Name) + " AS " + w.Window.text() }

func (item Item) text() string {
	return item.Expr.String() + when(item.Alias != "", " AS "+QuoteName(item.Alias))
}

func (w *Window) text() string {
	frame := ""
	if f := w.Frame; f != nil {
		frame = words(f.Unit, "BETWEEN", f.From.text(), "AND", f.To.text(), when(f.Exclude != "", "EXCLUDE "+f.Exclude))
	}
	return "(" + words(when(w.Name != "", windowName(w.Name)), when(len(w.Partition) > 0, "PARTITION BY "+exprs(w.Partition)), orderBy(w.Order), frame) + ")"
}

func (b FrameBound) text() string {
	switch {
	case b.Offset == nil:
		return string(b.Kind)
	case b.Offset.Kind == Column: // it may be named UNBOUNDED
		return "(" + b.Offset.String() + ") " + string(b.Kind)
	}
	return b.Offset.String() + " " + string(b.Kind)
}

// windowName also quotes the words that begin a clause of a window.
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
		table = "(" + words(string(f.Verb), f.Query.text()) + ")"
	case f.Call != nil:
		table = f.Call.String() + when(f.Ordinality, " WITH ORDINALITY")
	case f.Join != nil && f.Alias != "":
		table = "(" + f.Join.text() + ")"
	case f.Join != nil:
		table = f.Join.text()
	case f.Pivot != nil:
		table = f.Pivot.text()
	case f.Unpivot != nil:
		table = f.Unpivot.text()
	default:
		table = path(f.Path)
	}
	if f.Alias != "" {
		table += " AS " + QuoteName(f.Alias) + when(len(f.Columns) > 0, names(f.Columns))
	}
	if f.Sample != nil {
		table += " TABLESAMPLE " + f.Sample.text()
	}
	return when(f.Lateral, "LATERAL ") + table
}

func (j *Join) text() string {
	right := j.Right.text()
	if j.Kind == CommaJoin {
		return j.Left.text() + ", " + right
	}
	if j.Right.Join != nil && j.Right.Alias == "" {
		right = "(" + right + ")"
	}
	return words(j.Left.text(), when(j.Natural, "NATURAL"), when(j.Asof, "ASOF"), string(j.Kind), right, clause("ON", j.On), when(len(j.Using) > 0, "USING "+names(j.Using)))
}

func path(all []string) string { return joined(all, ".", QuoteName) }
