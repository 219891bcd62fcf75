package worker

import (
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
)

// deliver takes in a delivery, which holds one message or several. A delivery is
// acknowledged only once a commit holds its messages, duplicates included.
func (p *Part) deliver(d broker.Delivery) {
	if p.stopped() {
		return // the delivery goes back to its queue, or is deleted with it
	}
	p.sign = p.worker.Now()
	p.worker.Crash(PointReceive)
	messages, err := p.unpack(d)
	if err != nil {
		p.poisoned(d, err)
		return
	}
	p.worker.Crash(PointDecode)
	for _, m := range messages {
		fresh, err := p.take(m)
		p.worker.Crash(PointDedup)
		if p.stopped() {
			return
		}
		if err != nil {
			p.poisoned(d, err)
			return
		}
		if !fresh {
			p.worker.Metrics.of(p.stageOf(m.port)).Duplicates.Add(1)
		}
		p.urgent = p.urgent || fresh && p.seen.Complete(m.port) && p.complete(p.stageOf(m.port))
	}
	p.owe()
	p.unacked = append(p.unacked, d)
	if p.urgent || p.worker.Commit.due(len(p.unacked), p.held) {
		p.flush()
	}
}

// received is a message that came to a port.
type received struct {
	port int
	envelope.Envelope
	body []byte
	size int // of envelope and body
}

// unpack splits a delivery into messages and checks each of them, including the rows of
// new messages. It checks the whole delivery before any of its messages is recorded. So
// every message in the ledger is in the log, or in a delivery that waits for its commit.
func (p *Part) unpack(d broker.Delivery) (messages []received, err error) {
	for rest := d.Body; len(rest) > 0 || len(messages) == 0; {
		var m received
		var message []byte
		message, rest = envelope.Cut(rest)
		if m.Envelope, m.body, err = envelope.Decode(message); err != nil {
			return nil, err
		}
		m.port, m.size = portOf(p.ports, exec.Port{Node: m.Node, Input: m.Input}), len(message)
		if m.Job != p.spec.ID || m.port < 0 || m.Replica != p.worker.Replica {
			return nil, fmt.Errorf("it is %s", m.Envelope)
		}
		if err := p.readable(m); err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	for _, m := range messages {
		stage := p.stageOf(m.port)
		p.worker.Metrics.delivered(stage, d.Published, p.sign, d.Redelivered)
		if !d.Published.IsZero() {
			p.waited[stage] = max(p.waited[stage], p.sign.Sub(d.Published))
		}
		if m.Sender.Kind == envelope.Scan && p.spec.Cut == nil { // gateways end the tables of a cut by themselves
			p.alive()
		}
	}
	return messages, nil
}

// take records a message, and keeps its rows if it is the first of its id.
func (p *Part) take(m received) (fresh bool, err error) {
	if p.phaseOf(m.port) != protocol.Receiving {
		return false, nil // the port is complete, so the message is a duplicate
	}
	if m.Kind == envelope.End {
		return p.seen.End(m.port, m.Sender, m.ID)
	}
	if p.duplicate(m) {
		return false, nil
	}
	if _, err := p.seen.Record(m.port, m.Sender, m.ID); err != nil {
		return false, err
	}
	p.keep(m)
	return true, nil
}

// duplicate reports whether a data message was taken in before.
func (p *Part) duplicate(m received) bool {
	return p.seen.Seen(m.port, m.Sender, m.ID)
}

// readable returns what is wrong with the rows of a message that is not a duplicate.
func (p *Part) readable(m received) error {
	if m.Rows == 0 || p.phaseOf(m.port) != protocol.Receiving || p.duplicate(m) {
		return nil
	}
	rows, err := ipc.Decode(p.spec.Upstream(p.ports[m.port]).Schema, m.body)
	if err == nil && rows.Len != m.Rows {
		err = fmt.Errorf("it holds %d rows, its envelope says %d", rows.Len, m.Rows)
	}
	return err
}

// keep adds the bytes of a message to the next commit.
func (p *Part) keep(m received) {
	in := &p.pending[m.port]
	if m.Rows > 0 {
		in.messages = append(in.messages, m.body)
		if p.spec.Follow {
			in.numbers = append(in.numbers, m.ID)
		}
		in.rows += int64(m.Rows)
	}
	in.batches++
	p.held += int64(len(m.body))
	p.d.Rows += int64(m.Rows)
	p.d.Bytes += int64(m.size)
	p.worker.Metrics.received(p.stageOf(m.port), int64(m.Rows), int64(m.size))
}

// maxTries is how often one process tries a message that it cannot take in before it
// fails the job.
const maxTries = 3

// poisoned handles a delivery that cannot be taken in: it requeues the delivery, or fails
// the job after maxTries, or at once if a retry cannot help.
func (p *Part) poisoned(d broker.Delivery, err error) {
	key := xxhash.Sum64(d.Body)
	p.tries[key]++
	hopeless := errors.Is(err, ledger.ErrContradiction) || errors.Is(err, ledger.ErrUnknown)
	if p.tries[key] < maxTries && !hopeless {
		p.worker.Log.Warn("a message cannot be taken in", "try", p.tries[key], "error", err)
		_ = d.Requeue() // a stale delivery comes again by itself
		return
	}
	p.fail(fmt.Sprintf("a message of %d bytes to replica %d cannot be taken in: %s", len(d.Body), p.worker.Replica, p.worker.tellable(err)))
}

// Tick does what is due by the clock.
func (p *Part) Tick() {
	if p.closed {
		return
	}
	now := p.worker.Now()
	if !p.started && !now.Before(p.rest) {
		p.start()
	}
	if p.owes() && now.Sub(p.since) >= p.worker.Commit.Interval {
		p.flush()
	}
	p.keepConfirmed()
	p.watchQueue()
	if !p.stopped() {
		p.publisher.Retry(p.ctx)
	}
	p.expire(now)
	p.repeatClean(now)
}

// watchQueue fails the job if the queue is gone while messages are missing. Nobody else
// may notice, if nobody sends to the queue any more.
func (p *Part) watchQueue() {
	if p.sub == nil {
		return
	}
	select {
	case <-p.sub.Done():
	default:
		return
	}
	p.subscribed.Store(nil) // it is noticed once
	if err := p.sub.Err(); len(p.waiting()) > 0 && !errors.Is(err, broker.ErrClosed) {
		p.failOf(p.lostQueue(err), protocol.Lost)
	}
}

// lostQueue says why a job cannot go on without its queue.
func (p *Part) lostQueue(err error) string {
	queue := p.spec.Queue(p.worker.Replica)
	if errors.Is(err, broker.ErrNoQueue) {
		return fmt.Sprintf("the broker has lost the queue %s; submit the job again", queue)
	}
	return fmt.Sprintf("the broker gives nothing of the queue %s any more; submit the job again: %v", queue, err)
}

// owes reports whether something awaits a commit that need not come at once: deliveries, or the note
// that an emitter is done.
func (p *Part) owes() bool { return len(p.unacked) > 0 || p.emitted }

// owe is called before something new awaits the next commit.
func (p *Part) owe() {
	if !p.owes() {
		p.since = p.worker.Now()
	}
}

// flush commits what awaits it.
func (p *Part) flush() {
	if p.owes() && !p.stopped() {
		p.settle()
	}
}

// settle commits what has come, or what small stages make of it, and acknowledges the deliveries that
// are now durable. It reports whether the commit succeeded.
func (p *Part) settle() bool {
	change, err := p.computeSmall()
	if err == nil {
		err = p.commit(change)
	}
	if err != nil {
		p.broken(err)
		return false
	}
	for i, d := range p.unacked {
		if err := d.Ack(); err != nil && !errors.Is(err, broker.ErrStale) {
			p.worker.Log.Warn("acknowledge", "error", err)
		}
		if i == 0 {
			p.worker.Crash(PointAckPartial)
		}
	}
	p.unacked, p.urgent = p.unacked[:0], false
	p.worker.Crash(PointAcked)
	p.resumeEmitting()
	p.advance()
	return true
}

// logPending writes the pending messages of each port as a segment, and adds the segments
// to a change.
func (p *Part) logPending(change *segment.Change) error {
	for i := range p.pending {
		in := &p.pending[i]
		p.d.Batches[i] += in.batches
		p.d.Taken[i] += in.rows
		if len(in.messages) == 0 {
			*in = pendingPort{}
			continue
		}
		if p.keeps(p.ports[i]) {
			if err := p.mergeLog(i, change); err != nil {
				return err
			}
		}
		schema := p.spec.Upstream(p.ports[i]).Schema
		seg, err := p.writeSegment(schema, func(w *segment.Writer) error {
			p.worker.Crash(PointAppend)
			return w.AppendMessages(0, in.messages, in.rows)
		})
		if err != nil {
			return err
		}
		if p.spec.Follow {
			p.d.Logged[i].Recent = addNumbers(p.d.Logged[i].Recent, in.numbers)
			if err := p.fold(&p.d.Logged[i], change, nil); err != nil {
				return err
			}
		}
		*in = pendingPort{}
		p.d.Logs[i] = append(p.d.Logs[i], seg.Name())
		change.Add = append(change.Add, seg)
	}
	p.held = 0
	return nil
}

// writeSegment writes a segment of the store. After an error there is no segment.
func (p *Part) writeSegment(schema columnar.Schema, fill func(*segment.Writer) error) (*segment.Segment, error) {
	w, err := p.store.NewWriter(schema)
	if err != nil {
		return nil, err
	}
	if err := fill(w); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w.Finish()
}

// commit makes a change durable together with the ledger, the state, and the rows
// of all messages that the ledger holds. After an error the part is as it was at
// the last commit, except that it keeps a reason for failing, and the caller must fail it.
func (p *Part) commit(change segment.Change) error {
	err := p.tryCommit(change)
	if err == nil || errors.Is(err, vfs.ErrUnsure) {
		return err
	}
	return errors.Join(err, p.revert())
}

// revert restores the last commit, since the state in memory may refer to segments that
// were never committed.
func (p *Part) revert() error {
	d, _, err := decodeDurable(p.store.Payload(), p.worker.Replica)
	if errors.Is(err, ErrNeverOpened) {
		return nil
	}
	if err == nil {
		err = p.seen.UnmarshalBinary(d.Ledger)
	}
	if err != nil {
		return err
	}
	if d.Failed == "" {
		d.Failed, d.Cause = p.d.Failed, p.d.Cause
	}
	p.d, p.files = d, nil
	for _, e := range p.emitters {
		e.stopped = true
	}
	clear(p.pending)
	p.emitted, p.sent = false, nil
	return nil
}

func (p *Part) tryCommit(change segment.Change) error {
	began := p.worker.Now()
	change.Remove = append(change.Remove, p.sent...)
	if err := p.logPending(&change); err != nil {
		return fmt.Errorf("job %s: write what was received: %w", p.spec.ID, err)
	}
	if err := p.writeFiles(&change); err != nil {
		return fmt.Errorf("job %s: write which files were appended: %w", p.spec.ID, err)
	}
	if err := p.fits(change); err != nil {
		return err
	}
	p.d.Unconfirmed = !p.confirmed.Load()
	payload, err := p.d.encode(p.seen)
	if err != nil {
		return err
	}
	change.Payload = payload
	if err := p.store.Commit(change); err != nil {
		return fmt.Errorf("job %s: commit: %w", p.spec.ID, err)
	}
	p.emitted, p.sent = false, nil
	p.d.Spec = specIn(p.store.Payload()) // thousands of jobs may be idle, so it is held once
	p.worker.Metrics.Commit.Observe(p.worker.Now().Sub(began))
	return nil
}

// fits returns an error if a change takes the job over its quota. A change that adds no
// segments always fits, so that a failure can be committed.
func (p *Part) fits(change segment.Change) error {
	quota := p.worker.Quota
	if quota == 0 && p.spec.Open {
		quota = p.worker.OpenQuota
	}
	if quota == 0 || len(change.Add) == 0 {
		return nil
	}
	bytes := p.store.Size()
	for _, s := range change.Add {
		bytes += s.Size
	}
	for _, s := range change.Remove {
		bytes -= s.Size
	}
	if bytes <= quota {
		return nil
	}
	return fmt.Errorf("job %s takes %d bytes of the disk of worker %d, which grants %d to each; submit less of it, or start the workers with a larger --job-quota",
		p.spec.ID, bytes, p.worker.Replica, quota)
}

// broken handles an error of the disk. If it is unknown what is durable, the process
// ends, and the next one reads the state from disk. Otherwise the job fails.
func (p *Part) broken(err error) {
	if errors.Is(err, vfs.ErrUnsure) {
		p.worker.die(err)
		return
	}
	p.worker.Log.Error("a job cannot go on", "job", p.spec.ID, "error", err)
	p.failOf(p.worker.tellable(err), protocol.CauseOf(err))
}

// stageOf returns the stage that a port belongs to, and phaseOf that stage's phase.
func (p *Part) stageOf(port int) int { return p.spec.Plan.Nodes[p.ports[port].Node].Stage }

func (p *Part) phaseOf(port int) protocol.Phase { return p.d.Stages[p.stageOf(port)] }

// stopped reports whether the part no longer receives messages.
func (p *Part) stopped() bool {
	return p.closed || p.d.Failed != "" || p.d.Ending != "" || p.cleaning != nil
}
