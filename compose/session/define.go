package session

import (
	"context"
	"strings"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// Define makes what a statement defines available to those behind it, and reports its errors now. The
// report says what was read for it, which is nothing but for tables and variables.
func (p *Prepared) Define(ctx context.Context) (*engine.Report, error) {
	nothing := new(engine.Report)
	if p.there != nil { // a gateway has found no error in it
		p.ses.there = append(p.ses.there, p.text)
		return nothing, nil
	}
	if p.st.Lenient && p.st.Verb != sql.Drop && p.exists() {
		return nothing, nil
	}
	switch p.st.Verb {
	case sql.Nothing:
		return nothing, nil
	case sql.Drop:
		return nothing, p.drop()
	case sql.Create:
		return nothing, p.createView(ctx)
	case sql.CreateTable:
		return p.createTable(ctx)
	case sql.CreateMacro:
		return nothing, p.createMacro()
	}
	return p.setVariable(ctx)
}

// exists reports whether there is a view, table or macro of the name that a statement defines or drops.
func (p *Prepared) exists() bool {
	if p.st.Verb == sql.CreateMacro {
		return p.ses.definitions.Macros[strings.ToLower(p.st.Macro.Name)] != nil
	}
	name := strings.ToLower(p.st.View.Name)
	if p.st.Dropped == "MACRO" {
		return p.ses.definitions.Macros[name] != nil
	}
	return p.ses.views[name] != nil
}

// drop forgets a view, table or macro. The rows of a table stay on disk until the session ends.
func (p *Prepared) drop() error {
	name := strings.ToLower(p.st.View.Name)
	switch found := p.exists(); {
	case !found && p.st.Lenient:
	case !found:
		return p.wrong(sql.Wrong(p.st.View.At, "Next: DROP "+p.st.Dropped+" IF EXISTS. Files are no tables of the session.", "there is no %s of the name %q", strings.ToLower(p.st.Dropped), p.st.View.Name))
	case p.st.Dropped == "MACRO":
		delete(p.ses.definitions.Macros, name)
	default:
		delete(p.ses.views, name)
	}
	return nil
}

// name returns the name of a new view or table in lower case.
func (p *Prepared) newName() (name string, err error) {
	v := p.st.View
	if name = strings.ToLower(v.Name); p.ses.views[name] != nil && !p.st.Replace {
		return "", p.wrong(sql.Wrong(v.At, "Next: CREATE OR REPLACE.", "there is a view or table of the name %q", v.Name))
	}
	return name, nil
}

func (p *Prepared) createView(ctx context.Context) error {
	name, err := p.newName()
	if err != nil {
		return err
	}
	if p.kept.dir != "" {
		return p.wrong(sql.Unsupported(p.st.View.At, "Next: CREATE TABLE, which keeps its rows.", "views of recursive queries"))
	}
	before, replaced := p.ses.views[name]
	p.ses.views[name] = p.st.Query // so that a view which reads itself is an error too
	if err = p.try(ctx, func(datasets.Selection) error { return nil }); err == nil {
		return nil
	}
	if p.ses.views[name] = before; !replaced {
		delete(p.ses.views, name)
	}
	return err
}

// createTable keeps the rows of a query in a file, which the name then stands for.
func (p *Prepared) createTable(ctx context.Context) (report *engine.Report, err error) {
	name, err := p.newName()
	if err != nil {
		return nil, err
	}
	f, report, err := rowsOfTable(ctx, p)
	if err != nil {
		return report, err
	}
	kept := f.read(f.names(), p.st.View.At)
	kept.Kept = true
	p.ses.views[name] = kept
	return report, nil
}

// rowsOfTable returns a file with the rows of a new table, which other sessions may have kept.
func rowsOfTable(ctx context.Context, p *Prepared) (f *rowsFile, report *engine.Report, err error) {
	kept, err := keptTableOf(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if kept == nil {
		if f, err = p.ses.kept.create(p.st.View.Name); err != nil {
			return nil, nil, err
		}
		report, err = p.into(ctx, f)
		return f, report, f.close(err)
	}
	if f, report, err = kept.find(); f != nil || err != nil {
		return f, report, err
	}
	return kept.keep(p.st.View.Name, func(f *rowsFile) (*engine.Report, error) { return p.into(ctx, f) })
}

func (p *Prepared) createMacro() error {
	m := p.st.Macro
	name := strings.ToLower(m.Name)
	if p.ses.definitions.Macros[name] != nil && !p.st.Replace {
		return p.wrong(sql.Wrong(m.At, "Next: CREATE OR REPLACE MACRO.", "there is a macro of the name %q", m.Name))
	}
	p.ses.definitions.Macros[name] = m
	return nil
}

// setVariable computes the value of a variable.
func (p *Prepared) setVariable(ctx context.Context) (*engine.Report, error) {
	var value *sql.Expr
	report, err := p.into(ctx, engine.RowsTo(func(rows columnar.Rows) error {
		if rows.Len > 0 {
			value = literalOf(rows.Cols[0], 0)
		}
		return nil
	}))
	if err == nil {
		p.ses.definitions.Variables[strings.ToLower(p.st.View.Name)] = value
	}
	return report, err
}

// literalOf is a value as an expression of its type.
func literalOf(v *columnar.Vector, i int) *sql.Expr {
	one := &sql.Expr{Kind: sql.Null}
	switch {
	case v.IsNull(i):
	case v.Child != nil:
		one = &sql.Expr{Kind: sql.List}
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			one.Args = append(one.Args, literalOf(v.Child, j))
		}
	case v.Type.IsStruct():
		one = &sql.Expr{Kind: sql.Struct}
		fields := v.Type.Fields()
		for j, value := range v.Struct(i) {
			one.Path, one.Args = append(one.Path, fields[j].Name), append(one.Args, literalOf(value, 0))
		}
		return one // its fields have their types, and none of them may have a name
	case v.Type.IsMap():
		keys, values := &sql.Expr{Kind: sql.List}, &sql.Expr{Kind: sql.List}
		v.EachEntry(i, func(key, value *columnar.Vector) {
			keys.Args, values.Args = append(keys.Args, literalOf(key, 0)), append(values.Args, literalOf(value, 0))
		})
		one = &sql.Expr{Kind: sql.Call, Text: "map", Args: []*sql.Expr{keys, values}}
	default:
		one = &sql.Expr{Kind: sql.String, Text: string(v.AppendText(nil, i))}
	}
	return &sql.Expr{Kind: sql.Cast, Text: scalar.TypeName(v.Type), Args: []*sql.Expr{one}}
}
