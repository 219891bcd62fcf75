package worker

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// window is how many messages of a part may be on their way to the broker.
const window = 32

// emitter publishes the frozen rows of one node: block i of a partition as
// message i of this sender to the partition's receiver, and after the last their
// number.
type emitter struct {
	part    *Part
	frozen  *frozenNode
	seg     *segment.Segment
	reader  *segment.Reader
	block   []byte    // memory of the block read last
	todo    []message // not handed to the broker
	flying  int
	retry   []message         // to be published again
	handed  map[[3]int]uint64 // blocks handed to the broker by port, for ArrivalIDs
	stopped bool
}

// message is a block of the segment, or the end of a receiver's messages.
type message struct {
	outlet   protocol.Outlet
	receiver int // replica
	block    int // in the segment; -1: the end
	id       uint64
}

// resumeEmitting starts to emit what was frozen and is not sent, as far as that
// is not going on.
func (p *Part) resumeEmitting() {
	for _, f := range p.d.Frozen {
		if f.Sent || p.emitting(f) || p.stopped() {
			continue
		}
		e, err := p.newEmitter(f)
		if err != nil {
			p.broken(fmt.Errorf("emit node %d: %w", f.Node, err))
			return
		}
		p.emitters = append(p.emitters, e)
		if p.deps.Knobs.EmittedFirst {
			f.Sent = true
			if err := p.commit(segment.Change{}); err != nil {
				p.broken(err)
				return
			}
		}
		e.pump()
	}
}

func (p *Part) emitting(f *frozenNode) bool {
	for _, e := range p.emitters {
		if e.frozen == f {
			return true
		}
	}
	return false
}

func (p *Part) newEmitter(f *frozenNode) (*emitter, error) {
	seg, err := p.store.Segment(f.Name)
	if err != nil {
		return nil, err
	}
	r, err := p.store.Open(seg)
	if err != nil {
		return nil, err
	}
	e := &emitter{part: p, frozen: f, seg: seg, reader: r, handed: make(map[[3]int]uint64)}
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

// pump hands messages to the broker up to the window, and ends when all are
// confirmed.
func (e *emitter) pump() {
	for e.flying < window && len(e.todo) > 0 && !e.part.stopped() && !e.stopped {
		m := e.todo[0]
		e.todo = e.todo[1:]
		if err := e.publish(m); err != nil {
			e.failed(m, err)
			return
		}
		if len(e.todo) > 0 {
			e.part.deps.Crash(PointPublishPartial)
		}
	}
	if len(e.todo) > 0 || e.flying > 0 || len(e.retry) > 0 || e.stopped || e.part.stopped() {
		return
	}
	e.part.deps.Crash(PointPublishAll)
	e.finish()
}

func (e *emitter) publish(m message) error {
	if e.part.deps.Knobs.ArrivalIDs && m.block >= 0 {
		port := [3]int{m.outlet.Node, m.outlet.Input, m.receiver}
		m.id = e.handed[port]
		e.handed[port]++
	}
	body, err := e.encode(m)
	if err != nil {
		return err
	}
	p := e.part
	queue := p.spec.Queue(m.outlet.Node, m.outlet.Input, m.receiver)
	e.flying++
	err = p.deps.Broker.Publish(p.ctx, queue, body, func(err error) {
		p.post(func() { e.confirmed(m, err) })
	})
	if err != nil {
		e.flying--
		return err
	}
	if m.block < 0 {
		p.deps.Crash(PointEndOfTable)
	} else {
		p.deps.Crash(PointEmitPartial)
	}
	p.deps.Metrics.sent(p.spec.Plan.Nodes[e.frozen.Node].Stage, int64(len(body)))
	return nil
}

// encode makes a message: the bytes of the block as they lie on disk, behind an
// envelope. So the same block makes the same message each time.
func (e *emitter) encode(m message) ([]byte, error) {
	p := e.part
	stage := p.spec.Plan.Nodes[e.frozen.Node].Stage
	env := envelope.Envelope{
		Job: p.spec.ID, Node: m.outlet.Node, Input: m.outlet.Input, Replica: m.receiver,
		Sender: envelope.StageSender(stage, p.deps.Replica), Kind: envelope.End, ID: m.id,
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

// confirmed is told what became of a message.
func (e *emitter) confirmed(m message, err error) {
	e.flying--
	if e.part.stopped() || e.stopped {
		e.close()
		return
	}
	if err != nil {
		e.failed(m, err)
		return
	}
	e.part.deps.Crash(PointConfirm)
	e.pump()
}

// failed keeps a message to be published again, unless that is hopeless.
func (e *emitter) failed(m message, err error) {
	switch {
	case errors.Is(err, broker.ErrNoQueue):
		e.part.fail(fmt.Sprintf("the broker has lost the queue of port %d.%d of replica %d; submit the job again",
			m.outlet.Node, m.outlet.Input, m.receiver))
	case errors.Is(err, broker.ErrUnconfirmed), errors.Is(err, context.DeadlineExceeded):
		e.retry = append(e.retry, m)
	case errors.Is(err, broker.ErrClosed):
		e.stopped = true // the process is about to end; the next one goes on
	default:
		e.part.broken(fmt.Errorf("emit node %d: %w", e.frozen.Node, err))
	}
}

// retryEmitting publishes again what was not confirmed.
func (p *Part) retryEmitting() {
	for _, e := range p.emitters {
		if len(e.retry) > 0 && !p.stopped() {
			e.todo, e.retry = append(e.todo, e.retry...), nil
			e.pump()
		}
	}
}

// finish commits that all was emitted. The rows of an answer are kept.
func (e *emitter) finish() {
	p := e.part
	e.stopped = true
	e.frozen.Sent = true
	var change segment.Change
	if len(p.spec.AnswersOf(e.frozen.Node)) == 0 {
		change.Remove = []*segment.Segment{e.seg}
		p.dropFrozen(e.frozen)
	}
	stage := p.spec.Plan.Nodes[e.frozen.Node].Stage
	if !p.unsent(stage) {
		p.d.Stages[stage] = protocol.Emitted
	}
	e.close()
	if err := p.commit(change); err != nil {
		p.broken(err)
	}
}

func (p *Part) dropFrozen(f *frozenNode) {
	for i, g := range p.d.Frozen {
		if g == f {
			p.d.Frozen = append(p.d.Frozen[:i:i], p.d.Frozen[i+1:]...)
			return
		}
	}
}

// unsent reports whether a stage has frozen rows that were not emitted.
func (p *Part) unsent(stage int) bool {
	for _, f := range p.d.Frozen {
		if !f.Sent && p.spec.Plan.Nodes[f.Node].Stage == stage {
			return true
		}
	}
	return false
}

// close closes the segment once nothing reads from it.
func (e *emitter) close() {
	if e.reader != nil {
		_ = e.reader.Close() // nothing was written
		e.reader = nil
	}
}
