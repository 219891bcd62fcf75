package join

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
)

// input is the rows of both sides of a join.
type input struct {
	cfg          Config
	build, probe columnar.Rows
}

// run joins an input in batches of the given size and returns the emitted rows
// as sorted text.
func (in input) run(ctx context.Context, op operators.Operator, batch int) ([]string, error) {
	var got []string
	schema := in.cfg.Schema()
	emit := func(rows columnar.Rows) error {
		if rows.Len == 0 || rows.Len > operators.PageRows || len(rows.Cols) != len(schema) {
			return fmt.Errorf("a page of %d rows and %d columns", rows.Len, len(rows.Cols))
		}
		for i, c := range rows.Cols {
			if c.Type != schema[i].Type || c.Len != rows.Len {
				return fmt.Errorf("column %d is %s of %d rows", i, c.Type, c.Len)
			}
		}
		got = append(got, rowtest.Lines(rows)...)
		return nil
	}
	for side, rows := range []columnar.Rows{in.build, in.probe} {
		for lo := 0; lo < rows.Len; lo += batch {
			if err := op.Push(ctx, side, rows.Slice(lo, min(lo+batch, rows.Len)), emit); err != nil {
				return nil, err
			}
		}
		if err := op.Finish(ctx, side, emit); err != nil {
			return nil, err
		}
	}
	slices.Sort(got)
	return got, nil
}

// want computes the join by its definition: it compares every build row with
// every probe row, and adds the rows that are kept without a partner.
func (in input) want() []string {
	return in.pairs(func(p int) (of []int) {
		for b := range in.build.Len {
			if in.matches(b, p) {
				of = append(of, b)
			}
		}
		return of
	})
}

// pairs joins the rows, given the partners of each probe row.
func (in input) pairs(partners func(probe int) []int) []string {
	var want []string
	build, probe := in.build.Project(in.cfg.BuildOut), in.probe.Project(in.cfg.ProbeOut)
	nulls := func(columns []int) string {
		return strings.TrimSuffix(strings.Repeat("null|", len(columns)), "|")
	}
	had := make([]bool, in.build.Len)
	for p := range in.probe.Len {
		of := partners(p)
		for _, b := range of {
			had[b] = true
			want = append(want, joined(rowtest.Line(build, b), rowtest.Line(probe, p)))
		}
		if len(of) == 0 && in.cfg.Kind.KeepsProbe() {
			want = append(want, joined(nulls(in.cfg.BuildOut), rowtest.Line(probe, p)))
		}
	}
	for b, had := range had {
		if !had && in.cfg.Kind.KeepsBuild() {
			want = append(want, joined(rowtest.Line(build, b), nulls(in.cfg.ProbeOut)))
		}
	}
	slices.Sort(want)
	return want
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "|")
}

func (in input) matches(b, p int) bool {
	for i, k := range in.cfg.BuildKeys {
		l, r := in.build.Cols[k], in.probe.Cols[in.cfg.ProbeKeys[i]]
		if l.IsNull(b) || r.IsNull(p) || keyText(l, b) != keyText(r, p) {
			return false
		}
	}
	return !in.cfg.isProduct() || len(in.cfg.Bounds) == 0 || in.within(b, p)
}

// within reports whether a pair is within the bounds that the join looks at.
func (in input) within(b, p int) bool {
	var r ranges
	r.choose(in.cfg.Bounds)
	all := r.by
	if r.also != nil {
		all = append(all, *r.also)
	}
	return !slices.ContainsFunc(all, func(of Bound) bool {
		build, probe := in.build.Cols[of.Build], in.probe.Cols[of.Probe]
		if build.IsNull(b) || probe.IsNull(p) {
			return true
		}
		order := cmp.Compare(wordOf(build, b), wordOf(probe, p))
		if !of.Least {
			order = -order
		}
		return order < 0 || order == 0 && of.Strict && hasWord(build.Type)
	})
}

// boundable are the types of columns that may be bounded.
var boundable = slices.DeleteFunc(columnar.Types(), func(t columnar.Type) bool { return !CanBound(t) })

// keyText returns equal texts for equal keys.
func keyText(v *columnar.Vector, i int) string {
	switch {
	case v.IsNull(i):
	case v.Type == columnar.Float && v.Floats[i] == 0:
		return "0"
	case v.Type == columnar.FloatList:
		items := []string{}
		for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
			items = append(items, keyText(v.Child, int(j)))
		}
		return fmt.Sprint(items)
	}
	return rowtest.Value(v, i)
}

var everyType = append(columnar.Types(), rowtest.Nested()...)

// randomRows returns rows whose values are drawn from few or from many. nulls
// of 8 values are null.
func randomRows(rng *rand.Rand, schema columnar.Schema, n, distinct, nulls int) columnar.Rows {
	return optest.Random(rng, schema, n, optest.Shape{Distinct: distinct, Nulls: 2 * nulls})
}
