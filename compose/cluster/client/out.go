package client

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
)

// out takes the batches of one scan from one goroutine.
type out interface {
	// put hands over a batch, whose rows it borrows. It waits while too many are not acknowledged. large is a cell of
	// the batch that is too large for any message to a worker; nil: there is none.
	put(number uint64, rows columnar.Rows, large *cell) error
	// close waits until every batch is acknowledged. put must not be called after it.
	close() error
	// abandoned waits, once the context has ended, until nothing is sent any more.
	abandoned()
}

// Inlet is how a client in a gateway's process hands batches to it: as rows, without a call. One goroutine
// uses it.
type Inlet interface {
	// Put hands over a batch, whose rows it borrows. It waits while too many are not acknowledged.
	Put(number uint64, rows columnar.Rows) error
	// Close waits until every batch is acknowledged, or the context of the upload has ended. Put must not
	// be called after it.
	Close() error
}

// out returns where the batches of a scan go.
func (u *uploader) out(ctx context.Context, scan int, acked func(number uint64)) (out, error) {
	if u.Inlet == nil {
		return newStream(ctx, u.job, scan, u.split(), acked)
	}
	put := protocol.Put{Job: u.job.Spec.ID, Node: scan, Split: u.split()}
	to, err := u.Inlet(ctx, put, acked)
	return inlet{to, opOf(u.job.Spec.Plan.Nodes[scan].Scan.Table)}, err
}

// inlet is an Inlet as an out.
type inlet struct {
	to Inlet
	op string
}

func (in inlet) put(number uint64, rows columnar.Rows, large *cell) error {
	return in.named(large.blame(in.to.Put(number, rows)))
}

func (in inlet) close() error { return in.named(in.to.Close()) }

func (in inlet) abandoned() { _ = in.to.Close() }

func (in inlet) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", in.op, err)
}
