package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
)

// TestFollow holds all answers that come while tables are uploaded, and processes die,
// to those of a run over files that end where each says.
func TestFollow(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 3, Gateways: 2})
	for _, d := range catalog.All() {
		t.Run(d.Name, func(t *testing.T) {
			dir := c.Generated(d.Name, "0.001")
			c.Worker(0).Crash(worker.PointManifest + ":8")
			c.Worker(1).Crash(worker.PointManifest + ":5")
			c.Gateway(0).Crash(gateway.PointHalfForward + ":20")
			r := c.Command(t.Context(), "submit", d.Name, dir, "--gateway", c.Gateways(), "--follow", "--every", "50ms",
				"--format", "jsonl", "--block-size", "4KiB")
			whole := c.Command(t.Context(), "run", d.Name, dir, "--format", "jsonl")
			if r.Code != 0 || whole.Code != 0 {
				t.Fatalf("status %d there, %d here\n%s%s", r.Code, whole.Code, r.Stderr, whole.Stderr)
			}
			lines := bytes.SplitAfter(bytes.TrimSuffix(r.Stdout, []byte("\n")), []byte("\n"))
			last := bytes.Join(lines[max(0, len(lines)-len(d.Queries)):], nil)
			if got := asOf.ReplaceAll(append(last, '\n'), nil); !bytes.Equal(got, whole.Stdout) {
				t.Errorf("the last answers are\n%s\nnot\n%s", got, whole.Stdout)
			}
			parts := (len(lines) - len(d.Queries)) / len(d.Queries)
			if parts == 0 || !c.Worker(0).WasHit() || !c.Worker(1).WasHit() {
				t.Errorf("%d parts were answered for; workers died: %v, %v", parts, c.Worker(0).WasHit(), c.Worker(1).WasHit())
			}
			for n := range parts {
				exactPart(t, c, d, dir, bytes.Join(lines[n*len(d.Queries):(n+1)*len(d.Queries)], nil))
			}
			t.Logf("%d parts, %v", parts, r.Took)
		})
	}
	c.Leftovers()
}

// asOf is what an answer says it is exact for.
var asOf = regexp.MustCompile(`, "as_of": \{.*?\}, "complete": (true|false)`)

// exactPart compares the answers for a part of the files in dir.
func exactPart(t *testing.T, c *e2e.Cluster, d *datasets.Dataset, dir string, got []byte) {
	t.Helper()
	var said struct {
		AsOf map[string]answers.Part `json:"as_of"`
	}
	if err := json.NewDecoder(bytes.NewReader(got)).Decode(&said); err != nil {
		t.Fatal(err)
	}
	part := t.TempDir()
	for _, table := range d.Tables {
		content, err := os.ReadFile(filepath.Join(dir, table.Files[0]))
		if err != nil {
			t.Fatal(err)
		}
		end := int(said.AsOf[table.Name].Bytes)
		if end == 0 { // nothing but the header
			end = bytes.IndexByte(content, '\n') + 1
		}
		if err := os.WriteFile(filepath.Join(part, table.Files[0]), content[:end], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := c.Command(t.Context(), "run", d.Name, part, "--format", "jsonl", "--max-rejects", "100%")
	if want.Code != 0 {
		t.Fatalf("run over a part: status %d\n%s", want.Code, want.Stderr)
	}
	if got := asOf.ReplaceAll(got, nil); strings.TrimSpace(string(got)) != strings.TrimSpace(string(want.Stdout)) {
		t.Errorf("the answers as of %v are\n%s\nnot\n%s", said.AsOf, got, want.Stdout)
	}
}
