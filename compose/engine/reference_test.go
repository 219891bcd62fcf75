package engine_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/plan"
)

// relation is rows with their columns, in the form of the reference executor. A
// value is nil, bool, int64, dec, *big.Int (of a wide decimal, in units of its last place), float64,
// string, []string or []int64.
type relation struct {
	schema columnar.Schema
	rows   [][]any
}

// dec is a Decimal in millionths.
type dec int64

// reference executes logical plans a row at a time, directly from the definition of
// plan.Node: without a planner, partial aggregation, hashing or spilling.
type reference struct {
	tables plan.Tables
	data   map[string]relation
}

// run executes a plan. The rows of a sort are in its order.
func (x reference) run(n *plan.Node) relation {
	in := make([]relation, len(n.Inputs))
	for i, input := range n.Inputs {
		in[i] = x.run(input)
	}
	return x.apply(n, in)
}

// apply executes one node over its inputs.
func (x reference) apply(n *plan.Node, in []relation) relation {
	schema, err := n.Schema(x.tables)
	if err != nil {
		panic(err)
	}
	out := relation{schema: schema}
	switch n.Op {
	case plan.Scan:
		return x.data[n.Table]
	case plan.Filter:
		for _, row := range in[0].rows {
			if evaluate(n.Where, in[0].schema, row) == true {
				out.rows = append(out.rows, row)
			}
		}
	case plan.Project:
		for _, row := range in[0].rows {
			var made []any
			for _, e := range n.Exprs {
				made = append(made, evaluate(e.Expr, in[0].schema, row))
			}
			out.rows = append(out.rows, made)
		}
	case plan.Unnest:
		out.rows = unnested(in[0], n.Lists)
	case plan.Join:
		out.rows = joined(n, in[0], in[1])
	case plan.Aggregate:
		out.rows = aggregated(n, in[0])
	case plan.Sort:
		out.rows = sorted(in[0], n.Order)
		out.rows = out.rows[min(int64(len(out.rows)), n.Offset):]
		if n.Limit != nil {
			out.rows = out.rows[:min(int64(len(out.rows)), *n.Limit)]
		}
	case plan.Window:
		out.rows = windowed(n, in[0])
	case plan.Percentile:
		out.rows = atPercentile(in[0], n.Column, n.Quantile)
	case plan.Union:
		for _, r := range in {
			out.rows = append(out.rows, r.rows...)
		}
	}
	return out
}

func unnested(in relation, lists []plan.Unnested) (out [][]any) {
	for _, row := range in.rows {
		items, longest := make(map[int][]any), 0
		for _, l := range lists {
			at := in.schema.Index(l.Column)
			items[at] = itemsOf(row[at])
			longest = max(longest, len(items[at]))
		}
		for i := range longest {
			made := slices.Clone(row)
			for at, list := range items {
				if made[at] = nil; i < len(list) {
					made[at] = list[i]
				}
			}
			out = append(out, made)
		}
	}
	return out
}

func itemsOf(list any) (items []any) {
	switch v := list.(type) {
	case []string:
		for _, s := range v {
			items = append(items, s)
		}
	case []int64:
		for _, i := range v {
			items = append(items, i)
		}
	}
	return items
}

func joined(n *plan.Node, build, probe relation) (out [][]any) {
	isKey := make(map[string]bool)
	for _, on := range n.On {
		isKey[on.Probe] = n.Kind == plan.Inner
	}
	pair := func(b, p []any) {
		made := slices.Clone(b)
		for i, f := range probe.schema {
			if !isKey[f.Name] {
				made = append(made, p[i])
			}
		}
		out = append(out, made)
	}
	var keys [][2]int // their positions on both sides; looking them up for each pair of rows takes most of the time
	for _, on := range n.On {
		keys = append(keys, [2]int{build.schema.Index(on.Build), probe.schema.Index(on.Probe)})
	}
	matches := func(b, p []any) bool {
		for _, at := range keys {
			x, y := b[at[0]], p[at[1]]
			if x == nil || y == nil || compare(x, y) != 0 {
				return false
			}
		}
		return true
	}
	had := make([]bool, len(probe.rows))
	for _, b := range build.rows {
		alone := true
		for i, p := range probe.rows {
			if matches(b, p) {
				pair(b, p)
				alone, had[i] = false, true
			}
		}
		if alone && n.Kind.KeepsBuild() {
			pair(b, make([]any, len(probe.schema)))
		}
	}
	for i, p := range probe.rows {
		if !had[i] && n.Kind.KeepsProbe() {
			pair(make([]any, len(build.schema)), p)
		}
	}
	return out
}

func aggregated(n *plan.Node, in relation) (out [][]any) {
	groups := make(map[string][][]any)
	keys := make(map[string][]any)
	for _, row := range in.rows {
		var key []any
		for _, k := range n.Keys {
			key = append(key, row[in.schema.Index(k)])
		}
		name := fmt.Sprintf("%q", rendered(key))
		groups[name], keys[name] = append(groups[name], row), key
	}
	if len(n.Keys) == 0 && len(groups) == 0 {
		groups[""] = nil
	}
	for name, rows := range groups {
		made := slices.Clone(keys[name])
		for _, a := range n.Aggs {
			made = append(made, fold(a, in.schema, rows))
		}
		out = append(out, made)
	}
	return out
}

// fold computes one aggregate of the rows of a group.
func fold(a plan.Agg, s columnar.Schema, rows [][]any) any {
	if len(a.Args) == 0 {
		return int64(len(rows))
	}
	var values []any
	for _, row := range rows {
		if v := row[s.Index(a.Args[0])]; v != nil {
			values = append(values, v)
		}
	}
	switch a.Func {
	case plan.Count:
		return int64(len(values))
	case plan.CountIf:
		return int64(len(slices.DeleteFunc(values, func(v any) bool { return v != true })))
	case plan.List:
		list := []int64{}
		for _, v := range values {
			list = append(list, v.(int64))
		}
		slices.Sort(list)
		return list
	}
	if len(values) == 0 {
		return nil
	}
	switch a.Func {
	case plan.Min:
		return slices.MinFunc(values, compare)
	case plan.Max:
		return slices.MaxFunc(values, compare)
	case plan.Sum:
		return sum(values)
	}
	return mean(values, s[s.Index(a.Args[0])].Type)
}

// sum adds values exactly; a sum of floats is rounded once.
func sum(values []any) any {
	total, floats := new(big.Int), new(big.Rat)
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			total.Add(total, big.NewInt(v))
		case dec:
			total.Add(total, big.NewInt(int64(v)))
		case *big.Int:
			total.Add(total, v)
		case float64:
			floats.Add(floats, new(big.Rat).SetFloat64(v))
		}
	}
	switch values[0].(type) {
	case int64:
		return total.Int64()
	case dec, *big.Int:
		return total
	}
	f, _ := floats.Float64()
	return f
}

// unitsIn is how many units of its last place are one in an exact type.
func unitsIn(t columnar.Type) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale())), nil)
}

func mean(values []any, t columnar.Type) any {
	switch total := sum(values).(type) {
	case float64:
		return total / float64(len(values))
	case *big.Int:
		f, _ := new(big.Rat).SetFrac(total, new(big.Int).Mul(unitsIn(t), big.NewInt(int64(len(values))))).Float64()
		return f
	case int64:
		f, _ := big.NewRat(total, int64(len(values))).Float64()
		return f
	}
	return nil
}

// sorted orders by the keys, then by all columns; nulls go last unless a key puts
// them first.
func sorted(in relation, order []plan.Order) [][]any {
	rows := slices.Clone(in.rows)
	for _, f := range in.schema {
		order = append(slices.Clone(order), plan.Asc(f.Name))
	}
	at := make([]int, len(order))
	for i, o := range order {
		at[i] = in.schema.Index(o.Column)
	}
	sort.SliceStable(rows, func(i, j int) bool {
		for k, o := range order {
			x, y := rows[i][at[k]], rows[j][at[k]]
			if x == nil || y == nil {
				if (x == nil) == (y == nil) {
					continue
				}
				return (x == nil) == o.NullsFirst
			}
			if c := compare(x, y); c != 0 {
				return c < 0 != o.Desc
			}
		}
		return false
	})
	return rows
}

func atPercentile(in relation, column string, quantile float64) (out [][]any) {
	at := in.schema.Index(column)
	var values []float64
	for _, row := range in.rows {
		if row[at] != nil {
			values = append(values, float(row[at]))
		}
	}
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	place := float64(len(values)-1) * quantile
	lower := int(place)
	threshold := values[lower]
	if upper := values[min(lower+1, len(values)-1)]; upper != threshold {
		threshold += (upper - threshold) * (place - float64(lower))
	}
	for _, row := range in.rows {
		if row[at] != nil && float(row[at]) >= threshold {
			out = append(out, row)
		}
	}
	return out
}

func float(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case dec:
		return float64(v) / 1e6
	}
	return v.(float64)
}

// compare orders two values of one type that are not nil.
func compare(x, y any) int {
	switch x := x.(type) {
	case bool:
		return cmp.Compare(rendered([]any{x})[0], rendered([]any{y})[0])
	case int64:
		return cmp.Compare(x, y.(int64))
	case dec:
		return cmp.Compare(x, y.(dec))
	case instant:
		return cmp.Compare(x.n, y.(instant).n)
	case float64:
		return cmp.Compare(x, y.(float64))
	case *big.Int:
		return x.Cmp(y.(*big.Int))
	case string:
		return strings.Compare(x, y.(string))
	case []string:
		return slices.Compare(x, y.([]string))
	}
	return slices.Compare(x.([]int64), y.([]int64))
}
