package worker

import (
	"maps"
	"testing"
	"time"

	"analyzer/columnar/segment"
)

func TestMetricsAreCountedInAllAndByStage(t *testing.T) {
	m := new(Metrics)
	sent := time.Unix(100, 0)
	m.delivered(1, sent, sent.Add(1500*time.Millisecond), false)
	m.delivered(2, sent, sent.Add(time.Second), true)
	m.delivered(2, time.Time{}, sent, false)            // the message does not say
	m.delivered(2, sent, sent.Add(-time.Minute), false) // the clocks differ
	m.received(1, 7, 70)
	m.received(2, 3, 30)
	m.duplicate(2)
	m.sent(1, 11)
	m.computed(1, 5*time.Millisecond, segment.Stats{Files: 3, Bytes: 13})
	m.commit(2 * time.Millisecond)
	all := make(map[string]int64)
	m.Each(func(name string, value int64) { all[name] = value })
	want := map[string]int64{
		"batches": 2, "rows": 10, "bytes": 100, "redelivered": 1, "duplicates": 1, "queue_wait_ms": 2500,
		"compute_ms": 5, "spilled_bytes": 13, "spill_files": 3, "sent_messages": 1, "sent_bytes": 11, "commits": 1, "commit_ms": 2,
	}
	if !maps.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	sums := make(map[string]int64)
	m.EachStage(func(stage, name string, value int64) {
		if stage != "1" && stage != "2" {
			t.Errorf("stage %q", stage)
		}
		sums[name] += value
	})
	delete(want, "commits") // they are of jobs, not of stages
	delete(want, "commit_ms")
	if !maps.Equal(sums, want) {
		t.Errorf("the stages sum up to %v, want %v", sums, want)
	}
	new(Metrics).EachStage(func(string, string, int64) { t.Error("there is no stage") })
	var none *Metrics
	none.received(1, 1, 1)
	none.commit(time.Second)
}
