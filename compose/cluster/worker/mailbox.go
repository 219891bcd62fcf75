package worker

import "sync"

// mailbox runs steps one after the other, on the goroutine that calls run. It
// is unbounded, since posting a step must never block. The prefetch bounds how many
// deliveries are posted.
type mailbox struct {
	mu     sync.Mutex
	more   *sync.Cond
	within func(step func()) // runs a step
	steps  []func()
	closed bool // takes no more steps
}

func newMailbox(within func(step func())) *mailbox {
	m := &mailbox{within: within}
	m.more = sync.NewCond(&m.mu)
	return m
}

// post adds a step. After end or stop it does nothing.
func (m *mailbox) post(step func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.steps = append(m.steps, step)
		m.more.Signal()
	}
}

// run runs steps until end or stop.
func (m *mailbox) run() {
	for step := m.take(true); step != nil; step = m.take(true) {
		m.within(step)
	}
}

// waiting returns the number of steps not yet taken.
func (m *mailbox) waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.steps)
}

// take returns the next step, waiting for one if wait is set; nil if there is none, or
// none will come.
func (m *mailbox) take(wait bool) func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for wait && len(m.steps) == 0 && !m.closed {
		m.more.Wait()
	}
	if len(m.steps) == 0 {
		return nil
	}
	step := m.steps[0]
	m.steps[0] = nil
	m.steps = m.steps[1:]
	return step
}

// end lets the steps that were posted run, but accepts no more.
func (m *mailbox) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.more.Signal()
}

// stop drops all steps that have not run. A step may call it.
func (m *mailbox) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.steps = true, nil
	m.more.Signal()
}
