package session_test

import (
	"testing"

	"analyzer/compose/session"
)

// A query that depends on the one around it may read the same query of WITH.
func TestQueriesWithinReadTheSameWith(t *testing.T) {
	fs := memory("/t.csv", "i,k\n1,a\n2,a\n3,b\n")
	ses := session.New(session.Config{
		FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 2, MaxRejects: -1, Tables: map[string]string{"t": "/t.csv"},
	})
	got, err := answer(t, ses, `WITH w AS (SELECT i AS x, k FROM t)
		SELECT x, (SELECT sum(x) FROM w b WHERE b.k = a.k) AS s, (SELECT count(*) FROM w b WHERE b.x < a.x) AS n FROM w a ORDER BY x`)
	if want := "x,s,n\n1,3,0\n2,3,1\n3,3,2\n"; err != nil || got != want {
		t.Errorf("%q, error %v; want %q", got, err, want)
	}
}
