package sql

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// statements are of every construct. Each is written as it prints.
var statements = []string{
	`SELECT 1`,
	`SELECT a, b AS x, "select" AS "a b", t.c FROM t`,
	`SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM 'it''s.csv' AS t(a, b)`,
	`SELECT t.* FROM s.t`,
	`SELECT DISTINCT a FROM t WHERE a > 1 AND (b < 2 OR NOT c = 3) GROUP BY a, 2 HAVING count(*) > 1 ORDER BY a DESC NULLS FIRST, 2 LIMIT 10 OFFSET 5`,
	`SELECT DISTINCT ON (a) a, b FROM t`,
	`SELECT a, sum(b) FILTER (WHERE c) FROM t GROUP BY ALL ORDER BY ALL DESC LIMIT 10`,
	`SELECT count(DISTINCT a), string_agg(a ORDER BY b DESC) FROM t GROUP BY ROLLUP (a, (b, c)), GROUPING SETS (a, ()), CUBE (c)`,
	`SELECT a FROM t LEFT JOIN u ON t.a = u.a INNER JOIN (v CROSS JOIN w) USING (b, c), x NATURAL FULL JOIN y`,
	`SELECT a FROM (SELECT 1 AS a) AS q SEMI JOIN r ON q.a = r.a ANTI JOIN s USING (a)`,
	`SELECT a FROM (a INNER JOIN b ON a.x = b.x) AS c`,
	`SELECT a FROM read_csv('f', delim = '|', header = FALSE), LATERAL (SELECT 1), unnest([1, 2])`,
	`SELECT {'a': 1, 'b c': [2]} FROM read_csv('f', columns = {'a': 'BIGINT'}, nullstr = ['NA', ''])`,
	`WITH a AS (SELECT 1), b(x) AS (VALUES (1, 'a'), (2, NULL)) SELECT * FROM a, b`,
	`SELECT 1 UNION ALL SELECT 2`,
	`(SELECT 1 UNION SELECT 2) EXCEPT (SELECT 3 INTERSECT ALL SELECT 4) ORDER BY 1`,
	`SELECT 1 UNION ALL BY NAME (SELECT 2 ORDER BY 1 LIMIT 1)`,
	`SELECT CASE WHEN a THEN 1 ELSE 2 END, CASE a WHEN 1 THEN 'x' END`,
	`SELECT CAST(a AS INTEGER), TRY_CAST(b AS DECIMAL(18, 6)), CAST(c AS VARCHAR[])`,
	`SELECT a IS NULL, b IS NOT NULL, c IS NOT TRUE, a IS NOT DISTINCT FROM b`,
	`SELECT a IN (1, 2), b NOT IN (SELECT 1), c BETWEEN 1 + 1 AND 2, d NOT BETWEEN 1 AND 2 AND e`,
	`SELECT a LIKE 'x%', a NOT ILIKE b || 'y' ESCAPE '\', a SIMILAR TO 'z+'`,
	`SELECT -a, - -a, -(a + b), +1, NOT NOT a, -1.5e3, .5, a[1], a[1:], a[:2], [1, 'a'][1]`,
	`SELECT a + b * c - (d - e), (a + b) * c // 2 % 3, 2 ^ 3 ^ 4, 2 ^ (3 ^ 4)`,
	`SELECT (SELECT 1), EXISTS (SELECT 1), NOT EXISTS (SELECT 2), a = ANY (SELECT 1), a >= ALL (SELECT 1), a <> ALL ([1, b]), (1 < ANY (c)) = TRUE`,
	`SELECT INTERVAL ('1') DAY, INTERVAL ('1 day'), date_part('year', d), CAST('2020-01-01' AS DATE)`,
	`SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), sum(a) OVER w, sum(b) OVER (w ORDER BY c) FROM t WINDOW w AS (PARTITION BY d) QUALIFY x = 1`,
	`SELECT avg(a) OVER (ORDER BY b RANGE BETWEEN INTERVAL (7) DAY PRECEDING AND UNBOUNDED FOLLOWING), count(*) OVER (GROUPS BETWEEN CURRENT ROW AND 1 + 1 FOLLOWING)`,
	`SELECT a | b & c << 2 >> 1 || d, a | (b & c), ~a + 1, (~a) + 1, ~(a & b), ~a & b, a & (~b), ~ -a, - (~a), ~ ~a, (a & b) + 1, a & b = 1, NOT ~a = 1, xor(a, b)`,
	`SELECT left(a, 1) FROM t LEFT JOIN u ON right(a, 2) = b`,
	`SELECT (a, b) IN ((1, 2), (3, 4)), $since, $1`,
	`EXPLAIN ANALYZE SELECT 1`,
	`EXPLAIN (RULES) SELECT 1`,
	`SELECT a FROM t AS x TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (42), 'f.csv' TABLESAMPLE RESERVOIR (20 ROWS)`,
	`SELECT * FROM a ASOF LEFT JOIN b ON a.k = b.k AND a.t >= b.t ASOF SEMI JOIN c USING (k, t) POSITIONAL JOIN d USING SAMPLE RESERVOIR (3 ROWS) REPEATABLE (1)`,
	`SELECT sum(DISTINCT a) OVER (ORDER BY b GROUPS BETWEEN (b) PRECEDING AND b + 1 FOLLOWING EXCLUDE TIES), max(a) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM t WINDOW w AS (PARTITION BY b)`,
	`SELECT a COLLATE NOCASE.NOACCENT, (a || b) COLLATE NOCASE = 'x', quantile_disc(0.5) FROM t ORDER BY a COLLATE NOCASE DESC`,
	`SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a DESC) FROM t`,
	`SELECT min(COLUMNS(* REPLACE (a + 1 AS a) RENAME (b AS c))) FROM t`,
	`SELECT COLUMNS(* EXCLUDE (a)) + 1, min(COLUMNS('^a')), COLUMNS(['a', 'b']), * LIKE 'a%', #1 FROM t WHERE COLUMNS(*) > 0`,
	`SELECT coalesce(*COLUMNS('a')), 1 IN (*COLUMNS(*), 2), *COLUMNS(*) FROM t`,
	`SELECT * FROM t PIVOT (sum(a) AS s, max(b) FOR y IN (2000 AS first, 2010) z IN ('x') GROUP BY c) AS p(d, e)`,
	`SELECT * FROM t AS x UNPIVOT INCLUDE NULLS (n FOR month IN (jan AS j, COLUMNS('^f'))) AS q INNER JOIN u ON a = b`,
	`DESCRIBE SELECT * FROM 'f.csv'`,
	`SUMMARIZE SELECT * FROM t`,
	`COPY (SELECT 1) TO 'out.parquet'`,
	`CREATE OR REPLACE VIEW "my view" AS WITH a AS (SELECT 1) SELECT * FROM a`,
}

// written are statements beside the way they print.
var written = [][2]string{
	{"from t", `SELECT * FROM t`},
	{"EXPLAIN ANALYZE SUMMARIZE t", `EXPLAIN ANALYZE SELECT * FROM (SUMMARIZE SELECT * FROM t)`},
	{"FROM t SELECT a;", `SELECT a FROM t`},
	{"SELECT $$it's$$, $t$a$$b$t$", `SELECT 'it''s', 'a$$b'`},
	{"SELECT 'a'\n  'b' -- c\n'd', e FROM t", `SELECT 'abd', e FROM t`},
	{`SELECT E'\t\x41\101\u00e9\U0001F986\'''\\\q', e'' AS e`, "SELECT '\tAA\u00e9\U0001F986''''\\q', '' AS e"},
	{"SELECT a: 1 + 2, b.upper(), t.b.replace('x', 'y').lower(), @-c FROM u: v", `SELECT 1 + 2 AS a, upper(b), lower(replace(t.b, 'x', 'y')), abs(-c) FROM v AS u`},
	{"FROM VALUES (1), (2) AS v(x)", `SELECT * FROM (VALUES (1), (2)) AS v(x)`},
	{"SELECT [1, 2,]", `SELECT [1, 2]`},
	{"SELECT * NOT LIKE 'a%' FROM t, GROUP BY (), a", `SELECT * NOT LIKE 'a%' FROM t GROUP BY GROUPING SETS (()), a`},
	{"SELECT INT '1' /* a /* b */ c */, int FROM t", `SELECT CAST('1' AS INT), int FROM t`},
	{"SELECT ARRAY[1, 2], array[1], CAST(a AS int array), array FROM t", `SELECT [1, 2], [1], CAST(a AS INT[]), array FROM t`},
	{"SELECT list_transform(l, lambda x, i: x + i), (x, y) -> x OR y, x -> y -> 1", `SELECT list_transform(l, lambda x, i: x + i), (x, y) -> x OR y, x -> y -> 1`},
	{"SELECT [x * 2 FOR x IN l IF x > 1]", `SELECT list_transform(list_filter(l, lambda x: x > 1), lambda x: x * 2)`},
	{"SELECT l[1:5:2], l[:-:-1], l[2:], a::INTERVAL", `SELECT l[1:5:2], l[:-:-1], l[2:], CAST(a AS INTERVAL)`},
	{"SELECT a FROM t USING SAMPLE 10% (bernoulli, 7)", `SELECT a FROM t TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (7)`},
	{"FROM t TABLESAMPLE 20", `SELECT * FROM t TABLESAMPLE RESERVOIR (20 ROWS)`},
	{"FROM t TABLESAMPLE system(5)", `SELECT * FROM t TABLESAMPLE SYSTEM (5 PERCENT)`},
	{"FROM read_csv('f', delim := '|')", `SELECT * FROM read_csv('f', delim := '|')`},
	{"PIVOT t ON y IN (1, 2), z IN (3) USING sum(n) GROUP BY c ORDER BY c", `SELECT * FROM t PIVOT (sum(n) FOR y IN (1, 2) z IN (3) GROUP BY c) ORDER BY c`},
	{"PIVOT t ON y IN (SELECT x FROM u) USING sum(n)", `SELECT * FROM t PIVOT (sum(n) FOR y IN (SELECT x FROM u))`},
	{"WITH p AS (UNPIVOT t ON a, b) FROM p", `WITH p AS (SELECT * FROM t UNPIVOT (value FOR name IN (a, b))) SELECT * FROM p`},
	{"select a::int::text, date '2020-01-01', extract(year from d) -- comment", `SELECT CAST(CAST(a AS INT) AS TEXT), CAST('2020-01-01' AS DATE), date_part('year', d)`},
	{"select /* a */ 1_000, a != b, a == b, 2 ** 3,", ""},
	{"select a ~~ 'x' and b !~~* 'y' or a ~~~ 'z', @a + 1, a is not unknown, a && b, a <@ b, a ^@ 'x' from t", `SELECT a LIKE 'x' AND b NOT ILIKE 'y' OR a GLOB 'z', abs(a + 1), a IS NOT NULL, list_has_any(a, b), list_has_all(b, a), starts_with(a, 'x') FROM t`},
	{"select 0x1F, 0XfF_ff + 0b101, 0o17, 0xFFFFFFFFFFFFFFFFF from t", `SELECT 31, 65535 + 5, 15, 295147905179352825855 FROM t`},
	{"select 0x1G", ""},
	{"select overlay(a placing b from 1 for 2), overlay(a, b, 1)", `SELECT overlay(a, b, 1, 2), overlay(a, b, 1)`},
	{"from read_csv('f') with ordinality as t", `SELECT * FROM (SELECT *, row_number() OVER () AS ordinality FROM read_csv('f') AS read_csv) AS t`},
	{"select 1_000, a != b, a == b, 2 ** 3, from t", `SELECT 1000, a <> b, a = b, 2 ^ 3 FROM t`},
	{"select a is not null and not b in (1) or c isnull", `SELECT a IS NOT NULL AND NOT b IN (1) OR c IS NULL`},
	{"select a b, c \"d\" from t x", `SELECT a AS b, c AS d FROM t AS x`},
	{"(select 1 limit 1) limit 2", `SELECT * FROM (SELECT 1 LIMIT 1) LIMIT 2`},
	{"select 1 offset 1 rows fetch next 2 rows only", `SELECT 1 LIMIT 2 OFFSET 1`},
	{"select 1 fetch first row only", `SELECT 1 LIMIT 1`},
	{"select position('a' || 'b' in c), position((a in b) in c), trim(both from a), trim(leading 'x' from a), trim(a, b)", `SELECT position('a' || 'b' IN c), position(contains(b, a) IN c), trim(a), ltrim(a, 'x'), trim(a, b)`},
	{"select trim('x' from a), trim(from a), a not null, not a not null", `SELECT trim(a, 'x'), trim(a), a IS NOT NULL, NOT a IS NOT NULL`},
	{"select datetime '2020-01-01', timestamp without time zone '2020-01-01', json '{}', text 'a'", `SELECT CAST('2020-01-01' AS DATETIME), CAST('2020-01-01' AS TIMESTAMP WITHOUT TIME ZONE), CAST('{}' AS JSON), CAST('a' AS TEXT)`},
	{"select * exclude t.a rename b as c from t", `SELECT * EXCLUDE (t.a) RENAME (b AS c) FROM t`},
	{"select * exclude (a, t.b,) replace b + 1 as b from t, rename", `SELECT * EXCLUDE (a, t.b) REPLACE (b + 1 AS b) FROM t, rename`},
	{"select f(a,) from (values (1, 2), ) as t(a, b,) where a in (1,) group by a,", `SELECT f(a) FROM (VALUES (1, 2)) AS t(a, b) WHERE a IN (1) GROUP BY a`},
	{"select x in l, x not in l", `SELECT contains(l, x), NOT contains(l, x)`},
	{"describe 'f.csv'", `DESCRIBE SELECT * FROM 'f.csv'`},
	{"select a from t left outer join u on a join v using(b)", `SELECT a FROM t LEFT JOIN u ON a INNER JOIN v USING (b)`},
	{"select x'1'", ""},
	{"select a = b = c", ""},
	{"select substring(a from 1 for 2), substring(b from 2), substring(d, 1)", `SELECT substring(a, 1, 2), substring(b, 2), substring(d, 1)`},
	{"from ((select 1) as a join (t) on true)", `SELECT * FROM (SELECT 1) AS a INNER JOIN t ON TRUE`},
	{"from t join ((select 1) as a join u on true) on true", `SELECT * FROM t INNER JOIN ((SELECT 1) AS a INNER JOIN u ON TRUE) ON TRUE`},
	{"from ((select 1) union (select ')' || (2))) as x", `SELECT * FROM (SELECT 1 UNION SELECT ')' || 2) AS x`},
	{"from ((select 1", ""},
	{"select (a = b) <> c, a < (b > c), (a like 'x') in (b), (a is null) is true, not (a = b) = c", `SELECT (a = b) <> c, a < (b > c), (a LIKE 'x') IN (b), (a IS NULL) IS TRUE, NOT (a = b) = c`},
	{"select f() over (rows 2 preceding), g() over (w range unbounded preceding exclude no others)", `SELECT f() OVER (ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), g() OVER (w RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`},
	{"select f() over (rows between 1 preceding)", ""},
	{"select not exists (select 1) < b, (not exists (select 1)) < b, not not exists (select 1)", `SELECT NOT EXISTS (SELECT 1) < b, (NOT EXISTS (SELECT 1)) < b, NOT NOT EXISTS (SELECT 1)`},
	{"select extract(microseconds from a), extract('years' from a), extract(dow from a), interval 2 centuries", `SELECT date_part('microsecond', a), date_part('years', a), date_part('dow', a), INTERVAL (2) CENTURY`},
}

func TestPrintIsInverse(t *testing.T) {
	for _, src := range statements {
		st, err := Parse(nil, src)
		if err != nil {
			t.Errorf("%s\n%v", src, Show(src, err))
			continue
		}
		if got := st.String(); got != src {
			t.Errorf("printed\n%s, want\n%s", got, src)
		}
	}
	for _, pair := range written {
		st, err := Parse(nil, pair[0])
		if pair[1] == "" {
			continue
		}
		if err != nil {
			t.Errorf("%s\n%v", pair[0], Show(pair[0], err))
		} else if got := st.String(); got != pair[1] {
			t.Errorf("%s printed\n%s, want\n%s", pair[0], got, pair[1])
		}
	}
}

// withoutPlaces sets all spans to zero.
func withoutPlaces(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutPlaces(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutPlaces(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Span]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			withoutPlaces(v.Field(i))
		}
	}
}

// FuzzParse holds print and parse to be each other's inverse, and every error to a
// place within the text.
func FuzzParse(f *testing.F) {
	for _, src := range statements {
		f.Add(src)
	}
	for _, pair := range written {
		f.Add(pair[0])
	}
	f.Fuzz(func(t *testing.T, src string) {
		st, err := Parse(nil, src)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.At.Begin < 0 || e.At.Begin > len(src) || e.At.End < e.At.Begin || e.At.End > len(src) {
				t.Fatalf("%q: error %v of type %T, at %+v", src, err, err, e)
			}
			_ = Show(src, err).Error()
			return
		}
		printed := st.String()
		again, err := Parse(nil, printed)
		if err != nil {
			if strings.Contains(err.Error(), "nested deeper") {
				return
			}
			t.Fatalf("%q printed as %q: %v", src, printed, err)
		}
		withoutPlaces(reflect.ValueOf(st))
		withoutPlaces(reflect.ValueOf(again))
		if !reflect.DeepEqual(st, again) {
			t.Fatalf("%q printed as %q, which reads as %q", src, printed, again)
		}
	})
}

// TestSplit cuts at semicolons between statements alone.
func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"SELECT 1":                  "|SELECT 1",
		"SELECT 1; ":                "SELECT 1;|",
		"a; b;c":                    "a;  b;|c",
		";;a;":                      "a;|",
		"SELECT ';', \";\" -- ;\n;": "SELECT ';', \";\" -- ;\n;|",
		"/* ; */ a;":                "/* ; */ a;|",
		"SELECT 'it''s; ":           "|SELECT 'it''s; ",
		"a /* ;":                    "|a /* ;",
		"-- nothing":                "",
		"1abc; ? ;":                 "1abc;  ? ;|",
		"\xff ;\x00;a":              "\xff ; \x00;|a",
		"a '\xff'":                  "|a '\xff'",
		"a \"\"":                    "|a \"\"",
		"a \"\"; 'b\x00';":          "a \"\";  'b\x00';|",
		"a E'\\u12;'; b":            "a E'\\u12;';| b",
		"a E'b\\'; ":                "|a E'b\\'; ",
		"a $x$b; $$ c;":             "|a $x$b; $$ c;",
	} {
		all, rest := Split(text)
		got := strings.Join(all, " ") + "|" + rest
		if got != want && (want != "" || got != "|") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNamesOfWith: a name of WITH is no table where it can be read, and is one elsewhere. Many of them take no more
// memory each than few.
func TestNamesOfWith(t *testing.T) {
	for text, want := range map[string]string{
		"WITH a AS (FROM t), b AS (FROM a) FROM a, b, c":                             "t c",
		"SELECT * FROM (WITH a AS (FROM t) FROM a) x, a":                             "t a",
		"WITH a AS (FROM b), b AS (FROM a) FROM b":                                   "b",
		"WITH a AS (WITH a AS (FROM t) FROM A) SELECT (SELECT max(x) FROM u) FROM a": "t u",
		"FROM v, w": "w t",
	} {
		view, err := Parse(nil, "WITH w AS (FROM t) FROM w")
		if err != nil {
			t.Fatal(err)
		}
		st, err := Parse(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range st.Mentions(map[string]*Query{"v": view.Query}).Sources {
			names = append(names, s.Name)
		}
		slices.Sort(names)
		if wanted := strings.Fields(want); !slices.Equal(names, slices.Sorted(slices.Values(wanted))) {
			t.Errorf("%s reads %q, want %q", text, names, wanted)
		}
	}
	bytesOf := func(queries int) uint64 {
		text := "WITH c0 AS (SELECT 1 AS a)"
		for i := range queries {
			text += fmt.Sprintf(", c%d AS (FROM c%d)", i+1, i)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		st, err := Parse(nil, text+" FROM c1")
		if err != nil {
			t.Fatal(err)
		}
		st.Mentions(nil)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := bytesOf(100), bytesOf(3200); many > 64*few {
		t.Errorf("%d bytes for 100 queries, %d for 3200", few, many)
	}
}

// TestMentions finds the columns that a statement reads wherever they are named.
func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a, (SELECT max(b) FROM u WHERE u.c = t.d) FROM t JOIN v USING (e) WHERE f ORDER BY g": "a b c d e f g t t.d u u.c",
		"SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)":                         "a b c",
		"SELECT n FROM t, range(a, b) AS r(n)":                                                        "*",
		"SELECT i FROM t, unnest(a) AS u":                                                             "a i",
		"SELECT count(*) FILTER (a) FROM t":                                                           "a",
		"WITH c AS (SELECT a FROM t) SELECT b FROM c AS d(b)":                                         "a b",
		"FROM t": "*",
	} {
		st, err := Parse(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		m := st.Mentions(nil)
		got := strings.Join(slices.Sorted(maps.Keys(m.Columns)), " ")
		if m.All {
			got = "*"
		}
		if got != want {
			t.Errorf("%s mentions %s, want %s", text, got, want)
		}
	}
}
