package bind_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func catalog() (bind.Catalog, plan.Tables) {
	table := func(name string, columns ...columnar.TableColumn) *columnar.Table {
		columns = append(columns, columnar.TableColumn{Name: "position", Format: columnar.FormatPosition})
		return &columnar.Table{Name: name, Columns: columns}
	}
	column := func(name string, f columnar.Format) columnar.TableColumn {
		return columnar.TableColumn{Name: name, Header: name, Format: f}
	}
	all := []*columnar.Table{
		table("t", column("i", columnar.FormatInt), column("d", columnar.FormatDecimal), column("f", columnar.FormatFloat),
			column("s", columnar.FormatOptional), column("b", columnar.FormatBool), column("dt", columnar.FormatDay), column("l", columnar.FormatNames)),
		table("u", column("i", columnar.FormatInt), column("K k", columnar.FormatInt)),
		table("u2", column("i", columnar.FormatInt), column("K k", columnar.FormatInt)),
	}
	tables := make(plan.Tables)
	for _, t := range all {
		tables[t.Name] = t
	}
	return bind.Catalog{
		Tables:  map[string]*bind.Table{"t": {Parts: all[:1], Stats: &plan.Stats{Rows: 9000}}, "u": {Parts: all[1:2], Stats: &plan.Stats{Rows: 100}}, "both": {Parts: all[1:]}},
		Files:   map[string]*bind.Table{"dir/u.csv": {Parts: all[1:2]}},
		Nothing: &bind.Table{Parts: all[1:2]},
		Views: map[string]*sql.Query{
			"some": view("SELECT i, count(*) AS n FROM t WHERE i > $n GROUP BY i"), "loop": view("FROM (FROM loop)"), "wrong": view("SELECT ii FROM t"),
		},
	}, tables
}

func view(text string) *sql.Query {
	st, err := sql.Parse(nil, text)
	if err != nil {
		panic(err)
	}
	return st.Query
}

// planOf returns the plan of a query as it is after all rules.
func planOf(work *budget.Work, q *sql.Query, c bind.Catalog, params bind.Params) (*plan.Node, error) {
	root, err := bind.Query(work, q, c, params)
	if err != nil {
		return nil, err
	}
	return rules.Rewrite(work, root, c.PlanTables(), nil)
}

func schemaOf(t *testing.T, text string) (columnar.Schema, error) {
	t.Helper()
	st, err := sql.Parse(nil, text)
	if err != nil {
		return nil, err
	}
	c, tables := catalog()
	c.Now = time.Unix(1600000000, 0)
	root, err := planOf(nil, st.Query, c, bind.Params{"n": "5", "who": "007", "day": "2020-01-01"})
	if err != nil {
		return nil, err
	}
	q := &plan.Query{Version: plan.CurrentVersion, Name: "q", Root: root}
	if err := plan.Check(nil, []*plan.Query{q}); err != nil {
		t.Errorf("%s: the plan is not well formed: %v", text, err)
	}
	schema, err := root.Schema(tables)
	if err != nil {
		t.Errorf("%s: the plan is wrong: %v", text, err)
	}
	return schema, nil
}

// columnsOf are statements with the names and types of their columns.
func columnsOf() map[string]string {
	return map[string]string{
		"SELECT * FROM t": "i int, d decimal, f float, s text, b bool, dt date, l textlist",
		"FROM u":          "i int, K k int",
		`SELECT "k K", 1 FROM (SELECT "K K" "k K" FROM u) LIMIT 3`: "k K int, 1 int",
		"SELECT coalesce(sum(d), 0) AS a, CASE WHEN b THEN sum(d) ELSE d END AS b, greatest(sum(d), 1, NULL) AS c, nullif(sum(d), '0.5') AS e FROM t GROUP BY b, d": "a wide, b wide, c wide, e wide",
		"SELECT n, count(*) AS c, count(DISTINCT i) AS e FROM (SELECT i, sum(d) AS n FROM t GROUP BY i) GROUP BY ROLLUP (n)":                                        "n wide, c int, e int",
		"SELECT i ^ 2 AS a, 2 ** d AS b, dt + INTERVAL 2 CENTURIES AS c, date_diff('decade', dt, dt) AS e FROM t":                                                   "a float, b float, c timestamp, e int",
		"SELECT s FROM t UNION ALL SELECT NULL":                                                      "s text",
		"SELECT NULL AS a UNION SELECT NULL UNION ALL VALUES (NULL) EXCEPT SELECT dt FROM t":         "a date",
		"SELECT sum(d) FROM t UNION ALL SELECT i FROM u UNION SELECT NULL":                           "sum(d) wide",
		"SELECT a.n FROM (SELECT sum(d) AS n FROM t) a LEFT JOIN u ON a.n = u.i JOIN t ON t.f = a.n": "n wide",
		"SELECT i, i, u.i FROM u":                                                                          "i int, i_1 int, i_2 int",
		"SELECT d * d, d + 1, i / 2, i // 2, d * i, -d, f - 1 FROM t":                                      "d * d wide(38,12), d + 1 decimal, i / 2 float, i // 2 int, d * i decimal, -d decimal, f - 1 float",
		"SELECT sum(d), sum(i), avg(d), count(*), min(dt), max(b), stddev(f) FROM t":                       "sum(d) wide, sum(i) int, avg(d) float, count(*) int, min(dt) date, max(b) bool, stddev(f) float",
		"SELECT s, count(*) n FROM t GROUP BY ALL HAVING n > 1 ORDER BY sum(d)":                            "s text, n int",
		"SELECT upper(s) x FROM t GROUP BY x":                                                              "x text",
		"SELECT i + 1 FROM t GROUP BY 1":                                                                   "i + 1 int",
		"SELECT i % 2, i % 2 + sum(d) FROM t GROUP BY i % 2":                                               "i % 2 int, i % 2 + sum(d) wide",
		"SELECT t.*, u.i FROM t JOIN u ON t.i = u.i AND t.d > 1 AND t.i < u.i + 3":                         "i int, d decimal, f float, s text, b bool, dt date, l textlist, i_1 int",
		`SELECT * FROM t JOIN u USING (i)`:                                                                 "i int, d decimal, f float, s text, b bool, dt date, l textlist, K k int",
		"SELECT s, v.i FROM t, u JOIN both v USING (i)":                                                    "s text, i int",
		"SELECT s, v.* FROM t, u NATURAL JOIN both v":                                                      "s text, i int, K k int",
		"SELECT a.i FROM t a, t b, u c WHERE a.i = b.i AND b.d = c.i":                                      "i int",
		"SELECT d FROM t JOIN u ON t.f = u.i + 1 WHERE s IN (SELECT s FROM t)":                             "d decimal",
		"SELECT i FROM t UNION ALL SELECT d FROM t UNION SELECT 1 FROM u ORDER BY i":                       "i decimal",
		"WITH a(x) AS (SELECT i FROM t) SELECT p.x, q.x FROM a p JOIN a q ON p.x = q.x":                    "x int, x_1 int",
		"SELECT CASE WHEN b THEN i ELSE d END, coalesce(s, 'x'), nullif(i, 0), NULL, if(b, 'x', s) FROM t": "CASE WHEN b THEN i ELSE d END decimal, coalesce(s, 'x') text, nullif(i, 0) int, NULL int, if(b, 'x', s) text",
		"SELECT l[1], length(l), list_contains(l, 'a'), 'a' IN l FROM t WHERE 'a' IN l":                    "l[1] text, length(l) int, list_contains(l, 'a') bool, contains(l, 'a') bool",
		"SELECT s ~ 'a.*' AS a, s !~ 'b' AS b, s SIMILAR TO 'c' AS c, s NOT SIMILAR TO 'c' AS d, regexp_replace(s, 'a', 'b', 'gi') AS e, regexp_extract(s, '(a)', 1) AS g FROM t":                                                     "a bool, b bool, c bool, d bool, e text, g text",
		"SELECT arg_max(dt, s) AS a, arg_min(b, d) AS b, corr(i, d) AS c, approx_count_distinct(s) AS e, max_by(s, f) FILTER (WHERE b) AS g FROM t":                                                                                   "a date, b bool, c float, e int, g text",
		"SELECT DISTINCT ON (s, 2) i, d + 1 AS x FROM t ORDER BY x DESC, f":                                                                                                                                                           "i int, x decimal",
		"SELECT list(i) a, i FROM t GROUP BY i UNION ALL SELECT NULL, 2 UNION ALL BY NAME SELECT 3 i":                                                                                                                                 "a intlist, i int",
		"SELECT right(s, -i) a, substr(s, i, i) b, position('x' IN s) c, concat_ws('-', s, i, NULL) e, trim(LEADING 'x' FROM s) g, greatest(i, d, 1) h FROM t":                                                                        "a text, b text, c int, e text, g text, h decimal",
		"SELECT list_sort(l, 'desc') a, l || ['x'] b, list_append([i], i) c, list_min([i]) e, list_unique(l) g, trunc(d, 1) h, sign(f) j, list_concat(NULL, [i]) k FROM t":                                                            "a textlist, b textlist, c intlist, e int, g int, h decimal, j int, k intlist",
		"SELECT current_date, count(*) c, now() < current_timestamp + INTERVAL 1 DAY e FROM t GROUP BY ALL HAVING today() > '2020-01-01'":                                                                                             "current_date date, c int, e bool",
		"SELECT unnest, k FROM unnest(['a']), unnest([1, 2]) u(k) FETCH FIRST ROW ONLY":                                                                                                                                               "unnest text, k int",
		"SELECT s = ANY (l) a, d > ALL ([i, 2]) b, s <> ALL (l) c FROM t WHERE 'x' < ANY (l)":                                                                                                                                         "a bool, b bool, c bool",
		"SELECT first(d ORDER BY s DESC) a, last(b) b, any_value(dt ORDER BY f, i) c, first(s) FILTER (WHERE b) e FROM t":                                                                                                             "a decimal, b bool, c date, e text",
		"SELECT first(i) a FROM t WHERE s IN (SELECT unnest(l) FROM t)":                                                                                                                                                               "a int",
		"SELECT first(n ORDER BY i) a, last(i) OVER (ORDER BY i) b FROM (SELECT i, sum(d) AS n FROM t GROUP BY i) GROUP BY i":                                                                                                         "a wide, b int",
		"WITH a AS (FROM both) SELECT p.x, q.y FROM (SELECT first(i) x FROM a) p, (SELECT last(i) y FROM a WHERE i > 1 LIMIT 3) q":                                                                                                    "x int, y int",
		"SELECT i & 3 | ~i << 1 >> i a, xor(i, $n) b, bit_count(i) c FROM t":                                                                                                                                                          "a int, b int, c int",
		"SELECT bit_and(i) a, bit_or(DISTINCT i) b, bit_xor(NULL) c, bit_or('3') e, bit_and(i) OVER (ORDER BY i) g FROM t GROUP BY i":                                                                                                 "a int, b int, c int, e int, g int",
		"SELECT i FROM t INTERSECT ALL SELECT i FROM u":                                                                                                                                                                               "i int",
		"SELECT dt + INTERVAL 3 HOUR AS a, INTERVAL '1 year 2 days' + dt AS b, hour(dt), dt::TIMESTAMP AS c, '2020-01-01 10:00' > dt::TIMESTAMP, coalesce(dt, TIMESTAMP '2020-01-01') AS e, epoch(dt), strptime(s, '%Y') AS g FROM t": "a timestamp, b timestamp, hour(dt) int, c timestamp, '2020-01-01 10:00' > CAST(dt AS TIMESTAMP) bool, e timestamp, epoch(dt) float, g timestamp",
		"SELECT dt >= '2020-01-01', year(dt), date_trunc('month', '2020-01-31'), dt = $day FROM t":                                                                                                                                    "dt >= '2020-01-01' bool, year(dt) int, date_trunc('month', '2020-01-31') timestamp, dt = $day bool",
		"SELECT i + $n, s || $who, language(s), polarity(s) FROM t":                                                                                                                                                                   "i + $n int, s || $who text, language(s) text, polarity(s) decimal",
		"SELECT 1": "1 int",
		"SELECT unnest(l) AS x, i, unnest([i, 2]) AS y, unnest(l) FROM t ORDER BY y":                  "x text, i int, y int, unnest(l) text",
		"SELECT unnest(l) AS x, l, i FROM t ORDER BY x, l":                                            "x text, l textlist, i int",
		"SELECT x, count(*) FROM (SELECT DISTINCT unnest(l) x, i FROM t JOIN u USING (i)) GROUP BY 1": "x text, count(*) int",
		"SELECT list_has_all(l, ['a', 'b']), list_has_any(l, ['a', 'b']), year(s) FROM t":             "list_has_all(l, ['a', 'b']) bool, list_has_any(l, ['a', 'b']) bool, year(s) int",
		"FROM t a WHERE i >= (SELECT quantile_cont(b.i, 0.9) FROM t b) AND d > 1":                     "i int, d decimal, f float, s text, b bool, dt date, l textlist",
		"SELECT v.n, w.i FROM some v JOIN some w USING (n)":                                           "n int, i int",
		"SELECT * FROM t LEFT JOIN u ON t.i = u.i AND t.d > 1 AND u.i > 2":                            "i int, d decimal, f float, s text, b bool, dt date, l textlist, i_1 int, K k int",
		"SELECT * EXCLUDE (l), t.i, u.i FROM u FULL JOIN t USING (i)":                                 "i int, K k int, d decimal, f float, s text, b bool, dt date, i_1 int, i_2 int",
		"SELECT * FROM u RIGHT JOIN both ON u.i = both.\"k K\" OFFSET 2":                              "i int, K k int, i_1 int, K k_1 int",
		"SELECT * FROM u SEMI JOIN t USING (i)":                                                       "i int, K k int",
		"SELECT u.i FROM u ANTI JOIN t ON u.i = t.i AND d > 1":                                        "i int",
		"SELECT t.i FROM t, u": "i int",
		"SELECT t.i, u.i j, d FROM t FULL JOIN (SELECT i FROM u) u ON t.i = u.i AND t.d > u.i AND t.f > 0":                                            "i int, j int, d decimal",
		"SELECT string_agg(s, '-' ORDER BY b DESC, f NULLS FIRST) a, list(i ORDER BY d) b, array_agg(s) c FROM t":                                     "a text, b intlist, c textlist",
		"SELECT l[2:] z, l[:-1] a, [i, 2] b, [s, 'x'][1] c, string_split(s, ',') d, python_list(s) e, python_names(s)[1:2] f, list_value(i) g FROM t": "z textlist, a textlist, b intlist, c text, d textlist, e textlist, f textlist, g intlist",
		"SELECT u.* FROM u ANTI JOIN t ON t.i < u.i": "i int, K k int",
		"SELECT i, s, grouping(s, i) g FROM t GROUP BY CUBE (i, s) HAVING sum(d) > ALL (SELECT i FROM u) OR grouping(i) = 0":                                                           "i int, s text, g int",
		"SELECT i, s, upper(s) u, count(DISTINCT d) c, sum(i) FROM t GROUP BY b, ROLLUP (i, (s, u)), GROUPING SETS ((dt), (), CUBE (f))":                                               "i int, s text, u text, c int, sum(i) int",
		"SELECT row_number() OVER () n, sum(d) OVER w s, avg(i) OVER (w ROWS 2 PRECEDING) a FROM t WINDOW w AS (PARTITION BY b ORDER BY dt)":                                           "n int, s wide, a float",
		"SELECT lag(i, 2, d) OVER (ORDER BY f DESC NULLS FIRST) AS x FROM t QUALIFY row_number() OVER (PARTITION BY s ORDER BY d) <= 3 AND x > 1":                                      "x decimal",
		"SELECT s, count(*) c, rank() OVER (ORDER BY count(*) DESC) r, sum(sum(i)) OVER (ORDER BY s) t FROM t GROUP BY ALL ORDER BY r":                                                 "s text, c int, r int, t int",
		"SELECT max(b) OVER () AS m, count(*) FILTER (WHERE b) OVER (PARTITION BY i) AS c, median(d) OVER (PARTITION BY s) AS md FROM t":                                               "m bool, c int, md float",
		"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i) FILTER (WHERE i > 2) AS m, mode() WITHIN GROUP (ORDER BY i) AS o, typeof(1::REAL) AS t, '1'::DECIMAL(9, 2) AS d FROM t": "m float, o int, t text, d decimal",
		"SELECT lag(length(s) IGNORE NULLS) OVER (ORDER BY i) AS x, first_value(i RESPECT NULLS) OVER (ORDER BY dt RANGE INTERVAL '1 month 2 days' PRECEDING) AS y FROM t":             "x int, y int",
		"SELECT sum(i) OVER (ORDER BY dt RANGE BETWEEN INTERVAL 2 WEEK PRECEDING AND CURRENT ROW) AS x, nth_value(l, 2) OVER () AS l FROM t":                                           "x int, l textlist",
		`SELECT a.i FROM u a FULL JOIN ((SELECT i n FROM u) b JOIN u c ON c.i = b.n) ON c."K k" = a."K k" JOIN u d ON d.i = c.i`:                                                       "i int",
		"SELECT i, (SELECT max(d) FROM t WHERE t.i = u.i) m, (SELECT 1) FROM u WHERE i NOT IN (SELECT i FROM t) OR EXISTS (FROM t WHERE t.i = u.i)":                                    "i int, m decimal, (SELECT 1) int",
		"SELECT i, count(*) FROM u GROUP BY i HAVING count(*) > (SELECT avg(d) FROM t) AND i = ANY (SELECT i FROM t)":                                                                  "i int, count(*) int",
		"SELECT count(DISTINCT i) FROM both":                                                         "count(DISTINCT i) int",
		"SELECT * EXCLUDE (l, dt) REPLACE (upper(s) AS s) FROM t":                                    "i int, d decimal, f float, s text, b bool",
		"SELECT u.i FROM 'dir/u.csv'":                                                                "i int",
		"SELECT DISTINCT i AS x FROM both ORDER BY x DESC LIMIT 0":                                   "x int",
		"SELECT CAST(s AS DOUBLE), TRY_CAST(s AS DATE), d::BIGINT, sum(d) OVER_ FROM t GROUP BY ALL": "CAST(s AS DOUBLE) float, TRY_CAST(s AS DATE) date, CAST(d AS BIGINT) int, OVER_ wide",
	}
}

// refusals are statements with a mistake, marked as ‹…›, and what is said of it.
func refusals() map[string]string {
	return map[string]string{
		"SELECT ‹ii› FROM t":                                                        `there is no column "ii"|Did you mean i?`,
		"SELECT ‹x.i› FROM t":                                                       `there is no table "x" in FROM|Did you mean t?`,
		"SELECT i FROM ‹tt›":                                                        `there is no table "tt"|Did you mean t?`,
		"SELECT ‹i› FROM t, u WHERE t.i = u.i":                                      `the column "i" is in 2 tables|Next: write t.i or u.i.`,
		"SELECT ‹lengt(s)› FROM t":                                                  "there is no function lengt|Did you mean length(text or list)?",
		"SELECT ‹lower(s, s)› FROM t":                                               "lower takes other arguments|write lower(text)",
		"SELECT lower(‹i›) FROM t":                                                  "BIGINT stands where VARCHAR is needed|CAST(… AS VARCHAR)",
		"SELECT i FROM t WHERE ‹s›":                                                 "a condition is needed, and this is VARCHAR|",
		"SELECT s = ‹1› FROM t":                                                     "VARCHAR meets BIGINT|CAST(… AS VARCHAR)",
		"SELECT dt > ‹'2020-13-01'› FROM t":                                         "'2020-13-01' is no DATE|",
		"SELECT ‹s›, count(*) FROM t":                                               `the column "s" must be in GROUP BY or in an aggregate|GROUP BY ALL`,
		"SELECT ‹*› FROM t GROUP BY i":                                              `the column "d", which * stands for, must be|`,
		"SELECT i FROM t WHERE ‹sum(i)› > 1":                                        "the aggregate sum cannot stand in WHERE|",
		"SELECT sum(‹sum(i)›) FROM t":                                               "aggregates cannot stand within aggregates|",
		"SELECT i FROM t WHERE ‹rank() OVER (ORDER BY i)› = 1":                      "a window function cannot stand in WHERE|QUALIFY",
		"SELECT sum(‹rank() OVER (ORDER BY i)›) FROM t":                             "a window function cannot stand here|QUALIFY",
		"SELECT lag(‹rank() OVER ()›) OVER () FROM t":                               "a window function cannot stand in a window function|",
		"SELECT ‹rank()› FROM t":                                                    "rank is a function of a window|write rank() OVER",
		"SELECT ‹i.x› FROM t":                                                       `"i" is BIGINT, which has no field "x"|`,
		"SELECT ‹p.x› FROM (SELECT [{x: 1}] AS p FROM t)":                           `"p" is STRUCT(x BIGINT)[], which has no field "x"|p[1].x is that of its first item, and list_transform(p, x -> x.x)`,
		"SELECT ‹date_format(dt, '%Y')› FROM t":                                     "there is no function date_format|Did you mean strftime(timestamp, form)?",
		"SELECT to_char(dt, ‹'DDTH'›) FROM t":                                       "forms with TH are not supported|in double quotes",
		"SELECT to_char(i, ‹'9 RN'›) FROM t":                                        "no form \"9 RN\" of numbers: \"RN\" stands in it|9, 0, a point",
		"SELECT ‹rnak() OVER ()› FROM t":                                            "there is no function rnak|Did you mean rank() OVER (…)?",
		"SELECT ‹lower(s) OVER ()› FROM t":                                          "lower is no function of a window|",
		"SELECT ‹ntile() OVER ()› FROM t":                                           "ntile takes other arguments|write ntile(parts)",
		"SELECT sum(i) OVER (‹ROWS BETWEEN CURRENT ROW AND 1 PRECEDING›) FROM t":    "the frame ends before it begins|",
		"SELECT sum(i) OVER (GROUPS ‹-1› PRECEDING) FROM t":                         "the number of rows or groups must be a number from 0 on|",
		"SELECT sum(i) OVER (ORDER BY i, d RANGE ‹1 PRECEDING›) FROM t":             "a range of values needs one key in ORDER BY, and there are 2|",
		"SELECT sum(i) OVER (ORDER BY s RANGE ‹1› PRECEDING) FROM t":                "ranges of VARCHAR are not supported|",
		"SELECT sum(i) OVER (ORDER BY dt RANGE ‹1› PRECEDING) FROM t":               "a range of dates is an interval|INTERVAL 7 DAY",
		"SELECT sum(i) OVER ‹v› FROM t WINDOW w AS ()":                              `there is no window "v"|`,
		"SELECT sum(i) OVER ‹(w ORDER BY i)› FROM t WINDOW w AS (ORDER BY d)":       `the window "w" has a partition and an order|`,
		"SELECT sum(i) OVER ‹v› FROM t WINDOW v AS (w), w AS (v)":                   `the window "v" is made of itself|`,
		"SELECT ‹d›, sum(count(*)) OVER () FROM t":                                  `the column "d" must be in GROUP BY|`,
		"SELECT i FROM t GROUP BY CUBE (‹ROLLUP (i)›)":                              "CUBE takes keys, and this is ROLLUP|",
		"SELECT i FROM t GROUP BY ‹CUBE (i, d, f, s, b, dt, 1 + i)›":                "more than 64 grouping sets are not supported|",
		"SELECT ‹d› FROM t GROUP BY ROLLUP (i, b)":                                  `the column "d" must be in GROUP BY|`,
		"SELECT 1 FROM ‹t JOIN t ON true›":                                          `there are two tables of the name "t"|`,
		"SELECT i FROM t LIMIT 1 OFFSET ‹'x'›":                                      "an offset is a whole number from 0 on|",
		"SELECT t.i FROM t ‹ASOF JOIN› u ON t.i = u.i":                              "an ASOF JOIN says which row is near enough|",
		"SELECT t.i FROM t ‹ASOF JOIN› u ON t.i < u.i AND t.i < u.i + 1":            "ASOF JOINs by more than equalities and one of <, <=, > and >= are not supported|WHERE",
		"SELECT (‹SELECT i, i FROM u› LIMIT 1)":                                     "the query has 2 columns in place of 1|",
		"SELECT 1 FROM t ‹RIGHT JOIN› LATERAL (SELECT t.i FROM u) x ON true":        "RIGHT JOINs with a query that depends on the left side are not supported|",
		"SELECT ‹bitstring_agg(i)› FROM t":                                          "bit strings (bitstring_agg) are not supported|bin(…)",
		"SELECT quantile_cont(i, ‹2›) FROM t":                                       "a quantile is a number from -1 to 1|",
		"SELECT DISTINCT ON (‹i›) i FROM t QUALIFY row_number() OVER () = 1":        "DISTINCT ON clauses beside QUALIFY are not supported|",
		"SELECT DISTINCT ON (‹1›) * FROM t":                                         "numbers of columns that * stands for are not supported|",
		"SELECT i FROM t ‹EXCEPT› BY NAME SELECT i FROM u":                          "EXCEPT operations BY NAME are not supported|",
		"VALUES (1), (‹'x'›)":                                                       "'x' is no BIGINT|",
		"VALUES (1, 2), (‹3›)":                                                      "there is a row of 2 values and one of 1|",
		"VALUES (‹count(*)›)":                                                       "the aggregate count cannot stand in VALUES|",
		"SELECT ‹dt * 2› FROM t":                                                    "a date can be moved by days and intervals|",
		"SELECT ‹dt + d› FROM t":                                                    "a date is moved by BIGINT days, and this is DECIMAL|",
		"SELECT dt + ‹INTERVAL '3 eons'› FROM t":                                    "is no INTERVAL|write numbers and units",
		"SELECT ‹dt::TIMESTAMP + 1› FROM t":                                         "a timestamp is moved by an interval|INTERVAL 3 HOUR",
		`SELECT regexp_replace(s, 'a', ‹'\1'›) FROM t`:                              "0 groups|",
		"SELECT regexp_extract(s, '(a)', ‹2›) FROM t":                               "1 groups, and no group 2|",
		"SELECT regexp_matches(s, 'a', ‹'x'›) FROM t":                               "options 'x' of regular expressions are not supported|There are i",
		"SELECT regexp_extract(s, ‹'('›) FROM t":                                    "missing closing|",
		"SELECT strftime(dt, ‹'%Q'›) FROM t":                                        "which there is not|",
		"SELECT strptime(s, ‹'%Z'›) FROM t":                                         "cannot be read by strptime|",
		"SELECT sum(i) OVER (ORDER BY dt RANGE ‹INTERVAL 3 HOUR› PRECEDING) FROM t": "dates have no time of day|days",
		"SELECT i + ‹INTERVAL 3 DAY› FROM t":                                        "intervals beside anything but dates and timestamps are not supported|",
		"SELECT date_diff(‹'eon'›, dt, dt) FROM t":                                  `there is no unit "eon" of dates here|`,
		"SELECT i FROM t LIMIT ‹i›":                                                 `there is no column "i"|`,
		"SELECT i FROM t LIMIT ‹-1›":                                                "a limit is a whole number from 0 on|",
		"SELECT i FROM t ORDER BY ‹3›":                                              "there is no column 3; there are 1 to 1|",
		"SELECT DISTINCT i FROM t ORDER BY ‹s›":                                     "with DISTINCT the order must be by columns that are selected|",

		"SELECT ‹$x›":                                "the parameter $x has no value|--param x=VALUE",
		"SELECT ‹CAST(i AS BIT)› FROM t":             "casts to BIT are not supported|",
		"SELECT i FROM t ‹UNION› SELECT i, i FROM u": "the two sides of UNION have 1 and 2 columns|",
		"‹WITH RECURSIVE a AS (SELECT 1) SELECT 1›":  "recursive queries of data sets are not supported|",
		"SELECT regexp_matches(s, ‹'('›) FROM t":     "missing closing )|",
		"SELECT date_part(‹'eon'›, dt) FROM t":       `there is no part "eon" of a date here|There are year`,
		"SELECT ‹unnest(i, l)› FROM t":               "it is unnest(list[, recursive := true])|",
		"SELECT unnest(‹i›) FROM t":                  "a list is needed, and this is BIGINT|",
		"SELECT i FROM t WHERE ‹unnest(l)› = 'a'":    "unnest within expressions and conditions are not supported|a column of SELECT by itself",
		"FROM ‹loop›":                                `the view "loop" reads itself|`,
		"FROM t, ‹wrong›":                            `in the view wrong: there is no column "ii"|Did you mean i?`,
		"SELECT range FROM ‹glob('*')›":              "table functions such as glob are not supported|",
		"SELECT i FROM range(1, 5, ‹0›)":             "a step is no 0|",
		"SELECT i FROM ‹read_csv('f')›":              "there is no file 'f'|",

		"SELECT i FROM ‹read_csv('f', columns = {'a': 'DECIMAL(18,6)', 'b': 'decimal(18, 6)'})›": "there is no file 'f'|",

		"SELECT i FROM ‹read_csv()›":                                        "read_csv reads a file|Next: name a file in quotes.",
		"SELECT i FROM read_csv(‹f›)":                                       "the first argument of read_csv is the name of a file|Next: write it in quotes, or several in brackets",
		"SELECT i FROM read_csv(‹['f', 1]›)":                                "the first argument of read_csv is the name of a file|or several in brackets",
		"SELECT i FROM read_csv('f', ‹1›)":                                  "behind the file read_csv has options|Next: write it as name = value.",
		"SELECT i FROM read_csv('f', ‹color = 1›)":                          "there is no option \"color\" of a CSV file|There are delim, widths, quote, escape, comment, trailing_comments, line_quotes, skip, header, encoding, nullstr, columns, types, names, dateformat, timestampformat, all_varchar, filename, union_by_name, null_padding, decimal_separator, thousands.",
		"SELECT i FROM read_csv('f', ‹decimalseparator = ','›)":             "there is no option|Did you mean decimal_separator?",
		"SELECT i FROM read_csv('f', sep=',', ‹delim=';'›)":                 "the option delim is given twice|Next: leave one of them out.",
		"SELECT i FROM read_csv('f', skip = ‹'x'›)":                         "a number of lines is expected, at most 10000|",
		"SELECT i FROM read_csv('f', header = ‹2›)":                         "true or false is expected|",
		"SELECT i FROM ‹read_csv('f', quote = 'ab')›":                       "the quote \"ab\" is not one character of ASCII|",
		"SELECT i FROM read_csv('f', encoding = ‹'x'›)":                     "there is no encoding \"x\"|There are utf-8, utf-16, utf-16le, utf-16be, latin-1, iso-8859-1, windows-1252, cp1252, windows-1250, windows-1251, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-874, iso-8859-2, iso-8859-15, iso-8859-5, koi8-r, cp437, cp850, cp866, macintosh, gb18030, gbk, big5, shift-jis, euc-jp, euc-kr.",
		"SELECT i FROM read_csv('f', types = {'a': ‹'interval[]'›})":        "columns of type interval[] are not supported|Next: leave it out, and write CAST(… AS INTERVAL[]) of the column.",
		"SELECT i FROM read_csv('f', types = {'a': ‹'MAP(VARCHAR, INT)'›})": "columns of type MAP(VARCHAR, INT) are not supported|Next: leave it out, and write CAST(… AS MAP(VARCHAR, INT)) of the column.",
		"SELECT i FROM read_csv('f', types = {'a': ‹'BIT'›})":               "columns of type BIT are not supported|There are BOOLEAN, BIGINT, DECIMAL, DOUBLE, VARCHAR, DATE, TIMESTAMP, TIMESTAMP WITH TIME ZONE, TIME, BLOB, HUGEINT, UUID.",
		"SELECT i FROM read_csv('f', columns = ‹['a']›)":                    "columns are written as {'name': 'BIGINT', …}|",
		"SELECT i FROM read_parquet('f', ‹skip = 1›)":                       "read_parquet has no option|There are filename",
		"SELECT * FROM t, unnest(‹i›)":                                      "a list is needed, and this is BIGINT|",
		"SELECT list_sort(l, ‹'up'›) FROM t":                                "here stands 'ASC' or 'DESC'|",
		"SELECT list_reverse(‹s›) FROM t":                                   "a list is needed, and this is VARCHAR|",
	}
}

// TestColumns holds plans to be well formed, and to the names and types of their
// columns.
func TestColumns(t *testing.T) {
	for text, want := range columnsOf() {
		schema, err := schemaOf(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, sql.Show(text, err))
			continue
		}
		var columns []string
		for _, f := range schema {
			columns = append(columns, f.Name+" "+f.Type.String())
		}
		if got := strings.Join(columns, ", "); got != want {
			t.Errorf("%s has the columns %s, want %s", text, got, want)
		}
	}
}

// TestRefused holds each kind of error to its place, marked as ‹…›, and its words.
func TestRefused(t *testing.T) {
	for marked, want := range refusals() {
		begin := strings.Index(marked, "‹")
		end := strings.Index(marked, "›") - len("‹")
		text := unmarked(marked)
		_, err := schemaOf(t, text)
		var e *sql.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", text, err)
			continue
		}
		what, hint, _ := strings.Cut(want, "|")
		if !strings.Contains(e.What, what) || !strings.Contains(e.Hint, hint) {
			t.Errorf("%s: %q, %q; want %s", text, e.What, e.Hint, want)
		}
		if e.At.Begin != begin || e.At.End != end {
			t.Errorf("%s: the error is of %q, want %q", text, text[e.At.Begin:e.At.End], text[begin:end])
		}
	}
}

// TestQueriesWithinAreReadPastFewRows looks at the join with a query within an expression: which
// table is read first, and which rows without a partner are kept. A condition that holds for none
// of these makes the join an inner one.
func TestQueriesWithinAreReadPastFewRows(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT i FROM u WHERE k > (SELECT sum(i) FROM t WHERE t.i = u.i)":                   "u",
		"SELECT i FROM t WHERE d > (SELECT sum(i) FROM u WHERE t.i = u.i)":                   "u",
		"SELECT i, d > (SELECT sum(i) FROM u WHERE t.i = u.i) FROM t":                        "right u",
		"SELECT i FROM t WHERE d > (SELECT sum(i) FROM u WHERE t.i = u.i) OR s = 'a'":        "right u",
		"SELECT i FROM t WHERE (SELECT sum(i) FROM u WHERE t.i = u.i) IS NULL":               "right u",
		"SELECT i FROM t WHERE d > (SELECT count(i) FROM u WHERE t.i = u.i)":                 "right u",
		"SELECT i FROM t x WHERE d > (SELECT sum(i) FROM t WHERE t.i = x.i)":                 "t",
		"SELECT i FROM t x WHERE s = 'a' AND b AND NOT EXISTS (FROM t WHERE i = x.i)":        "left t",
		"SELECT i FROM u WHERE k > (SELECT sum(i) FROM t)":                                   "t",
		"SELECT t.i FROM t LEFT JOIN u ON t.i = u.i WHERE u.k = 1":                           "u",
		"SELECT t.i FROM t LEFT JOIN u ON t.i = u.i WHERE u.k = 1 OR s = 'a'":                "right u",
		"SELECT t.i FROM t LEFT JOIN u ON t.i = u.i WHERE coalesce(u.k, 1) = 1":              "right u",
		"SELECT u.i FROM u FULL JOIN t ON t.i = u.i WHERE u.k = 1 AND t.d > 1":               "full u",
		"SELECT t.i FROM u RIGHT JOIN t ON t.i = u.i WHERE u.k > 1 AND (s = 'a' OR u.k > 2)": "u",
		"SELECT t.i FROM u RIGHT JOIN t ON t.i = u.i WHERE t.d > 1":                          "right u",
	} {
		root := planned(t, strings.NewReplacer(" k ", ` "K k" `, "u.k", `u."K k"`).Replace(text))
		var joins []string
		for nodes := []*plan.Node{root}; len(nodes) > 0; nodes = append(nodes[1:], nodes[0].Inputs...) {
			if nodes[0].Op == plan.Join {
				first := nodes[0].Inputs[0]
				for first.Op != plan.Scan {
					first = first.Inputs[0]
				}
				joins = append(joins, strings.TrimSpace(string(nodes[0].Kind)+" "+first.Table))
			}
		}
		if len(joins) != 1 || joins[0] != want {
			t.Errorf("%s: joins are %q, want %q", text, joins, want)
		}
	}
}

// TestTidy holds plans to columns that keep their names, and to no projection that does
// nothing else, but where both sides of a join have a column of one name.
func TestTidy(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT s, count(*) AS n FROM t JOIN u USING (i) GROUP BY s HAVING n > 1 ORDER BY n LIMIT 3": "sort filter aggregate join project scan project scan",
		"SELECT sum(d) AS d FROM t": "aggregate scan",
		"WITH w AS (SELECT i, max(d) AS d FROM t GROUP BY i) SELECT a.d FROM w a JOIN w b ON a.i = b.d": "project sort project join project aggregate scan project aggregate scan",
		"SELECT 1 AS x, i FROM u UNION ALL SELECT i, 2 FROM u":                                          "sort union project scan project scan",
		"SELECT s FROM (SELECT l, s, i FROM t ORDER BY i LIMIT 3) ORDER BY s":                           "sort project sort project scan",
		"FROM t WHERE i >= (SELECT quantile_cont(i, 0.9) FROM t)":                                       "project sort percentile scan",
		"SELECT i FROM t WHERE (i, d) IN (SELECT i, count(*) FROM u GROUP BY i)":                        "project sort project join aggregate project aggregate scan scan",
		"FROM t WHERE d >= (SELECT quantile_cont(d, 0.9) FROM t)":                                       "project sort project filter join aggregate scan scan",
	} {
		root := planned(t, text)
		if got := strings.Join(operators(root, nil), " "); got != want {
			t.Errorf("%s is planned as %s, want %s", text, got, want)
		}
	}
}

// planned is the plan of a query over the tables of catalog.
func planned(t *testing.T, text string) *plan.Node {
	st, err := sql.Parse(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := catalog()
	root, err := planOf(nil, st.Query, c, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return root
}

// TestJoinsByNulls holds comparisons by which nulls are equal to joins by keys, whatever the types and the join.
func TestJoinsByNulls(t *testing.T) {
	for _, text := range []string{
		"SELECT count(*) FROM t JOIN u ON t.i IS NOT DISTINCT FROM u.i",
		"SELECT count(*) FROM t FULL JOIN u ON t.d IS NOT DISTINCT FROM u.i",
		"SELECT count(*) FROM t WHERE EXISTS (FROM u WHERE u.i IS NOT DISTINCT FROM t.i)",
	} {
		root := planned(t, text)
		for nodes := []*plan.Node{root}; len(nodes) > 0; nodes = append(nodes[1:], nodes[0].Inputs...) {
			if n := nodes[0]; n.Op == plan.Join && len(n.On) != 2 {
				t.Errorf("%s joins by %d keys", text, len(n.On))
			}
		}
	}
}

// operators appends the kinds of nodes from n down.
func operators(n *plan.Node, dst []string) []string {
	dst = append(dst, string(n.Op))
	for _, in := range n.Inputs {
		dst = operators(in, dst)
	}
	return dst
}

func unmarked(text string) string { return strings.NewReplacer("‹", "", "›", "").Replace(text) }

// FuzzQuery holds every statement that can be read to a plan that is whole or to an
// error with a place in it.
func FuzzQuery(f *testing.F) {
	for text := range columnsOf() {
		f.Add(text)
	}
	for marked := range refusals() {
		f.Add(unmarked(marked))
	}
	f.Fuzz(func(t *testing.T, text string) {
		st, err := sql.Parse(nil, text)
		if err != nil || st.Query == nil {
			return
		}
		c, tables := catalog()
		root, err := planOf(nil, st.Query, c, bind.Params{"n": "5", "who": "007", "day": "2020-01-01"})
		var e *sql.Error
		switch {
		case err == nil:
			if _, err := root.Schema(tables); err != nil {
				t.Fatalf("%q: the plan is wrong: %v", text, err)
			}
		case !errors.As(err, &e) || e.At.Begin < 0 || e.At.End < e.At.Begin || e.At.End > len(text):
			t.Fatalf("%q: error %v of type %T", text, err, err)
		}
	})
}

// TestNow holds the present moment to the one that the binder is given.
func TestNow(t *testing.T) {
	st, err := sql.Parse(nil, "SELECT now() AS a, current_date AS b FROM t")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := catalog()
	c.Now = time.Date(2020, 5, 6, 23, 30, 0, 0, time.FixedZone("", -3600))
	root, err := planOf(nil, st.Query, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []*expr.Expr{expr.Call(expr.OpToInstant, expr.Timestamp(1_588_811_400_000_000)).Fold(), expr.Date(18389)} {
		text, err := json.Marshal(want)
		if err != nil || !bytes.Contains(got, text) {
			t.Errorf("%s is not in %s (%v)", text, got, err)
		}
	}
}

// TestLambdaArguments holds the functions of which the parser knows that they take a lambda to those
// that do.
func TestLambdaArguments(t *testing.T) {
	for _, name := range bind.FunctionNames() {
		docs, _ := bind.Documented(name)
		takes := slices.ContainsFunc(docs, func(d registry.Doc) bool { return strings.Contains(d.Usage, "lambda") })
		if takes != sql.TakesLambda(name) {
			t.Errorf("%s takes a lambda: %t", name, takes)
		}
	}
}
