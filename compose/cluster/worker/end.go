package worker

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// fail stops work on the job on this replica and records why. The state stays until the
// job is ended, so that clients can be told.
func (p *Part) fail(reason string) { p.failOf(reason, "") }

// failOf is fail with the cause that programs are told.
func (p *Part) failOf(reason string, cause protocol.Cause) {
	if p.stopped() {
		return
	}
	p.worker.Log.Error("the job failed", "job", p.spec.ID, "reason", reason)
	p.d.Failed, p.d.Cause = reason, cause
	p.stopReceiving()
	err := p.worker.Room.spend(func() error { return p.commit(segment.Change{}) })
	if err != nil {
		p.worker.Log.Error("the failure is not durable", "job", p.spec.ID, "error", err)
	}
	if errors.Is(err, vfs.ErrUnsure) {
		p.worker.die(err)
	}
}

// faulty fails the job after a panic in the middle of a step. It first reverts to the last
// commit, since later changes may be incomplete.
func (p *Part) faulty(err error) {
	if p.closed {
		return
	}
	p.broken(errors.Join(err, p.revert()))
}

// end decides, on replica 0, that the job ends everywhere. An error was already dealt with: it is
// for whoever asked for the end.
func (p *Part) end(reason string) error {
	if p.d.Ending != "" {
		return nil
	}
	if p.worker.Replica != 0 {
		return fmt.Errorf("worker %d ends no jobs, worker 0 does", p.worker.Replica)
	}
	err := p.worker.Room.spend(func() error {
		p.d.Ending = reason
		return p.commit(segment.Change{})
	})
	if err != nil {
		p.d.Ending = ""
		p.broken(err)
		return fmt.Errorf("the end could not be written down: %w", err)
	}
	p.clean()
	return nil
}

// cleaning is replica 0's progress in ending a job everywhere.
type cleaning struct {
	missing map[int]bool // replicas that have not confirmed
	asked   time.Time
	tried   time.Time // when this replica last tried to forget the job
}

// cleanAgain is how often replicas that have not confirmed are asked again.
const cleanAgain = 2 * time.Second

// clean asks all other replicas to forget the job, and forgets it here once they
// have.
func (p *Part) clean() {
	p.stopReceiving()
	p.cleaning = &cleaning{missing: make(map[int]bool)}
	for r := 1; r < p.spec.Replicas; r++ {
		p.cleaning.missing[r] = true
	}
	p.repeatClean(p.worker.Now())
}

func (p *Part) repeatClean(now time.Time) {
	if p.cleaning == nil || p.closed {
		return
	}
	if len(p.cleaning.missing) == 0 && now.Sub(p.cleaning.tried) >= cleanAgain {
		p.cleaning.tried = now
		p.Forget(p.d.Ending, true) // all queues: nobody else may know of them any more
		return
	}
	if now.Sub(p.cleaning.asked) < cleanAgain {
		return
	}
	p.cleaning.asked = now
	for r := range p.spec.Replicas {
		if p.cleaning.missing[r] {
			p.worker.tell(p.ctx, r, &protocol.Request{Action: protocol.ActionClean, Job: p.spec.ID, Reason: p.d.Ending})
		}
	}
}

// Cleaned notes that a replica has forgotten the job.
func (p *Part) Cleaned(replica int) {
	if p.cleaning != nil {
		delete(p.cleaning.missing, replica)
		p.repeatClean(p.worker.Now())
	}
}

// Forget deletes this replica's queue and state of the job, and leaves a tombstone. If all
// is set, it also deletes the queues of the other replicas, which may have lost their
// parts.
func (p *Part) Forget(reason string, all bool) {
	if p.closed {
		return
	}
	p.worker.Crash(PointCleanUp)
	p.stopReceiving()
	if err := p.deleteQueues(all); err != nil {
		p.worker.Log.Warn("delete queues", "job", p.spec.ID, "error", err)
		return // the next request to clean up retries
	}
	err := p.worker.Tombstones.Add(p.spec.ID, p.spec.Owner, reason)
	if errors.Is(err, vfs.ErrUnsure) {
		p.worker.die(err)
		return
	}
	if err != nil {
		p.worker.Log.Warn("remember that a job has ended", "job", p.spec.ID, "error", err)
		return // likewise
	}
	if err := errors.Join(p.Close(), p.removeState()); err != nil {
		p.worker.die(fmt.Errorf("job %s: remove its state: %w", p.spec.ID, err))
		return
	}
	p.worker.gone(p.spec.ID, reason)
}

// deleteQueues deletes the queue of this replica, or of all replicas.
func (p *Part) deleteQueues(all bool) error {
	if all {
		return p.worker.Broker.Delete(p.ctx, p.spec.QueueNames()...)
	}
	return p.worker.Broker.Delete(p.ctx, p.spec.Queue(p.worker.Replica))
}

func (p *Part) removeState() error {
	return segment.Remove(p.worker.FS, filepath.Join(p.worker.jobs(), p.spec.ID.String()))
}

// stopReceiving ends the subscription. It drops the messages not committed; the broker
// still has them.
func (p *Part) stopReceiving() {
	if sub := p.sub; sub != nil {
		p.sub = nil
		p.subscribed.Store(nil)
		sub.Cancel()
	}
	p.unacked, p.held = nil, 0
}

// Close releases the part's resources; its state stays on disk.
func (p *Part) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	p.cancel()
	p.stopReceiving()
	for _, e := range p.emitters {
		e.close()
	}
	return p.store.Close()
}
