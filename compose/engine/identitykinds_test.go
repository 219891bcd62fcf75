package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"analyzer/columnar"
)

// identityKind is a kind of identity.
type identityKind struct {
	name string
	make func(rng *rand.Rand) identity
}

func identityKinds() []identityKind {
	return []identityKind{
		{"rows in three parts", partitioned("SELECT %s FROM %s", " UNION ALL ")},
		{"distinct rows in three parts", partitioned("SELECT DISTINCT %s FROM %s", " UNION ")},
		{"groups in three parts", partitionedGroups},
		{"aggregates of three parts", aggregatesOfParts},
		{"a condition that is a value", unoptimized},
		{"joins by conditions", joinsByConditions},
		{"outer and semi joins", outerJoins},
		{"full joins", fullJoins},
		{"semi joins by EXISTS", semiJoins},
		{"groups that are conditions", groupsOfConditions},
		{"windows that are conditions", windowsOfConditions},
		{"windows in three parts", partitionedWindows},
		{"HAVING that is a value", unoptimizedGroups},
		{"aggregates by rows", correlatedAggregates},
		{"a window that is everything", wholeWindows},
		{"rows cut in two", cutRows},
	}
}

// partitioned is a query, beside the union of those of its rows for which a condition is true, false and null.
func partitioned(query, union string) func(*rand.Rand) identity {
	return func(rng *rand.Rand) identity {
		from := someSource(rng)
		g := &sqlGrower{rng: rng, reads: from.columns}
		items := g.items()
		var parts []string
		for _, p := range inThree(g.condition(3)) {
			parts = append(parts, fmt.Sprintf("SELECT %s FROM %s WHERE %s", items, from.text, p))
		}
		return identity{[]string{fmt.Sprintf(query, items, from.text)}, []string{strings.Join(parts, union)}}
	}
}

func partitionedGroups(rng *rand.Rand) identity {
	from := someSource(rng)
	g := &sqlGrower{rng: rng, reads: from.columns}
	key, value := one(rng, from.columns...), one(rng, from.columns...)
	groups := &sqlGrower{rng: rng, reads: []sqlColumn{key, {fmt.Sprintf("min(%s)", value.text), value.typ}, {"count(*)", columnsOfT[0].typ}, {fmt.Sprintf("max(%s)", g.value(value.typ, 1)), value.typ}}}
	whole := fmt.Sprintf("SELECT %s AS x, count(*) AS n, min(%s) AS y FROM %s GROUP BY %s", key.text, value.text, from.text, key.text)
	i := identity{left: []string{whole}}
	for _, p := range inThree(groups.condition(2)) {
		i.right = append(i.right, whole+" HAVING "+p)
	}
	return i
}

func aggregatesOfParts(rng *rand.Rand) identity {
	i := partitioned("SELECT %s FROM %s", " UNION ALL ")(rng)
	aggregated := func(text string) []string {
		return []string{fmt.Sprintf("SELECT count(*) AS n, count(x) AS some, count(DISTINCT x) AS others, min(x) AS least, max(x) AS most, mode(x) AS common, list(x ORDER BY x) AS list, approx_count_distinct(x) AS about FROM (%s)", text)}
	}
	return identity{aggregated(i.left[0]), aggregated(i.right[0])}
}

// unoptimized counts rows by a condition, beside rows whose value it is.
func unoptimized(rng *rand.Rand) identity {
	from := someSource(rng)
	p := (&sqlGrower{rng: rng, reads: from.columns}).condition(3)
	return identity{
		[]string{fmt.Sprintf("SELECT count(*) AS n FROM %s WHERE %s", from.text, p)},
		[]string{fmt.Sprintf("SELECT count(*) FILTER (WHERE c) AS n FROM (SELECT %s AS c FROM %s)", p, from.text)},
	}
}

func joinsByConditions(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: slices.Concat(columnsOfT, columnsOfU)}
	items, p := g.items(), g.condition(3)
	if rng.IntN(2) == 0 {
		p = fmt.Sprintf("%s = %s AND %s", one(rng, "t.i", "t.h"), "u.k", p)
	}
	return identity{
		[]string{fmt.Sprintf("SELECT %s FROM t JOIN u ON %s", items, p)},
		[]string{fmt.Sprintf("SELECT %s FROM t, u WHERE CASE WHEN %s THEN 1 ELSE 0 END = 1", items, p)},
	}
}

// outerJoins is a left join, beside the rows with a partner and those without one.
func outerJoins(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: slices.Concat(columnsOfT, columnsOfU)}
	p := g.condition(2)
	if rng.IntN(2) == 0 {
		p = "t.i = u.k AND " + p
	}
	return identity{
		[]string{fmt.Sprintf("SELECT t.id, t.s, u.k, u.w FROM t LEFT JOIN u ON %s", p)},
		[]string{
			fmt.Sprintf("SELECT t.id, t.s, u.k, u.w FROM t, u WHERE %s", p),
			fmt.Sprintf("SELECT t.id, t.s, NULL AS k, NULL AS w FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE %s)", p),
		},
	}
}

// fullJoins is a full join, beside the rows with a partner, and those of both sides without one.
func fullJoins(rng *rand.Rand) identity {
	p := "t.i = u.k AND " + (&sqlGrower{rng: rng, reads: columnsOfT}).condition(1) + " AND " + (&sqlGrower{rng: rng, reads: columnsOfU}).condition(1)
	return identity{
		[]string{"SELECT t.id, t.s, u.k, u.w FROM t FULL JOIN u ON " + p},
		[]string{
			"SELECT t.id, t.s, u.k, u.w FROM t JOIN u ON " + p,
			"SELECT t.id, t.s, NULL AS k, NULL AS w FROM t ANTI JOIN u ON " + p,
			"SELECT NULL AS id, NULL AS s, u.k, u.w FROM u ANTI JOIN t ON " + p,
		},
	}
}

// semiJoins is a semi or anti join, beside the condition that there is a partner, or that none is.
func semiJoins(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: slices.Concat(columnsOfT, columnsOfU)}
	p := g.condition(2)
	if rng.IntN(2) == 0 {
		p = "t.i = u.k AND " + p
	}
	join, exists := "SEMI", "0 < "
	if rng.IntN(2) == 0 {
		join, exists = "ANTI", "0 = "
	}
	return identity{
		[]string{fmt.Sprintf("SELECT t.id, t.s FROM t %s JOIN u ON %s", join, p)},
		[]string{fmt.Sprintf("SELECT t.id, t.s FROM t WHERE %s(SELECT count(*) FROM u WHERE %s)", exists, p)},
	}
}

// aggregateOf is an aggregate of a column that does not depend on the order of rows.
func aggregateOf(rng *rand.Rand, c sqlColumn) string {
	fits := []string{"count(%[1]s)", "count(DISTINCT %[1]s)", "min(%[1]s)", "max(%[1]s)", "mode(%[1]s)", "list(%[1]s ORDER BY %[1]s)", "any_value(%[1]s)"}
	switch c.typ {
	case columnar.Int, columnar.Decimal, columnar.Float:
		fits = append(fits, "sum(%[1]s)", "avg(%[1]s)", "median(%[1]s)", "sum(DISTINCT %[1]s)", "stddev_pop(%[1]s)", "quantile_disc(%[1]s, 0.3)")
	case columnar.Bool:
		fits = append(fits, "bool_and(%[1]s)", "bool_or(%[1]s)")
	case columnar.Text:
		fits = append(fits, "string_agg(%[1]s, '-' ORDER BY %[1]s)")
	}
	return fmt.Sprintf(one(rng, fits...), c.text)
}

// groupsOfConditions are aggregates by the value of a condition, beside those of the rows for which it is true, false and
// null.
func groupsOfConditions(rng *rand.Rand) identity {
	from := someSource(rng)
	p := (&sqlGrower{rng: rng, reads: from.columns}).condition(2)
	aggregates := fmt.Sprintf("count(*) AS n, %s AS x, %s AS y", aggregateOf(rng, one(rng, from.columns...)), aggregateOf(rng, one(rng, from.columns...)))
	i := identity{left: []string{fmt.Sprintf("SELECT n, x, y FROM (SELECT (%s) AS c, %s FROM %s GROUP BY c)", p, aggregates, from.text)}}
	for _, part := range inThree(p) {
		i.right = append(i.right, fmt.Sprintf("SELECT %s FROM %s WHERE %s HAVING count(*) > 0", aggregates, from.text, part))
	}
	return i
}

// someFrames are frames of windows in which all rows have an order.
var someFrames = []string{
	"", "ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "GROUPS 3 PRECEDING EXCLUDE CURRENT ROW",
	"RANGE BETWEEN 3 PRECEDING AND 2 FOLLOWING", "ROWS BETWEEN 1 FOLLOWING AND 4 FOLLOWING EXCLUDE TIES",
}

// windowFunction is a function of a window over a column, whose rows have an order by id.
func windowFunction(rng *rand.Rand, c sqlColumn) string {
	if rng.IntN(2) == 0 {
		return aggregateOf(rng, c)
	}
	return fmt.Sprintf(one(rng, "lag(%s)", "lead(%s, 2)", "first_value(%s)", "last_value(%s IGNORE NULLS)", "nth_value(%s, 2)"), c.text)
}

// windowsOfConditions are windows whose partitions are the values of a condition, beside windows over the rows for which it
// is true, false and null.
func windowsOfConditions(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: columnsOfT}
	p, f, frame := g.condition(2), windowFunction(rng, one(rng, columnsOfT...)), one(rng, someFrames...)
	i := identity{left: []string{fmt.Sprintf("SELECT t.id, %s OVER (PARTITION BY %s ORDER BY t.id %s) AS x FROM t", f, p, frame)}}
	for _, part := range inThree(p) {
		i.right = append(i.right, fmt.Sprintf("SELECT t.id, %s OVER (ORDER BY t.id %s) AS x FROM t WHERE %s", f, frame, part))
	}
	return i
}

// partitionedWindows are rows with a window, beside those for which a condition on it is true, false and null.
func partitionedWindows(rng *rand.Rand) identity {
	c := one(rng, columnsOfT...)
	call := fmt.Sprintf("%s OVER (%sORDER BY t.id %s)", windowFunction(rng, c), one(rng, "", "PARTITION BY t.i ", "PARTITION BY t.b, t.i "), one(rng, someFrames...))
	whole := fmt.Sprintf("SELECT t.id, t.b, %s AS x FROM t", call)
	g := &sqlGrower{rng: rng, reads: []sqlColumn{columnsOfT[0], columnsOfT[1], columnsOfT[6], {fmt.Sprintf("count(%s) OVER (PARTITION BY t.i)", c.text), columnar.Int}}}
	i := identity{left: []string{whole}}
	for _, part := range inThree(g.condition(1)) {
		i.right = append(i.right, whole+" QUALIFY "+part)
	}
	return i
}

// unoptimizedGroups counts groups by HAVING, beside groups whose value the condition is.
func unoptimizedGroups(rng *rand.Rand) identity {
	from := someSource(rng)
	key := one(rng, from.columns...)
	p := (&sqlGrower{rng: rng, reads: []sqlColumn{key, {"count(*)", columnar.Int}, {fmt.Sprintf("max(%s)", key.text), key.typ}}}).condition(2)
	return identity{
		[]string{fmt.Sprintf("SELECT count(*) AS n FROM (SELECT %s AS k FROM %s GROUP BY %s HAVING %s)", key.text, from.text, key.text, p)},
		[]string{fmt.Sprintf("SELECT count(*) FILTER (WHERE c) AS n FROM (SELECT %s AS c FROM %s GROUP BY %s)", p, from.text, key.text)},
	}
}

// correlatedAggregates are aggregates of the rows that belong to each row, as a query within an expression and as groups of
// a join.
func correlatedAggregates(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: columnsOfU}
	p := one(rng, "u.k = t.i", "u.k < t.i", "u.w = t.s", "u.k = t.i AND u.e > t.d") + " AND " + g.condition(1)
	f := aggregateOf(rng, one(rng, columnsOfU...)) + " FILTER (WHERE u.k IS NOT NULL OR u.w IS NOT NULL)" // not of the row without a partner
	return identity{
		[]string{fmt.Sprintf("SELECT t.id, (SELECT %s FROM u WHERE %s) AS x FROM t", f, p)},
		[]string{fmt.Sprintf("SELECT t.id, %s AS x FROM t LEFT JOIN u ON %s GROUP BY t.id", f, p)},
	}
}

// wholeWindows is an aggregate of a window without an order, beside the same as a query of its own.
func wholeWindows(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: columnsOfT}
	p, f := g.condition(2), aggregateOf(rng, one(rng, columnsOfT...))
	return identity{
		[]string{fmt.Sprintf("SELECT t.id, %s OVER () AS x FROM t WHERE %s", f, p)},
		[]string{fmt.Sprintf("SELECT v.id, (SELECT %s FROM t WHERE %s) AS x FROM (SELECT t.id FROM t WHERE %s) AS v", f, p, p)},
	}
}

// cutRows are rows in an order, beside the first of them and the others.
func cutRows(rng *rand.Rand) identity {
	g := &sqlGrower{rng: rng, reads: columnsOfT}
	order := fmt.Sprintf("SELECT t.id, %s AS x FROM t WHERE %s ORDER BY %s %s, t.id", g.value(g.someType(), 1), g.condition(1), g.value(g.someType(), 1), one(rng, "", "DESC", "NULLS FIRST"))
	n := rng.IntN(12)
	return identity{[]string{order}, []string{fmt.Sprintf("%s LIMIT %d", order, n), fmt.Sprintf("%s OFFSET %d", order, n)}}
}
