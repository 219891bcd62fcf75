package session_test

import (
	"testing"

	"analyzer/compose/session"
)

// Where 64 bits do not hold what is computed with DECIMALs, it has the digits that it has in DuckDB, whose answers
// these are.
func TestResultsBeyond64Bits(t *testing.T) {
	fs := memory("/n.csv", "k,n,d\na,9300000000000,1.5\nb,2,2.25\na,-9223372036854775808,\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Tables: map[string]string{"n": "/n.csv"}})
	for text, want := range map[string]string{
		"SELECT 9300000000000::BIGINT + 1.5 AS a, 1.5 - 9300000000000 AS b, 9300000000000 * 1.5 AS c, 9300000000000 % 1.5 AS d": "a,b,c,d\n9300000000001.5,-9299999999998.5,13950000000000,0\n",
		"SELECT coalesce(NULL, 9300000000000, 1.5) AS a, greatest(9300000000000, 1.5) AS b, [9300000000000, -0.5] AS c":         "a,b,c\n9300000000000,9300000000000,\"[9300000000000, -0.5]\"\n",
		"SELECT n + d AS a, n * d AS b FROM n WHERE k = 'a' ORDER BY n":                                                         "a,b\n,\n9300000000001.5,13950000000000\n",
		"SELECT CASE WHEN k = 'b' THEN d ELSE n END AS a FROM n ORDER BY a":                                                     "a\n-9223372036854775808\n2.25\n9300000000000\n",
		"SELECT n FROM n UNION ALL SELECT d FROM n WHERE k = 'b' ORDER BY n":                                                    "n\n-9223372036854775808\n2\n2.25\n9300000000000\n",
		"SELECT x FROM (VALUES (9300000000000), (1.5)) t(x)":                                                                    "x\n9300000000000\n1.5\n",
		"SELECT k, sum(n) * 1.5 AS s, sum(n + d) AS t FROM n WHERE n > 0 GROUP BY k ORDER BY k":                                 "k,s,t\na,13950000000000,9300000000001.5\nb,3,4.25\n",
		"SELECT n, typeof(n + d) AS t FROM n WHERE n + d < 5 ORDER BY n":                                                        "n,t\n2,\"DECIMAL(26,6)\"\n",
		"SELECT typeof(d + 2::BIGINT) AS t FROM n WHERE k = 'b'":                                                                "t\nDECIMAL\n",
		"SELECT a.n FROM n a JOIN n b ON a.n = b.d + 1.75":                                                                      "n\n",
		"SELECT a.n FROM n a JOIN (SELECT k, d - 0.25 AS e FROM n) b ON a.n = b.e":                                              "n\n2\n",
		"SELECT a.n FROM n a JOIN (SELECT k, d - 0.25 AS n FROM n) b USING (n)":                                                 "n\n2\n",
		"SELECT n FROM n WHERE n IN (SELECT d - 0.25 FROM n)":                                                                   "n\n2\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s\nis %q, error %v; want %q", text, got, err, want)
		}
	}
	if _, err := answer(t, ses, "SELECT n * 1000000 * 1000000 FROM n"); err == nil {
		t.Error("a BIGINT that does not fit is no error")
	}
	left(t, fs)
}
