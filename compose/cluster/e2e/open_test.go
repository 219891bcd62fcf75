package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
)

// TestOpen feeds a job that stays open while a worker and the gateway die. Its client is
// killed in the midst of each file, which is then appended again: nothing counts twice,
// and nothing is lost.
func TestOpen(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	dir := c.Generated("movies", "0.001")
	parts := splitTable(t, filepath.Join(dir, "ratings.csv"), 3)
	answers := func(file string, r e2e.Result) {
		t.Helper()
		want := c.Command(t.Context(), "run", "movies", dir, "--table", "ratings="+file, "--format", "json")
		if r.Code != 0 || want.Code != 0 || !bytes.Equal(r.Stdout, want.Stdout) {
			t.Fatalf("status %d, and %d of a run\n%s\nwant\n%s\n%s%s", r.Code, want.Code, r.Stdout, want.Stdout, r.Stderr, want.Stderr)
		}
	}
	r := c.Submit(t.Context(), "movies", dir, "--open", "--table", "ratings="+parts[0], "--block-size", "4KiB")
	answers(parts[0], r)
	so := parts[0]
	for i, file := range parts[1:] {
		c.Worker(i).Crash(worker.PointManifest + ":6")
		c.Gateway(0).Crash(fmt.Sprintf("%s:%d", gateway.PointHalfForward, 5+10*i))
		feeding := []string{"append", r.Job(), "--table", "ratings=" + file, "--format", "json"}
		half := c.Begin(t.Context(), "", feeding...)
		for !c.Gateway(0).WasHit() && !half.Ended() {
			time.Sleep(time.Millisecond)
		}
		half.Kill()
		again := c.Command(t.Context(), feeding...)
		so = joinTables(t, so, file)
		answers(so, again)
		if !c.Gateway(0).WasHit() || !c.Worker(i).WasHit() {
			t.Errorf("they did not die: gateway %v, worker %v", c.Gateway(0).WasHit(), c.Worker(i).WasHit())
		}
	}
	last := c.Command(t.Context(), "close", r.Job(), "--format", "json")
	answers(filepath.Join(dir, "ratings.csv"), last)
	c.Leftovers()
}

// splitTable cuts a file into files that each have its header.
func splitTable(t *testing.T, file string, n int) (parts []string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
	dir := t.TempDir()
	for i, rows := 0, lines[1:]; i < n; i++ {
		part := filepath.Join(dir, fmt.Sprintf("part%d.csv", i))
		some := bytes.Join(rows[len(rows)*i/n:len(rows)*(i+1)/n], nil)
		if err := os.WriteFile(part, append(bytes.Clone(lines[0]), some...), 0o600); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	return parts
}

// joinTables makes a file of the rows of two.
func joinTables(t *testing.T, first, second string) string {
	t.Helper()
	a, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := bytes.Cut(b, []byte("\n"))
	joined := filepath.Join(t.TempDir(), "joined.csv")
	if err := os.WriteFile(joined, append(a, rows...), 0o600); err != nil {
		t.Fatal(err)
	}
	return joined
}
