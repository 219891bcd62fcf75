package gateway

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/grpc/codes"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// collector is one way out of a scan stage: it holds the rows of a batch by
// receiver until the batch is through.
type collector struct {
	spec   *protocol.Spec
	scan   int
	way    protocol.Outlet
	schema columnar.Schema
	keys   []int
	rows   []columnar.Rows // by receiver
	total  *int64          // bytes of all collectors of the chain
	hashes []uint64
	sel    [][]int32
}

const (
	// maxCollected is how many bytes of values become of one batch at most.
	maxCollected = 16 * envelope.MaxMessage
	// maxReceived is how many of them one receiver can be sent: values may take
	// less room in a message than in memory, bits for example.
	maxReceived = 8 * envelope.MaxMessage
	// keptBytes is how much memory a receiver's rows keep for the next batch.
	keptBytes = 1 << 20
)

func newCollector(spec *protocol.Spec, node int, way protocol.Outlet, total *int64) (*collector, error) {
	schema := spec.Plan.Nodes[node].Schema
	keys, err := schema.Positions(way.Keys)
	if err != nil {
		return nil, err
	}
	c := &collector{
		spec: spec, scan: spec.ScanOf(node), way: way, schema: schema, keys: keys, total: total,
		rows: make([]columnar.Rows, len(way.Receivers)), sel: make([][]int32, len(way.Receivers)),
	}
	for r := range c.rows {
		c.rows[r] = columnar.NewRows(schema)
	}
	return c, nil
}

// Push takes rows for their receivers.
func (c *collector) Push(_ context.Context, rows columnar.Rows) error {
	size := rows.ValueBytes()
	if *c.total += size; *c.total > maxCollected {
		return tooLarge("%d bytes become of it; %d are possible", *c.total, maxCollected)
	}
	if len(c.rows) == 1 || len(c.keys) == 0 {
		c.rows[0].AppendRange(rows, 0, rows.Len)
		return c.check(0)
	}
	c.route(rows)
	for r, sel := range c.sel {
		if len(sel) == 0 {
			continue
		}
		c.rows[r].AppendGather(rows, sel)
		if err := c.check(r); err != nil {
			return err
		}
	}
	return nil
}

// check gives up early on rows that no message can hold.
func (c *collector) check(r int) error {
	if size := c.rows[r].ValueBytes(); size > maxReceived {
		return tooLarge("one worker would get %d bytes of it in one message", size)
	}
	return nil
}

// route sorts the positions of rows by receiver, as every sender does: the hash of
// the keys modulo the number of receivers.
func (c *collector) route(rows columnar.Rows) {
	keys := rows.Project(c.keys)
	c.hashes = columnar.HashRows(c.hashes, keys.Cols, rows.Len)
	for r := range c.sel {
		c.sel[r] = c.sel[r][:0]
	}
	n := uint64(len(c.rows))
	for i, h := range c.hashes {
		r := h % n
		c.sel[r] = append(c.sel[r], int32(i))
	}
}

// Finish does nothing: encode is called when the whole chain has finished.
func (c *collector) Finish(context.Context) error { return nil }

// encode appends the message of each receiver, and empties the collector.
func (c *collector) encode(out []outgoing, chain *chain, batch uint64) ([]outgoing, error) {
	out = slices.Grow(out, len(c.rows))
	for r, replica := range c.way.Receivers {
		rows := &c.rows[r]
		body, err := ipc.Append(chain.scratch[:0], c.schema, *rows)
		if err != nil {
			return nil, err
		}
		e := dataEnvelope(c.spec, c.scan, c.way, replica, batch, rows.Len)
		m, err := envelope.Append(nil, e, body)
		if errors.Is(err, envelope.ErrTooLarge) || len(m) >= broker.MaxBody {
			return nil, tooLarge("worker %d would get %d rows of it in one message of %d bytes; %d are possible", replica, rows.Len, len(body), envelope.MaxBody)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, outgoing{c.spec.Queue(c.way.Node, c.way.Input, replica), m})
		if chain.scratch = body; cap(body) > keptBytes {
			chain.scratch = nil
		}
		if rows.Reset(); rows.Size() > keptBytes {
			*rows = columnar.NewRows(c.schema)
		}
	}
	return out, nil
}

func tooLarge(format string, args ...any) error {
	return protocol.Errorf(codes.ResourceExhausted, protocol.TooLarge, "the batch is too large: "+format+"; open the job with smaller blocks (--block-size)", args...)
}
