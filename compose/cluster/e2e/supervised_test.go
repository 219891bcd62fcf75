package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/membership"
)

// TestSupervised runs a cluster under three supervisors, all of whose processes end in
// turn while a job runs, as an update of the program has them do. Then they are killed
// and paused at random while jobs run, once all but one supervisor at once, and so is
// the cluster's own broker. Then its owner is killed, and everything ends. No other test runs beside it:
// chaos waits for three minutes, and on a machine with too much to do a broker takes as long to start.
func TestSupervised(t *testing.T) {
	lengthy(t)
	dir := t.TempDir()
	gateway, page := e2e.FreeAddress(t), e2e.FreeAddress(t)
	up := shared.Begin(t, dir, "cluster", "up", "--supervisors", "3", "--gateways", "1", "--memory", "128MiB",
		"--listen", gateway, "--http", page, "--state", filepath.Join(dir, "state"))
	if !up.Said(regexp.MustCompile("The cluster is ready")) {
		t.Fatalf("%s", up.Wait().Stderr)
	}
	roll(t, dir, gateway, page)
	supervisorEnds(t, dir, filepath.Join(dir, "state", "topology.json"))
	r := shared.Begin(t, dir, "chaos", "--node", page, "--gateway", gateway, "--scale", "0.001", "--gap", "500ms",
		"--kills", "8", "--broker-kills", "1", "--pauses", "1", "--cancels", "1", "--all-but", "1").Wait()
	t.Logf("%s%s", r.Stderr, r.Stdout)
	if r.Code != 0 {
		t.Errorf("chaos ended with status %d", r.Code)
	}

	report, err := membership.Ask(t.Context(), page)
	if err != nil || len(report.Nodes) != 7 {
		t.Fatalf("%+v, %v", report, err)
	}
	up.Kill()
	for _, n := range report.Nodes { // after the end of who owned them
		awaitEnd(t, n, time.Minute)
	}
}

// roll ends each process of a cluster by SIGTERM while jobs run, the next one when
// another runs in its place.
func roll(t *testing.T, dir, gateway, page string) {
	t.Helper()
	report, err := membership.Ask(t.Context(), page)
	if err != nil || len(report.Nodes) != 7 {
		t.Fatalf("%+v, %v", report, err)
	}
	want := shared.Begin(t, dir, "run", "movies", "--format", "json").Wait().Stdout
	submit := func() *e2e.Client {
		k := shared.Begin(t, dir, "submit", "movies", "--block-size", "1KiB", "--gateway", gateway, "--format", "json")
		k.AwaitJob()
		return k
	}
	exact := func(k *e2e.Client) {
		if r := k.Wait(); r.Code != 0 || !bytes.Equal(r.Stdout, want) {
			t.Errorf("submit: status %d, %d bytes of answers, want %d\n%s", r.Code, len(r.Stdout), len(want), r.Stderr)
		}
	}
	k := submit()
	for _, n := range report.Nodes {
		if n.Role == membership.Broker { // jobs wait for another one
			continue
		}
		if k.Ended() {
			exact(k)
			k = submit()
		}
		began := time.Now()
		if err := syscall.Kill(n.PID, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		awaitEnd(t, n, time.Minute)
		took := time.Since(began)
		awaitAnother(t, n, report.Nodes)
		t.Logf("%s ended after %v, another ran after %v", n.Name, took, time.Since(began))
	}
	exact(k)
}

// supervisorEnds asks a supervisor to end.
func supervisorEnds(t *testing.T, dir, topology string) {
	t.Helper()
	k := shared.Begin(t, dir, "supervisor", "--name", "onlooker", "--topology", topology, "--driver", "none")
	if !k.Said(regexp.MustCompile("this supervisor leads")) {
		t.Fatalf("%s", k.Wait().Stderr)
	}
	began := time.Now()
	if err := k.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if r := k.Wait(); r.Code != 0 || time.Since(began) > 30*time.Second {
		t.Errorf("a supervisor ended with status %d after %v\n%s", r.Code, time.Since(began), r.Stderr)
	}
}

// awaitEnd waits until the process of a node has ended, which it kills if that takes too
// long.
func awaitEnd(t *testing.T, n membership.Node, patience time.Duration) {
	t.Helper()
	for end := time.Now().Add(patience); syscall.Kill(n.PID, 0) == nil && !zombie(n.PID); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%s goes on for more than %v", n.Name, patience)
			_ = syscall.Kill(n.PID, syscall.SIGKILL)
		}
	}
}

// awaitAnother waits until the leader says that another process runs for a node, which
// was asked to end.
func awaitAnother(t *testing.T, was membership.Node, nodes []membership.Node) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		for _, page := range nodes {
			report, err := membership.Ask(t.Context(), page.HTTP)
			i := slices.IndexFunc(report.Nodes, func(n membership.Node) bool {
				return n.Name == was.Name && n.State == membership.Running && n.PID != was.PID && n.PID != 0
			})
			if err == nil && report.Leader != "" && i >= 0 {
				// Where all supervisors have just begun, who leads may not know.
				if why := report.Nodes[i].Why; why != "it was asked to end" && (why != "" || was.Role != membership.Supervisor) {
					t.Errorf("%s was away because of this: %q", was.Name, why)
				}
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("there is no other %s", was.Name)
		}
	}
}

// zombie reports whether a process has ended, and nobody has asked how.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", strconv.Itoa(pid)))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(after, "Z")
}
