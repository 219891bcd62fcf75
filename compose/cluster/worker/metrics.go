package worker

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/monitor"
)

// Metrics counts what a worker does, mostly by stage. Safe for concurrent use.
type Metrics struct {
	Jobs      atomic.Int64  `metric:"jobs" help:"Jobs that this worker holds state of."`
	Waiting   atomic.Int64  `metric:"waiting_messages" help:"Messages that wait at the broker for this worker."`
	Commit    monitor.Times `metric:"commit_seconds" help:"Time to make what was received durable."`
	QueueWait monitor.Times `metric:"queue_wait_seconds" help:"Time of messages from their publication to their receipt."`

	mu     sync.Mutex
	stages map[int]*counts
}

// counts are the counters of a stage. Stages of different plans with the same number are
// counted together.
type counts struct {
	Batches      atomic.Int64 `metric:"batches_total" help:"Messages taken in, each once."`
	Rows         atomic.Int64 `metric:"rows_total" help:"Rows of messages taken in."`
	Bytes        atomic.Int64 `metric:"bytes_total" help:"Bytes of messages taken in."`
	Redelivered  atomic.Int64 `metric:"redelivered_total" help:"Messages that the broker had delivered before."`
	Duplicates   atomic.Int64 `metric:"duplicates_total" help:"Messages that had been taken in before."`
	Spilled      atomic.Int64 `metric:"spilled_bytes_total" help:"Bytes of state beyond the memory limit."`
	SpillFiles   atomic.Int64 `metric:"spill_files_total" help:"Files that held state beyond the memory limit."`
	SentMessages atomic.Int64 `metric:"sent_messages_total" help:"Messages sent to the next stage."`
	SentBytes    atomic.Int64 `metric:"sent_bytes_total" help:"Bytes of messages sent to the next stage."`

	computing atomic.Int64 // microseconds
}

// Each shows all metrics.
func (m *Metrics) Each(show func(monitor.Metric)) {
	monitor.Fields(m, "", show)
	m.mu.Lock()
	defer m.mu.Unlock()
	for number, c := range m.stages {
		stage := strconv.Itoa(number)
		monitor.Fields(c, stage, show)
		show(monitor.Metric{
			Name: "compute_seconds_total", Help: "Time in operators and in what reads and freezes rows.", Value: float64(c.computing.Load()) / 1e6, Stage: stage,
		})
	}
}

// Described shows each metric once, as a worker does that has not done anything.
func Described(show func(monitor.Metric)) {
	m := new(Metrics)
	m.of(0)
	m.Each(show)
}

// of returns the counts of a stage.
func (m *Metrics) of(stage int) *counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stages == nil {
		m.stages = make(map[int]*counts)
	}
	if m.stages[stage] == nil {
		m.stages[stage] = new(counts)
	}
	return m.stages[stage]
}

// delivered counts a message that came, first or again.
func (m *Metrics) delivered(stage int, published, now time.Time, redelivered bool) {
	if !published.IsZero() {
		m.QueueWait.Observe(max(now.Sub(published), 0)) // clocks may differ
	}
	c := m.of(stage)
	if redelivered {
		c.Redelivered.Add(1)
	}
}

func (m *Metrics) received(stage int, rows, bytes int64) {
	c := m.of(stage)
	c.Batches.Add(1)
	c.Rows.Add(rows)
	c.Bytes.Add(bytes)
}

// computed counts a computation of a stage, finished or not.
func (m *Metrics) computed(stage int, took time.Duration, spilled segment.Stats) {
	c := m.of(stage)
	c.computing.Add(took.Microseconds())
	c.Spilled.Add(spilled.Bytes)
	c.SpillFiles.Add(int64(spilled.Files))
}

func (m *Metrics) sent(stage int, bytes int64) {
	c := m.of(stage)
	c.SentMessages.Add(1)
	c.SentBytes.Add(bytes)
}
