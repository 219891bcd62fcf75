package session_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

// warehouse has sales of items to customers, the stock of each item on some days, which repeats the items
// after more of them than are looked at first, and small tables that conditions choose from.
func warehouse(t *testing.T) *session.Session {
	const items, days = 3000, 60
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string]*strings.Builder{}
	write := func(table, columns string, n int, row func(i int) string) {
		files[table] = new(strings.Builder)
		fmt.Fprintln(files[table], columns)
		for i := range n {
			fmt.Fprintln(files[table], row(i))
		}
	}
	write("stock", "item,day,amount", items*days, func(i int) string {
		return fmt.Sprintf("%d,%d,%d", i%items, i/items, random.IntN(100))
	})
	write("sales", "number,item,day,customer,quantity,promo", 40_000, func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d", i, random.IntN(items), random.IntN(days), random.IntN(2000), random.IntN(100), random.IntN(80))
	})
	write("items", "item,title", items, func(i int) string { return fmt.Sprintf("%d,item %d", i, i) })
	write("days", "day,week", days, func(i int) string { return fmt.Sprintf("%d,%d", i, i/7) })
	write("customers", "customer,status", 2000, func(i int) string { return fmt.Sprintf("%d,%c", i, 'A'+random.IntN(5)) })
	write("promos", "promo,word", 50, func(i int) string { return fmt.Sprintf("%d,promo %d", i, i) })
	fs, tables := vfs.NewMem(), map[string]string{}
	if err := fs.MkdirAll("/spill"); err != nil {
		t.Fatal(err)
	}
	for table, text := range files {
		tables[table] = "/" + table + ".csv"
		if err := vfs.Replace(fs, tables[table], []byte(text.String())); err != nil {
			t.Fatal(err)
		}
	}
	return session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 256 << 20, Replicas: 2, Tables: tables})
}

// rowsMade returns how many rows the operators of a statement make.
func rowsMade(t *testing.T, ses *session.Session, text string) (made int64) {
	t.Helper()
	_, report, err := ran(t, ses, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range report.Nodes {
		made += n.RowsOut
	}
	return made
}

// TestOuterJoinsHideNoConditions counts what conditions cost that stand above outer joins and decide in
// which order the inner joins below should be done: hardly more than without the outer joins.
func TestOuterJoinsHideNoConditions(t *testing.T) {
	ses := warehouse(t)
	const from = " FROM sales JOIN stock ON sales.item = stock.item JOIN items ON items.item = sales.item JOIN customers ON customers.customer = sales.customer" +
		" JOIN days d ON d.day = sales.day JOIN days e ON e.day = stock.day"
	const where = " WHERE d.week = e.week AND amount < quantity AND status = 'D' AND d.week = 3 GROUP BY ALL"
	inner := rowsMade(t, ses, "SELECT items.title, count(*)"+from+where)
	outer := rowsMade(t, ses, "SELECT items.title, count(word)"+from+" LEFT JOIN promos ON promos.promo = sales.promo LEFT JOIN items i ON i.item = sales.item + 1 AND i.title > 'item 2'"+where)
	t.Log(inner, outer)
	if outer > 2*inner {
		t.Errorf("%d rows are made with outer joins, %d without", outer, inner)
	}
}

// TestLimitsStopSeries counts the rows of long series of which few are wanted, in their order.
func TestLimitsStopSeries(t *testing.T) {
	ses := over(memory("/sales.csv", sales))
	for text, want := range map[string]string{
		"FROM range(100000000) LIMIT 3": "range\n0\n1\n2\n",
		"SELECT -i AS n FROM range(100000000, 0, -3) t(i) WHERE i % 2 = 1 LIMIT 2 OFFSET 1":   "n\n-99999991\n-99999985\n",
		"SELECT i FROM generate_series(1, 100000000) t(i) WHERE i % 7 = 0 ORDER BY i LIMIT 1": "i\n7\n",
		"SELECT count(*) AS n FROM (FROM range(100000000) LIMIT 5)":                           "n\n5\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s: %q, error %v, want %q", text, got, err, want)
		}
		if made := rowsMade(t, ses, text); made > 100_000 {
			t.Errorf("%s: %d rows are made", text, made)
		}
	}
	// All must be seen where the order is another one, and where somebody else reads the series.
	for text, want := range map[string]string{
		"SELECT i FROM range(5000) t(i) ORDER BY -i LIMIT 1":                                                       "i\n4999\n",
		"SELECT i % 10 AS d FROM range(5000) t(i) ORDER BY d DESC LIMIT 1":                                         "d\n9\n",
		"WITH s AS (FROM range(5000) t(i)) SELECT (SELECT sum(i) FROM s) AS n, i FROM (FROM s ORDER BY i LIMIT 1)": "n,i\n12497500,0\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s: %q, error %v, want %q", text, got, err, want)
		}
	}
}
