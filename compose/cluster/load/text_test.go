package load

import (
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/membership"
)

// TestTextFitsATerminal shows a cluster in which much has happened.
func TestTextFitsATerminal(t *testing.T) {
	since := time.Now().Add(-100*time.Hour - 59*time.Second)
	report := Report{
		Report: membership.Report{Leader: "supervisor-10", By: "worker-0", Nodes: []membership.Node{
			{Name: "worker-0", Role: membership.Worker, State: membership.Running, PID: 4194303, HTTP: "127.0.0.1:29999", Since: since, Restarts: 120},
			{Name: "worker-1", Role: membership.Worker, State: membership.Failing, HTTP: "127.0.0.1:29998", Restarts: 7, Why: "no room on the disk", Log: "a line\nanalyzer: no room on the disk\n"},
			{Name: "worker-2", Role: membership.Worker, State: membership.Running, PID: 4194304, HTTP: "127.0.0.1:29995", Since: since},
			{Name: "gateway-0", Role: membership.Gateway, State: membership.Running, PID: 4194302, HTTP: "127.0.0.1:29997", Since: since},
			{Name: "supervisor-10", Role: membership.Supervisor, State: membership.Running, PID: 4194301, HTTP: "127.0.0.1:29996", Since: since, Leads: true},
		}},
		Load: map[string]Load{
			"worker-0":  {CPU: 1.94, CPUs: 16, Memory: 1 << 40, Jobs: 12, Rows: 123456789, Waiting: 1234567, WaitingBytes: 1 << 41},
			"worker-2":  {CPU: 15.9, CPUs: 16, Memory: 1 << 29, Jobs: 11, Rows: 11, Waiting: 1, WaitingBytes: 1 << 10},
			"gateway-0": {CPU: 0.1, CPUs: 16, Memory: 1 << 26},
		},
		Bottleneck: Bottleneck{Where: "worker", Why: "worker-2 keeps 15.9 of its 16 processors busy"},
	}
	const want = `
NODE           STATE           FOR        RESTARTS  PID      PAGE
worker-0       running         100h0m59s  120       4194303  127.0.0.1:29999
worker-1       failing         -          7         -        127.0.0.1:29998
worker-2       running         100h0m59s  0         4194304  127.0.0.1:29995
gateway-0      running         100h0m59s  0         4194302  127.0.0.1:29997
supervisor-10  running, leads  100h0m59s  0         4194301  127.0.0.1:29996

LOAD       CPU         MEMORY    JOBS  ROWS/S       WAITING MESSAGES
2 workers  17.8 of 32  1.00 TiB  12    123,456,800  1,234,568 (2.00 TiB)
worker-0   1.9 of 16   1.00 TiB  12    123,456,789  1,234,567 (2.00 TiB)
worker-2   15.9 of 16  512 MiB   11    11           1 (1.00 KiB)
gateway-0  0.1 of 16   64.0 MiB  -     -            -

Bottleneck: worker
  worker-2 keeps 15.9 of its 16 processors busy

Why worker-1 was away: no room on the disk.

The end of the log of worker-1:
a line
analyzer: no room on the disk
`
	got := report.Text()
	if got != want[1:] {
		t.Errorf("it shows\n%swant\n%s", got, want[1:])
	}
	for line := range strings.Lines(got) {
		if len(line) > 80 {
			t.Errorf("%q does not fit", line)
		}
	}
	report.Leader, report.Bottleneck = "", Bottleneck{Why: "no job is under way"}
	for _, text := range []string{"Bottleneck: none\n  no job is under way\n", "No supervisor leads: these are the nodes that worker-0 hears of.\n"} {
		if got := report.Text(); !strings.Contains(got, text) {
			t.Errorf("%q is not in\n%s", text, got)
		}
	}
}
