package gateway

import (
	"context"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/shuffle/envelope"
)

// chain runs the rows of batches, one batch at a time, through the conditions of
// a scan and the part of its stage behind it. It has one user.
type chain struct {
	feed      *feed
	sets      []*keyset.Set
	selection *exec.Selection
	pipeline  *exec.Pipeline
	outlets   []*collector
	total     *int64 // bytes collected of the batch
	scratch   []byte
}

func newChain(f *feed, sets []*keyset.Set) (*chain, error) {
	c := &chain{feed: f, sets: sets, total: new(int64)}
	var err error
	if c.selection, err = exec.NewSelection(f.rt, f.node.Scan, f.schema, sets); err != nil {
		return nil, err
	}
	c.pipeline, err = exec.New(f.rt, f.spec.Plan, f.stage, c.outletsOf)
	return c, err
}

// outletsOf makes the outlets of a node.
func (c *chain) outletsOf(node int) ([]exec.Outlet, error) {
	var out []exec.Outlet
	for _, way := range c.feed.spec.Outlets(node) {
		o, err := newCollector(c.feed.spec, node, way, c.total)
		if err != nil {
			return nil, err
		}
		c.outlets = append(c.outlets, o)
		out = append(out, o)
	}
	return out, nil
}

// run makes the messages of a batch: one for each receiver of each outlet. After
// an error the chain can only be closed.
func (c *chain) run(ctx context.Context, batch uint64, rows columnar.Rows) ([]outgoing, error) {
	in := exec.Port{Node: c.feed.node.ID}
	push := func(rows columnar.Rows) error { return c.pipeline.Push(ctx, in, rows) }
	if err := c.selection.EachOf(rows, push); err != nil {
		return nil, err
	}
	if err := c.pipeline.Finish(ctx, in); err != nil {
		return nil, err
	}
	var out []outgoing
	var err error
	for _, o := range c.outlets {
		if out, err = o.encode(out, c, batch); err != nil {
			return nil, err
		}
	}
	*c.total = 0
	return out, nil
}

// dataEnvelope is the envelope of what a batch has for one receiver.
func dataEnvelope(spec *protocol.Spec, scan int, way protocol.Outlet, replica int, batch uint64, rows int) envelope.Envelope {
	return envelope.Envelope{
		Job: spec.ID, Node: way.Node, Input: way.Input, Replica: replica,
		Sender: envelope.ScanSender(scan), Kind: envelope.Data, ID: batch, Rows: rows,
	}
}

func (c *chain) close() error { return c.pipeline.Close() }
