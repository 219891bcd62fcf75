package local

import (
	"testing"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

// A node may have been started again by who knows no reason.
func TestStartedAgainSaysWhy(t *testing.T) {
	n := membership.Node{Name: "worker-0", Why: "it died"}
	if got := startedAgain(n); got != "worker-0 was started again (it died)" {
		t.Error(got)
	}
	n.Why = ""
	if got := startedAgain(n); got != "worker-0 was started again" {
		t.Error(got)
	}
}

// What somebody adds to the topology of a running cluster ends with it.
func TestAddedNodesAreKnown(t *testing.T) {
	dir := t.TempDir()
	one := supervisor.Node{Name: "worker-0", Role: membership.Worker}
	two := supervisor.Node{Name: "worker-1", Role: membership.Worker}
	if got := withAdded(dir, []supervisor.Node{one}); len(got) != 1 {
		t.Errorf("without a topology: %v", got)
	}
	if err := writeTopology(dir, []supervisor.Node{two, one}, "0123456789abcdef"); err != nil {
		t.Fatal(err)
	}
	if got := withAdded(dir, []supervisor.Node{one}); len(got) != 2 || got[1].Name != two.Name {
		t.Errorf("with a node that was added: %v", got)
	}
}
