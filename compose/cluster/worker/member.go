package worker

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"analyzer/compose/cluster/protocol"
)

// member is a part and the mailbox that runs its steps. The first step opens the part or takes
// it up.
type member struct {
	part   atomic.Pointer[Part] // set by the first step; nil if that failed
	box    *mailbox
	owner  string       // guarded by Worker.mu; "" before a part is taken up
	cut    bool         // likewise
	due    atomic.Int64 // when it gets a Tick, Unix time in ns
	awaits atomic.Bool  // see Part.awaits
}

// newMember returns a member without a part. A panic in one of its steps fails only its
// job, which is set aside if it was not open yet.
func (w *Worker) newMember(id protocol.JobID) *member {
	m := &member{}
	m.box = newMailbox(func(step func()) {
		w.blame.alone(id, w.Now(), func() {
			defer func() {
				if fault := recover(); fault != nil {
					w.Log.Error("a fault of the program", "job", id, "fault", fault, "stack", string(debug.Stack()))
					if p := m.part.Load(); p != nil {
						p.faulty(fmt.Errorf("a fault of the program, which the log of worker %d describes: %v", w.Replica, fault))
					} else {
						w.forsake(id, fault)
					}
				}
			}()
			step()
		})
		w.stepped(m)
	})
	return m
}

// forsake gives up a job after a panic in its first step.
func (w *Worker) forsake(id protocol.JobID, fault any) {
	if err := w.setAside(id, fmt.Errorf("a fault of the program: %v", fault)); err != nil {
		w.Log.Warn("give up a job", "error", err)
	}
	w.drop(id)
}

// do posts a step of the part. Without a part the step does nothing.
func (m *member) do(step func(*Part)) {
	m.box.post(func() {
		if p := m.part.Load(); p != nil {
			step(p)
		}
	})
}

// computing returns the part's running computation, or nil.
func (m *member) computing() *computation {
	if p := m.part.Load(); p != nil {
		return p.computing.Load()
	}
	return nil
}

// interrupt ends the part's computation, because the next step makes its result
// useless.
func (m *member) interrupt() {
	if p := m.part.Load(); p != nil {
		p.Interrupt()
	}
}

// add lets the steps of a part run. If the job has a part already, add does nothing
// and returns that one. It also does nothing if the worker is closing, or if the job has
// ended: opening a cut waits for the job that is cut, and the cut may end meanwhile.
// Whoever asked then learns of the end by asking again.
func (w *Worker) add(id protocol.JobID, m *member) (there *member, added bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _, ended := w.Tombstones.Ended(id)
	if there := w.parts[id]; there != nil || w.closed || ended {
		return there, false
	}
	w.parts[id] = m
	w.Metrics.Jobs.Store(int64(len(w.parts)))
	m.box.open(func(next func() (more bool)) { w.Go(id, next) })
	return m, true
}

// drop forgets a part. One of the part's steps calls it.
func (w *Worker) drop(id protocol.JobID) {
	w.mu.Lock()
	m := w.parts[id]
	delete(w.parts, id)
	delete(w.soon, m)
	w.Metrics.Jobs.Store(int64(len(w.parts)))
	w.mu.Unlock()
	if m != nil {
		m.box.stop()
	}
}

// gone notes that this replica has forgotten a job. One of the part's steps calls it.
func (w *Worker) gone(id protocol.JobID, reason string) {
	w.Log.Info("job ended", "job", id, "reason", reason)
	w.drop(id)
	if w.Replica != 0 {
		w.tell(w.ctx, 0, &protocol.Request{Action: protocol.ActionCleaned, Job: id, From: w.Replica})
	}
}

func (w *Worker) member(id protocol.JobID) *member {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.parts[id]
}

func (w *Worker) members() []*member {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]*member, 0, len(w.parts))
	for _, m := range w.parts {
		out = append(out, m)
	}
	return out
}
