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
	cfg spill.Config // of the overflow

	mu       sync.Mutex
	moved    chan struct{} // closed and replaced when anything changes
	batches  []columnar.Rows
	spare    []columnar.Rows     // memory of batches that were received
	bytes    int64               // of batches, of those that are being copied, and of a long one that the receiver has
	reserved *budget.Reservation // for these bytes
	senders  int
	active   bool         // the receiver is listening
	overflow *spill.Spool // spilled before the receiver listened
	closed   bool
}

// queueBytes is how many bytes of batches may wait in memory, if the budget allows it.
// maxSpare is how many received batches are kept for reuse, twice as many as an Outbox
// makes of queueBytes, since senders and the receiver hold some. A batch over spareBytes
// is not kept.
const (
	queueBytes = 1 << 20
	maxSpare   = 2 * queueBytes / batchBytes
	spareBytes = 2 * batchBytes
)

// NewQueue returns a queue for a number of senders. cfg says where it spills what
// does not fit in memory while nobody receives; its Partitions is 1.
func NewQueue(senders int, cfg spill.Config) *Queue {
	return &Queue{cfg: cfg, senders: senders, moved: make(chan struct{}), reserved: cfg.Budget.Reserve(cfg.Holder)}
}

// Send copies rows into the queue. It waits while the queue is full and the
// receiver is listening, and copies them once there is room.
func (q *Queue) Send(ctx context.Context, rows columnar.Rows) error {
	for {
		room, wait, err := q.claim(rows)
		if room {
			q.put(rows)
			return nil
		}
		if wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// put adds a copy of rows, for which there is room, to the queue.
func (q *Queue) put(rows columnar.Rows) {
	b := q.empty()
	b.AppendRange(rows, 0, rows.Len)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.batches = append(q.batches, b)
	q.wake()
}

// empty returns a batch without rows. It reuses the memory of a received batch if
// there is one.
func (q *Queue) empty() columnar.Rows {
	q.mu.Lock()
	defer q.mu.Unlock()
	last := len(q.spare) - 1
	if last < 0 {
		return columnar.NewRows(q.cfg.Schema)
	}
	b := q.spare[last]
	q.spare = q.spare[:last]
	return b
}

// giveBack keeps the memory of a batch for reuse. That of a long one is free only now.
func (q *Queue) giveBack(b columnar.Rows) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if bytes := size(b); bytes > spareBytes {
		q.unclaim(bytes)
	}
	if len(q.spare) < maxSpare && b.Size() <= spareBytes {
		b.Reset()
		q.spare = append(q.spare, b)
	}
}

// unclaim says that there is room again.
func (q *Queue) unclaim(bytes int64) {
	if q.closed {
		return // which has given back everything
	}
	q.bytes -= bytes
	q.reserved.Shrink(bytes)
	q.wake()
}

// dropSpare frees the spare memory once all batches were received: many queues of a run
// are done long before the run ends.
func (q *Queue) dropSpare() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.batches, q.spare = nil, nil
}

// claim claims room for rows, or spills them if nobody listens, or returns what to wait for.
func (q *Queue) claim(rows columnar.Rows) (room bool, wait <-chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false, nil, errors.New("the queue is closed")
	}
	bytes := size(rows)
	switch {
	case q.bytes <= queueBytes && q.reserved.TryGrow(bytes):
	case !q.active:
		return false, nil, q.keep(rows)
	case q.bytes > 0:
		return false, q.moved, nil
	default:
		q.reserved.Grow(bytes) // the receiver needs at least one batch
	}
	q.bytes += bytes
	return true, nil, nil
}

// size returns how many bytes a batch counts for.
func size(b columnar.Rows) int64 { return b.ValueBytes() + columnar.Overhead(len(b.Cols)) }

// keep spills rows to disk.
func (q *Queue) keep(rows columnar.Rows) error {
	if q.overflow == nil {
		q.overflow = spill.New(q.cfg)
	}
	return q.overflow.AddTo(0, rows)
}

func (q *Queue) wake() {
	close(q.moved)
	q.moved = make(chan struct{})
}

// Join adds one sender. At least one other must not be done yet.
func (q *Queue) Join() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.senders++
}

// Done implements Receiver: one sender is done.
func (q *Queue) Done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.senders--
	q.wake()
}

// Each hands all rows to f, which borrows them, until all senders are done.
func (q *Queue) Each(ctx context.Context, f func(columnar.Rows) error) error {
	if err := q.eachKept(ctx, f); err != nil {
		return err
	}
	for {
		b, err := q.receive(ctx)
		if errors.Is(err, io.EOF) {
			q.dropSpare()
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(b); err != nil {
			return err
		}
		q.giveBack(b)
	}
}

// eachKept marks the receiver as listening and hands the spilled rows to f.
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
		err = kept.Each(ctx, 0, func(rows columnar.Rows) error { return inBatches(rows, f) })
	}
	return errors.Join(err, kept.Close())
}

// receive returns the next batch, which the caller then owns, or io.EOF.
func (q *Queue) receive(ctx context.Context) (columnar.Rows, error) {
	for {
		q.mu.Lock()
		if len(q.batches) > 0 {
			b := q.batches[0]
			q.batches[0] = columnar.Rows{}
			q.batches = q.batches[1:]
			if bytes := size(b); bytes <= spareBytes {
				q.unclaim(bytes)
			}
			q.mu.Unlock()
			return b, nil
		}
		done, wait := q.senders == 0, q.moved
		q.mu.Unlock()
		if done {
			return columnar.Rows{}, io.EOF
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return columnar.Rows{}, context.Cause(ctx)
		}
	}
}

// Close drops the rows that were not received. Nothing may be sent after it.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.batches, q.spare = nil, nil
	q.reserved.Release()
	if q.overflow == nil {
		return nil
	}
	kept := q.overflow
	q.overflow = nil
	return kept.Close()
}
