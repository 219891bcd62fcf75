package sql

import (
	"strings"
)

// binds returns the precedence of the outermost operator of an expression.
func (e *Expr) binds() int {
	switch e.Kind {
	case Lambda:
		return bindArrow
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

// within returns the text of an expression, in parentheses if it binds less tightly than least.
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
	case Columns:
		return e.Text + "COLUMNS(" + e.Args[0].String() + ")"
	case Place:
		return "#" + e.Text
	case Number, Boolean:
		return e.Text
	case String:
		return QuoteText(e.Text)
	case Null:
		return "NULL"
	case Param:
		return "$" + e.Text
	case Lambda:
		return e.lambda()
	case Case:
		return e.caseOf()
	case Cast:
		return when(e.Try, "TRY_") + "CAST(" + e.Args[0].String() + " AS " + e.Text + ")"
	case Collate:
		return e.Args[0].within(bindPostfix) + " COLLATE " + strings.Join(e.Path, ".")
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
	case Field:
		return e.Args[0].within(bindPostfix) + "." + QuoteName(e.Path[0])
	case Tuple:
		return "(" + exprs(e.Args) + ")"
	case Grouping:
		return e.Text + " (" + exprs(e.Args) + ")"
	case Call:
		return e.call()
	case Index, Slice:
		return e.Args[0].within(bindPostfix) + "[" + e.places() + "]"
	}
	return e.operator()
}

// places is the text of what stands in brackets behind a list.
func (e *Expr) places() string {
	texts := make([]string, len(e.Args)-1)
	for i, a := range e.Args[1:] {
		if texts[i] = clause("", a); a == nil && i == 1 && len(texts) == 3 {
			texts[i] = "-" // two colons would be a cast
		}
	}
	return strings.Join(texts, ":")
}

// operator is the text of an expression of an operator or a predicate.
func (e *Expr) operator() string {
	binds := e.binds()
	if e.Kind == Unary {
		arg := e.Args[0]
		if e.Text == "~" && arg.Kind != Unary { // ~ has the precedence of some binary operators
			binds++
		}
		return e.Text + when(e.Text == "NOT" || arg.Kind == Unary, " ") + arg.within(binds)
	}
	first := binds
	if binds >= bindIs && binds <= bindRange { // these do not chain
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
		return left + not + "IN " + e.rows()
	case Between:
		return left + not + "BETWEEN " + behind(1) + " AND " + behind(2)
	case Like:
		text := left + not + e.Text + " " + behind(1)
		if len(e.Args) > 2 {
			text += " ESCAPE " + behind(2)
		}
		return text
	case Quantified:
		return left + " " + e.Text + " " + e.rows()
	}
	if e.Not {
		return left + " := " + behind(1)
	}
	return left + " " + e.Text + " " + behind(1) // Binary
}

// rows is the text of what IN, ANY or ALL compares a value with: a query, or the arguments
// after the value.
func (e *Expr) rows() string {
	if e.Query != nil {
		return "(" + e.Query.text() + ")"
	}
	return "(" + exprs(e.Args[1:]) + ")"
}

func (e *Expr) star() string {
	return when(len(e.Path) > 0, path(e.Path)+".") + "*" + when(len(e.Exclude) > 0, " EXCLUDE ("+list(e.Exclude, path)+")") + e.pattern() +
		when(len(e.Replace) > 0, " REPLACE ("+list(e.Replace, Item.text)+")") +
		when(len(e.Rename) > 0, " RENAME ("+list(e.Rename, Item.text)+")")
}

// pattern is the text of the pattern of names behind a star, "" if there is none.
func (e *Expr) pattern() string {
	if len(e.Args) == 0 {
		return ""
	}
	return when(e.Not, " NOT") + " " + e.Text + " " + e.Args[0].within(bindRange+1)
}

func (e *Expr) caseOf() string {
	texts, last := []string{"CASE", clause("", e.Args[0])}, len(e.Args)-1
	for i := 1; i < last; i += 2 {
		texts = append(texts, clause("WHEN", e.Args[i]), clause("THEN", e.Args[i+1]))
	}
	return words(append(texts, clause("ELSE", e.Args[last]), "END")...)
}

func (e *Expr) call() string {
	if e.Text == positionName {
		return e.Text + "(" + e.Args[1].within(bindRange) + " IN " + e.Args[0].String() + ")"
	}
	if e.Within {
		return e.orderedSet()
	}
	return e.Text + "(" + words(when(e.Distinct, "DISTINCT"), exprs(e.Args), orderBy(e.Order), when(e.IgnoreNulls, "IGNORE NULLS")) + ")" + e.behindCall()
}

// orderedSet is the text of a call of one of orderedSets, with WITHIN GROUP.
func (e *Expr) orderedSet() string {
	for written, called := range orderedSets {
		if called == e.Text {
			return written + "(" + exprs(e.Args[1:]) + ") WITHIN GROUP (ORDER BY " + e.Args[0].String() + when(len(e.Order) > 0, " DESC") + ")" + e.behindCall()
		}
	}
	return ""
}

// behindCall is the text of the FILTER and OVER after the arguments.
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
