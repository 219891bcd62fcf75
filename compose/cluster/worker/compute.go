package worker

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
	"analyzer/shuffle"
)

// advance computes every stage whose ports have become complete, with a commit for each.
func (p *Part) advance() {
	for _, stage := range p.spec.Stages(p.worker.Replica) {
		if p.stopped() || !p.ready(stage) {
			continue
		}
		var change segment.Change
		err := p.compute(stage, &change)
		if err == nil {
			err = p.commit(change)
		}
		if errors.Is(err, errInterrupted) {
			return
		}
		if err != nil {
			p.broken(err)
			return
		}
		p.resumeEmitting()
	}
}

// computeSmall computes, for the next commit, the first stage whose ports have become complete with no more
// than a commit may wait for: what of it is not in their logs yet need not be written there. The other
// stages are for advance, since requests are answered while a stage is computed, and what they are told,
// such as that another stage's answer is ready, must be durable. All are for advance after an interruption,
// and during the careful time: a stage that kills the worker must not keep messages from becoming durable.
func (p *Part) computeSmall() (change segment.Change, err error) {
	if p.worker.blame.isCareful(p.worker.Now()) {
		return change, nil
	}
	for _, stage := range p.spec.Stages(p.worker.Replica) {
		if !p.ready(stage) {
			continue
		}
		size, err := p.inputSize(stage)
		if err == nil && size <= p.worker.Commit.Bytes {
			err = p.compute(stage, &change)
		}
		if errors.Is(err, errInterrupted) {
			break
		}
		if err != nil || p.d.Stages[stage] != protocol.Receiving {
			return change, err
		}
	}
	return change, nil
}

// ready reports whether a stage can be computed, and was not yet.
func (p *Part) ready(stage int) bool {
	return p.d.Stages[stage] == protocol.Receiving && p.complete(stage)
}

// inputSize returns how many bytes have come for a stage.
func (p *Part) inputSize(stage int) (size int64, err error) {
	for i := range p.ports {
		if p.stageOf(i) != stage {
			continue
		}
		logged, err := p.segments(p.d.Logs[i])
		if err != nil {
			return 0, err
		}
		for _, s := range logged {
			size += s.Size
		}
		for _, m := range p.pending[i].messages {
			size += int64(len(m))
		}
	}
	return size, nil
}

// complete reports whether all messages from all senders to a stage were recorded.
func (p *Part) complete(stage int) bool {
	for i := range p.ports {
		if p.stageOf(i) == stage && !p.seen.Complete(i) {
			return false
		}
	}
	return true
}

// compute runs a stage over what has come for it, and adds its frozen output to a change. After an
// error other than errInterrupted the part is as it was at the last commit.
func (p *Part) compute(stage int, change *segment.Change) error {
	err := p.tryCompute(stage, change)
	if err == nil || errors.Is(err, errInterrupted) {
		return err
	}
	return errors.Join(fmt.Errorf("stage %d on replica %d: %w", stage, p.worker.Replica, err), p.revert())
}

func (p *Part) tryCompute(stage int, change *segment.Change) error {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	c, err := p.newComputation(stage, cancel)
	if err != nil {
		return err
	}
	p.computing.Store(c)
	defer p.computing.Store(nil)
	p.worker.Crash(PointCompute)
	if p.interrupted.Load() {
		return errInterrupted
	}
	out, err := p.runStage(ctx, p.spec.Plan.Stages[stage], c)
	if ctx.Err() != nil {
		if err := out.abort(); err != nil {
			return err
		}
		return errInterrupted
	}
	if err != nil {
		return errors.Join(err, out.abort())
	}
	return p.freeze(stage, out, change)
}

var errInterrupted = errors.New("interrupted")

// Interrupt ends the running computation, and lets none begin until the next request to
// end the job has been served. It may be called at any time, from any goroutine.
func (p *Part) Interrupt() {
	p.interrupted.Store(true)
	if c := p.computing.Load(); c != nil {
		c.cancel()
	}
}

// goOn resumes computing after an interruption.
func (p *Part) goOn() {
	if p.interrupted.Swap(false) {
		p.advance()
	}
}

// runStage runs the pipeline of a stage over the rows that have come to its ports, and counts the
// rows in c.
func (p *Part) runStage(ctx context.Context, stage *physical.Stage, c *computation) (out *freezer, err error) {
	rt := *p.worker.Runtime
	rt.Scratch = segment.NewScratch(p.worker.FS, p.worker.scratch())
	c.scratch.Store(rt.Scratch)
	began := p.worker.Now()
	defer func() {
		p.worker.Metrics.computed(stage.ID, p.worker.Now().Sub(began), rt.Scratch.Stats())
		p.spilled[stage.ID] += rt.Scratch.Stats().Bytes
		err = errors.Join(err, rt.Scratch.Close())
	}()
	out = &freezer{part: p}
	l, err := exec.New(&rt, p.spec.Plan, stage, out.outlets)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	for _, port := range l.Ports() {
		push := func(rows columnar.Rows) error {
			c.done.Add(int64(rows.Len))
			return l.Push(ctx, port, rows)
		}
		if err := p.eachReceived(portOf(p.ports, port), push); err != nil {
			return out, err
		}
		if err := l.Finish(ctx, port); err != nil {
			return out, err
		}
	}
	p.nodes[stage.ID] = l.Reports()
	return out, nil
}

// eachReceived hands the rows that have come to a port to f: those in its log, and those that wait for
// a commit.
func (p *Part) eachReceived(port int, f func(columnar.Rows) error) error {
	var buffer []byte
	for _, name := range p.d.Logs[port] {
		r, err := p.openSegment(name)
		if err == nil {
			err = errors.Join(eachMessage(r, &buffer, f), r.Close())
		}
		if err != nil {
			return err
		}
	}
	schema := p.spec.Upstream(p.ports[port]).Schema
	for _, m := range p.pending[port].messages {
		rows, err := ipc.Decode(schema, m)
		if err == nil {
			err = f(rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openSegment opens a committed segment by name.
func (p *Part) openSegment(name string) (*segment.Reader, error) {
	seg, err := p.store.Segment(name)
	if err != nil {
		return nil, err
	}
	return p.store.Open(seg)
}

// eachMessage hands the rows of each message in a segment of a log to f.
func eachMessage(r *segment.Reader, buffer *[]byte, f func(columnar.Rows) error) error {
	for rows, err := range r.Partition(0, buffer) {
		if err == nil {
			err = f(rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// freeze adds the output of a stage to a change, which drops what came for it.
func (p *Part) freeze(stage int, out *freezer, change *segment.Change) error {
	for _, f := range out.nodes {
		seg, err := f.w.Finish()
		if err != nil {
			return errors.Join(err, out.abort())
		}
		for _, b := range seg.Blocks {
			if b.Length > maxBlock {
				return errors.Join(&tooLargeError{b}, out.abort())
			}
		}
		change.Add = append(change.Add, seg)
		p.d.Frozen = append(p.d.Frozen, &frozenNode{Node: f.node, Name: seg.Name()})
	}
	for i, port := range p.ports {
		if p.stageOf(i) != stage || p.keeps(port) {
			continue
		}
		logged, err := p.segments(p.d.Logs[i])
		if err != nil {
			return err
		}
		change.Remove = append(change.Remove, logged...)
		p.d.Logs[i], p.pending[i].messages = nil, nil
	}
	p.d.Stages[stage] = protocol.Emitting
	p.worker.Crash(PointFreeze)
	return nil
}

// freezer collects the output of a stage while it is computed. It has a segment for each
// node with outlets; in it a partition for each receiver of each outlet, and after those
// one for an answer.
type freezer struct {
	part  *Part
	nodes []*frozenWriter
}

type frozenWriter struct {
	node int
	w    *segment.Writer
}

// outlets makes the outlets of a node.
func (f *freezer) outlets(node int) ([]exec.Outlet, error) {
	ways := f.part.spec.Outlets(node)
	isAnswer := len(f.part.spec.AnswersOf(node)) > 0
	if len(ways) == 0 && !isAnswer {
		return nil, nil
	}
	schema := f.part.spec.Plan.Nodes[node].Schema
	w, err := f.part.store.NewWriter(schema)
	if err != nil {
		return nil, err
	}
	f.nodes = append(f.nodes, &frozenWriter{node: node, w: w})
	var out []exec.Outlet
	partition := 0
	for _, way := range ways {
		keys, err := schema.Positions(way.Keys)
		if err != nil {
			return nil, err
		}
		receivers := make([]shuffle.Receiver, len(way.Receivers))
		for i := range receivers {
			receivers[i] = blockWriter{w, partition}
			partition++
		}
		out = append(out, shuffle.NewOutbox(schema, keys, receivers))
	}
	if isAnswer {
		out = append(out, shuffle.NewOutbox(schema, nil, []shuffle.Receiver{blockWriter{w, partition}}))
	}
	return out, nil
}

// abort removes the segments.
func (f *freezer) abort() error {
	if f == nil {
		return nil
	}
	var errs []error
	for _, n := range f.nodes {
		errs = append(errs, n.w.Abort())
	}
	return errors.Join(errs...)
}

// blockWriter writes the batches for one receiver as blocks of a partition.
type blockWriter struct {
	w         *segment.Writer
	partition int
}

// maxBlock is the largest block, in bytes: it fits a message to a worker, and, with what
// else a page of an answer holds, one to a gateway.
const maxBlock = protocol.MaxRow - 1<<10

// Send writes a batch. It halves a large batch again and again rather than into equal
// sizes, since a few rows may be much larger than the others.
func (b blockWriter) Send(ctx context.Context, rows columnar.Rows) error {
	if rows.Len > 1 && rows.ValueBytes() > maxBlock/2 {
		half := rows.Len / 2
		if err := b.Send(ctx, rows.Slice(0, half)); err != nil {
			return err
		}
		return b.Send(ctx, rows.Slice(half, rows.Len))
	}
	return b.w.Append(b.partition, rows)
}

// tooLargeError is the error of a block that fits no message. It holds a single row.
type tooLargeError struct{ block segment.Block }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("a row of %d bytes leaves it; %d are possible on a cluster: ask for shorter texts and lists, or have one process answer (analyzer run, or sql without --gateway)",
		e.block.Length, maxBlock)
}

// Done does nothing: the segment is finished as a whole.
func (b blockWriter) Done() {}
