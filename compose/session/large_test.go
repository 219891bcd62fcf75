package session_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote/remotetest"
)

// manyOf returns n parts, separated.
func manyOf(n int, between string, of func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = of(i)
	}
	return strings.Join(parts, between)
}

// Expressions are as large as programs write them, over files whose bounds are known as well.
func TestLargeExpressions(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine plans and computes for some seconds")
	}
	rng := rand.New(rand.NewPCG(5, 8))
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.parquet": groupsOf(t, rng, 3000, 300)}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	for _, c := range []struct{ what, want string }{
		{"SELECT count(*) AS n FROM t WHERE " + manyOf(1000, " OR ", func(i int) string { return fmt.Sprint("id = ", 3*i) }), "n\n1000\n"},
		{"SELECT count(*) AS n FROM t WHERE " + manyOf(1000, " OR ", func(i int) string { return fmt.Sprintf("id = %d AND u > %d", 3*i, i) }), "n\n1000\n"},
		{"SELECT max(CASE " + manyOf(1000, " ", func(i int) string { return fmt.Sprintf("WHEN id = %d THEN %d", i, 7*i) }) + " END) AS n FROM t", "n\n6993\n"},
		{"SELECT max(" + manyOf(1000, " + ", func(i int) string { return "id" }) + ") AS n FROM t", "n\n2999000\n"},
		{"SELECT max(length(" + manyOf(1000, " || ", func(i int) string { return "'é'" }) + "|| id::VARCHAR)) AS n FROM t", "n\n1004\n"},
	} {
		got, err := answer(t, ses, strings.ReplaceAll(c.what, "FROM t", "FROM 's3://bucket/t.parquet'"))
		if err != nil || got != c.want {
			t.Errorf("%.60s…: %q, error %v; want %q", c.what, got, err, c.want)
		}
	}
}

// Values are looked up among many literals as they are compared with few.
func TestValuesAmongMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.parquet": groupsOf(t, rng, 3000, 300)}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	literals := map[string]func() string{
		"id":                      func() string { return fmt.Sprint(rng.IntN(4000) - 500) },
		"s":                       func() string { return fmt.Sprintf("'%03d é %d'", rng.IntN(70), rng.IntN(9)) },
		"d":                       func() string { return fmt.Sprintf("DATE '2022-01-08' + %d", rng.IntN(200)) },
		"f":                       func() string { return fmt.Sprint(rng.IntN(40)) },
		"(id / 2)::DECIMAL(9, 1)": func() string { return fmt.Sprintf("%d.5", rng.IntN(2000)) },
		"u % 1000":                func() string { return fmt.Sprint(rng.IntN(1200)) },
		"id * 1.5":                func() string { return fmt.Sprint(rng.IntN(3000), []string{"", ".5", ".25", "e0"}[rng.IntN(4)]) },
		"id % 100":                func() string { return fmt.Sprint(rng.IntN(100), []string{"", ".5", "e0", "::HUGEINT"}[rng.IntN(4)]) },
		"CASE WHEN id % 9 > 0 THEN -f END": func() string {
			return []string{"0", "'nan'", "-0.0", "'-inf'", "1e300", fmt.Sprint(-rng.IntN(40)), fmt.Sprintf("-%d.5", rng.IntN(9))}[rng.IntN(7)]
		},
		"id::HUGEINT * 12345678901234567890": func() string { return fmt.Sprintf("%d * 12345678901234567890", rng.IntN(3000)) },
		"id / 8::DECIMAL(30, 10)":            func() string { return fmt.Sprintf("%d.%d", rng.IntN(400), 125*rng.IntN(8)) },
		"(id % 2 = 0)":                       func() string { return []string{"true", "NULL"}[rng.IntN(2)] },
		"TIMESTAMP '2022-01-08' + to_hours(id)": func() string {
			return []string{"DATE '2022-02-07'", fmt.Sprintf("'2022-02-%02d 05:00:00'", 1+rng.IntN(28)), "'infinity'", "TIMESTAMPTZ '2022-02-08 07:00:00+02'"}[rng.IntN(4)]
		},
		"(TIMESTAMP '2022-01-08' + to_hours(id))::TIMESTAMPTZ": func() string { return fmt.Sprintf("'2022-02-%02d 05:00:00+03'", 1+rng.IntN(28)) },
		"DATE '0001-01-01' - id": func() string {
			return []string{"'infinity'", fmt.Sprintf("'%04d-06-15 (BC)'", 1+rng.IntN(9)), fmt.Sprintf("DATE '0001-01-01' - %d", rng.IntN(3000))}[rng.IntN(3)]
		},
		"TIME '00:00:00' + to_seconds(id)": func() string { return fmt.Sprintf("'00:%02d:07'", rng.IntN(60)) },
		"to_days(id % 70)": func() string {
			return fmt.Sprintf("INTERVAL %d %s", rng.IntN(3), []string{"DAY", "WEEK", "MONTH"}[rng.IntN(3)])
		},
		"('a,' || id % 100)::BLOB": func() string { return fmt.Sprintf("'a,%d'::BLOB", rng.IntN(200)) },
		"md5(id::VARCHAR)::UUID":   func() string { return fmt.Sprintf("md5('%d')::UUID", rng.IntN(4000)) },
		"[id % 100]":               func() string { return fmt.Sprintf("[%d]", rng.IntN(200)) },
		"lower(s)":                 func() string { return fmt.Sprintf("lower('%03d É %d')", rng.IntN(70), rng.IntN(9)) },
		"coalesce(s, 'none')":      func() string { return []string{"'none'", "'001 é 3'", "NULL"}[rng.IntN(3)] },
	}
	counts := []int{11, 12, 101}
	if testing.Short() {
		counts = counts[1:2]
	}
	for value, literal := range literals {
		for _, n := range counts {
			all := make([]string, n)
			for i := range all {
				all[i] = literal()
			}
			few := manyOf((n+4)/5, " OR ", func(i int) string {
				return fmt.Sprintf("(%s IN (%s)) IS NOT DISTINCT FROM true", value, strings.Join(all[5*i:min(5*i+5, n)], ", "))
			})
			for _, not := range []string{"", "NOT "} {
				from := " FROM 's3://bucket/t.parquet' WHERE "
				many := fmt.Sprintf("%s %sIN (%s)", value, not, strings.Join(all, ", "))
				same := few
				if not != "" {
					same = fmt.Sprintf("NOT (%s) AND %s IS NOT NULL", few, value)
					if strings.Contains(many, "NULL") {
						same = "false"
					}
				}
				got, err := answer(t, ses, "SELECT count(*) AS n, sum(id) AS ids"+from+many)
				want, failed := answer(t, ses, "SELECT count(*) AS n, sum(id) AS ids"+from+same)
				if err != nil || failed != nil || got != want {
					t.Errorf("%s: %q, error %v; want %q, error %v", many, got, err, want, failed)
				}
			}
		}
	}
}
