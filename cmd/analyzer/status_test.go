package main

import (
	"errors"
	"strings"
	"testing"

	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
)

// TestStatusText shows a cluster as JSON, and why it cannot be shown.
func TestStatusText(t *testing.T) {
	report := load.Report{Report: membership.Report{By: "worker-0"}, Load: map[string]load.Load{"worker-2": {CPU: 15.9}}}
	if got := statusText(report, nil, true); !strings.Contains(got, `"by": "worker-0"`) || !strings.Contains(got, `"cpu": 15.9`) {
		t.Errorf("as JSON it is\n%s", got)
	}
	if got, want := statusText(report, nil, false), report.Text(); got != want {
		t.Errorf("it shows\n%s\nnot\n%s", got, want)
	}
	if got := statusText(load.Report{}, errors.New("nobody answers"), false); got != "nobody answers\n" {
		t.Errorf("without a report it shows %q", got)
	}
}
