package session_test

import (
	"strings"
	"testing"

	"analyzer/compose/session"
)

// TestHugeIntegers has answers of DuckDB.
func TestHugeIntegers(t *testing.T) {
	fs := memory("/n.csv", "k,n\na,9223372036854775807\nb,2\na,9223372036854775807\nb,-3\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"n": "/n.csv"}})
	for text, want := range map[string]string{
		"SELECT 9223372036854775808 AS a, -170141183460469231731687303715884105728 AS b, typeof(9223372036854775808) AS c":                                                                                          "a,b,c\n9223372036854775808,-170141183460469231731687303715884105728,HUGEINT\n",
		"SELECT 1::HUGEINT + 1.5 AS a, 2::HUGEINT * 9223372036854775807 AS b, -7::HUGEINT // 2 AS c, -7::HUGEINT % 4 AS d, 7::HUGEINT / 2 AS e, 1::HUGEINT / 0 AS f":                                                "a,b,c,d,e,f\n2.5,18446744073709551614,-3,-3,3.5,\n",
		"SELECT '99999999999999999999'::HUGEINT::VARCHAR || 'x' AS a, 2.5::HUGEINT AS b, 2.5::DOUBLE::HUGEINT AS c, TRUE::HUGEINT AS d, 5::HUGEINT::TINYINT AS e":                                                   "a,b,c,d,e\n99999999999999999999x,3,2,1,5\n",
		"SELECT TRY_CAST(300 AS UTINYINT) AS a, TRY_CAST('x' AS TINYINT) AS b, TRY_CAST(1e30 AS BIGINT) AS c, TRY_CAST(9223372036854775808 AS BIGINT) AS d, 255::UTINYINT AS e, 18446744073709551615::UBIGINT AS f": "a,b,c,d,e,f\n,,,,255,18446744073709551615\n",
		"SELECT k, sum(n) AS s FROM n GROUP BY k ORDER BY k":                         "k,s\na,18446744073709551614\nb,-1\n",
		"SELECT k, sum(n) AS s, typeof(sum(n)) AS t FROM n WHERE k = 'b' GROUP BY k": "k,s,t\nb,-1,BIGINT\n",
		"SELECT sum(x) AS s, avg(x) AS a, min(x) AS l, max(x) AS g, count(DISTINCT x) AS d, mode(x) AS m, median(x) AS h FROM (VALUES (9223372036854775808), (9223372036854775808), (-5)) v(x)": "s,a,l,g,d,m,h\n18446744073709551611,6148914691236517000,-5,9223372036854775808,2,9223372036854775808,9223372036854776000\n",
		"SELECT v.x, count(*) AS c FROM (VALUES (9223372036854775808), (2), (2)) v(x) JOIN (VALUES (2), (3)) w(y) ON v.x = w.y GROUP BY v.x":                                                    "x,c\n2,2\n",
		"SELECT max(s) AS m, round(sum(s), 1) AS r FROM (SELECT sum(x) AS s FROM (VALUES (1.25), (2.5)) v(x))":                                                                                  "m,r\n3.75,3.8\n",
		"SELECT quantile_disc(x, 0.5) AS q FROM (VALUES (9223372036854775808)) v(x)":                                                                                                            "q\n9223372036854775808\n",
		"SELECT [1, 9223372036854775808] AS l, list_sum([1::HUGEINT, 2]) AS s":                                                                                                                  "l,s\n\"[1, 9223372036854775808]\",3\n",
		"WITH RECURSIVE r(n) AS (SELECT 9223372036854775807::HUGEINT UNION ALL SELECT n * 4 FROM r WHERE n < 100000000000000000000) FROM r":                                                     "n\n9223372036854775807\n36893488147419103228\n147573952589676412912\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"SELECT 170141183460469231731687303715884105727 + 1": "does not fit huge",
		"SELECT 300::UTINYINT":                               "300 is not in the range of UTINYINT",
		"SELECT '-1'::UBIGINT":                               "-1 is not in the range of UBIGINT",
		"SELECT 3000000000::INT":                             "3000000000 is not in the range of INTEGER",
		"SELECT sum(x) FROM (VALUES (170141183460469231731687303715884105727), (1)) v(x)": "does not fit 38 digits",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	left(t, fs)
}
