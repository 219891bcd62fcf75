package worker

import "sync/atomic"

// Metrics counts what a worker does. A nil Metrics counts nothing.
type Metrics struct {
	Batches, Rows, Bytes    atomic.Int64 // taken in, each message once
	Redelivered, Duplicates atomic.Int64
	Commits, SpilledBytes   atomic.Int64
	SentMessages, SentBytes atomic.Int64
}

func (m *Metrics) received(rows, bytes int64) {
	if m != nil {
		m.Batches.Add(1)
		m.Rows.Add(rows)
		m.Bytes.Add(bytes)
	}
}

func (m *Metrics) redelivered() {
	if m != nil {
		m.Redelivered.Add(1)
	}
}

func (m *Metrics) duplicate() {
	if m != nil {
		m.Duplicates.Add(1)
	}
}

func (m *Metrics) commit() {
	if m != nil {
		m.Commits.Add(1)
	}
}

func (m *Metrics) spilled(bytes int64) {
	if m != nil {
		m.SpilledBytes.Add(bytes)
	}
}

func (m *Metrics) sent(bytes int64) {
	if m != nil {
		m.SentMessages.Add(1)
		m.SentBytes.Add(bytes)
	}
}
