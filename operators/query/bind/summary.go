package bind

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/query/sql"
)

// summaryColumns returns the columns of a summary. Each row is merged from parts, of which one
// has a value for each column; merging needs no join that would read a table twice.
func summaryColumns() []string {
	return []string{
		"column_name", "column_type", "min", "max", "unique_values", "avg", "std", "q25", "q50", "q75", "count", "null_percentage",
	}
}

// Summary returns a query that describes the values of each column of q: minimum and maximum, the
// number of distinct values, mean, standard deviation and quartiles, the number of rows, and the
// percentage of nulls. columns are the columns of q.
func Summary(work *budget.Work, q *sql.Query, columns columnar.Schema) (*sql.Query, error) {
	names := make([]string, len(columns))
	var parts []string
	merged := each(summaryColumns(), func(name string) string { return fmt.Sprintf("max(%s) AS %s", name, name) })
	for i, c := range columns {
		names[i] = fmt.Sprintf("c%d", i)
		parts = append(parts, summaryPart(i, rangeOf(names[i], c)))
		if c.Type.Kind() != columnar.KindList {
			parts = append(parts, summaryPart(i, valuesOf(names[i], c)))
		}
	}
	st, err := sql.Parse(work, fmt.Sprintf("WITH summarized(%s) AS (%s) SELECT %s FROM (%s) GROUP BY place ORDER BY place",
		strings.Join(names, ", "), &sql.Statement{Query: q}, strings.Join(merged, ", "), strings.Join(parts, " UNION ALL ")))
	if err != nil {
		return nil, err
	}
	return st.Query, nil
}

// part is a part of the columns of a summary's row.
type part struct {
	values map[string]string
	from   string
}

func summaryPart(place int, p part) string {
	types := map[string]string{"column_name": "VARCHAR", "column_type": "VARCHAR", "min": "VARCHAR", "max": "VARCHAR", "unique_values": "BIGINT", "count": "BIGINT"}
	items := []string{fmt.Sprintf("%d AS place", place)}
	for _, name := range summaryColumns() {
		value, ok := p.values[name]
		if !ok {
			value = "NULL"
		}
		t := types[name]
		if t == "" {
			t = "DOUBLE"
		}
		items = append(items, fmt.Sprintf("CAST(%s AS %s) AS %s", value, t, name))
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + p.from
}

// rangeOf is the part that plain aggregates compute.
func rangeOf(name string, c columnar.Field) part {
	p := part{from: "summarized", values: map[string]string{
		"column_name": sql.QuoteText(c.Name), "column_type": sql.QuoteText(TypeName(c.Type)),
		"count":           "count(*)",
		"null_percentage": fmt.Sprintf("round(100.0 * (count(*) - count(%s)) / count(*), 2)", name),
	}}
	switch {
	case c.Type == columnar.Bool:
		p.values["min"], p.values["max"] = "bool_and("+name+")", "bool_or("+name+")"
	case c.Type.Kind() != columnar.KindList:
		p.values["min"], p.values["max"] = "min("+name+")", "max("+name+")"
	}
	if isNumber(c.Type) {
		p.values["avg"], p.values["std"] = "avg("+name+")", "stddev(CAST("+name+" AS DOUBLE))"
	}
	return p
}

// valuesOf is the number of distinct values and, for numbers, the quartiles, which interpolate
// between the values at the ranks below and above. It counts each distinct value and goes through
// them in order, which needs less memory than an aggregate that holds all values.
func valuesOf(name string, c columnar.Field) part {
	p := part{values: map[string]string{"unique_values": "count(*)"}}
	counts := fmt.Sprintf("(SELECT %s AS v, count(*) AS n FROM summarized WHERE %s IS NOT NULL GROUP BY %s)", name, name, name)
	if p.from = counts; !isNumber(c.Type) {
		return p
	}
	p.from = "(SELECT CAST(v AS DOUBLE) AS v, sum(n) OVER (ORDER BY v) AS upto, sum(n) OVER () - 1 AS last FROM " + counts + ")"
	for k := 1; k <= 3; k++ {
		below := fmt.Sprintf("min(v) FILTER (WHERE upto > last * %d // 4)", k)
		above := fmt.Sprintf("min(v) FILTER (WHERE upto > (last * %d + 3) // 4)", k)
		p.values[fmt.Sprint("q", 25*k)] = fmt.Sprintf("%s + (%s - %s) * max(last * %d %% 4) / 4", below, above, below, k)
	}
	return p
}
