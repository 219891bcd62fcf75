package shuffle

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
)

// Receiver takes over batches.
type Receiver interface {
	// Send hands over a batch with the sender's reference to it.
	Send(ctx context.Context, b columnar.RecordBatch) error
	// Done says that one sender has sent its last batch.
	Done()
}

// Outbox routes the rows of one sender to receivers. It has one user at a time.
type Outbox struct {
	alloc     columnar.Allocator
	schema    *arrow.Schema
	keys      []int
	receivers []Receiver
	enough    int64 // bytes that make a batch
	pending   []columnar.Rows
	hashes    []uint64
	sel       [][]int32
}

// A batch is sent when it has this many rows or about this many bytes: large
// enough to make the cost of a batch small, small enough for a processor cache.
// With many receivers batches are smaller, so that what waits for all of them
// together stays within bounds.
const (
	batchRows  = 16 << 10
	batchBytes = 256 << 10
	leastBytes = 16 << 10
	allBytes   = 1 << 20 // of batches that are being filled
)

// NewOutbox returns an outbox for rows of a schema, routed by the columns at the
// positions keys. Without keys everything goes to the first receiver.
func NewOutbox(alloc columnar.Allocator, schema columnar.Schema, keys []int, receivers []Receiver) *Outbox {
	o := &Outbox{
		alloc: alloc, schema: schema.Arrow(), keys: keys, receivers: receivers,
		enough:  max(leastBytes, min(batchBytes, allBytes/int64(len(receivers)))),
		pending: make([]columnar.Rows, len(receivers)), sel: make([][]int32, len(receivers)),
	}
	for r := range o.pending {
		o.pending[r] = columnar.NewRows(schema)
	}
	return o
}

// Push routes rows, and sends what has become large.
func (o *Outbox) Push(ctx context.Context, rows columnar.Rows) error {
	if len(o.receivers) == 1 || len(o.keys) == 0 {
		o.pending[0].AppendRange(rows, 0, rows.Len)
		return o.sendLarge(ctx, 0)
	}
	o.route(rows)
	for r, sel := range o.sel {
		if len(sel) == 0 {
			continue
		}
		o.pending[r].AppendGather(rows, sel)
		if err := o.sendLarge(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// route sorts the positions of rows by receiver.
func (o *Outbox) route(rows columnar.Rows) {
	keys := make([]*columnar.Vector, len(o.keys))
	for i, k := range o.keys {
		keys[i] = rows.Cols[k]
	}
	o.hashes = columnar.HashRows(o.hashes, keys, rows.Len)
	for r := range o.sel {
		o.sel[r] = slices.Grow(o.sel[r][:0], rows.Len)
	}
	n := uint64(len(o.receivers))
	for i, h := range o.hashes {
		r := h % n
		o.sel[r] = append(o.sel[r], int32(i))
	}
}

func (o *Outbox) sendLarge(ctx context.Context, r int) error {
	if p := &o.pending[r]; p.Len >= batchRows || p.ValueBytes() >= o.enough {
		return o.send(ctx, r)
	}
	return nil
}

func (o *Outbox) send(ctx context.Context, r int) error {
	p := &o.pending[r]
	if p.Len == 0 {
		return nil
	}
	b := columnar.Batch(o.alloc, o.schema, p.Cols, p.Len)
	p.Reset()
	return o.receivers[r].Send(ctx, b)
}

// Finish sends what is left and tells every receiver that this sender is done.
func (o *Outbox) Finish(ctx context.Context) error {
	for r := range o.receivers {
		if err := o.send(ctx, r); err != nil {
			return err
		}
	}
	for _, r := range o.receivers {
		r.Done()
	}
	o.pending = nil
	return nil
}
