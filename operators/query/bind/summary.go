package bind

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// summaryColumns are the columns of a summary, with their types. Each row is merged from parts, of
// which one has a value for each column; merging needs no join that would read a table twice.
func summaryColumns() [][2]string {
	return [][2]string{
		{"column_name", "VARCHAR"},
		{"column_type", "VARCHAR"},
		{"min", "VARCHAR"},
		{"max", "VARCHAR"},
		{"unique_values", "BIGINT"},
		{"avg", "VARCHAR"},
		{"std", "DOUBLE"},
		{"q25", "VARCHAR"},
		{"q50", "VARCHAR"},
		{"q75", "VARCHAR"},
		{"count", "BIGINT"},
		{"null_percentage", "DOUBLE"},
	}
}

// Summary returns a query that describes the values of each column of q: minimum and maximum, the
// number of distinct values, mean, standard deviation and quartiles, the number of rows, and the
// percentage of nulls. columns are the columns of q.
//
// A few columns are aggregated one by one. Of many, the values of all that have one type become rows
// first, with the places of their columns. So the plan has a few parts for each type and none for a
// single column, of which there may be thousands.
func Summary(work *budget.Work, q *sql.Query, columns columnar.Schema) (*sql.Query, error) {
	work.Do(len(columns))
	var names, all []string
	var types []columnar.Type
	places := make(map[columnar.Type][]int)
	for i, c := range columns {
		names = append(names, fmt.Sprint("c", i))
		all = append(all, sql.QuoteText(c.Name))
		if places[c.Type] = append(places[c.Type], i); len(places[c.Type]) == 1 {
			types = append(types, c.Type)
		}
	}
	with := []string{fmt.Sprintf("summarized(%s) AS (%s)", strings.Join(names, ", "), &sql.Statement{Query: q})}
	parts := []string{namesPart(all, columns)}
	for _, t := range types {
		values := singly(t, places[t])
		if len(columns) > fewColumns {
			with = append(with, valuesOf(t, values))
			values = []summarized{{"place", "v", tableOf("values", t), []string{"place"}}}
		}
		parts = append(parts, valuesPart(t, values))
		if t.Kind() != columnar.KindList {
			parts = append(parts, distinctPart(values))
		}
	}
	st, err := sql.Parse(work, fmt.Sprintf("WITH %s SELECT %s FROM (%s) GROUP BY place ORDER BY place",
		strings.Join(with, ", "), strings.Join(merged(), ", "), strings.Join(parts, " UNION ALL ")))
	if err != nil {
		return nil, err
	}
	return st.Query, nil
}

// merged returns the columns of a summary, computed of its parts. Where there are no rows, only
// the names of columns say that there is a column.
func merged() []string {
	return columnar.Each(summaryColumns(), func(c [2]string) string {
		value := fmt.Sprintf("max(%s)", c[0])
		if c[0] == "null_percentage" {
			value = "round(100.0 * (max(count) - coalesce(max(present), 0)) / max(count), 2)"
		}
		return fmt.Sprintf("%s AS %s", value, c[0])
	})
}

// summaryPart selects some of the columns of a summary, and NULL for all others.
func summaryPart(values map[string]string, from string) string {
	items := []string{"place"}
	for _, c := range append(summaryColumns(), [2]string{"present", "BIGINT"}) {
		value, ok := values[c[0]]
		if !ok {
			value = "NULL"
		}
		items = append(items, fmt.Sprintf("CAST(%s AS %s) AS %s", value, c[1], c[0]))
	}
	return fmt.Sprintf("SELECT %s FROM %s", strings.Join(items, ", "), from)
}

// namesPart has a row for each column, even if there are no values.
func namesPart(names []string, columns columnar.Schema) string {
	places, types := make([]int, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		places[i], types[i] = i, sql.QuoteText(scalar.TypeName(c.Type))
	}
	return summaryPart(map[string]string{"column_name": "name", "column_type": "type", "count": "n", "unique_values": "CASE WHEN type NOT LIKE '%[]' THEN 0 END"}, fmt.Sprintf(
		"(SELECT unnest(%s) AS place, unnest([%s]) AS name, unnest([%s]) AS type, n FROM (SELECT count(*) AS n FROM summarized))",
		listOf(places), strings.Join(names, ", "), strings.Join(types, ", ")))
}

func listOf(places []int) string { return strings.ReplaceAll(fmt.Sprint(places), " ", ", ") }

// fewColumns is up to how many columns are aggregated one by one. That takes two thirds of the time,
// and a plan that grows with their number.
const fewColumns = 40

// summarized are values of one column, or of several, of which each value has the place.
type summarized struct {
	place, value, from string   // how they are called, and the table that has them
	by                 []string // what each column has another value of; nil: it is one column
}

// singly returns the columns of a type at some places, one by one. Of a list it is known only whether it is
// there.
func singly(t columnar.Type, places []int) []summarized {
	return columnar.Each(places, func(i int) summarized {
		value := fmt.Sprint("c", i)
		if t.Kind() == columnar.KindList {
			value = fmt.Sprintf("nullif(c%d IS NULL, true)", i)
		}
		return summarized{place: fmt.Sprint(i), value: value, from: "summarized"}
	})
}

// tableOf is the name of the table with what the columns of a type have.
func tableOf(what string, t columnar.Type) string { return sql.QuoteName(fmt.Sprint(what, "_", t)) }

// valuesOf are the values of the columns of a type as rows.
func valuesOf(t columnar.Type, columns []summarized) string {
	places := columnar.Each(columns, func(s summarized) string { return s.place })
	values := columnar.Each(columns, func(s summarized) string { return s.value })
	return fmt.Sprintf("%s AS (SELECT unnest([%s]) AS place, unnest([%s]) AS v FROM summarized)", tableOf("values", t), strings.Join(places, ", "), strings.Join(values, ", "))
}

// union is what each of some values become, one below the other. The items are formats of the values.
func union(all []summarized, items ...string) string {
	return strings.Join(columnar.Each(all, func(s summarized) string {
		text := fmt.Sprintf("SELECT %s AS place, %s FROM %s", s.place, strings.ReplaceAll(strings.Join(items, ", "), "$v", s.value), s.from)
		if len(s.by) > 0 {
			text += " GROUP BY " + strings.Join(s.by, ", ")
		}
		return text
	}), " UNION ALL ")
}

// valuesPart is what aggregates compute that read the table once.
func valuesPart(t columnar.Type, of []summarized) string {
	values, aggregates := map[string]string{"present": "present"}, []string{"count($v) AS present"}
	add := func(name, aggregate string) {
		values[name] = name
		aggregates = append(aggregates, aggregate+" AS "+name)
	}
	switch {
	case t == columnar.Bool:
		add("min", "bool_and($v)")
		add("max", "bool_or($v)")
	case t.Kind() != columnar.KindList:
		add("min", "min($v)")
		add("max", "max($v)")
	}
	between := "$v"
	if scalar.IsNumber(t) {
		between = "CAST($v AS DOUBLE)"
		add("std", "stddev("+between+")")
	}
	if scalar.IsNumber(t) || slices.Contains(columnar.Times(), t) {
		add("avg", "avg($v)")
		for _, percent := range []int{25, 50, 75} {
			add(fmt.Sprint("q", percent), fmt.Sprintf("quantile_cont(%s, 0.%d)", between, percent))
		}
	}
	return summaryPart(values, "("+union(of, aggregates...)+")")
}

// distinctPart is the number of distinct values.
func distinctPart(of []summarized) string {
	return summaryPart(map[string]string{"unique_values": "unique_values"}, "("+union(of, "count(DISTINCT $v) AS unique_values")+")")
}
