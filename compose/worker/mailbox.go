package worker

import "sync"

// mailbox runs steps one after the other on a goroutine of its own. It takes any
// number of them: what posts steps is bounded elsewhere, by the prefetch, and
// must never wait for a step to run.
type mailbox struct {
	mu    sync.Mutex
	more  *sync.Cond
	steps []func()
	ended bool
	done  chan struct{}
}

func newMailbox() *mailbox {
	m := &mailbox{done: make(chan struct{})}
	m.more = sync.NewCond(&m.mu)
	go m.run()
	return m
}

// post adds a step. After end it does nothing.
func (m *mailbox) post(step func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.ended {
		m.steps = append(m.steps, step)
		m.more.Signal()
	}
}

func (m *mailbox) run() {
	defer close(m.done)
	for {
		m.mu.Lock()
		for len(m.steps) == 0 && !m.ended {
			m.more.Wait()
		}
		steps, ended := m.steps, m.ended
		m.steps = nil
		m.mu.Unlock()
		if ended {
			return
		}
		for _, step := range steps {
			step()
		}
	}
}

// end lets no further step run and waits for the one that does. A step itself
// may call end; then it does not wait.
func (m *mailbox) end(fromStep bool) {
	m.mu.Lock()
	m.ended = true
	m.more.Signal()
	m.mu.Unlock()
	if !fromStep {
		<-m.done
	}
}
