package worker

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
)

// Metrics counts what a worker does, in all and by stage. A nil Metrics counts
// nothing. Safe for concurrent use.
type Metrics struct {
	all        counts
	commits    atomic.Int64
	committing atomic.Int64 // microseconds

	mu     sync.Mutex
	stages map[int]*counts
}

// counts is what is counted of each stage.
type counts struct {
	batches, rows, bytes    atomic.Int64 // taken in, each message once
	redelivered, duplicates atomic.Int64
	queueWait               atomic.Int64 // microseconds between publication and receipt, over all messages
	computing               atomic.Int64 // microseconds, in operators and in what reads and freezes rows
	spilled, spillFiles     atomic.Int64 // bytes, and the files that held them
	sentMessages, sentBytes atomic.Int64
}

// each tells all counts. Times are in milliseconds.
func (c *counts) each(f func(name string, value int64)) {
	f("batches", c.batches.Load())
	f("rows", c.rows.Load())
	f("bytes", c.bytes.Load())
	f("redelivered", c.redelivered.Load())
	f("duplicates", c.duplicates.Load())
	f("queue_wait_ms", c.queueWait.Load()/1000)
	f("compute_ms", c.computing.Load()/1000)
	f("spilled_bytes", c.spilled.Load())
	f("spill_files", c.spillFiles.Load())
	f("sent_messages", c.sentMessages.Load())
	f("sent_bytes", c.sentBytes.Load())
}

// Each tells what was counted over all stages.
func (m *Metrics) Each(f func(name string, value int64)) {
	m.all.each(f)
	f("commits", m.commits.Load())
	f("commit_ms", m.committing.Load()/1000)
}

// EachStage tells what was counted of each stage. Stages of different plans that
// have a number in common are counted together.
func (m *Metrics) EachStage(f func(stage, name string, value int64)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for stage, c := range m.stages {
		c.each(func(name string, value int64) { f(strconv.Itoa(stage), name, value) })
	}
}

// count changes the counts of a stage, and those of all.
func (m *Metrics) count(stage int, change func(*counts)) {
	if m == nil {
		return
	}
	change(&m.all)
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
	m.count(stage, func(c *counts) {
		if !published.IsZero() {
			c.queueWait.Add(max(now.Sub(published), 0).Microseconds())
		}
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

func (m *Metrics) commit(took time.Duration) {
	if m != nil {
		m.commits.Add(1)
		m.committing.Add(took.Microseconds())
	}
}
