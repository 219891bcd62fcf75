package session_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/compose/session"
)

// A sample has the same rows for any number of replicas, and about as many as it should.
func TestSample(t *testing.T) {
	var file strings.Builder
	file.WriteString("n\n")
	for n := range 20_000 {
		fmt.Fprintln(&file, n)
	}
	answers := make(map[string]bool)
	for _, replicas := range []int{1, 2, 5} {
		fs := memory("/t.csv", file.String())
		ses := session.New(session.Config{
			FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: replicas, MaxRejects: -1, Tables: map[string]string{"t": "/t.csv"},
		})
		got, err := answer(t, ses, `SELECT count(*) BETWEEN 900 AND 1100 AS well, sum(n) AS s, (SELECT sum(n) FROM t TABLESAMPLE 5% REPEATABLE (2)) AS other,
			(SELECT count(*) || '/' || sum(n) FROM t USING SAMPLE 300 ROWS) AS some,
			(SELECT count(*) || ':' || sum(range) FROM range(2000) TABLESAMPLE reservoir(40 ROWS)) AS made,
			(SELECT count(*) || ';' || count(DISTINCT m) FROM (SELECT n % 2 AS m FROM t GROUP BY n) USING SAMPLE 900) AS equal,
			(SELECT count(*) BETWEEN 200 AND 300 FROM t a JOIN t b ON a.n = b.n - 1 WHERE b.n >= 0 USING SAMPLE 1.25%) AS joined FROM t TABLESAMPLE 5%`)
		if err != nil || !strings.Contains(got, "\ntrue,") || !strings.Contains(got, ",300/") || !strings.Contains(got, ",40:") || !strings.Contains(got, ",900;2,true") {
			t.Errorf("%d replicas: %q, error %v", replicas, got, err)
		}
		answers[got] = true
	}
	if len(answers) != 1 {
		t.Errorf("the samples are %v", answers)
	}
}
