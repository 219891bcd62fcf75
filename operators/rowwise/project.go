package rowwise

import (
	"context"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Project replaces the columns of each row by computed ones. Its output is
// borrowed from its expressions and its input; nothing is copied.
type Project struct {
	stateless
	columns []computed
	structs []*taken
	decoder decoder
	pieces  expr.Pieces
	out     columnar.Rows
}

// computed is an expression over some columns of the input. An expression is not compiled for all
// columns of the input, as there may be as many expressions as columns.
type computed struct {
	reads []int
	by    *expr.Evaluator
	of    []*columnar.Vector // the columns that it reads of the rows that are pushed

	field *columnar.Vector // of structs that are taken apart; nil: the expression is evaluated, unless it
	whole bool             // is a column of the input, the one that it reads
}

// taken is a column of structs that is taken apart once for all fields that are wanted of it. Each by itself
// would pass over those before it.
type taken struct {
	column int
	fields []*columnar.Vector // nil: not wanted
}

// NewProject returns a projection of rows with the columns in. It fails when an
// expression does not fit these columns.
func NewProject(rt *operators.Runtime, in columnar.Schema, exprs []plan.Named) (*Project, error) {
	p := &Project{decoder: newDecoder(in), out: columnar.Rows{Cols: make([]*columnar.Vector, len(exprs))}}
	known := in.Lookup()
	apart := p.takeApart(in, known, exprs)
	var evaluators []*expr.Evaluator
	for i, e := range exprs {
		if apart[i] != nil {
			p.columns = append(p.columns, computed{field: apart[i]})
			continue
		}
		names := e.Expr.Columns()
		ev, err := expr.Compile(e.Expr, known.Only(names), rt.Env)
		if err != nil {
			return nil, fmt.Errorf("project: column %q: %w", e.Name, err)
		}
		c := computed{by: ev, reads: make([]int, len(names)), of: make([]*columnar.Vector, len(names)), whole: e.Expr.Op == expr.OpColumn}
		for i, name := range names {
			if c.reads[i] = known.Index(name); !c.whole {
				p.decoder.read(c.reads[i])
			}
		}
		p.columns, evaluators = append(p.columns, c), append(evaluators, ev)
	}
	p.pieces = expr.PiecesOf(evaluators...)
	return p, nil
}

// Push emits the computed columns.
func (p *Project) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	for lo := 0; lo < rows.Len; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, of := p.pieces.Next(rows.Len-lo), rows
		if n < rows.Len {
			of = rows.Slice(lo, lo+n)
		}
		made, err := p.compute(of)
		if p.pieces.Again(n, made, err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("project: %w", err)
		}
		if err := emit(p.out); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// compute sets the columns of the output, and returns how many bytes of texts and lists it made for them.
func (p *Project) compute(rows columnar.Rows) (made int, err error) {
	for _, s := range p.structs {
		if err := s.take(rows.Cols[s.column]); err != nil {
			return 0, err
		}
	}
	plain := p.decoder.decode(rows)
	for i, c := range p.columns {
		switch {
		case c.field != nil:
			p.out.Cols[i] = c.field
		case c.whole:
			p.out.Cols[i] = rows.Cols[c.reads[0]]
		default:
			for k, at := range c.reads {
				c.of[k] = plain[at]
			}
			if p.out.Cols[i], err = c.by.Eval(c.of, rows.Len); err != nil {
				return 0, err
			}
			made += c.by.Made()
		}
	}
	p.out.Len = rows.Len
	return made, nil
}

// HandsOn returns the columns of the output that are a column of the input, which are coded then if that one is, and
// whether it may be.
func (p *Project) HandsOn(column int) (as []int, whole bool) {
	for i, c := range p.columns {
		if c.whole && c.reads[0] == column {
			as = append(as, i)
		}
	}
	return as, p.decoder.takesCoded(column) && !slices.ContainsFunc(p.structs, func(s *taken) bool { return s.column == column })
}

// Picks returns which columns of the input those of the output are; nil if there are others.
func (p *Project) Picks() []int {
	picks := make([]int, len(p.columns))
	for i, c := range p.columns {
		if !c.whole {
			return nil
		}
		picks[i] = c.reads[0]
	}
	return picks
}

// takeApart finds the columns of structs of which several fields are wanted, and returns where those of
// each expression that is one will be.
func (p *Project) takeApart(in columnar.Schema, known columnar.Lookup, exprs []plan.Named) []*columnar.Vector {
	wanted := make(map[string]int)
	for _, e := range exprs {
		if of, _, ok := e.Expr.FieldOf(); ok {
			wanted[of]++
		}
	}
	apart, structs := make([]*columnar.Vector, len(exprs)), make(map[string]*taken)
	for i, e := range exprs {
		of, at, ok := e.Expr.FieldOf()
		column := known.Index(of)
		if !ok || wanted[of] < 2 || column < 0 {
			continue
		}
		fields := in[column].Type.Fields()
		if at < 1 || at > len(fields) {
			continue
		}
		s := structs[of]
		if s == nil {
			s = &taken{column: column, fields: make([]*columnar.Vector, len(fields))}
			structs[of], p.structs = s, append(p.structs, s)
		}
		if s.fields[at-1] == nil {
			s.fields[at-1] = columnar.NewVector(fields[at-1].Type)
		}
		apart[i] = s.fields[at-1]
	}
	return apart
}

// take takes the structs of rows apart.
func (s *taken) take(structs *columnar.Vector) error {
	for _, f := range s.fields {
		if f != nil {
			f.Reset()
		}
	}
	return structs.AppendFields(s.fields, 0, structs.Len)
}
