package worker

import (
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// window is how many unconfirmed messages one emitter may have.
const window = 32

// emitter publishes the frozen rows of one node: block i of a partition as
// message i of this sender to the partition's receiver, and after the last message
// their number.
type emitter struct {
	part    *Part
	frozen  *frozenNode
	seg     *segment.Segment
	reader  *segment.Reader
	todo    []message // not yet handed to the broker
	flying  int       // handed to the broker, not confirmed
	block   []byte    // reused buffer for a block
	stopped bool
}

// message is a block of the segment, or the end of a receiver's messages.
type message struct {
	outlet   protocol.Outlet
	receiver int // replica
	block    int // in the segment; -1: the end
	id       uint64
}

// resumeEmitting starts an emitter for each frozen node that is not sent and has none yet.
func (p *Part) resumeEmitting() {
	for _, f := range p.d.Frozen {
		going := slices.ContainsFunc(p.emitters, func(e *emitter) bool { return e.frozen == f })
		if f.Sent || going || p.stopped() {
			continue
		}
		e, err := p.newEmitter(f)
		if err != nil {
			p.broken(fmt.Errorf("emit node %d: %w", f.Node, err))
			return
		}
		p.emitters = append(p.emitters, e)
		e.pump()
	}
}

func (p *Part) newEmitter(f *frozenNode) (*emitter, error) {
	r, err := p.openSegment(f.Name)
	if err != nil {
		return nil, err
	}
	seg := r.Segment()
	e := &emitter{part: p, frozen: f, seg: seg, reader: r}
	partition := 0
	for _, way := range p.spec.Outlets(f.Node) {
		for _, receiver := range way.Receivers {
			id := uint64(0)
			for i, b := range seg.Blocks {
				if b.Partition == partition {
					e.todo = append(e.todo, message{way, receiver, i, id})
					id++
				}
			}
			e.todo = append(e.todo, message{way, receiver, -1, id})
			partition++
		}
	}
	return e, nil
}

// pump hands messages to the publisher up to the window, and ends when all are
// confirmed.
func (e *emitter) pump() {
	p := e.part
	for e.flying < window && len(e.todo) > 0 && !p.stopped() && !e.stopped {
		m := e.todo[0]
		e.todo = e.todo[1:]
		if err := e.publish(m); err != nil {
			p.broken(fmt.Errorf("emit node %d: %w", e.frozen.Node, err))
			return
		}
		if len(e.todo) > 0 {
			p.worker.Crash(PointPublishPartial)
		}
	}
	if len(e.todo) == 0 && e.flying == 0 && !e.stopped && !p.stopped() {
		p.worker.Crash(PointPublishAll)
		e.finish()
	}
}

func (e *emitter) publish(m message) error {
	p := e.part
	body, err := e.encode(m)
	if err != nil {
		return err
	}
	e.flying++
	p.publisher.Publish(p.ctx, []broker.Message{{Queue: p.spec.Queue(m.receiver), Body: body}}, func(err error) {
		p.post(func() { e.settled(m, err) })
	})
	if m.block < 0 {
		p.worker.Crash(PointEndOfTable)
	} else {
		p.worker.Crash(PointEmitPartial)
	}
	p.worker.Metrics.sent(e.stage(), int64(len(body)))
	return nil
}

// encode makes a message: an envelope and the bytes of the block as they are on disk. So
// the same block makes the same message each time.
func (e *emitter) encode(m message) ([]byte, error) {
	p := e.part
	env := envelope.Envelope{
		Job: p.spec.ID, Node: m.outlet.Node, Input: m.outlet.Input, Replica: m.receiver,
		Sender: envelope.StageSender(e.stage(), p.worker.Replica), Kind: envelope.End, ID: m.id,
	}
	if m.block < 0 {
		return envelope.Append(nil, env, nil)
	}
	body, err := e.reader.ReadMessage(m.block, e.block)
	if err != nil {
		return nil, err
	}
	e.block = body
	env.Kind, env.Rows = envelope.Data, int(e.seg.Blocks[m.block].Rows)
	return envelope.Append(nil, env, body)
}

func (e *emitter) stage() int { return e.part.spec.Plan.Nodes[e.frozen.Node].Stage }

// settled notes that the broker has a message, or why it never will.
func (e *emitter) settled(m message, err error) {
	e.flying--
	p := e.part
	switch {
	case p.stopped() || e.stopped:
		e.close()
	case err == nil:
		p.worker.Crash(PointConfirm)
		e.pump()
	case errors.Is(err, broker.ErrNoQueue):
		p.failOf(fmt.Sprintf("the broker has lost the queue of replica %d; submit the job again", m.receiver), protocol.Lost)
	case errors.Is(err, broker.ErrClosed), errors.Is(err, broker.ErrUnconfirmed), p.ctx.Err() != nil:
		e.stopped = true // the process is about to end; the next one continues
	default:
		p.broken(fmt.Errorf("emit node %d: %w", e.frozen.Node, err))
	}
}

// finish notes that all rows were emitted, for the next commit: if none comes, they are emitted again,
// which nobody minds. The rows of an answer are kept.
func (e *emitter) finish() {
	p := e.part
	p.owe()
	p.emitted = true
	e.stopped = true
	e.frozen.Sent = true
	if len(p.spec.AnswersOf(e.frozen.Node)) == 0 {
		p.sent = append(p.sent, e.seg)
		p.d.Frozen = columnar.Only(p.d.Frozen, func(f *frozenNode) bool { return f != e.frozen })
	}
	unsent := func(f *frozenNode) bool { return !f.Sent && p.spec.Plan.Nodes[f.Node].Stage == e.stage() }
	if !slices.ContainsFunc(p.d.Frozen, unsent) {
		p.d.Stages[e.stage()] = protocol.Emitted
	}
	e.close()
}

// close closes the segment once nothing reads from it.
func (e *emitter) close() {
	if e.reader != nil {
		_ = e.reader.Close() // nothing was written
		e.reader = nil
	}
}
