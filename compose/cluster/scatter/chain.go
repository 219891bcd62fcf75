package scatter

import (
	"context"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/shuffle"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// chain runs batches, one at a time, through the selection of a scan and the part of the
// stage behind it. It has one user at a time.
type chain struct {
	scan      *Scan
	sets      []*keyset.Set
	selection *exec.Selection
	pipeline  *exec.Pipeline
	outlets   []*outlet
	total     int64  // bytes of values that the batch has produced so far
	scratch   []byte // reused for the body of a message
}

func newChain(s *Scan, sets []*keyset.Set) (*chain, error) {
	c := &chain{scan: s, sets: sets}
	var err error
	if c.selection, err = exec.NewSelection(s.rt, s.node.Scan, s.schema, sets); err != nil {
		return nil, err
	}
	if c.pipeline, err = exec.New(s.rt, s.spec.Plan, s.stage, c.outletsOf); err != nil {
		return nil, err
	}
	return c, nil
}

// outletsOf makes the outlets of a node.
func (c *chain) outletsOf(node int) ([]exec.Outlet, error) {
	var out []exec.Outlet
	for _, way := range c.scan.spec.Outlets(node) {
		o, err := newOutlet(c, node, way)
		if err != nil {
			return nil, err
		}
		c.outlets = append(c.outlets, o)
		out = append(out, o)
	}
	return out, nil
}

// run makes the messages of the batch of an envelope. After an error the chain can only be closed.
func (c *chain) run(ctx context.Context, of envelope.Envelope, rows columnar.Rows) ([]broker.Message, error) {
	in := exec.Port{Node: c.scan.node.ID}
	push := func(rows columnar.Rows) error { return c.pipeline.Push(ctx, in, rows) }
	if err := c.selection.EachOf(rows, push); err != nil {
		return nil, err
	}
	if err := c.pipeline.Finish(ctx, in); err != nil {
		return nil, err
	}
	var out []broker.Message
	var err error
	for _, o := range c.outlets {
		if out, err = o.encode(out, of); err != nil {
			return nil, err
		}
	}
	c.reset()
	return out, nil
}

// reset empties the chain. It keeps a limited amount of memory for the next batch, which is
// likely of similar size: allocating memory again costs as much as filling it.
func (c *chain) reset() {
	left := int64(keptBytes)
	if limit := c.scan.rt.Budget.Limit(); limit > 0 {
		left = min(left, limit/keptShare)
	}
	keep := func(size int64) bool {
		kept := size <= left
		if kept {
			left -= size
		}
		return kept
	}
	if !keep(int64(cap(c.scratch))) {
		c.scratch = nil
	}
	for _, o := range c.outlets {
		for r := range o.rows {
			if o.rows[r].Reset(); !keep(o.rows[r].Size()) {
				o.rows[r] = columnar.NewRows(o.schema)
			}
		}
	}
	c.total = 0
}

func (c *chain) close() error { return c.pipeline.Close() }

// outlet is one way out of a scan's stage. It holds the rows of a batch by receiver
// until the whole batch has passed the chain.
type outlet struct {
	chain  *chain
	way    protocol.Outlet
	schema columnar.Schema
	router *shuffle.Router
	rows   []columnar.Rows // by receiver
}

const (
	// maxCollected is the most bytes of values that one batch may produce.
	maxCollected = 16 * broker.MaxMessage
	// maxReceived is the most of these bytes for one receiver. It exceeds a message,
	// since values may take less room there than in memory, bits for example.
	maxReceived = 8 * broker.MaxMessage
	// keptBytes is the most memory that a chain keeps for its next batch; it also keeps
	// at most one in keptShare bytes of the budget.
	keptBytes = 16 << 20
	keptShare = 8
)

func newOutlet(c *chain, node int, way protocol.Outlet) (*outlet, error) {
	schema := c.scan.spec.Plan.Nodes[node].Schema
	keys, err := schema.Positions(way.Keys)
	if err != nil {
		return nil, err
	}
	o := &outlet{
		chain: c, way: way, schema: schema,
		router: shuffle.NewRouter(keys, len(way.Receivers)), rows: make([]columnar.Rows, len(way.Receivers)),
	}
	for r := range o.rows {
		o.rows[r] = columnar.NewRows(schema)
	}
	return o, nil
}

// Push adds rows to those of their receivers.
func (o *outlet) Push(_ context.Context, rows columnar.Rows) error {
	if o.chain.total += rows.ValueBytes(); o.chain.total > maxCollected {
		return fmt.Errorf("%w: %d bytes become of it; %d are possible", ErrTooLarge, o.chain.total, maxCollected)
	}
	if o.router.Single() {
		o.rows[0].AppendRange(rows, 0, rows.Len)
		return o.check(0)
	}
	for r, chosen := range o.router.Route(rows) {
		if len(chosen) == 0 {
			continue
		}
		o.rows[r].AppendGather(rows, chosen)
		if err := o.check(r); err != nil {
			return err
		}
	}
	return nil
}

// check fails early if a receiver's rows cannot fit into a message.
func (o *outlet) check(r int) error {
	if size := o.rows[r].ValueBytes(); size > maxReceived {
		return fmt.Errorf("%w: worker %d would get %d bytes of it in one message", ErrTooLarge, o.way.Receivers[r], size)
	}
	return nil
}

// Finish does nothing: encode is called when the whole chain has finished.
func (o *outlet) Finish(context.Context) error { return nil }

// encode appends the message of each receiver.
func (o *outlet) encode(out []broker.Message, of envelope.Envelope) ([]broker.Message, error) {
	out = slices.Grow(out, len(o.rows))
	for r, replica := range o.way.Receivers {
		rows := &o.rows[r]
		body, err := ipc.Append(o.chain.scratch[:0], o.schema, *rows)
		if err != nil {
			return nil, err
		}
		of.Rows = rows.Len
		m, err := o.chain.scan.message(o.way, replica, of, body)
		if err != nil {
			return nil, err
		}
		out, o.chain.scratch = append(out, m), body
	}
	return out, nil
}
