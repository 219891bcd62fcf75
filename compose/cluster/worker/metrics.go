package worker

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/monitor"
)

// Metrics counts what a worker does, most of it by stage. Safe for concurrent use.
type Metrics struct {
	jobs, waiting     atomic.Int64
	commit, queueWait monitor.Times

	mu     sync.Mutex
	stages map[int]*counts
}

// counts is what is counted of each stage. Stages of different plans that have a
// number in common are counted together.
type counts struct {
	batches, rows, bytes    atomic.Int64
	redelivered, duplicates atomic.Int64
	computing               atomic.Int64 // microseconds
	spilled, spillFiles     atomic.Int64
	sentMessages, sentBytes atomic.Int64
}

// Each shows all metrics.
func (m *Metrics) Each(show func(monitor.Metric)) {
	show(monitor.Metric{Name: "jobs", Help: "Jobs that this worker holds state of.", Value: float64(m.jobs.Load())})
	show(monitor.Metric{Name: "waiting_messages", Help: "Messages that wait at the broker for this worker.", Value: float64(m.waiting.Load())})
	show(monitor.Metric{Name: "commit_seconds", Help: "Time to make what was received durable.", Times: &m.commit})
	show(monitor.Metric{Name: "queue_wait_seconds", Help: "Time of messages from their publication to their receipt.", Times: &m.queueWait})
	m.mu.Lock()
	defer m.mu.Unlock()
	for stage, c := range m.stages {
		number := func(name string, value float64, help string) {
			show(monitor.Metric{Name: name, Help: help, Value: value, Stage: strconv.Itoa(stage)})
		}
		number("batches_total", float64(c.batches.Load()), "Messages taken in, each once.")
		number("rows_total", float64(c.rows.Load()), "Rows of messages taken in.")
		number("bytes_total", float64(c.bytes.Load()), "Bytes of messages taken in.")
		number("redelivered_total", float64(c.redelivered.Load()), "Messages that the broker had delivered before.")
		number("duplicates_total", float64(c.duplicates.Load()), "Messages that had been taken in before.")
		number("compute_seconds_total", float64(c.computing.Load())/1e6, "Time in operators and in what reads and freezes rows.")
		number("spilled_bytes_total", float64(c.spilled.Load()), "Bytes of state beyond the memory limit.")
		number("spill_files_total", float64(c.spillFiles.Load()), "Files that held state beyond the memory limit.")
		number("sent_messages_total", float64(c.sentMessages.Load()), "Messages sent to the next stage.")
		number("sent_bytes_total", float64(c.sentBytes.Load()), "Bytes of messages sent to the next stage.")
	}
}

// count changes the counts of a stage.
func (m *Metrics) count(stage int, change func(*counts)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stages == nil {
		m.stages = make(map[int]*counts)
	}
	if m.stages[stage] == nil {
		m.stages[stage] = new(counts)
	}
	change(m.stages[stage])
}

// delivered counts a message that came, first or again.
func (m *Metrics) delivered(stage int, published, now time.Time, redelivered bool) {
	if !published.IsZero() {
		m.queueWait.Observe(max(now.Sub(published), 0)) // clocks may differ
	}
	m.count(stage, func(c *counts) {
		if redelivered {
			c.redelivered.Add(1)
		}
	})
}

func (m *Metrics) received(stage int, rows, bytes int64) {
	m.count(stage, func(c *counts) {
		c.batches.Add(1)
		c.rows.Add(rows)
		c.bytes.Add(bytes)
	})
}

func (m *Metrics) duplicate(stage int) {
	m.count(stage, func(c *counts) { c.duplicates.Add(1) })
}

// computed counts a computation of a stage, whether or not it came to its end.
func (m *Metrics) computed(stage int, took time.Duration, spilled segment.Stats) {
	m.count(stage, func(c *counts) {
		c.computing.Add(took.Microseconds())
		c.spilled.Add(spilled.Bytes)
		c.spillFiles.Add(int64(spilled.Files))
	})
}

func (m *Metrics) sent(stage int, bytes int64) {
	m.count(stage, func(c *counts) {
		c.sentMessages.Add(1)
		c.sentBytes.Add(bytes)
	})
}

func (m *Metrics) committed(took time.Duration) {
	m.commit.Observe(took)
}

func (m *Metrics) holds(jobs int) {
	m.jobs.Store(int64(jobs))
}
