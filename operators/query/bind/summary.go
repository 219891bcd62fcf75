package bind

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
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
		{"avg", "DOUBLE"},
		{"std", "DOUBLE"},
		{"q25", "DOUBLE"},
		{"q50", "DOUBLE"},
		{"q75", "DOUBLE"},
		{"count", "BIGINT"},
		{"null_percentage", "DOUBLE"},
	}
}

// Summary returns a query that describes the values of each column of q: minimum and maximum, the
// number of distinct values, mean, standard deviation and quartiles, the number of rows, and the
// percentage of nulls. columns are the columns of q.
//
// The values of all columns of one type become rows, with the places of their columns. So a
// summary has a few parts for each type and none for a single column, of which there may be
// thousands.
func Summary(work *budget.Work, q *sql.Query, columns columnar.Schema) (*sql.Query, error) {
	work.Do(len(columns))
	var names, all []string
	places := make(map[columnar.Type][]int)
	for i, c := range columns {
		names = append(names, fmt.Sprint("c", i))
		all = append(all, sql.QuoteText(c.Name))
		places[c.Type] = append(places[c.Type], i)
	}
	with := []string{fmt.Sprintf("summarized(%s) AS (%s)", strings.Join(names, ", "), &sql.Statement{Query: q})}
	parts := []string{namesPart(all, columns)}
	for _, t := range columnar.Types() {
		if len(places[t]) == 0 {
			continue
		}
		with = append(with, valuesOf(t, places[t]))
		parts = append(parts, rangePart(t))
		if t.Kind() != columnar.KindList {
			with = append(with, countsOf(t))
			parts = append(parts, countsPart(t))
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
	return each(summaryColumns(), func(c [2]string) string {
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
		places[i], types[i] = i, sql.QuoteText(TypeName(c.Type))
	}
	return summaryPart(map[string]string{"column_name": "name", "column_type": "type", "count": "n", "unique_values": "CASE WHEN type NOT LIKE '%[]' THEN 0 END"}, fmt.Sprintf(
		"(SELECT unnest(%s) AS place, unnest([%s]) AS name, unnest([%s]) AS type, n FROM (SELECT count(*) AS n FROM summarized))",
		listOf(places), strings.Join(names, ", "), strings.Join(types, ", ")))
}

func listOf(places []int) string { return strings.ReplaceAll(fmt.Sprint(places), " ", ", ") }

// valuesOf are the values of the columns of a type. Of a list it is known only whether it is there.
func valuesOf(t columnar.Type, places []int) string {
	values := each(places, func(i int) string {
		if t.Kind() == columnar.KindList {
			return fmt.Sprintf("nullif(c%d IS NULL, true)", i)
		}
		return fmt.Sprint("c", i)
	})
	return fmt.Sprintf("values_%s AS (SELECT unnest(%s) AS place, unnest([%s]) AS v FROM summarized)", t, listOf(places), strings.Join(values, ", "))
}

// rangePart is what plain aggregates compute.
func rangePart(t columnar.Type) string {
	values, aggregates := map[string]string{"present": "present"}, []string{"count(v) AS present"}
	add := func(name, aggregate string) {
		values[name] = name
		aggregates = append(aggregates, aggregate+" AS "+name)
	}
	switch {
	case t == columnar.Bool:
		add("min", "bool_and(v)")
		add("max", "bool_or(v)")
	case t.Kind() != columnar.KindList:
		add("min", "min(v)")
		add("max", "max(v)")
	}
	if isNumber(t) {
		add("avg", "avg(v)")
		add("std", "stddev(CAST(v AS DOUBLE))")
	}
	return summaryPart(values, fmt.Sprintf("(SELECT place, %s FROM values_%s GROUP BY place)", strings.Join(aggregates, ", "), t))
}

// countsOf says how often each value of a type occurs in its column.
func countsOf(t columnar.Type) string {
	return fmt.Sprintf("counts_%s AS (SELECT place, v, count(*) AS n FROM values_%s WHERE v IS NOT NULL GROUP BY place, v)", t, t)
}

// countsPart is the number of distinct values and, for numbers, the quartiles, which interpolate
// between the values at the ranks below and above. It goes through the distinct values in order,
// which needs less memory than an aggregate that holds all values.
func countsPart(t columnar.Type) string {
	from, aggregates := fmt.Sprint("counts_", t), []string{"count(*) AS unique_values"}
	values := map[string]string{"unique_values": "unique_values"}
	if isNumber(t) {
		from = fmt.Sprintf("(SELECT place, CAST(v AS DOUBLE) AS v, sum(n) OVER (PARTITION BY place ORDER BY v) AS upto, "+
			"sum(n) OVER (PARTITION BY place) - 1 AS last FROM %s)", from)
		for k := 1; k <= 3; k++ {
			below := fmt.Sprintf("min(v) FILTER (WHERE upto > last * %d // 4)", k)
			above := fmt.Sprintf("min(v) FILTER (WHERE upto > (last * %d + 3) // 4)", k)
			name := fmt.Sprint("q", 25*k)
			values[name] = name
			aggregates = append(aggregates, fmt.Sprintf("%s + (%s - %s) * max(last * %d %% 4) / 4 AS %s", below, above, below, k, name))
		}
	}
	return summaryPart(values, fmt.Sprintf("(SELECT place, %s FROM %s GROUP BY place)", strings.Join(aggregates, ", "), from))
}
