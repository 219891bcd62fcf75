package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runPatience bounds a run in one process.
const runPatience = 2 * time.Minute

// Run answers a data set in one process; args are as for Submit, of the flags of
// run. It is run once for the same args, by all clusters of a Shared.
func (c *Cluster) Run(args ...string) Result {
	c.t.Helper()
	r := c.shared.result(strings.Join(args, "\x00"), func() Result {
		ctx, cancel := context.WithTimeout(context.Background(), runPatience)
		defer cancel()
		return c.Command(ctx, append([]string{"run", "--format", "json"}, args...)...)
	})
	if r.Code != 0 || len(r.Stdout) == 0 && !slices.Contains(args, "--output") {
		c.t.Fatalf("run %s: status %d\n%s", strings.Join(args, " "), r.Code, r.Stderr)
	}
	return r
}

// Exact fails the test unless a submit has written the very bytes that a run with
// args writes. It reports whether it has.
func (c *Cluster) Exact(r Result, args ...string) bool {
	c.t.Helper()
	want := c.Run(args...)
	if r.Code == 0 && bytes.Equal(r.Stdout, want.Stdout) {
		return true
	}
	c.t.Errorf("submit %s: status %d, the answers agree in the first %d of %d bytes\n%s",
		strings.Join(args, " "), r.Code, common(r.Stdout, want.Stdout), len(want.Stdout), r.Stderr)
	return false
}

// Beginning fails the test unless a submit that failed has written whole answers, if
// any, before it did: the beginning of what a run with args writes.
func (c *Cluster) Beginning(r Result, args ...string) {
	c.t.Helper()
	if want := c.Run(args...).Stdout; !bytes.HasPrefix(want, r.Stdout) {
		c.t.Errorf("submit %s has written %d bytes, which are not the first answers of run:\n%s", strings.Join(args, " "), len(r.Stdout), r.Stdout)
	}
}

// ExactFiles compares the files that a submit with --output has written into a
// directory with those of a run with args, and returns the names of those that are
// the same, and of those that are not, or are missing, or are too many. What a
// killed process has left, under a name that begins with a dot, is not looked at.
func (c *Cluster) ExactFiles(dir string, args ...string) (same, other []string) {
	c.t.Helper()
	known := filepath.Join(c.dir, "run", strings.ReplaceAll(strings.Join(args, " "), "/", "_"))
	c.Run(append(args[:len(args):len(args)], "--output", known)...)
	names := make(map[string]bool)
	for _, d := range []string{dir, known} {
		entries, err := os.ReadDir(d)
		if err != nil && !os.IsNotExist(err) {
			c.t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				names[e.Name()] = true
			}
		}
	}
	for name := range names {
		got, err := os.ReadFile(filepath.Join(dir, name))
		want, wantErr := os.ReadFile(filepath.Join(known, name))
		if err == nil && wantErr == nil && bytes.Equal(got, want) {
			same = append(same, name)
		} else {
			other = append(other, name)
		}
	}
	return same, other
}

// common returns how many bytes at the beginning are the same.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
