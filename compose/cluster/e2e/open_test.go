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

// TestOpen feeds a job that stays open while workers and the gateway die. Its client is
// killed in the midst of a file, which is then appended again: nothing counts twice, and
// nothing is lost.
func TestOpen(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	dir := c.Generated("movies", "0.001")
	parts := splitTable(t, filepath.Join(dir, "ratings.csv"), 2)
	answers := func(file string, r e2e.Result) {
		t.Helper()
		want := c.Command(t.Context(), "run", "movies", dir, "--table", "ratings="+file, "--format", "json")
		if r.Code != 0 || want.Code != 0 || !bytes.Equal(r.Stdout, want.Stdout) {
			t.Fatalf("status %d, and %d of a run\n%s\nwant\n%s\n%s%s", r.Code, want.Code, r.Stdout, want.Stdout, r.Stderr, want.Stderr)
		}
	}
	r := c.Submit(t.Context(), "movies", dir, "--open", "--table", "ratings="+parts[0], "--block-size", "4KiB")
	answers(parts[0], r)
	c.Worker(0).Crash(worker.PointManifest + ":6")
	c.Worker(1).Crash(worker.PointManifest + ":9")
	c.Gateway(0).Crash(gateway.PointHalfForward + ":2")
	feeding := []string{"append", r.Job(), "--table", "ratings=" + parts[1], "--format", "json"}
	half := c.Begin(t.Context(), "", feeding...)
	for !c.Gateway(0).WasHit() && !half.Ended() {
		time.Sleep(time.Millisecond)
	}
	half.Kill()
	answers(filepath.Join(dir, "ratings.csv"), c.Command(t.Context(), feeding...))
	if !c.Gateway(0).WasHit() || !c.Worker(0).WasHit() || !c.Worker(1).WasHit() {
		t.Errorf("they did not die: gateway %v, workers %v, %v", c.Gateway(0).WasHit(), c.Worker(0).WasHit(), c.Worker(1).WasHit())
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
