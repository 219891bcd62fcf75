package worker

import (
	"maps"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/monitor"
)

func TestMetricsAreCountedByStage(t *testing.T) {
	m := new(Metrics)
	sent := time.Unix(100, 0)
	m.delivered(1, sent, sent.Add(1500*time.Millisecond), false)
	m.delivered(2, sent, sent.Add(time.Second), true)
	m.delivered(2, time.Time{}, sent, false)            // the message does not say
	m.delivered(2, sent, sent.Add(-time.Minute), false) // the clocks differ
	m.received(1, 7, 70)
	m.received(2, 3, 30)
	m.of(2).Duplicates.Add(1)
	m.sent(1, 11)
	m.computed(1, 5*time.Millisecond, segment.Stats{Files: 3, Bytes: 13})
	m.Commit.Observe(2 * time.Millisecond)
	m.Jobs.Store(3)
	sums := make(map[string]float64)
	m.Each(func(m monitor.Metric) {
		if m.Stage != "" && m.Stage != "1" && m.Stage != "2" {
			t.Errorf("stage %q", m.Stage)
		}
		if !strings.HasSuffix(m.Help, ".") {
			t.Errorf("%s: %q is no sentence", m.Name, m.Help)
		}
		sums[m.Name] += m.Value
	})
	want := map[string]float64{
		"jobs": 3, "commit_seconds": 0, "queue_wait_seconds": 0, "waiting_messages": 0,
		"batches_total": 2, "rows_total": 10, "bytes_total": 100, "redelivered_total": 1, "duplicates_total": 1,
		"compute_seconds_total": 0.005, "spilled_bytes_total": 13, "spill_files_total": 3, "sent_messages_total": 1, "sent_bytes_total": 11,
	}
	if !maps.Equal(sums, want) {
		t.Errorf("%v, want %v", sums, want)
	}
}
