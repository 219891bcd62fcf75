package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/chaos"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
)

// TestShownStates holds what pages show of a cluster, which is another one each time, to how the program
// shows the same figures.
func TestShownStates(t *testing.T) {
	since := time.Now().Add(-48 * time.Second)
	state := load.Report{
		Report: membership.Report{Leader: "supervisor-2", Nodes: []membership.Node{
			{Name: "worker-0", Role: membership.Worker, State: membership.Running, PID: 2031, HTTP: "127.0.0.1:22500", Since: since},
			{Name: "worker-1", Role: membership.Worker, State: membership.Running, PID: 2417, HTTP: "127.0.0.1:22211", Since: since, Restarts: 1},
			{Name: "gateway-0", Role: membership.Gateway, State: membership.Running, PID: 2032, HTTP: "127.0.0.1:25710", Since: since},
			{Name: "supervisor-2", Role: membership.Supervisor, State: membership.Running, PID: 2015, HTTP: "127.0.0.1:29466", Since: since, Leads: true},
			{Name: "broker", Role: membership.Broker, State: membership.Running, PID: 2025, Since: since},
		}},
		Load: map[string]load.Load{
			"worker-0":  {Machine: load.Machine{Boot: 1}, CPU: 0.19, CPUs: 2, Memory: 1294 << 20 / 10, Jobs: 1, Rows: 26704.3},
			"worker-1":  {Machine: load.Machine{Boot: 1}, CPU: 0.11, CPUs: 2, Memory: 663 << 20 / 10, Jobs: 1, Rows: 10929.8},
			"gateway-0": {Machine: load.Machine{Boot: 1}, CPU: 0.2, CPUs: 2, Memory: 134 << 20, Rows: 64065},
		},
		Bottleneck: load.Bottleneck{Where: "machine", Why: "2.0 of 2 processors of the machine are busy, 1.5 by other programs"},
	}
	shows(t, "operate.md", "NODE  ", state.Text())
	failing := &state.Nodes[1]
	failing.State, failing.Since, failing.Restarts, failing.PID = membership.Failing, time.Time{}, 6, 0
	failing.Why = "the state directory cannot be used: state/worker-1/WORKER says not whose it is: …"
	said := regexp.MustCompile(`(?m)^worker-1 .*127.*\n|^Why .*\n`).FindAllString(state.Text(), -1)
	shows(t, "operate.md", "worker-1  ", strings.ReplaceAll(strings.Join(said, "…\n"), "….", "…"))
	shows(t, "withstands.md", "seed  ", chaos.Result{
		Seed:   1,
		Kills:  map[membership.Role]int{membership.Worker: 13, membership.Gateway: 7, membership.Supervisor: 7, membership.Broker: 2},
		Pauses: 2,
		Recovery: []chaos.Recovery{
			{Node: "worker-0", Took: time.Second}, {Node: "worker-1", Took: 1400 * time.Millisecond}, {Node: "supervisor-1, paused", Took: 9800 * time.Millisecond},
		},
		Jobs: chaos.Tally{Same: 5, Cancelled: 1},
	}.Text())
}

// shows wants the block of a page that begins in a certain way to be what the program says.
func shows(t *testing.T, page, begins, want string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?ms)^```\n(" + begins + ".*?)^```$").FindSubmatch(text)
	if shown == nil {
		t.Fatalf("%s shows nothing that begins with %q", page, begins)
	}
	if got := string(shown[1]); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("%s shows\n%s\nwhere the program says\n%s", page, got, want)
	}
}
