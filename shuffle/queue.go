package shuffle

import (
	"context"
	"errors"
	"io"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/spill"
)

// Queue is the receiving end of an exchange within one process. Any number of
// senders send; one receiver receives.
type Queue struct {
	cfg spill.Config // of what is kept on disk

	mu       sync.Mutex
	moved    chan struct{} // closed and made anew when anything changes
	batches  []columnar.RecordBatch
	bytes    int64
	reserved *budget.Reservation // of them
	senders  int
	active   bool         // the receiver is listening
	overflow *spill.Spool // what came before it was and was too much
	closed   bool
}

// queueBytes is how many bytes of batches wait in memory, if the budget allows
// as many.
const queueBytes = 1 << 20

// NewQueue returns a queue that a number of senders will send to. cfg says where
// it keeps what does not fit while nobody receives; its Partitions is 1.
func NewQueue(senders int, cfg spill.Config) *Queue {
	return &Queue{cfg: cfg, senders: senders, moved: make(chan struct{}), reserved: cfg.Budget.Reserve(cfg.Holder)}
}

// Send hands over a batch. It waits while the receiver is busy with a full
// queue.
func (q *Queue) Send(ctx context.Context, b columnar.RecordBatch) error {
	for {
		wait, err := q.offer(b)
		if wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			b.Release()
			return context.Cause(ctx)
		}
	}
}

// offer puts a batch in the queue, or returns what to wait for.
func (q *Queue) offer(b columnar.RecordBatch) (wait <-chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		b.Release()
		return nil, errors.New("the queue is closed")
	}
	bytes := columnar.BatchBytes(b)
	switch {
	case q.bytes <= queueBytes && q.reserved.TryGrow(bytes):
	case !q.active:
		return nil, q.keep(b)
	case len(q.batches) > 0:
		return q.moved, nil
	default:
		q.reserved.Grow(bytes) // who receives cannot do without
	}
	q.batches = append(q.batches, b)
	q.bytes += bytes
	q.wake()
	return nil, nil
}

// keep puts a batch on disk.
func (q *Queue) keep(b columnar.RecordBatch) error {
	defer b.Release()
	if q.overflow == nil {
		q.overflow = spill.New(q.cfg)
	}
	return q.overflow.AddTo(0, columnar.View(q.cfg.Schema, b))
}

func (q *Queue) wake() {
	close(q.moved)
	q.moved = make(chan struct{})
}

// Done says that one sender is done.
func (q *Queue) Done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.senders--
	q.wake()
}

// Each hands every row sent to f, which borrows them, until all senders are
// done.
func (q *Queue) Each(ctx context.Context, f func(columnar.Rows) error) error {
	if err := q.eachKept(ctx, f); err != nil {
		return err
	}
	for {
		b, err := q.receive(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = f(columnar.View(q.cfg.Schema, b))
		b.Release()
		if err != nil {
			return err
		}
	}
}

// eachKept starts to receive, with what was kept on disk.
func (q *Queue) eachKept(ctx context.Context, f func(columnar.Rows) error) error {
	q.mu.Lock()
	q.active = true
	kept := q.overflow
	q.overflow = nil
	q.mu.Unlock()
	if kept == nil {
		return nil
	}
	err := kept.Seal()
	if err == nil {
		err = kept.Each(ctx, 0, func(rows columnar.Rows) error { return inParts(rows, batchRows, batchBytes, f) })
	}
	return errors.Join(err, kept.Close())
}

// receive returns the next batch, whose reference passes to the caller, or
// io.EOF.
func (q *Queue) receive(ctx context.Context) (columnar.RecordBatch, error) {
	for {
		q.mu.Lock()
		if len(q.batches) > 0 {
			b := q.batches[0]
			q.batches[0] = nil
			q.batches = q.batches[1:]
			bytes := columnar.BatchBytes(b)
			q.bytes -= bytes
			q.reserved.Shrink(bytes)
			q.wake()
			q.mu.Unlock()
			return b, nil
		}
		done, wait := q.senders == 0, q.moved
		q.mu.Unlock()
		if done {
			return nil, io.EOF
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Close releases what was not received. Nothing is sent after it.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, b := range q.batches {
		b.Release()
	}
	q.batches = nil
	q.reserved.Release()
	if q.overflow == nil {
		return nil
	}
	kept := q.overflow
	q.overflow = nil
	return kept.Close()
}
