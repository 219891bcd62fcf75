package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/membership"
)

// TestSupervised runs a cluster under three supervisors, and kills and pauses its
// processes at random while jobs run, in the end all but one supervisor at once.
// Then its owner is killed, and everything ends.
func TestSupervised(t *testing.T) {
	lengthy(t)
	dir := t.TempDir()
	gateway, page := e2e.FreeAddress(t), e2e.FreeAddress(t)
	up := shared.Begin(t, dir, "cluster", "up", "--supervisors", "3", "--gateways", "1", "--memory", "128MiB",
		"--broker", shared.Node(t).URL(), "--listen", gateway, "--http", page, "--state", filepath.Join(dir, "state"))
	if !up.Said(regexp.MustCompile("The cluster is ready")) {
		t.Fatalf("%s", up.Wait().Stderr)
	}
	kills := []string{"--kills", "6", "--pauses", "0", "--cancels", "1"}
	if *long {
		kills = []string{"--kills", "20", "--pauses", "2", "--cancels", "1"}
	}
	args := append([]string{"chaos", "--node", page, "--gateway", gateway, "--scale", "0.001", "--all-but", "1"}, kills...)
	r := shared.Begin(t, dir, args...).Wait()
	t.Logf("%s%s", r.Stderr, r.Stdout)
	if r.Code != 0 {
		t.Errorf("chaos ended with status %d", r.Code)
	}

	report, err := membership.Ask(t.Context(), page)
	if err != nil || len(report.Nodes) != 6 {
		t.Fatalf("%+v, %v", report, err)
	}
	up.Kill()
	for _, n := range report.Nodes {
		for end := time.Now().Add(30 * time.Second); syscall.Kill(n.PID, 0) == nil && !zombie(n.PID); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("%s goes on after the end of who owned it", n.Name)
				_ = syscall.Kill(n.PID, syscall.SIGKILL)
			}
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
