package sql

import (
	"slices"
	"strings"

	"analyzer/columnar/budget"
)

// Macro is an expression or a query with parameters, which calls of its name stand for.
type Macro struct {
	At         Span // its name
	Name       string
	Parameters []string
	Defaults   []*Expr // of the last parameters
	Expr       *Expr
	Query      *Query // of a macro of tables
}

// macro reads a macro, after CREATE MACRO.
func (p *parser) macro() *Macro {
	m := &Macro{At: p.peek().at}
	m.Name = p.unqualified("the name of a macro")
	p.expect("(")
	for !p.sees(")") {
		m.Parameters = append(m.Parameters, p.name("a parameter"))
		if p.accept(":=") || p.accept("=>") {
			m.Defaults = append(m.Defaults, p.expr())
		} else if len(m.Defaults) > 0 {
			panic(p.unexpected(":= and a default, which the parameter before it has,"))
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "AS")
	if p.accept("TABLE") {
		m.Query = p.query()
	} else {
		m.Expr = p.expr()
	}
	if p.sees(",") {
		panic(Unsupported(p.peek().at, "Next: give them names of their own.", "macros of one name with different parameters"))
	}
	return m
}

// Definitions are what the statements of a session have defined.
type Definitions struct {
	Macros    map[string]*Macro // by name in lower case
	Variables map[string]*Expr  // by name in lower case
}

// mostNested bounds how deep macros call each other.
const mostNested = 100

// Expand returns a query in which calls of macros and getvariable are what they stand for.
func (d Definitions) Expand(work *budget.Work, q *Query) (out *Query, err error) {
	defer Catch(&err)
	return d.expander(work, 0).Of(q), nil
}

func (d Definitions) expander(work *budget.Work, depth int) Rewriter {
	return expander{d, work, depth}.rewriter()
}

type expander struct {
	Definitions
	work  *budget.Work
	depth int
}

func (x expander) rewriter() Rewriter { return Rewriter{Expr: x.call, From: x.table} }

// call returns what a call of a macro stands for, or COLUMNS of names that are known, nil for anything else.
func (x expander) call(e *Expr) *Expr {
	x.work.Do(1)
	if e.Kind == Columns && x.constant(e.Args[0]) != e.Args[0] {
		return x.named(e)
	}
	if e.Kind != Call {
		return nil
	}
	if e.Text == "getvariable" {
		return x.variable(e)
	}
	m := x.Macros[e.Text]
	if m == nil || m.Expr == nil || e.Window != nil {
		return nil
	}
	body := x.with(m, e).expr(m.Expr)
	placed := *body
	placed.At = e.At
	return x.deeper(e).expr(&placed)
}

// table is call for a table.
func (x expander) table(f *From) *From {
	if f.Call == nil {
		return nil
	}
	out := *f
	if m := x.Macros[f.Call.Text]; m != nil && m.Query != nil {
		out.Query = x.with(m, f.Call).Of(m.Query)
	} else if out.Query = x.written(f.Call); out.Query == nil {
		out.Call = x.rewriter().expr(x.named(f.Call))
		return &out
	}
	out.Call, out.Query = nil, x.deeper(f.Call).Of(out.Query)
	if out.Alias == "" {
		out.Alias = f.Call.Text
	}
	return &out
}

// deeper expands the macros in what a macro stands for.
func (x expander) deeper(e *Expr) Rewriter {
	if x.depth == mostNested {
		panic(Wrong(e.At, "", "macros call each other more than %d times", mostNested))
	}
	return x.expander(x.work, x.depth+1)
}

// with puts the arguments of a call in the place of a macro's parameters.
func (x expander) with(m *Macro, e *Expr) Rewriter {
	values := make(map[string]*Expr)
	for i, name := range m.Parameters {
		if at := i - len(m.Parameters) + len(m.Defaults); at >= 0 {
			values[strings.ToLower(name)] = m.Defaults[at]
		}
	}
	given, named := 0, false
	for _, a := range e.Args {
		if name := namedArgument(a, m.Parameters); name != "" {
			values[name], named = a.Args[1], true
			continue
		}
		if given == len(m.Parameters) || named {
			panic(wrongCall(m, e))
		}
		values[strings.ToLower(m.Parameters[given])] = a
		given++
	}
	if len(values) < len(m.Parameters) {
		panic(wrongCall(m, e))
	}
	return Rewriter{Expr: func(part *Expr) *Expr {
		x.work.Do(1)
		if part.Kind == Column && len(part.Path) == 1 {
			return values[strings.ToLower(part.Path[0])]
		}
		return nil
	}}
}

// namedArgument returns the parameter that an argument names, in lower case, "" if it names none.
func namedArgument(a *Expr, parameters []string) string {
	if a.Kind != Binary || a.Text != "=" || a.Args[0].Kind != Column || len(a.Args[0].Path) != 1 || !a.Not {
		return ""
	}
	name := a.Args[0].Path[0]
	if !slices.ContainsFunc(parameters, func(p string) bool { return strings.EqualFold(p, name) }) {
		panic(Wrong(a.At, "There are "+strings.Join(parameters, ", ")+".", "there is no parameter %q", name))
	}
	return strings.ToLower(name)
}

func wrongCall(m *Macro, e *Expr) error {
	return Wrong(e.At, "", "it is %s(%s)", m.Name, strings.Join(m.Parameters, ", "))
}

// variable is the value of a variable, NULL if it has none.
func (x expander) variable(e *Expr) *Expr {
	if len(e.Args) != 1 || e.Args[0].Kind != String {
		panic(Wrong(e.At, "", "it is getvariable('name')"))
	}
	value := x.Variables[strings.ToLower(e.Args[0].Text)]
	if value == nil {
		return &Expr{Kind: Null, At: e.At}
	}
	out := *value
	out.At = e.At
	return &out
}

func (m *Macro) text() string {
	parameters := make([]string, len(m.Parameters))
	for i, name := range m.Parameters {
		parameters[i] = QuoteName(name)
		if at := i - len(m.Parameters) + len(m.Defaults); at >= 0 {
			parameters[i] += " := " + m.Defaults[at].String()
		}
	}
	made := ""
	if m.Query != nil {
		made = "TABLE " + m.Query.text()
	} else {
		made = m.Expr.String()
	}
	return words(QuoteName(m.Name)+"("+strings.Join(parameters, ", ")+")", "AS", made)
}
