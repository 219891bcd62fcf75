package session_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

const people = "id,boss,name,pay\n1,,Ada,1.5\n2,1,\"B \"\"b\"\"\",2.25\n3,2,,\n4,2,x,-4\n"

// script answers statements in turn, and returns the answers of those that have one.
func script(t *testing.T, ses *session.Session, statements ...string) string {
	t.Helper()
	var all strings.Builder
	for _, text := range statements {
		got, err := answer(t, ses, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all.WriteString(got)
	}
	return all.String()
}

// TestRecursive has answers of DuckDB.
func TestRecursive(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}, MaxIterations: 20})
	for text, want := range map[string]string{
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) FROM r":                                "n\n1\n2\n3\n4\n",
		"WITH RECURSIVE r(n) AS (VALUES (1) UNION SELECT (n + 1) % 3 FROM r) FROM r":                                        "n\n1\n2\n0\n",
		"WITH RECURSIVE r AS (SELECT 5 AS x) FROM r":                                                                        "x\n5\n",
		"WITH RECURSIVE r(n) AS (SELECT NULL UNION ALL SELECT coalesce(n, 0) + 0.5 FROM r WHERE n IS NULL OR n < 1) FROM r": "n\n\"\"\n0.5\n1\n",
		`WITH RECURSIVE below AS (SELECT id, 0 AS depth, [name] AS path FROM people WHERE boss IS NULL
		 UNION ALL SELECT p.id, depth + 1, list_append(path, p.name) FROM people p JOIN below b ON p.boss = b.id)
		 SELECT id, depth, length(path) AS n, path[2] AS second FROM below ORDER BY id`: "id,depth,n,second\n1,0,1,\n2,1,2,\"B \"\"b\"\"\"\n3,2,3,\"B \"\"b\"\"\"\n4,2,3,\"B \"\"b\"\"\"\n",
		"WITH RECURSIVE r AS (SELECT id, pay, name FROM people UNION ALL SELECT id, pay + 1, name || '!' FROM r WHERE pay < 2) SELECT id, sum(pay) AS s, max(name) AS m FROM r GROUP BY ALL ORDER BY id": "id,s,m\n1,4,Ada!\n2,2.25,\"B \"\"b\"\"\"\n3,,\n4,-7,x!!!!!!\n",
		"SELECT (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT sum(n) FROM r) AS s":                                                                                 "s\n6\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) FROM r":          "has made rows 20 times",
		"WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r) FROM r":                             "a recursive query is a UNION",
		"WITH RECURSIVE r(n, m) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) FROM r":       "has 1 columns, and 2 names are given",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 'x' || s FROM r) FROM r":       `there is no column "s"`,
		"CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT 2 FROM r) FROM r": "views of recursive queries",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	left(t, fs)
}

// TestNumbersOfRowsInViews reads rowid in a view, which the statements that read the view do not name.
func TestNumbersOfRowsInViews(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}})
	const want = "n,id\n2,3\n3,4\n"
	if got := script(t, ses, "CREATE VIEW numbered AS SELECT rowid AS n, id FROM people", "FROM numbered WHERE n > 1"); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	left(t, fs)
}

// TestKeptValues keeps values of every type in a table, in a recursive query and in a variable.
func TestKeptValues(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1})
	for _, value := range []string{
		"true", "1", "-1.5", "1e300", "'nan'::DOUBLE", "''", "'NULL'", "chr(30)", "chr(31) || chr(0)", "1234567890123.5",
		"DATE '2024-02-29'", "TIMESTAMP '0001-01-01 00:00:00.000001'", "TIMESTAMPTZ '2024-01-01 00:00:00+02'", "TIME '24:00'",
		"INTERVAL '1 month -2 days 3 hours'", "170141183460469231731687303715884105727::HUGEINT", "sum(1.25)", "[]", "[NULL, [1]]",
		"['a', chr(31), NULL]", "[170141183460469231731687303715884105727::HUGEINT]", "{'a': 1, 'b': [{'c': 'x', 'd': NULL}]}",
		"MAP {'k': INTERVAL 1 DAY}", "MAP {}", "[MAP {1: 2}]", "NULL::INTEGER[]", "NULL::STRUCT(a INTEGER)",
	} {
		text := "SELECT " + value + " AS x, typeof(" + value + ") AS t"
		want := script(t, ses, text)
		got := script(t, ses, "CREATE OR REPLACE TEMP TABLE kept AS "+text, "FROM kept", "SELECT x, typeof(x) AS t FROM kept")
		if got != want+want {
			t.Errorf("%s is kept as %q, not %q", value, got, want)
		}
		if got := script(t, ses, "WITH RECURSIVE r AS ("+text+" UNION SELECT x, t FROM r) FROM r"); got != want {
			t.Errorf("%s is %q in a recursive query, not %q", value, got, want)
		}
		if got := script(t, ses, "SET VARIABLE v = (SELECT "+value+")", "SELECT getvariable('v') AS x, typeof(getvariable('v')) AS t"); got != want {
			t.Errorf("%s is %q in a variable, not %q", value, got, want)
		}
	}
	if err := ses.Close(); err != nil {
		t.Error(err)
	}
	left(t, fs)
}

// TestLongRecursion keeps more rows than stand in one batch, which are found again.
func TestLongRecursion(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1})
	const want = "count(*),sum(n)\n15000,112507500\n"
	text := "WITH RECURSIVE r(n) AS (SELECT 1 + i FROM range(5000) x(i) UNION SELECT least(n + 2000, 15000) FROM r) SELECT count(*), sum(n) FROM r"
	if got := script(t, ses, text); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	left(t, fs)
}

// TestRecursionUsingKey has answers of DuckDB. They do not depend on memory.
func TestRecursionUsingKey(t *testing.T) {
	fs := memory("/people.csv", people)
	for _, memory := range []int64{0, 16 << 20} {
		ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, MaxIterations: 20, Memory: memory})
		for text, want := range map[string]string{
			"WITH RECURSIVE t(a, b) USING KEY (a) AS (VALUES (1, 5), (2, 6), (1, 7) UNION ALL SELECT a, b + 1 FROM t WHERE b < 9) FROM t ORDER BY ALL":                                                                                            "a,b\n1,9\n2,9\n",
			"WITH RECURSIVE t(a, b) USING KEY (a) AS (VALUES (1, 5), (1, 7) UNION ALL SELECT 100 + b, -1 FROM t WHERE a = 1) FROM t ORDER BY ALL":                                                                                                 "a,b\n1,7\n105,-1\n107,-1\n",
			"WITH RECURSIVE t(a, b) USING KEY (a) AS (SELECT NULL, 5 UNION SELECT a, b + 1 FROM t WHERE b < 8) FROM t":                                                                                                                            "a,b\n,8\n",
			"WITH RECURSIVE t(n, m) USING KEY (N) AS (SELECT 1, 1 UNION ALL SELECT n + 1, (SELECT sum(m) FROM recurring.t) FROM t WHERE n < 4) FROM t ORDER BY n":                                                                                 "n,m\n1,1\n2,1\n3,2\n4,4\n",
			"WITH RECURSIVE t(n, m) USING KEY (n) AS (SELECT i % 3, i FROM range(20000) r(i) UNION ALL (SELECT n, m - 1 FROM t WHERE m > 19990 ORDER BY m DESC)) FROM t ORDER BY n":                                                               "n,m\n0,19990\n1,19990\n2,19990\n",
			"WITH RECURSIVE c(id, least) USING KEY (id) AS (SELECT i, i FROM range(5) n(i) UNION (SELECT u.id, v.least FROM recurring.c u, c v WHERE abs(u.id - v.id) = 2 AND v.least < u.least ORDER BY u.id, v.least DESC)) FROM c ORDER BY id": "id,least\n0,0\n1,1\n2,0\n3,1\n4,0\n",
		} {
			if got, err := answer(t, ses, text); err != nil || got != want {
				t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
			}
		}
		for text, want := range map[string]string{
			"WITH RECURSIVE t(n) USING KEY (m) AS (SELECT 1 UNION SELECT n FROM t) FROM t":               `t has no column "m", of which its key is`,
			"WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1 UNION SELECT n FROM t) FROM t":               "has made rows 20 times",
			"WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1) FROM t":                                     "a recursive query is a UNION",
			"WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1 UNION SELECT n + x FROM recurring.t) FROM t": `there is no column "x"`,
			"WITH t(n) USING KEY (n) AS (SELECT 1 UNION SELECT n FROM t) FROM t":                         "stands with a recursive query",
		} {
			if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", text, err, want)
			}
		}
	}
	left(t, fs)
}

// left fails if files are left over.
func left(t *testing.T, fs vfs.FS) {
	t.Helper()
	names, err := fs.List("/spill")
	if err != nil || len(names) > 0 {
		t.Errorf("there are %v, error %v", names, err)
	}
}

// TestPivotOfAllValues has answers of DuckDB.
func TestPivotOfAllValues(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}})
	for text, want := range map[string]string{
		"PIVOT (SELECT boss, id FROM people) ON boss USING sum(id)":                                                                                          "1,2\n2,7\n",
		"PIVOT (VALUES (1, 'a', 5), (1, NULL, 6), (2, 'b', 7)) v(k, s, n) ON (k, s) USING sum(n)":                                                            "\"(1, NULL)\",\"(1, a)\",\"(2, b)\"\n6,5,7\n",
		"FROM (VALUES (1, 'a', 5)) v(k, s, n) PIVOT (sum(n) FOR (k, s) IN ((1, 'a'), (2, 'b') AS c))":                                                        "1_a,c\n5,\n",
		"PIVOT (VALUES (10, 'a'), (2, 'b'), (NULL, 'a')) v(k, s) ON k USING count(*)":                                                                        "s,10,2\na,1,0\nb,0,1\n",
		"PIVOT (SELECT id FROM people) ON id IN (SELECT range % 3 FROM range(9) ORDER BY range DESC)":                                                        "2,1,0\n1,1,0\n",
		"WITH v AS (FROM (VALUES ('b'), (NULL), ('z'), ('b'), ('a')) t(x)) PIVOT (VALUES (1, 'a', 5), (2, 'b', 7)) v(k, s, n) ON s IN (FROM v) USING sum(n)": "k,b,z,a\n1,,,5\n2,7,,\n",
		"PIVOT (SELECT range // 2000 AS k FROM range(5000)) ON k IN (SELECT range // 2000 FROM range(5000))":                                                 "0,1,2\n2000,2000,1000\n",
		"WITH w AS (FROM people) SELECT * FROM (WITH x AS (SELECT boss FROM people) PIVOT x ON boss)":                                                        "1,2\n1,2\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"PIVOT (SELECT range AS i FROM range(2000)) ON i": "more than 1000 values",
		"PIVOT (FROM people WHERE false) ON id":           "no values to make columns of",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}})
	got := script(t, ses,
		"CREATE MACRO twice(x) AS x * 2",
		"CREATE OR REPLACE MACRO twice(x) AS x + x",
		"CREATE MACRO mean_of(x, factor := 1) AS sum(x) / count(x) * factor",
		"CREATE MACRO above(least) AS TABLE SELECT id, name FROM people WHERE id > least",
		"CREATE MACRO put(a) AS a, (a VARCHAR, b := '!') AS a || b, (a, b, c) AS a + b + c",
		"SELECT put(1) AS a, put(1, '?') AS b, put(b := '-', a := 'x') AS c, put(1, 2, c := 3) AS d",
		"SELECT twice(twice(id + 1)) FROM people WHERE id = 1",
		"SELECT mean_of(id) AS m, mean_of(id, factor := 10) AS n FROM people",
		"SELECT count(*) AS n FROM above(1) AS a JOIN above(2) USING (id)",
		"SET VARIABLE top = (SELECT max(id) FROM people)",
		"SET VARIABLE items = [1.5, NULL]",
		"SELECT getvariable('top') + 1 AS v, list_sum(getvariable('items')) AS s, getvariable('none') IS NULL AS n",
		"CREATE TEMP TABLE kept AS SELECT *, [name, 'q'] AS l, pay > 1 AS b, DATE '2024-02-29' + id AS d FROM people",
		"SELECT * FROM main.kept",
		"DESCRIBE kept",
		"CREATE OR REPLACE TABLE kept AS SELECT id FROM kept WHERE id > 3",
		"FROM kept",
		"SHOW TABLES",
	)
	want := `a,b,c,d
1,1?,x-,6
twice(twice(id + 1))
8
m,n
2.5,25
n
2
v,s,n
5,1.5,true
id,boss,name,pay,l,b,d
1,,Ada,1.5,"[""Ada"", ""q""]",true,2024-03-01
2,1,"B ""b""",2.25,"[""B \""b\"""", ""q""]",true,2024-03-02
3,2,,,"[null, ""q""]",,2024-03-03
4,2,x,-4,"[""x"", ""q""]",false,2024-03-04
column_name,column_type
id,BIGINT
boss,BIGINT
name,VARCHAR
pay,DECIMAL
l,VARCHAR[]
b,BOOLEAN
d,DATE
id
4
name
kept
people
`
	if got != want {
		t.Errorf("answers\n%s\nwant\n%s", got, want)
	}
	if _, err := answer(t, ses, "CREATE MACRO loop(x) AS loop(x)"); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"CREATE TABLE kept AS SELECT 1":              "of the name \"kept\"",
		"CREATE MACRO twice(y) AS y":                 "of the name \"twice\"",
		"SELECT twice(1, 2)":                         "it is twice(x)",
		"SELECT twice(y := 2)":                       `there is no parameter "y"`,
		"SELECT put()":                               "it is put(a) or put(a, b) or put(a, b, c)",
		"SELECT getvariable(1)":                      "it is getvariable('name')",
		"SET VARIABLE v = nothing":                   `there is no column "nothing"`,
		"CREATE OR REPLACE MACRO twice(x) AS thrice": "",
		"SELECT loop(1)":                             "call each other",
		"EXECUTE nothing":                            `no prepared query "nothing"`,
		"FROM query('SELEC')":                        "is no query",
		"FROM query('DROP TABLE t')":                 "no query but a statement",
		"FROM query(1)":                              "it is query('SELECT …')",
		"FROM query_table([1])":                      "it is query_table('table')",
	} {
		if _, err := answer(t, ses, text); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if err := ses.Close(); err != nil {
		t.Error(err)
	}
	left(t, fs)
}

// TestDropped forgets what statements have defined.
func TestDropped(t *testing.T) {
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}})
	const want = "a\n1\na,b\n2,3\nf(1)\n2\nv\n\n$1\n7\n"
	got := script(t, ses,
		"CREATE TABLE t AS SELECT 1 AS a", "CREATE TABLE IF NOT EXISTS t AS SELECT 5 AS a", "FROM t", "DROP TABLE t",
		"CREATE VIEW IF NOT EXISTS t(a, b) AS SELECT 2, 3", "FROM t", "DROP VIEW t CASCADE", "DROP VIEW IF EXISTS t",
		"CREATE MACRO f(x) AS x", "DROP FUNCTION f", "CREATE MACRO IF NOT EXISTS f(x) AS x + 1", "CREATE MACRO IF NOT EXISTS f(x) AS x", "SELECT f(1) AS \"f(1)\"",
		"SET VARIABLE v = 3", "RESET VARIABLE v", "SELECT getvariable('v') AS v",
		"PREPARE p AS SELECT 1", "DEALLOCATE p", "PREPARE p AS SELECT $1", "EXECUTE p(7)", "DEALLOCATE PREPARE p")
	if got = strings.ReplaceAll(got, "\"\"", ""); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	for text, want := range map[string]string{
		"FROM t": `there is no table "t"`, "DROP TABLE t": `there is no table of the name "t"`,
		"DROP TABLE people": `there is no table of the name "people"`, "EXECUTE p(7)": "there is no prepared query", "DROP MACRO nope": "there is no macro of the name",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if err := ses.Close(); err != nil {
		t.Error(err)
	}
	left(t, fs)
}

// TestLongLists asks whether values are among more literals than an expression has parts.
func TestLongLists(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine plans and computes for some seconds")
	}
	fs := memory("/people.csv", people)
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"people": "/people.csv"}})
	list := func(item string) string {
		items := make([]string, 12_000)
		for i := range items {
			items[i] = fmt.Sprintf(item, i-2)
		}
		return "(" + strings.Join(items, ", ") + ")"
	}
	for text, want := range map[string]string{
		"SELECT name FROM people WHERE boss IN " + list("%d"):                                                 "name\n\"B \"\"b\"\"\"\n\"\"\nx\n",
		"SELECT id, boss IN " + list("%d + id") + " AS b FROM people":                                         "more than 10000 parts",
		"SELECT id, boss NOT IN " + list("%d") + " AS b FROM people WHERE id < 3":                             "id,b\n1,\n2,false\n",
		"SELECT id FROM people WHERE name IN (SELECT 'x') OR name || '\"' IN " + list(`'%d"'`) + " OR id = 1": "id\n1\n4\n",
		"SELECT id FROM people WHERE pay NOT IN " + list("%d.5"):                                              "id\n2\n4\n",
	} {
		got, err := answer(t, ses, text)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%.80s: %.200s, not %s", text, got, want)
		}
	}
}
