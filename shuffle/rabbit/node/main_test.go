package node

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"analyzer/columnar/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFirstStartIsBegunAnew: a server that was killed during its first start leaves tables
// on which no server can start. Once it was up, its tables hold data and must be kept.
func TestFirstStartIsBegunAnew(t *testing.T) {
	n := &Node{dir: t.TempDir(), files: vfs.OS()}
	table := n.path("mnesia/analyzer@localhost/schema.DAT")
	fill := func() {
		if err := errors.Join(os.MkdirAll(filepath.Dir(table), 0o700), os.WriteFile(table, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	start := func() (left bool) {
		fill()
		if err := n.found(); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(table)
		return err == nil
	}
	if !start() {
		t.Fatal("tables of a node from elsewhere were removed")
	}
	if err := os.RemoveAll(filepath.Dir(table)); err != nil {
		t.Fatal(err)
	}
	if err := n.found(); err != nil {
		t.Fatal(err)
	}
	if start() {
		t.Error("what a first start has left was kept")
	}
	if start() {
		t.Error("what a second one has left was kept")
	}
	if err := os.Remove(n.path(foundingName)); err != nil { // as a server that is up does
		t.Fatal(err)
	}
	if !start() {
		t.Error("tables of a node that was up were removed")
	}
}
