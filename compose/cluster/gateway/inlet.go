package gateway

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/shuffle/broker"
)

// Inlet takes the batches that the Reader has read of a split of a scan, as DoPut takes those of clients. As their
// rows never leave the process, they are neither encoded nor checked. All methods may be called concurrently.
type Inlet struct {
	g     *Gateway
	put   protocol.Put
	acked func(number uint64)
	scan  atomic.Pointer[scatter.Scan]

	call   context.Context // of the Reader
	ctx    context.Context // ends with call, or when a batch has failed, which is the cause then
	fail   context.CancelCauseFunc
	window *semaphore.Weighted // one unit for each batch handed over and not acknowledged

	gathered gathered
}

// inletWindow is how many batches of an inlet may be under way: while some are gathered, others are published.
const inletWindow = 4 * gatheredBatches

// Inlet returns an inlet for a split of a scan of a job, on behalf of the context's owner (see Admit). It calls acked,
// from any goroutine, for each batch of which the broker has all messages. It holds something until Close, or
// until ctx has ended.
func (g *Gateway) Inlet(ctx context.Context, put protocol.Put, acked func(number uint64)) (*Inlet, error) {
	in := &Inlet{g: g, put: put, acked: acked, call: ctx, window: semaphore.NewWeighted(inletWindow)}
	if err := in.open(); err != nil {
		return nil, err
	}
	g.metrics.Uploads.Add(1)
	in.ctx, in.fail = context.WithCancelCause(ctx)
	in.gathered = gathered{g: g, ctx: in.ctx, most: gatheredBatches, done: in.published}
	return in, nil
}

// open finds the scan.
func (in *Inlet) open() error {
	k, err := in.g.jobs.find(in.call, in.put.Job, OwnerOf(in.call))
	if err != nil {
		return err
	}
	s, err := in.g.scan(in.call, k, in.put.Node, in.put.Split)
	if err == nil {
		in.scan.Store(s)
	}
	return err
}

// Put hands over a batch, whose rows it borrows. It waits while too many batches are not acknowledged, or the gateway
// holds too many bytes.
func (in *Inlet) Put(number uint64, rows columnar.Rows) error {
	if in.window.Acquire(in.ctx, 1) != nil {
		return in.failure()
	}
	size := rows.ValueBytes() // a second time, by receiver
	if in.gathered.acquire(size) != nil {
		return in.failure()
	}
	batch := begun{number, time.Now()}
	messages, err := in.scatter(number, rows)
	if err != nil {
		in.g.credit.release(size)
		in.fail(batchError(number, err))
		return in.failure()
	}
	in.g.metrics.Bytes.Add(size)
	in.gathered.add(batch, size, messages)
	return nil
}

// published is told what has become of batches.
func (in *Inlet) published(batches []begun, err error) {
	if err != nil {
		in.fail(err)
		return
	}
	for _, b := range batches {
		in.g.cfg.Crash(PointPreAck)
		in.acked(b.number)
		in.g.metrics.Acked.Add(1)
		in.window.Release(1)
	}
}

// scatter makes the messages of a batch. A job that had to make room here for others is found again.
func (in *Inlet) scatter(number uint64, rows columnar.Rows) ([]broker.Message, error) {
	for {
		in.g.jobs.lookUp(in.put.Job) // marks the job as used
		messages, err := in.g.scatter(in.ctx, in.scan.Load(), in.put.Split, number, func() (columnar.Rows, error) { return rows, nil })
		if !errors.Is(err, scatter.ErrClosed) {
			return messages, err
		}
		if err := in.open(); err != nil {
			return nil, err
		}
	}
}

// Close waits until every batch is acknowledged, one has failed, or the context has ended. It may be called again.
func (in *Inlet) Close() error {
	defer in.fail(nil)
	in.gathered.publish()
	if in.window.Acquire(in.ctx, inletWindow) != nil {
		return in.failure()
	}
	in.window.Release(inletWindow)
	return nil
}

// failure is why ctx has ended.
func (in *Inlet) failure() error {
	if in.call.Err() != nil {
		return context.Cause(in.call)
	}
	return in.g.explain(in.call, in.put.Job, context.Cause(in.ctx))
}
