package worker

import (
	"math"
	"slices"
	"time"
)

// Thousands of jobs may be open and have nothing to do. So parts do not look at the clock
// again and again: after each of its steps a part says when it has something to do by the
// clock, and that is when it gets a Tick.

const (
	// tickEvery is how often parts that are due soon are looked at, restEvery how often the worker
	// looks up while there are none.
	tickEvery = 50 * time.Millisecond
	restEvery = time.Second
	// lookEvery is how often all parts are looked at. Those that are due sooner are noted.
	lookEvery = 5 * time.Second
	// never is when a part is due that has been called and has not come to its Tick yet.
	never = math.MaxInt64
)

// stepped notes, after a step of a part, when the part is due.
func (w *Worker) stepped(m *member) {
	p := m.part.Load()
	if p == nil || p.closed {
		return
	}
	due := p.due()
	m.due.Store(due.UnixNano())
	m.awaits.Store(p.awaits())
	if due.Sub(w.Now()) < lookEvery {
		w.mu.Lock()
		w.soon[m] = true
		w.mu.Unlock()
		select {
		case w.stir <- struct{}{}:
		default:
		}
	}
}

// Tick calls the parts that are due, and returns when to do so again.
func (w *Worker) Tick() time.Duration {
	now := w.Now()
	w.mu.Lock()
	for m := range w.soon {
		if m.call(now) || m.due.Load() >= now.Add(lookEvery).UnixNano() { // or it has become due later
			delete(w.soon, m)
		}
	}
	if now.Sub(w.looked) >= lookEvery {
		w.looked = now
		for _, m := range w.parts {
			m.call(now)
		}
	}
	again := restEvery
	if len(w.soon) > 0 {
		again = tickEvery
	}
	w.mu.Unlock()
	w.sweep()
	return again
}

// call posts a Tick if the part is due, and reports whether none is left to be posted. It
// must not wait for the part, which may be at work.
func (m *member) call(now time.Time) bool {
	due := m.due.Load()
	if due == never {
		return true
	}
	p := m.part.Load()
	if p == nil || now.UnixNano() < due && !p.cutOff() {
		return false
	}
	if m.due.CompareAndSwap(due, never) {
		m.do((*Part).Tick)
	}
	return true
}

// due returns when Tick has something to do.
func (p *Part) due() time.Time {
	next := p.ticked.Add(p.lifetime() / 32) // noteIdle is twice as coarse
	sooner := func(t time.Time) {
		if t.Before(next) {
			next = t
		}
	}
	if p.misnoted(p.worker.Now().Sub(p.sign)) {
		sooner(p.ticked)
	}
	if p.d.Ending == "" {
		sooner(p.sign.Add(p.lifetime()))
	}
	if !p.started {
		sooner(p.rest)
	}
	if p.owes() {
		sooner(p.since.Add(p.worker.Commit.Interval))
	}
	if !p.stopped() && slices.ContainsFunc(p.emitters, func(e *emitter) bool { return !e.stopped }) {
		sooner(p.ticked) // what is not confirmed is published again
	}
	if p.justConfirmed() {
		sooner(p.ticked.Add(confirmAgain))
	}
	if c := p.cleaning; c != nil {
		last := c.asked
		if len(c.missing) == 0 {
			last = c.tried
		}
		sooner(last.Add(cleanAgain))
	}
	return next
}

// awaits reports whether messages may be waiting in the part's queue: the broker delivers
// until the part holds as many as it may.
func (p *Part) awaits() bool {
	return !p.stopped() && (p.sub == nil || len(p.unacked) > 0)
}

// cutOff reports whether the subscription has ended by itself. It may be called from any
// goroutine.
func (p *Part) cutOff() bool {
	done := p.subscribed.Load()
	if done == nil {
		return false
	}
	select {
	case <-*done:
		return true
	default:
		return false
	}
}
