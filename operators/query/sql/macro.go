package sql

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// Macro is what calls of its name stand for.
type Macro struct {
	At    Span // its name
	Name  string
	Forms []Form // which take different numbers of parameters
}

// Form is an expression or a query with parameters.
type Form struct {
	Parameters []Parameter
	Expr       *Expr
	Query      *Query // of a macro of tables
}

// Parameter is a parameter of a macro.
type Parameter struct {
	Name    string
	Type    string // to which arguments are cast; empty: they stay what they are
	Default *Expr  // nil if there is none
}

// macro reads a macro, after CREATE MACRO.
func (p *parser) macro() *Macro {
	m := &Macro{At: p.peek().at}
	m.Name = p.unqualified("the name of a macro")
	for {
		at := p.peek().at
		f := p.form()
		if slices.ContainsFunc(m.Forms, func(g Form) bool { return len(g.Parameters) == len(f.Parameters) }) {
			panic(Unsupported(at, "Next: give them names of their own.", "macros of one name with as many parameters"))
		}
		if m.Forms = append(m.Forms, f); !p.accept(",") {
			return m
		}
	}
}

// form reads the parameters of a macro, and what it stands for.
func (p *parser) form() (f Form) {
	p.expect("(")
	for !p.sees(")") {
		f.Parameters = append(f.Parameters, p.parameter())
		if n := len(f.Parameters); n > 1 && f.Parameters[n-2].Default != nil && f.Parameters[n-1].Default == nil {
			panic(p.unexpected(":= and a default, which the parameter before it has,"))
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "AS")
	if p.accept("TABLE") {
		f.Query = p.query()
	} else {
		f.Expr = p.expr()
	}
	return f
}

func (p *parser) parameter() Parameter {
	made := Parameter{Name: p.name("a parameter")}
	if p.peek().kind == word {
		made.Type = p.typeName()
	}
	if p.accept(":=") || p.accept("=>") {
		made.Default = p.expr()
	}
	return made
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
	if m == nil || m.Forms[0].Expr == nil || e.Window != nil {
		return nil
	}
	f, values := m.called(e)
	body := x.with(values).expr(f.Expr)
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
	if m := x.macro(x.work, f.Call.Text); m != nil && m.Forms[0].Query != nil {
		form, values := m.called(f.Call)
		out.Query = x.with(values).Of(form.Query)
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

// with puts the arguments of a call, by name in lower case, in the place of a macro's parameters.
func (x expander) with(values map[string]*Expr) Rewriter {
	return Rewriter{Expr: func(part *Expr) *Expr {
		x.work.Do(1)
		if part.Kind == Column && len(part.Path) == 1 {
			return values[strings.ToLower(part.Path[0])]
		}
		return nil
	}}
}

// called returns the form of a macro that takes the arguments of a call, and these by name in lower case.
func (m *Macro) called(e *Expr) (Form, map[string]*Expr) {
	for _, f := range m.Forms {
		if values := f.values(e); values != nil {
			return f, values
		}
	}
	if len(m.Forms) == 1 {
		m.Forms[0].checkNames(e)
	}
	panic(Wrong(e.At, "", "it is %s", strings.Join(columnar.Each(m.Forms, func(f Form) string {
		return m.Name + "(" + strings.Join(f.names(), ", ") + ")"
	}), " or ")))
}

func (f Form) names() []string {
	return columnar.Each(f.Parameters, func(p Parameter) string { return p.Name })
}

// values returns a value for each parameter, by name in lower case, nil if the form does not take the arguments of a call.
func (f Form) values(e *Expr) map[string]*Expr {
	given, named := make(map[string]*Expr), false
	for i, a := range e.Args {
		switch name := argumentName(a); {
		case name != "":
			given[name], named = a.Args[1], true
		case i >= len(f.Parameters) || named:
			return nil
		default:
			given[strings.ToLower(f.Parameters[i].Name)] = a
		}
	}
	values := make(map[string]*Expr)
	for _, p := range f.Parameters {
		name := strings.ToLower(p.Name)
		value := cmp.Or(given[name], p.Default)
		if value == nil {
			return nil
		}
		if p.Type != "" {
			value = value.At.Cast(value, p.Type)
		}
		values[name] = value
		delete(given, name)
	}
	if len(given) > 0 {
		return nil
	}
	return values
}

// checkNames refuses a call that names a parameter that there is not.
func (f Form) checkNames(e *Expr) {
	for _, a := range e.Args {
		if name := argumentName(a); name != "" && !slices.ContainsFunc(f.Parameters, func(p Parameter) bool { return strings.EqualFold(p.Name, name) }) {
			panic(Wrong(a.At, "There are "+strings.Join(f.names(), ", ")+".", "there is no parameter %q", a.Args[0].Path[0]))
		}
	}
}

// argumentName returns the parameter that an argument names, in lower case, "" if it names none.
func argumentName(a *Expr) string {
	if a.Kind != Binary || a.Text != "=" || a.Args[0].Kind != Column || len(a.Args[0].Path) != 1 || !a.Not {
		return ""
	}
	return strings.ToLower(a.Args[0].Path[0])
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

func (m *Macro) text() string { return QuoteName(m.Name) + list(m.Forms, Form.text) }

func (f Form) text() string {
	made := ""
	if f.Query != nil {
		made = "TABLE " + f.Query.text()
	} else {
		made = f.Expr.String()
	}
	return words("("+list(f.Parameters, Parameter.text)+")", "AS", made)
}

func (p Parameter) text() string {
	value := ""
	if p.Default != nil {
		value = ":= " + p.Default.String()
	}
	return words(QuoteName(p.Name), p.Type, value)
}
