package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
)

// TestClientLinesOfPages runs what README and the pages of docs have clients of a cluster run, line by
// line. Those that need no cluster are run by TestCommandsOfPages (cmd/analyzer).
func TestClientLinesOfPages(t *testing.T) {
	t.Parallel()
	c, source := reading(t, e2e.Options{}, "movies")
	movies, mine, report := filepath.Join(source, "movies"), filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "report.sql")
	write(t, report, "SELECT count(*) AS n FROM ratings WHERE year(to_timestamp(timestamp)) >= $since\n")
	sales := filepath.Join(movies, "sales.csv")
	write(t, sales, "shop,amount\n1,2.5\n2,7\n")
	if err := os.MkdirAll(filepath.Join(source, "2026", "11"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(source, "2026", "11", "part-1.csv.gz"), string(zipped(t, []byte("shop,amount\n1,2.5\n"))))
	if r := c.Command(t.Context(), "init", mine, sales); r.Code != 0 {
		t.Fatalf("init: %s", r.Stderr)
	}
	filled := strings.NewReplacer(
		"HOST:8815", c.Gateways(), "HOST", c.Gateways(), "127.0.0.1:8815", c.Gateways(), " DIR", " "+movies, "./mine", mine,
		"s3://bucket/prefix", source, "/data", source, "report.sql", report, "=ratings.csv", "="+filepath.Join(movies, "ratings.csv"),
	)
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range append(pages, "../../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range regexp.MustCompile(`(?m)^    analyzer ((?:submit|sql) .*--gateway .*?)(?: +#.*)?$`).FindAllSubmatch(text, -1) {
			lines++
			clientLine(t, c, filled.Replace(string(line[1])))
		}
	}
	if lines < 8 {
		t.Errorf("there are only %d lines", lines)
	}
	c.Leftovers()
}

// clientLine runs a line, which has to answer.
func clientLine(t *testing.T, c *e2e.Cluster, line string) {
	t.Helper()
	switch {
	case strings.HasSuffix(line, "--follow"): // on a terminal
		line += " --format jsonl"
	case strings.HasPrefix(line, "sql --gateway ") && !strings.Contains(line, "'"): // a shell
		line += " 'SELECT 1'"
	}
	words, err := exec.CommandContext(t.Context(), "sh", "-c", "for word in "+line+`; do printf '%s\n' "$word"; done`).Output()
	if err != nil {
		t.Fatalf("%s\n%v", line, err)
	}
	r := c.Command(t.Context(), strings.Split(strings.TrimSpace(string(words)), "\n")...)
	if r.Code != 0 || len(r.Stdout) == 0 {
		t.Errorf("analyzer %s\nstatus %d\n%s%s", line, r.Code, r.Stdout, r.Stderr)
	}
}
