package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/flight"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// feed is one scan of a job, made ready for uploads: what its batches look like,
// and what is made of them. Any number of streams use it at once; each batch is
// run through a chain of its own.
type feed struct {
	spec   *protocol.Spec
	node   *planner.Node // the scan
	stage  *planner.Stage
	schema columnar.Schema // of batches
	arrow  *arrow.Schema
	header []byte // of the message with the schema, as our own clients write it
	rt     *operators.Runtime

	mu     sync.Mutex
	sets   []*keyset.Set // of the scan's filters, as far as they are known
	idle   []*chain      // made for these sets
	closed bool
}

func newFeed(rt *operators.Runtime, spec *protocol.Spec, node int) (*feed, error) {
	n, err := protocol.ScanNode(spec, node)
	if err != nil {
		return nil, err
	}
	f := &feed{spec: spec, node: n, rt: rt, sets: make([]*keyset.Set, len(n.Scan.Filters))}
	if f.schema, err = protocol.UploadSchema(spec, node); err != nil {
		return nil, err
	}
	f.arrow = f.schema.Arrow()
	if f.header, err = protocol.SchemaHeader(f.schema); err != nil {
		return nil, err
	}
	f.stage, err = exec.SubStage(spec.Plan, spec.Plan.Stages[n.Stage], node)
	return f, err
}

// outlets returns the ways out of the scan's part of the stage, with the nodes
// whose rows take them.
func (f *feed) outlets() (nodes []int, ways []protocol.Outlet) {
	for _, id := range f.stage.Nodes {
		for _, way := range f.spec.Outlets(id) {
			nodes, ways = append(nodes, id), append(ways, way)
		}
	}
	return nodes, ways
}

// checkSchema checks that a stream's schema is that of the scan.
func (f *feed) checkSchema(header []byte) error {
	if bytes.Equal(header, f.header) {
		return nil
	}
	if err := matchSchema(header, f.schema); err != nil {
		return badBatch("the schema is not that of scan %d, which reads %s: %v", f.node.ID, f.schema, err)
	}
	return nil
}

// know tells the keys of the scan's filters, nil where they are not known.
func (f *feed) know(sets []*keyset.Set) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Equal(f.sets, sets) {
		return nil
	}
	f.sets = sets
	return f.closeIdleLocked()
}

// process makes the messages of batch number k.
func (f *feed) process(ctx context.Context, k uint64, d *flight.FlightData) (messages []outgoing, rows int, err error) {
	b, in, err := f.decode(d)
	if err != nil {
		return nil, 0, err
	}
	defer b.Release()
	c, err := f.take()
	if err != nil {
		return nil, 0, err
	}
	messages, err = c.run(ctx, k, in)
	if err != nil {
		return nil, 0, errors.Join(err, c.close())
	}
	return messages, int(b.NumRows()), f.put(c)
}

// take returns a chain that nobody uses.
func (f *feed) take() (*chain, error) {
	f.mu.Lock()
	sets := f.sets
	if n := len(f.idle); n > 0 {
		c := f.idle[n-1]
		f.idle = f.idle[:n-1]
		f.mu.Unlock()
		return c, nil
	}
	f.mu.Unlock()
	return newChain(f, sets)
}

// put gives a chain back.
func (f *feed) put(c *chain) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || !slices.Equal(c.sets, f.sets) {
		return c.close()
	}
	f.idle = append(f.idle, c)
	return nil
}

func (f *feed) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return f.closeIdleLocked()
}

func (f *feed) closeIdleLocked() error {
	var errs []error
	for _, c := range f.idle {
		errs = append(errs, c.close())
	}
	f.idle = nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the chains of scan %d: %w", f.node.ID, err)
	}
	return nil
}
