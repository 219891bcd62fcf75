package e2e_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
)

// TestStatements answers statements on a cluster whose processes die meanwhile: they
// are the bytes of a single process.
func TestStatements(t *testing.T) {
	if !*long {
		t.Skip("TestConstructs answers the like in one job: make long")
	}
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 3, Gateways: 2})
	dir := c.Generated("movies", "0.02")
	ratings, films := "'"+filepath.Join(dir, "ratings.csv")+"'", "'"+filepath.Join(dir, "movies_metadata.csv")+"'"
	statements := []string{
		"SELECT original_language, count(*), avg(rating) FROM " + ratings + " r JOIN " + films + " f ON r.movieId = TRY_CAST(f.id AS BIGINT) GROUP BY ALL",
		"FROM " + ratings + " LIMIT 5000", // in the order of the file
		"SELECT userId, movieId, sum(rating) OVER w AS s, count(*) OVER (PARTITION BY userId) AS n FROM " + ratings +
			" WINDOW w AS (PARTITION BY userId ORDER BY movieId) QUALIFY row_number() OVER w <= 3 OR row_number() OVER (ORDER BY rating DESC) = 1",
		"SELECT userId, string_agg(movieId, ' ' ORDER BY rating DESC, movieId), list(movieId ORDER BY timestamp DESC)[:3], arg_max(movieId, rating), corr(rating, movieId)," +
			" covar_pop(rating, userId), grouping(userId), max(make_timestamp(timestamp * 1000000)) FROM " + ratings + " WHERE userId < 300 GROUP BY ROLLUP (userId)",
		"SELECT DISTINCT ON (original_language) original_language, regexp_replace(title, '[aeiou]+', '-', 'g') t, n FROM " + films + " f LEFT JOIN " +
			"(SELECT movieId, count(*) n, avg(rating) a FROM " + ratings + " GROUP BY 1) r ON TRY_CAST(f.id AS BIGINT) = r.movieId AND r.a > f.vote_average - 6 " +
			"WHERE title ~ '[A-M].*' OR TRY_CAST(f.id AS BIGINT) > ANY (SELECT max(movieId) FROM " + ratings + ") ORDER BY original_language, n DESC, title",
		"(SELECT movieId FROM " + ratings + " WHERE userId < 100) INTERSECT ALL (SELECT movieId FROM read_csv(" + ratings + ", types = {'rating': 'DOUBLE'}, nullstr = 'NA') " +
			"WHERE hour(make_timestamp(timestamp * 1000000)) < 12) EXCEPT ALL SELECT unnest([1, 2, movieId]) FROM " + ratings + " WHERE rating = 5",
	}
	for _, text := range statements {
		want := c.Command(t.Context(), "sql", text)
		c.Worker(0).Crash(worker.PointManifest + ":3")
		c.Gateway(0).Crash(gateway.PointHalfForward + ":4")
		got := c.Command(t.Context(), "sql", text, "--gateway", c.Gateways(), "--block-size", "64KiB")
		if want.Code != 0 || got.Code != 0 || len(want.Stdout) == 0 || !bytes.Equal(want.Stdout, got.Stdout) {
			t.Errorf("%s: status %d here, %d there, equal in %d of %d bytes\n%s%s", text, want.Code, got.Code,
				len(got.Stdout), len(want.Stdout), want.Stderr, got.Stderr)
		}
		if !c.Worker(0).WasHit() {
			t.Errorf("%s: the worker lived on", text)
		}
	}
	c.Leftovers()
}

// TestExplainAnalyze compares what operators did on a cluster with what those of a single process
// did. A worker that dies does not change it, but what it has computed before is not told.
func TestExplainAnalyze(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 3, Gateways: 1})
	dir := c.Generated("movies", "0.02")
	text := "EXPLAIN ANALYZE SELECT userId, n, count(*) FROM (SELECT userId, movieId, rank() OVER (PARTITION BY userId ORDER BY rating) n FROM '" +
		filepath.Join(dir, "ratings.csv") + "' WHERE rating > 2) GROUP BY ALL"
	rows := regexp.MustCompile(`(?m)#(\d+) +([\d,]+)(  |$)`)
	here := c.Command(t.Context(), "sql", text)
	want := rows.FindAllStringSubmatch(string(here.Stdout), -1)
	if here.Code != 0 || len(want) < 3 {
		t.Fatalf("status %d\n%s%s", here.Code, here.Stdout, here.Stderr)
	}
	there := []string{"sql", text, "--gateway", c.Gateways(), "--block-size", "64KiB"}
	got := c.Command(t.Context(), there...)
	for _, w := range want {
		if w[1] == "0" { // the scan, whose rows gateways count for nobody
			continue
		}
		ok := slices.ContainsFunc(rows.FindAllStringSubmatch(string(got.Stdout), -1), func(g []string) bool { return w[1] == g[1] && w[2] == g[2] })
		if got.Code != 0 || !ok {
			t.Errorf("node %s had %s rows here, and there:\n%s%s", w[1], w[2], got.Stdout, got.Stderr)
		}
	}
	followed := c.Command(t.Context(), append(there, "--follow", "--format", "jsonl")...)
	if followed.Code != 0 || bytes.Contains(followed.Stdout, []byte("as_of")) || !bytes.Contains(followed.Stdout, []byte("window")) {
		t.Errorf("followed: status %d\n%s%s", followed.Code, followed.Stdout, followed.Stderr)
	}
	c.Worker(0).Crash(worker.PointFreeze + ":1")
	got = c.Command(t.Context(), there...)
	if got.Code != 0 || !c.Worker(0).WasHit() || !bytes.Contains(got.Stdout, []byte("window")) {
		t.Errorf("status %d with a worker that dies\n%s%s", got.Code, got.Stdout, got.Stderr)
	}
}
