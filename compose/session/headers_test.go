package session_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/compose/session"
)

// TestHeadersFarBehind reads files that were put together with their headers, one far behind what is looked at first: rows
// and types are the same whatever a statement reads.
func TestHeadersFarBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	var file strings.Builder
	for part := range 3 {
		file.WriteString("id,name,price\n")
		for i := range 60_000 {
			fmt.Fprintf(&file, "%d,name of %d,%d.5\n", 60_000*part+i, i, i)
		}
	}
	fs := memory("/all.csv", file.String())
	for statement, want := range map[string]string{
		"SELECT count(*) AS n FROM '/all.csv'":                               "n\n180000\n",
		"SELECT count(DISTINCT name) AS n, max(name) AS m FROM '/all.csv'":   "n,m\n60000,name of 9999\n",
		"SELECT sum(id) AS i, sum(price) AS p FROM '/all.csv'":               "i,p\n16199910000,5400000000\n",
		"SELECT count(*) AS n FROM read_csv('/all.csv', all_varchar = true)": "n\n180000\n",
		"SELECT count(*) AS n FROM read_csv('/all.csv', header = false)":     "n\n180003\n",
	} {
		ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 2, MaxRejects: 0})
		if got, err := answer(t, ses, statement); err != nil || got != want {
			t.Errorf("%s is %q, want %q; error %v", statement, got, want, err)
		}
	}
}
