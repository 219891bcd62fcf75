package worker

import "sync"

// mailbox keeps steps that are to run one after the other. Thousands of them may be empty, so it
// asks for somebody to run them when it gets the first one. It is unbounded, since posting a step must
// never block. The prefetch bounds how many deliveries are posted.
type mailbox struct {
	mu      sync.Mutex
	within  func(step func())             // runs a step
	run     func(next func() (more bool)) // see Worker.Go; nil before open
	steps   []func()
	running bool
	closed  bool // takes no more steps
}

func newMailbox(within func(step func())) *mailbox { return &mailbox{within: within} }

// open lets the steps run, also those posted before.
func (m *mailbox) open(run func(next func() (more bool))) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run = run
	m.startLocked()
}

// post adds a step. After end or stop it does nothing.
func (m *mailbox) post(step func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.steps = append(m.steps, step)
		m.startLocked()
	}
}

func (m *mailbox) startLocked() {
	if m.run != nil && !m.running && len(m.steps) > 0 {
		m.running = true
		m.run(m.next)
	}
}

// next runs the next step, and reports whether there are more.
func (m *mailbox) next() (more bool) {
	if step := m.take(); step != nil {
		m.within(step)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running = len(m.steps) > 0; !m.running {
		m.steps = nil
	}
	return m.running
}

// peek calls look between two steps, or returns false if it had to wait for one. Until look
// returns, no step runs.
func (m *mailbox) peek(look func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running || len(m.steps) > 0 {
		return false
	}
	look()
	return true
}

// waiting returns the number of steps not yet taken.
func (m *mailbox) waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.steps)
}

// take returns the next step; nil if there is none.
func (m *mailbox) take() func() {
	m.mu.Lock()
	defer m.mu.Unlock()
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
}

// stop drops all steps that have not run. A step may call it.
func (m *mailbox) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.steps = true, nil
}
