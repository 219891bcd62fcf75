package worker

import "sync"

// mailbox runs steps one after the other, on the goroutine that calls run. It
// takes any number of them: what posts steps is bounded elsewhere, by the
// prefetch, and must never wait for a step to run.
type mailbox struct {
	mu      sync.Mutex
	more    *sync.Cond
	within  func(step func()) // makes a step
	steps   []func()
	closed  bool // takes no more steps
	stopped bool // runs no more
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
	for {
		step := m.next()
		if step == nil {
			return
		}
		m.within(step)
	}
}

// next waits for a step; nil after the last.
func (m *mailbox) next() func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.steps) == 0 && !m.closed {
		m.more.Wait()
	}
	return m.takeLocked()
}

// waiting returns the number of steps that were not taken.
func (m *mailbox) waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.steps)
}

// take returns the next step without waiting for one; nil if there is none.
func (m *mailbox) take() func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.takeLocked()
}

func (m *mailbox) takeLocked() func() {
	if len(m.steps) == 0 || m.stopped {
		return nil
	}
	step := m.steps[0]
	m.steps[0] = nil
	m.steps = m.steps[1:]
	return step
}

// end lets the steps run that were posted, and no others.
func (m *mailbox) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.more.Signal()
}

// stop lets no further step run. A step may call it.
func (m *mailbox) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.stopped, m.steps = true, true, nil
	m.more.Signal()
}
