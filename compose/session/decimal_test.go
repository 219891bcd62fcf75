package session_test

import (
	"strings"
	"testing"

	"analyzer/compose/session"
)

// TestWideDecimals computes with decimals of up to 38 digits, in files too. The answers are DuckDB's, but for zeros at
// the end.
func TestWideDecimals(t *testing.T) {
	fs := memory("/w.csv", "k,n\na,123456789012345678.123456789\nb,-0.000000001\na,1.5\nb,\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1})
	const rows = "read_csv('/w.csv', types = {'n': 'DECIMAL(38, 9)'})"
	for text, want := range map[string]string{
		"SELECT 3.14159265358979 AS a, typeof(3.14159265358979) AS b, 0.1 + 0.2 = 0.3 AS c, 1234567890123.5 AS d":                                                                             "a,b,c,d\n3.14159265358979,\"DECIMAL(15,14)\",true,1234567890123.5\n",
		"SELECT 1.5::DECIMAL(30, 10) * 2.25::DECIMAL(20, 12) AS a, typeof(1.5::DECIMAL(30, 10) * 2.25::DECIMAL(20, 12)) AS b":                                                                 "a,b\n3.375,\"DECIMAL(38,22)\"\n",
		"SELECT -x AS a, typeof(-x) AS b, typeof(x + x) AS c, x / 4 AS d, x % 1 AS e, abs(-x) AS f FROM (SELECT 1.5::DECIMAL(30, 10) AS x)":                                                   "a,b,c,d,e,f\n-1.5,\"DECIMAL(30,10)\",\"DECIMAL(31,10)\",0.375,0.5,1.5\n",
		"SELECT round(x, 3) AS a, typeof(round(x, 3)) AS b, floor(-x) AS c, ceil(x) AS d, trunc(-x) AS e, sign(-x) AS f, typeof(ceil(x)) AS g FROM (SELECT 1.23456789::DECIMAL(20, 10) AS x)": "a,b,c,d,e,f,g\n1.235,\"DECIMAL(20,3)\",-2,2,-1,-1,\"DECIMAL(20,0)\"\n",
		"SELECT TRY_CAST('123456789012345678901' AS DECIMAL(20, 2)) AS a, TRY_CAST('x' AS DECIMAL(20, 10)) AS b, '1e-7'::DECIMAL(20, 10) AS c":                                                "a,b,c\n,,0.0000001\n",
		"SELECT 1.1 * 1.1 AS a, typeof(1.5 * d) AS b, d * d * d AS c, typeof(d * d * d * d) AS e, round(99::DECIMAL(20, 0), -1) AS f FROM (SELECT 0.000001 AS d)":                             "a,b,c,e,f\n1.21,\"DECIMAL(38,12)\",0.000000000000000001,DOUBLE,100\n",
		"SELECT n, typeof(n) AS t FROM " + rows + " WHERE n < 1":                                                                                                                              "n,t\n-0.000000001,\"DECIMAL(38,9)\"\n",
		"SELECT k, sum(n) AS s, avg(n) AS a, min(n) AS l, max(n) AS g, count(DISTINCT n) AS d FROM " + rows + " GROUP BY k ORDER BY k":                                                        "k,s,a,l,g,d\na,123456789012345679.623456789,61728394506172840,1.5,123456789012345678.123456789,2\nb,-0.000000001,-1e-09,-0.000000001,-0.000000001,1\n",
		"SELECT median(n) AS m, typeof(median(n)) AS t, quantile_disc(n, 0.5) AS q, mode(n) AS o FROM " + rows:                                                                                "m,t,q,o\n1.5,\"DECIMAL(38,9)\",1.5,-0.000000001\n",
		"SELECT quantile_cont(x, 0.25) AS a, typeof(median(x)) AS b FROM (VALUES (1.1::DECIMAL(20, 10)), (1.2)) v(x)":                                                                         "a,b\n1.125,\"DECIMAL(29,16)\"\n",
		"SELECT a.n FROM " + rows + " a JOIN (VALUES (1.50), (2.0)) b(n) ON a.n = b.n":                                                                                                        "n\n1.5\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"SELECT 99999999999999999999999999999999999999::DECIMAL(38, 0) + 1": "99999999999999999999999999999999999999 + 1 does not fit DECIMAL(38,0)",
		"SELECT 1::DECIMAL(38, 38)":                                         `"1" does not fit DECIMAL(38, 38)`,
		"SELECT 'x'::DECIMAL(38, 10)":                                       `the text "x" is no DECIMAL`,
		"SELECT 1::DECIMAL(39, 0)":                                          "casts to DECIMAL(39, 0) are not supported",
		"SELECT sum(x) FROM (VALUES (99999999999999999999999999999999999999::DECIMAL(38, 0)), (1)) v(x)": "does not fit 38 digits",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	left(t, fs)
}
