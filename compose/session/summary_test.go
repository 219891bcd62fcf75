package session_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSummariesOfManyColumns summarizes columns among few others and among many, which are aggregated in
// another way: what is said of a column is the same.
func TestSummariesOfManyColumns(t *testing.T) {
	var file strings.Builder
	file.WriteString("n,d,f,s,day,at,ok,none\n")
	for i := range 700 {
		fmt.Fprintf(&file, "%d,%d.%02d,%de-3,w%d,2020-01-%02d,2020-01-02 00:%02d:00,%t,\n", i%97-40, i, i%50, i*i, i%31, i%28+1, i%60, i%3 == 0)
		file.WriteString(",,,,,,,\n")
	}
	ses := over(memory("/sales.csv", file.String()))
	few, err := answer(t, ses, "SUMMARIZE SELECT *, split(s, 'w') AS l, [split(s, 'w')] AS ll FROM sales")
	if err != nil {
		t.Fatal(err)
	}
	var more strings.Builder
	for i := range 60 {
		fmt.Fprintf(&more, ", %s AS x%d", []string{"n", "d", "f", "s", "day", "at", "ok", "none"}[i%8], i)
	}
	many, err := answer(t, ses, "SUMMARIZE SELECT *, split(s, 'w') AS l, [split(s, 'w')] AS ll"+more.String()+" FROM sales")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(many, few) || strings.Count(few, "\n") != 11 || !strings.Contains(few, "\nll,VARCHAR[][],,,,,,,,,1399,0\n") {
		t.Errorf("of few columns it is\n%s, and of many\n%s", few, many)
	}
}
