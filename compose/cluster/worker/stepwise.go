package worker

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// Stepwise is a worker that does nothing by itself: it has no goroutine, no clock
// and no lock on its directory. A simulation runs its steps, one at a time, in an
// order that goroutines could have taken. Its methods are called from one goroutine.
// Hear may also be called from within Config.Crash, since requests come while a part is
// at work.
type Stepwise struct {
	worker *Worker
	inbox  []broker.Delivery // requests
}

// NewStepwise recovers the jobs in the state directory, and starts to listen for requests.
// Knobs break invariants.
func NewStepwise(cfg Config, b broker.Broker, fs vfs.FS, log *slog.Logger, now func() time.Time, knobs Knobs) (*Stepwise, error) {
	w := New(cfg, b, fs, log, nil)
	w.Now, w.Knobs, w.spawn = now, knobs, nil
	if err := w.makeState(); err != nil {
		return nil, err
	}
	if err := w.recover(context.Background()); err != nil {
		return nil, err
	}
	s := &Stepwise{worker: w}
	_, err := w.listen(context.Background(), func(d broker.Delivery) { s.inbox = append(s.inbox, d) })
	return s, err
}

// Jobs returns the jobs that have a part here, sorted.
func (s *Stepwise) Jobs() []protocol.JobID {
	ids := make([]protocol.JobID, 0, len(s.worker.parts))
	for id := range s.worker.parts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b protocol.JobID) int { return slices.Compare(a[:], b[:]) })
	return ids
}

// Open reports whether a job's part was opened or recovered.
func (s *Stepwise) Open(id protocol.JobID) bool { return s.worker.parts[id].part.Load() != nil }

// Status returns the states of all parts, by job.
func (s *Stepwise) Status() (out []protocol.Status) {
	for _, id := range s.Jobs() {
		if p := s.worker.parts[id].part.Load(); p != nil {
			out = append(out, p.Status())
		}
	}
	return out
}

// Waiting returns how many steps of a job's part are waiting to run.
func (s *Stepwise) Waiting(id protocol.JobID) int { return s.worker.parts[id].box.waiting() }

// Step runs the next step of a job's part.
func (s *Stepwise) Step(id protocol.JobID) {
	m := s.worker.parts[id]
	if step := m.box.take(); step != nil {
		s.worker.blame.alone(id, s.worker.Now(), step)
		s.worker.stepped(m)
	}
}

// Heard returns how many requests wait for Hear.
func (s *Stepwise) Heard() int { return len(s.inbox) }

// Hear takes the next request and posts the step that serves it.
func (s *Stepwise) Hear() {
	d := s.inbox[0]
	s.inbox = s.inbox[1:]
	s.worker.request(context.Background(), d)
}

// Tick does what a worker does by the clock.
func (s *Stepwise) Tick() {
	now := s.worker.Now()
	for _, id := range s.Jobs() {
		s.worker.parts[id].call(now)
	}
	s.worker.sweep()
}

// Ended reports whether a job is known to have ended.
func (s *Stepwise) Ended(id protocol.JobID) bool {
	_, _, ended := s.worker.Tombstones.Ended(id)
	return ended
}

// Err returns the error after which the process must end, nil if there is none.
func (s *Stepwise) Err() error {
	select {
	case err := <-s.worker.fatal:
		return err
	default:
		return nil
	}
}
