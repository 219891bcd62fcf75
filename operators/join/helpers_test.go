package join

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators"
)

// world is a runtime of which nothing may be left when a test ends.
type world struct {
	*operators.Runtime
	fs  *vfs.Injector
	mem *vfs.Mem
}

// newWorld returns a runtime with a budget in bytes, 0 for none, on a file
// system in memory that asks decide before each operation.
func newWorld(limit int64, decide func(vfs.Op) error) *world {
	w := &world{mem: vfs.NewMem()}
	w.fs = vfs.Inject(w.mem, decide)
	w.Runtime = &operators.Runtime{
		Budget: budget.New(limit), Scratch: segment.NewScratch(w.fs, "/tmp"),
	}
	if err := w.mem.MkdirAll("/tmp"); err != nil {
		panic(err)
	}
	return w
}

// checkEmpty checks that nothing is held: no memory, no reservation, no file.
func (w *world) checkEmpty(t testing.TB) {
	t.Helper()
	if used := w.Budget.Used(); used != 0 {
		t.Errorf("%d bytes are still reserved", used)
	}
	if open := w.fs.OpenFiles(); len(open) > 0 {
		t.Errorf("left open: %q", open)
	}
	if dir := w.Scratch.Dir(); dir != "" {
		names, err := w.mem.List(dir)
		if err != nil {
			t.Error(err)
		}
		if len(names) > 0 {
			t.Errorf("left in the scratch directory: %q", names)
		}
	}
}

// input is the rows of both sides of a join.
type input struct {
	cfg          Config
	build, probe columnar.Rows
}

// run joins an input in batches of so many rows and returns the rows emitted as
// text, sorted.
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
		for i := range rows.Len {
			got = append(got, rowText(rows.Cols, i))
		}
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

// want is the join by definition: every build row with every probe row, and those
// that are kept without a partner.
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
	build, probe := in.build.Project(in.cfg.BuildOut).Cols, in.probe.Project(in.cfg.ProbeOut).Cols
	nulls := func(columns []int) string {
		return strings.TrimSuffix(strings.Repeat("null|", len(columns)), "|")
	}
	had := make([]bool, in.build.Len)
	for p := range in.probe.Len {
		of := partners(p)
		for _, b := range of {
			had[b] = true
			want = append(want, joined(rowText(build, b), rowText(probe, p)))
		}
		if len(of) == 0 && in.cfg.Kind.KeepsProbe() {
			want = append(want, joined(nulls(in.cfg.BuildOut), rowText(probe, p)))
		}
	}
	for b, had := range had {
		if !had && in.cfg.Kind.KeepsBuild() {
			want = append(want, joined(rowText(build, b), nulls(in.cfg.ProbeOut)))
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
	return true
}

// keyText is equal for equal keys.
func keyText(v *columnar.Vector, i int) string {
	if v.Type == columnar.Float && v.Floats[i] == 0 {
		return "0"
	}
	return valueText(v, i)
}

func rowText(cols []*columnar.Vector, i int) string {
	values := make([]string, len(cols))
	for c, v := range cols {
		values[c] = valueText(v, i)
	}
	return strings.Join(values, "|")
}

// valueText tells values apart that differ in any bit.
func valueText(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "null"
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return fmt.Sprint(v.Bools[i])
	case columnar.KindInt64:
		return fmt.Sprint(v.Ints[i])
	case columnar.KindFloat64:
		return fmt.Sprintf("%x", math.Float64bits(v.Floats[i]))
	case columnar.KindInt128:
		return fmt.Sprint(v.Wides[i])
	case columnar.KindBytes:
		return fmt.Sprintf("%q", v.Bytes(i))
	}
	var items []string
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		items = append(items, valueText(v.Child, int(j)))
	}
	return fmt.Sprint(items)
}

var everyType = columnar.Types()

// randomRows returns rows whose values are drawn from few or from many, and of
// which nulls of 8 are null.
func randomRows(rng *rand.Rand, schema columnar.Schema, n, distinct, nulls int) columnar.Rows {
	rows := columnar.NewRows(schema)
	for _, c := range rows.Cols {
		for range n {
			if rng.IntN(8) < nulls {
				c.AppendNull()
			} else {
				appendValue(c, rng, distinct)
			}
		}
	}
	rows.Len = n
	return rows
}

func appendValue(c *columnar.Vector, rng *rand.Rand, distinct int) {
	n := rng.IntN(distinct)
	switch c.Type.Kind() {
	case columnar.KindBool:
		c.AppendBool(n%2 == 0)
	case columnar.KindInt64:
		c.AppendInt(int64(n) - 5)
	case columnar.KindFloat64:
		c.AppendFloat([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), float64(n)}[min(n, 4)])
	case columnar.KindBytes:
		c.AppendBytes([]byte(strings.Repeat("x", n%3) + fmt.Sprint(n)))
	case columnar.KindInt128:
		c.AppendWide(decimal128.New(int64(n%3), uint64(n)))
	default:
		for range n % 4 {
			if rng.IntN(4) == 0 {
				c.Child.AppendNull()
			} else {
				appendValue(c.Child, rng, 2)
			}
		}
		c.EndList()
	}
}
