// Package shuffle moves batches between stages: which receiver a row goes to,
// and how it gets there.
//
// A Router routes rows by xxhash64 of their key columns modulo the number of
// receivers (columnar.HashRows). An Outbox is the sending end of a task: it
// collects rows by receiver and sends them in batches. A Queue is the receiving
// end, one for each input of each replica. It applies backpressure to senders
// while its receiver is at work, but not before the receiver listens: until then
// it spills the excess to disk, as a broker would. So a join can take its build
// side first without any sender waiting for another.
package shuffle

import (
	"context"

	"analyzer/columnar"
)

// Receiver takes batches of rows.
type Receiver interface {
	// Send takes rows, which it borrows.
	Send(ctx context.Context, rows columnar.Rows) error
	// Done says that one sender has sent its last rows.
	Done()
}

// Outbox routes the rows of one sender to receivers. It has one user at a time.
type Outbox struct {
	schema    columnar.Schema
	router    *Router
	receivers []Receiver
	hold      int64         // bytes at which held is sent
	held      columnar.Rows // small pushes, collected; for all receivers. It is made when it is needed, as page is: there may be many senders
	page      columnar.Rows // rows on their way to one receiver
}

// Rows are routed in parts of about partRows rows or partBytes bytes. A batch has
// at most batchRows rows and about batchBytes bytes: large enough to amortize the
// cost per batch, small enough for a processor cache.
const (
	partRows   = 64 << 10
	partBytes  = 1 << 20
	batchRows  = 16 << 10
	batchBytes = 256 << 10
)

// NewOutbox returns an outbox for rows of a schema, routed by the columns at the
// positions keys. Without keys everything goes to the first receiver.
func NewOutbox(schema columnar.Schema, keys []int, receivers []Receiver) *Outbox {
	return &Outbox{
		schema: schema, router: NewRouter(keys, len(receivers)), receivers: receivers, hold: partBytes,
	}
}

// Hold sets how many bytes of rows are collected before they are sent: at most
// 1 MiB, which is the default. Fewer bytes make smaller batches.
func (o *Outbox) Hold(bytes int64) { o.hold = min(bytes, partBytes) }

// Push routes rows. A small push is held until more rows come; a large one is sent
// at once, without another copy.
func (o *Outbox) Push(ctx context.Context, rows columnar.Rows) error {
	if rows.Len >= partRows/2 || rows.ValueBytes() >= o.hold/2 {
		return o.dispatch(ctx, rows)
	}
	if o.held.Cols == nil {
		o.held = columnar.NewRows(o.schema)
	}
	o.held.AppendRange(rows, 0, rows.Len)
	if o.held.Len >= partRows || o.held.ValueBytes() >= o.hold {
		return o.flush(ctx)
	}
	return nil
}

func (o *Outbox) flush(ctx context.Context) error {
	err := o.dispatch(ctx, o.held)
	o.held.Reset()
	return err
}

// dispatch sends rows to their receivers.
func (o *Outbox) dispatch(ctx context.Context, rows columnar.Rows) error {
	if o.router.Single() {
		return inBatches(rows, func(batch columnar.Rows) error { return o.receivers[0].Send(ctx, batch) })
	}
	return rows.InParts(min(partRows, rows.Fitting(partBytes)), func(part columnar.Rows) error { return o.route(ctx, part) })
}

// inBatches hands rows to f in parts that are batches.
func inBatches(rows columnar.Rows, f func(columnar.Rows) error) error {
	return rows.InParts(min(batchRows, rows.Fitting(batchBytes)), f)
}

// route sends each row to the receiver of its key.
func (o *Outbox) route(ctx context.Context, rows columnar.Rows) error {
	if o.page.Cols == nil {
		o.page = columnar.NewRows(o.schema)
	}
	for r, chosen := range o.router.Route(rows) {
		if len(chosen) == 0 {
			continue
		}
		if err := inBatches(rows.Chosen(chosen, &o.page), func(batch columnar.Rows) error { return o.receivers[r].Send(ctx, batch) }); err != nil {
			return err
		}
	}
	return nil
}

// Finish sends what is left and tells every receiver that this sender is done.
func (o *Outbox) Finish(ctx context.Context) error {
	if err := o.flush(ctx); err != nil {
		return err
	}
	for _, r := range o.receivers {
		r.Done()
	}
	o.held, o.page, o.router = columnar.Rows{}, columnar.Rows{}, nil
	return nil
}
