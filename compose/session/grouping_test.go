package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/session"
)

// TestGroupingSets holds that the levels of ROLLUP and its like are what statements for each of them answer: in
// little memory and in much, in one process and on a cluster. Sums of DOUBLEs must not depend on the level
// that they are computed from.
func TestGroupingSets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("city,price,a,b,x\n")
	sold := 10_000
	if testing.Short() {
		sold = 2_000
	}
	for i := range sold {
		fmt.Fprintf(&text, "c%d,%d.%02d,%d,%d,%g\n", random.IntN(1000), random.IntN(100), random.IntN(100), random.IntN(7), i%5, random.NormFloat64()*1e12)
	}
	fs := memory("/sales.csv", text.String())
	gateway, stop := startCluster()
	defer stop()
	c, err := client.New(client.Config{Gateways: []string{gateway}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	groups := func(keys []string, by string) string {
		label := "'all'"
		for _, k := range keys {
			label += fmt.Sprintf(", '%s ' || %s", k, k)
		}
		return "SELECT concat_ws(' ', " + label + ") k, count(*) n, sum(price) s, avg(x) m, min(city) f, max(x) g, sum(x) t, count(DISTINCT b) d, stddev(x) v, " +
			"median(price) q, string_agg(b::VARCHAR, '') FILTER (WHERE price < 2) w, bool_and(a > 1) e FROM sales" + by
	}
	of := []session.Config{{Memory: 16 << 20, Replicas: 3}, {Memory: 256 << 20, Replicas: 1}, {Memory: 64 << 20}}
	for sets, levels := range map[string][][]string{
		"ROLLUP (city, a)":                    {{"city", "a"}, {"city"}, {}},
		"CUBE (a, b)":                         {{"a", "b"}, {"a"}, {"b"}, {}},
		"GROUPING SETS ((a), (b), (city, b))": {{"city", "b"}, {"a"}, {"b"}},
	} {
		for i, config := range of {
			if testing.Short() && i > 0 {
				break
			}
			config.FS, config.Own, config.SpillDir, config.MaxRejects, config.Tables = fs, fs, "/spill", -1, map[string]string{"sales": "/sales.csv"}
			ses := session.New(config)
			rows := func(text string) []string {
				asked, err := ses.Prepare(t.Context(), text, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer asked.Close()
				var out bytes.Buffer
				stream, err := answers.NewStream(&out, answers.Options{Format: answers.CSV, Queries: 1})
				if err != nil {
					t.Fatal(err)
				}
				if i == len(of)-1 {
					_, err = asked.RunOn(t.Context(), c, stream)
				} else {
					_, err = asked.Run(t.Context(), stream)
				}
				if err == nil {
					err = stream.Finish()
				}
				if err != nil {
					t.Fatal(err)
				}
				return strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
			}
			var keys, want []string
			for _, level := range levels {
				by := ""
				if len(level) > 0 {
					by = " GROUP BY " + strings.Join(level, ", ")
				}
				want = append(want, rows(groups(level, by))...)
				for _, k := range level {
					if !slices.Contains(keys, k) {
						keys = append(keys, k)
					}
				}
			}
			got := rows(groups(keys, " GROUP BY "+sets))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %+v: %d rows, want %d, and the first are\n%s\nwant\n%s", sets, config, len(got), len(want), got[0], want[0])
			}
		}
	}
}
