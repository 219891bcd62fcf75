package session_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestForms has answers of DuckDB.
func TestForms(t *testing.T) {
	ses := over(memory("/t.csv", "i,n,j\n1,2,\"{\"\"a\"\": {\"\"b c\"\": 5}}\"\n2,1,\n"))
	for text, want := range map[string]string{
		"CREATE TABLE t(a, b) AS SELECT 1, 2":                                                                                                                                              "",
		"SELECT j.a AS x, t.j.a AS y, (j.a)['b c'] AS z FROM '/t.csv' t WHERE i = 1":                                                                                                       "x,y,z\n\"{\"\"b c\"\":5}\",\"{\"\"b c\"\":5}\",5\n",
		"SELECT i, n AS i FROM '/t.csv' ORDER BY i":                                                                                                                                        "i,i_1\n2,1\n1,2\n",
		"SELECT max(i) AS a, (SELECT min(i) + max(b.j) FROM range(4) AS b(j)) AS b FROM '/t.csv'":                                                                                          "a,b\n2,4\n",
		"SELECT to_timestamp(1284352323.5) AS a, date_add(DATE '2020-01-31', 3) AS b":                                                                                                      "a,b\n2010-09-13 04:32:03.5+00,2020-02-03\n",
		"SELECT arg_max_nulls_last(i, n, 2) AS a, arg_min_nulls_last(n, i, 1) AS b FROM '/t.csv'":                                                                                          "a,b\n\"[1, 2]\",[2]\n",
		"SELECT {'a': 1,}.a AS x, 33! % 1000000007 AS f, typeof(3!) AS t":                                                                                                                  "x,f,t\n1,57155068,HUGEINT\n",
		"SELECT main.abs(-i) AS a, memory.main.sum(n) OVER () AS b FROM '/t.csv' ORDER BY 1":                                                                                               "a,b\n1,3\n2,3\n",
		"SELECT s::MAP(VARCHAR, BIGINT) AS m FROM (VALUES (1, {'a': 1, 'b': '2'}), (2, NULL), (3, {'a': NULL, 'b': '4'})) t(i, s) ORDER BY i":                                              "m\n\"{\"\"a\"\": 1, \"\"b\"\": 2}\"\n\"\"\n\"{\"\"a\"\": null, \"\"b\"\": 4}\"\n",
		"SELECT x::TIMESTAMPTZ AS t FROM (VALUES (1, '2020-03-29 02:30:00 Europe/Berlin'), (2, '2020-10-25 02:30:00 Europe/Berlin'), (3, '2020-07-01 12:00:00.5 EST')) t(i, x) ORDER BY i": "t\n2020-03-29 01:30:00+00\n2020-10-25 01:30:00+00\n2020-07-01 17:00:00.5+00\n",
		"SELECT try_cast(x AS TIMESTAMPTZ) AS t FROM (VALUES ('2020-03-29 02:30:00 Nowhere/City'), ('2020-03-29 02:30:00 Local'), ('UTC'), ('infinity UTC')) t(x)":                         "t\n\"\"\n\"\"\n\"\"\n\"\"\n",
		`SELECT parse_path('a/b\c.d', 'forward_slash') AS p, parse_dirname('a/b\c', 'backslash') AS n, parse_dirpath('a\b\c', 'system') AS d, parse_filename('a/b\c.d', 'forward_slash') AS f, parse_filename('a/b.c', true, 'both_slash') AS g`: "p,n,d,f,g\n\"[\"\"a\"\", \"\"b\\\\c.d\"\"]\",a/b,\"\",b\\c.d,b\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
}

// A collation says which texts are one group.
func TestGroupsByCollation(t *testing.T) {
	ses := over(memory("/t.csv", "x,n\na,1\nÀ,2\nA,3\nb,4\n"))
	for text, want := range map[string]string{
		"SELECT min(x) AS x, sum(n) AS n FROM '/t.csv' GROUP BY x COLLATE NOCASE ORDER BY n":                           "x,n\nÀ,2\nA,4\nb,4\n",
		"SELECT min(x COLLATE NOCASE) AS l, max(DISTINCT x COLLATE NOCASE.NOACCENT) FILTER (n < 9) AS g FROM '/t.csv'": "l,g\nA,b\n",
		"SELECT count(*) AS n, sum(n) AS s FROM '/t.csv' GROUP BY x COLLATE NOCASE.NOACCENT ORDER BY n":                "n,s\n1,4\n3,6\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
}

// Queries may be arguments of functions in FROM.
func TestQueriesInFrom(t *testing.T) {
	ses := over(memory("/t.csv", "i,n\n1,2\n2,1\n"))
	for text, want := range map[string]string{
		"FROM range((SELECT max(n) FROM '/t.csv')) WITH ORDINALITY":                                                                                      "range,ordinality\n0,1\n1,2\n",
		"SELECT g.d::DATE AS d FROM generate_series((SELECT DATE '2024-02-28' + min(i) FROM '/t.csv'), (SELECT DATE '2024-03-01'), INTERVAL 1 DAY) g(d)": "d\n2024-02-29\n2024-03-01\n",
		"SELECT t.i, g.i AS j FROM '/t.csv' t LEFT JOIN range(1, (SELECT max(i) FROM '/t.csv')) g(i) USING (i) ORDER BY 1":                               "i,j\n1,1\n2,\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
}

// What a function made as JSON stays JSON in columns, lists and groups; texts are quoted.
func TestJSONWithinJSON(t *testing.T) {
	ses := over(memory("/t.csv", "i,s\n1,a\n2,\n3,\"{\"\"b\"\": 1}\"\n"))
	for of, want := range map[string]string{
		"json_group_array(json_object('s', s, 'i', i)) FROM '/t.csv'":                                                                   `[{"s":"a","i":1},{"s":null,"i":2},{"s":"{\"b\": 1}","i":3}]`,
		"json_group_array(j ORDER BY i) FROM (SELECT i, CASE WHEN i <> 2 THEN json_array(i) END AS j FROM '/t.csv')":                    `[[1],null,[3]]`,
		"json_group_object(i, coalesce(s::JSON, '{}')) FROM '/t.csv' WHERE i > 1":                                                       `{"2":{},"3":{"b":1}}`,
		"json_object('i', i, 'all', j) FROM (SELECT max(i) AS i, json_group_array(json_object('s', s)) AS j FROM '/t.csv' WHERE i < 3)": `{"i":2,"all":[{"s":"a"},{"s":null}]}`,
		"json_array(a.j, b.j) FROM c a JOIN c b ON a.i = b.i - 1 WHERE a.i = 1":                                                         `[{"i":1},{"i":2}]`,
		"to_json([json_array(i)]) || to_json(list_transform([i], x -> json_object('x', x))) FROM '/t.csv' WHERE i = 1":                  `[[1]][{"x":1}]`,
		"CASE WHEN i > 1 THEN j WHEN i = 1 THEN [{'a': i}] ELSE '5' END FROM c WHERE i = 1":                                             `[{"a":1}]`,
		"json_array(min(j), list(j)[2], string_agg(j)) FROM c":                                                                          `[{"i":1},{"i":2},"{\"i\":1},{\"i\":2},{\"i\":3}"]`,
	} {
		got, err := answer(t, ses, "WITH c AS (SELECT i, json_object('i', i) AS j FROM '/t.csv') SELECT "+of[:strings.Index(of, " FROM ")]+" AS j"+of[strings.Index(of, " FROM "):])
		if want = "j\n\"" + strings.ReplaceAll(want, `"`, `""`) + "\"\n"; err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", of, got, err, want)
		}
	}
}

// TestEndsOfRanges makes the numbers at either end of 64 bits, as DuckDB does.
func TestEndsOfRanges(t *testing.T) {
	ses := over(memory("/t.csv", "x\n1\n"))
	for text, want := range map[string]string{
		"range(9223372036854775800, 9223372036854775807, 3)":                     "3,9223372036854775800,9223372036854775806",
		"range(-9223372036854770000, -9223372036854775808, -1)":                  "5808,-9223372036854775807,-9223372036854770000",
		"range(-9223372036854775808, 9223372036854775807, 1152921504606846976)":  "16,-9223372036854775808,8070450532247928832",
		"range(9223372036854775807, -9223372036854775808, -9223372036854775807)": "3,-9223372036854775807,9223372036854775807",
		"range(0, 5000, 7)": "715,0,4998",
		"range(5, 5)":       "0,,",
	} {
		if got, err := answer(t, ses, "SELECT count(*) AS n, min(i) AS a, max(i) AS b FROM "+text+" r(i)"); err != nil || got != "n,a,b\n"+want+"\n" {
			t.Errorf("%s: %q, error %v, want %s", text, got, err, want)
		}
	}
}

// TestManyAggregates computes more aggregates than the states of a group have room for, which meet by their keys, NULL too.
func TestManyAggregates(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine plans and computes for some seconds")
	}
	ses := over(memory("/t.csv", "k,x\na,1\n,2\na,3\n,5\n"))
	var sums []string
	for i := range 2500 {
		sums = append(sums, fmt.Sprintf("sum(x + %d) AS s%d", i, i))
	}
	for keys, want := range map[string]string{"": "n,s0,s2499\n4,11,10007\n", "k, ": "k,n,s0,s2499\na,2,4,5002\n,2,7,5005\n"} {
		text := "SELECT " + keys + "n, s0, s2499 FROM (SELECT " + keys + "count(*) AS n, " + strings.Join(sums, ", ") + " FROM '/t.csv' GROUP BY ALL) ORDER BY s0"
		if got, err := answer(t, ses, text); err != nil || strings.ReplaceAll(got, "\"\"", "") != want {
			t.Errorf("%q, error %v, want %q", got, err, want)
		}
	}
}
