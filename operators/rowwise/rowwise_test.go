package rowwise_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/optest"
	"analyzer/operators/query/plan"
	"analyzer/operators/rowwise"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	budgets = []int64{0, 1}
	batches = []int{1, 100, 20_000}
)

func randomRows(seed uint64, n, nulls int) columnar.Rows {
	return optest.Random(rand.New(rand.NewPCG(seed, 1)), optest.EveryType(), n, optest.Shape{Distinct: 50, Nulls: nulls})
}

// conditions, each with its meaning.
var conditions = map[string]struct {
	where *expr.Expr
	keep  func(rows columnar.Rows, i int) bool
}{
	"none": {expr.Bool(false), func(columnar.Rows, int) bool { return false }},
	"all":  {expr.Bool(true), func(columnar.Rows, int) bool { return true }},
	"some": {
		expr.Gt(expr.Col("int"), expr.Int(10)),
		func(rows columnar.Rows, i int) bool { return !rows.Cols[1].IsNull(i) && rows.Cols[1].Ints[i] > 10 },
	},
	"unknown": {expr.Null(columnar.Bool), func(columnar.Rows, int) bool { return false }},
}

func filter(rows columnar.Rows, name string) optest.Case {
	c := optest.Case{
		New: func(rt *operators.Runtime) (operators.Operator, error) {
			return rowwise.NewFilter(rt, optest.EveryType(), conditions[name].where)
		},
		Inputs: []optest.Input{{Schema: optest.EveryType(), Rows: rows}},
		Output: optest.EveryType(), Ordered: true,
	}
	for i := range rows.Len {
		if conditions[name].keep(rows, i) {
			c.Want = append(c.Want, rowtest.Line(rows, i))
		}
	}
	return c
}

func TestFilter(t *testing.T) {
	for name := range conditions {
		for _, nulls := range []int{0, 4} {
			filter(randomRows(1, 1000, nulls), name).Check(t, budgets, batches)
		}
		filter(randomRows(1, 0, 0), name).Check(t, budgets, batches)
	}
}

func TestFilterPassesTheBatchOn(t *testing.T) {
	op, err := filter(columnar.Rows{}, "all").New(optest.NewWorld(0, nil).Runtime)
	if err != nil {
		t.Fatal(err)
	}
	rows := randomRows(1, 100, 0)
	err = op.Push(context.Background(), 0, rows, func(out columnar.Rows) error {
		if !slices.Equal(out.Cols, rows.Cols) {
			t.Error("the batch was copied")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func project(rows columnar.Rows) optest.Case {
	c := optest.Case{
		New: func(rt *operators.Runtime) (operators.Operator, error) {
			return rowwise.NewProject(rt, optest.EveryType(), []plan.Named{
				plan.As("t", expr.Col("text")), plan.As("more", expr.Add(expr.Len(expr.Col("intlist")), expr.Int(1))), plan.As("t2", expr.Col("text")),
			})
		},
		Inputs: []optest.Input{{Schema: optest.EveryType(), Rows: rows}},
		Output: columnar.Schema{{Name: "t", Type: columnar.Text}, {Name: "more", Type: columnar.Int}, {Name: "t2", Type: columnar.Text}}, Ordered: true,
	}
	schema := optest.EveryType()
	text, list := rows.Cols[schema.Index("text")], rows.Cols[schema.Index("intlist")]
	for i := range rows.Len {
		more := "null"
		if !list.IsNull(i) {
			more = fmt.Sprint(list.Offsets[i+1] - list.Offsets[i] + 1)
		}
		c.Want = append(c.Want, strings.Join([]string{rowtest.Value(text, i), more, rowtest.Value(text, i)}, "|"))
	}
	return c
}

func TestProject(t *testing.T) {
	for _, nulls := range []int{0, 4} {
		project(randomRows(2, 1000, nulls)).Check(t, budgets, batches)
	}
	project(randomRows(2, 0, 0)).Check(t, budgets, batches)
}

// Fields of structs are the same whether they are taken one by one or together, in any order and twice.
func TestProjectFieldsOfStructs(t *testing.T) {
	schema := optest.EveryType()
	of := func(column string) *expr.Expr { return expr.Col(column) }
	typ := columnar.StructOf(
		columnar.Field{Name: "i", Type: columnar.Int}, columnar.Field{Name: "s", Type: columnar.Text},
		columnar.Field{Name: "l", Type: columnar.IntList}, columnar.Field{Name: "t", Type: columnar.Text},
	)
	made := expr.Struct(typ, of("int"), of("text"), of("intlist"), of("text"))
	where := expr.If(expr.Gt(of("int"), expr.Int(0)), made, expr.Null(typ)) // some are null
	rt := optest.NewWorld(0, nil).Runtime
	structs, err := rowwise.NewProject(rt, schema, []plan.Named{plan.As("st", where)})
	if err != nil {
		t.Fatal(err)
	}
	in := columnar.Schema{{Name: "st", Type: typ}}
	for _, n := range []int{0, 1, 700} {
		err := structs.Push(t.Context(), 0, randomRows(3, n, 4), func(rows columnar.Rows) error {
			check(t, rt, in, rows, 3, 1, 3, 4)
			check(t, rt, in, rows, 2)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// check compares fields of the structs of rows that are taken together with each by itself.
func check(t *testing.T, rt *operators.Runtime, in columnar.Schema, rows columnar.Rows, positions ...int) {
	t.Helper()
	var all []plan.Named
	for i, at := range positions {
		all = append(all, plan.As(fmt.Sprint(i), expr.FieldAt(expr.Col("st"), at)))
	}
	project := func(exprs []plan.Named) (lines []string) {
		p, err := rowwise.NewProject(rt, in, exprs)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // memory is used again
			lines = nil
			err = p.Push(t.Context(), 0, rows, func(out columnar.Rows) error {
				for i := range out.Len {
					lines = append(lines, rowtest.Line(out, i))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return lines
	}
	want := make([]string, rows.Len)
	for k, one := range all {
		for i, line := range project([]plan.Named{one}) {
			if k > 0 {
				want[i] += "|"
			}
			want[i] += line
		}
	}
	if got := project(all); !slices.Equal(got, want) {
		t.Errorf("fields %v: %.300q, want %.300q", positions, got, want)
	}
}

func unnest(rows columnar.Rows, column string) optest.Case {
	schema := optest.EveryType()
	at := schema.Index(column)
	c := optest.Case{
		New: func(rt *operators.Runtime) (operators.Operator, error) {
			return rowwise.NewUnnest(schema, items(column, "item"))
		},
		Inputs: []optest.Input{{Schema: schema, Rows: rows}}, Output: slices.Clone(schema), Ordered: true,
	}
	c.Output[at] = columnar.Field{Name: "item", Type: rows.Cols[at].Child.Type}
	for i := range rows.Len {
		if rows.Cols[at].IsNull(i) {
			continue
		}
		for j := rows.Cols[at].Offsets[i]; j < rows.Cols[at].Offsets[i+1]; j++ {
			values := make([]string, len(schema))
			for k, v := range rows.Cols {
				values[k] = rowtest.Value(v, i)
			}
			values[at] = rowtest.Value(rows.Cols[at].Child, int(j))
			c.Want = append(c.Want, strings.Join(values, "|"))
		}
	}
	return c
}

func items(column, as string) []plan.Unnested { return []plan.Unnested{{Column: column, As: as}} }

// Several lists are unnested side by side. Shorter ones give nulls behind their end.
func TestUnnestSideBySide(t *testing.T) {
	schema := optest.EveryType()
	texts, ints := schema.Index("textlist"), schema.Index("intlist")
	for _, nulls := range []int{0, 4} {
		rows := randomRows(5, 1000, nulls)
		c := optest.Case{
			New: func(rt *operators.Runtime) (operators.Operator, error) {
				return rowwise.NewUnnest(schema, append(items("intlist", "n"), items("textlist", "s")...))
			},
			Inputs: []optest.Input{{Schema: schema, Rows: rows}}, Output: slices.Clone(schema), Ordered: true,
		}
		c.Output[texts] = columnar.Field{Name: "s", Type: columnar.Text}
		c.Output[ints] = columnar.Field{Name: "n", Type: columnar.Int}
		for i := range rows.Len {
			var of [2][]string
			for k, at := range []int{texts, ints} {
				for j := rows.Cols[at].Offsets[i]; j < rows.Cols[at].Offsets[i+1] && !rows.Cols[at].IsNull(i); j++ {
					of[k] = append(of[k], rowtest.Value(rows.Cols[at].Child, int(j)))
				}
			}
			for j := range max(len(of[0]), len(of[1])) {
				values := make([]string, len(schema))
				for k, v := range rows.Cols {
					values[k] = rowtest.Value(v, i)
				}
				for k, at := range []int{texts, ints} {
					if values[at] = "null"; j < len(of[k]) {
						values[at] = of[k][j]
					}
				}
				c.Want = append(c.Want, strings.Join(values, "|"))
			}
		}
		c.Check(t, budgets, batches)
	}
}

func TestUnnest(t *testing.T) {
	for _, column := range []string{"textlist", "intlist"} {
		for _, nulls := range []int{0, 4} {
			unnest(randomRows(3, 1000, nulls), column).Check(t, budgets, batches)
		}
		unnest(randomRows(3, 0, 0), column).Check(t, budgets, batches)
	}
}

// Columns that are repeated are coded where whoever reads them takes that: one row of a long text makes one page.
func TestUnnestCodes(t *testing.T) {
	for _, column := range []string{"textlist", "intlist"} {
		c := unnest(randomRows(3, 1000, 4), column)
		plain := c.New
		c.New = func(rt *operators.Runtime) (operators.Operator, error) {
			op, err := plain(rt)
			op.(*rowwise.Unnest).TakeCoded(slices.Repeat([]bool{true}, len(c.Output)))
			return op, err
		}
		c.Check(t, budgets, batches)
	}
	rows := columnar.NewRows(columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "list", Type: columnar.IntList}})
	rows.Cols[0].AppendBytes(make([]byte, 5<<20))
	for i := range operators.PageRows {
		rows.Cols[1].Child.AppendInt(int64(i))
	}
	rows.Cols[1].EndList()
	rows.Len++
	op, err := rowwise.NewUnnest(columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "list", Type: columnar.IntList}}, items("list", "item"))
	if err != nil {
		t.Fatal(err)
	}
	op.TakeCoded([]bool{true, false})
	pages := 0
	if err := op.Push(context.Background(), 0, rows, func(columnar.Rows) error { pages++; return nil }); err != nil || pages != 1 {
		t.Errorf("%d pages, %v", pages, err)
	}
}

// A list with very many items, and a long text that is repeated for each item.
func TestUnnestPages(t *testing.T) {
	schema := columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "list", Type: columnar.IntList}}
	for _, size := range []struct{ items, text int }{{1_000_000, 0}, {1_000_000, 10}, {3000, 10_000}, {3, 5 << 20}} {
		rows := columnar.NewRows(schema)
		for range 2 {
			rows.Cols[0].AppendBytes(make([]byte, size.text))
			for i := range size.items {
				rows.Cols[1].Child.AppendInt(int64(i))
			}
			rows.Cols[1].EndList()
			rows.Len++
		}
		op, err := rowwise.NewUnnest(schema, items("list", "item"))
		if err != nil {
			t.Fatal(err)
		}
		got, pages := 0, 0
		err = op.Push(context.Background(), 0, rows, func(page columnar.Rows) error {
			for i, n := range page.Cols[1].Ints {
				if want := int64((got + i) % size.items); n != want {
					return fmt.Errorf("row %d has item %d, want %d", got+i, n, want)
				}
			}
			if page.Len > operators.PageRows || len(page.Cols[0].Data) > 1<<20 && page.Len > 1 {
				return fmt.Errorf("a page of %d rows and %d bytes", page.Len, len(page.Cols[0].Data))
			}
			got += page.Len
			pages++
			return nil
		})
		if err != nil || got != 2*size.items {
			t.Errorf("%d items and %d bytes: %d rows, error %v", size.items, size.text, got, err)
		}
		if few := 3 + got/operators.PageRows + got*size.text/(1<<19); pages > few {
			t.Errorf("%d items and %d bytes: %d pages", size.items, size.text, pages)
		}
	}
}

func TestCloseAndCancelAtAnyPoint(t *testing.T) {
	rows := randomRows(4, 300, 1)
	for _, c := range []optest.Case{filter(rows, "some"), project(rows), unnest(rows, "textlist")} {
		c.Close(t, 0, 10)
		c.Cancel(t, 0, 10)
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	rt := optest.NewWorld(0, nil).Runtime
	in := optest.EveryType()
	for want, open := range map[string]func() error{
		"is int, not a condition": func() error {
			_, err := rowwise.NewFilter(rt, in, expr.Col("int"))
			return err
		},
		"filter: ": func() error {
			_, err := rowwise.NewFilter(rt, in, expr.Col("none"))
			return err
		},
		`column "x"`: func() error {
			_, err := rowwise.NewProject(rt, in, []plan.Named{plan.As("x", expr.Col("none"))})
			return err
		},
		`no column "none"`: func() error {
			_, err := rowwise.NewUnnest(in, items("none", "x"))
			return err
		},
		"is text, not a list": func() error {
			_, err := rowwise.NewUnnest(in, items("text", "x"))
			return err
		},
	} {
		if err := open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestLongTextsAreMadeOfFewRows has a filter and a projection make more text of a batch than a function may of
// one, and a projection make lists; all but little of each is on no page at once.
func TestLongTextsAreMadeOfFewRows(t *testing.T) {
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}}
	rows := columnar.NewRows(schema)
	for i := range 4000 {
		rows.Cols[0].AppendInt(int64(i))
	}
	rows.Len = 4000
	long := expr.Call(expr.OpRepeat, expr.Str("ab"), expr.Add(expr.Int(20_000), expr.Col("n")))
	numbers := expr.Call(expr.OpRange, expr.Int(0), expr.Int(10_000), expr.Int(1))
	rt := optest.NewWorld(0, nil).Runtime

	where, err := rowwise.NewFilter(rt, schema, expr.Gt(expr.Call(expr.OpLength, long), expr.Int(47_990)))
	if err != nil {
		t.Fatal(err)
	}
	made, err := rowwise.NewProject(rt, schema, []plan.Named{plan.As("n", expr.Col("n")), plan.As("text", long), plan.As("list", numbers)})
	if err != nil {
		t.Fatal(err)
	}
	var kept, seen int64
	check := func(op operators.Operator, emit operators.Emit) {
		t.Helper()
		if err := op.Push(context.Background(), 0, rows, emit); err != nil {
			t.Fatal(err)
		}
	}
	check(where, func(out columnar.Rows) error {
		kept += int64(out.Len)
		return nil
	})
	check(made, func(out columnar.Rows) error {
		if bytes := out.ValueBytes(); bytes > 16<<20 {
			t.Fatalf("%d rows of %d bytes at once", out.Len, bytes)
		}
		for i := range out.Len {
			if n := out.Cols[0].Ints[i]; n != seen || len(out.Cols[1].Bytes(i)) != 2*(20_000+int(n)) {
				t.Fatalf("row %d is %d, with a text of %d bytes", seen, n, len(out.Cols[1].Bytes(i)))
			}
			seen++
		}
		return nil
	})
	if kept != 4 || seen != 4000 {
		t.Errorf("%d rows kept and %d made, want 4 and 4000", kept, seen)
	}
}

// TestManyExpressionsAreComputedOfFewRows has a projection of thousands of columns, which would take hundreds of megabytes
// of a whole batch.
func TestManyExpressionsAreComputedOfFewRows(t *testing.T) {
	const rows, columns, most = 20_000, 2000, 4 << 20
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}}
	in := columnar.NewRows(schema)
	for i := range rows {
		in.Cols[0].AppendInt(int64(i))
	}
	in.Len = rows
	var exprs []plan.Named
	for i := range columns {
		exprs = append(exprs, plan.As(fmt.Sprint("c", i), expr.Add(expr.Col("n"), expr.Int(int64(i)))))
	}
	w := optest.NewWorld(0, nil)
	op, err := rowwise.NewProject(w.Runtime, schema, exprs)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = op.Push(t.Context(), 0, in, func(page columnar.Rows) error {
		if page.ValueBytes() > most {
			t.Fatalf("%d rows of %d columns were made at once", page.Len, columns)
		}
		for i, c := range page.Cols {
			if first, last := c.Ints[0], c.Ints[page.Len-1]; first != int64(seen+i) || last != int64(seen+page.Len-1+i) {
				t.Fatalf("column %d of %d rows from %d on begins with %d and ends with %d", i, page.Len, seen, first, last)
			}
		}
		seen += page.Len
		return nil
	})
	if err != nil || seen != rows {
		t.Errorf("%d rows, %v", seen, err)
	}
}
