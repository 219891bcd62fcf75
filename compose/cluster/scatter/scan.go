// Package scatter turns the rows of batch k of a split of a scan's table into one message for each
// receiver.
//
// A receiver is an input of a node behind an exchange, on one replica. Each gets
// exactly one message for a batch, empty or not, with the batch's number as its id, so
// that receivers can tell what is missing. The bytes of a message are a function of the
// job, the receiver, the split, the batch and the known keys of build sides. Keys only drop rows
// without a partner. So scattering is idempotent: a batch may be scattered any number
// of times, by any gateway.
//
// Nothing here blocks, sends or reads a clock. Gateways and simulations both use it.
package scatter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

var (
	// ErrTooLarge is wrapped by the error of a batch whose rows do not fit into the
	// messages.
	ErrTooLarge = errors.New("the batch is too large")
	// ErrClosed is the error of a batch that comes after Close.
	ErrClosed = errors.New("the scan is closed")
)

// Scan makes the messages of one scan of a job. All methods may be called
// concurrently: each batch runs through a chain of its own.
type Scan struct {
	rt     *operators.Runtime
	spec   *protocol.Spec
	node   *physical.Node
	stage  *physical.Stage // the part of the scan's stage that the scan feeds
	schema columnar.Schema // of batches

	mu     sync.Mutex
	sets   []*keyset.Set // one for each of the scan's filters; nil while its keys are unknown
	idle   []*chain      // unused chains, made for these sets
	closed bool
}

// New returns the scan of a node of the job's plan, with no keys known yet. It fails if
// the node is no scan, or if the operators behind it do not fit its rows.
func New(rt *operators.Runtime, spec *protocol.Spec, node int) (*Scan, error) {
	n, err := protocol.ScanNode(spec, node)
	if err != nil {
		return nil, err
	}
	s := &Scan{rt: rt, spec: spec, node: n, sets: make([]*keyset.Set, len(n.Scan.Filters))}
	if s.schema, err = protocol.UploadSchema(spec, node); err != nil {
		return nil, err
	}
	if s.stage, err = exec.SubStage(spec.Plan, spec.Plan.Stages[n.Stage], node); err != nil {
		return nil, err
	}
	c, err := newChain(s, s.sets)
	if err != nil {
		return nil, err
	}
	s.idle = append(s.idle, c)
	return s, nil
}

// Schema returns the columns of batches.
func (s *Scan) Schema() columnar.Schema { return s.schema }

// Know sets the keys that each of the scan's filters lets pass, nil for all. The sets must
// not change while they are in use: until Know gets others or the scan is closed, and the
// batches under way by then are finished.
func (s *Scan) Know(sets []*keyset.Set) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Equal(s.sets, sets) {
		return nil
	}
	s.sets = sets
	return s.closeIdleLocked()
}

// Batch makes the messages of batch number k of a split, whose rows it borrows. Errors wrap
// ErrTooLarge or ErrClosed, or come from the plan's operators.
func (s *Scan) Batch(ctx context.Context, split int, k uint64, rows columnar.Rows) ([]broker.Message, error) {
	c, err := s.take()
	if err != nil {
		return nil, err
	}
	messages, err := c.run(ctx, s.envelope(split, k), rows)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return messages, s.put(c)
}

// envelope is that of the messages of a batch, without what they say of a receiver.
func (s *Scan) envelope(split int, k uint64) envelope.Envelope {
	return envelope.Envelope{Kind: envelope.Data, Sender: envelope.ScanSender(s.node.ID, split), ID: k}
}

// Ends makes the messages that tell every receiver how many batches a split has. It also
// frees the idle chains, since few batches come after the end, if any.
func (s *Scan) Ends(split int, batches uint64) ([]broker.Message, error) {
	if err := s.rest(); err != nil {
		return nil, err
	}
	var out []broker.Message
	for _, id := range s.stage.Nodes {
		for _, way := range s.spec.Outlets(id) {
			for _, replica := range way.Receivers {
				e := s.envelope(split, batches)
				e.Kind = envelope.End
				m, err := s.message(way, replica, e, nil)
				if err != nil {
					return nil, err
				}
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// message makes a message. It completes the envelope with the fields that follow from the outlet.
func (s *Scan) message(way protocol.Outlet, replica int, e envelope.Envelope, body []byte) (broker.Message, error) {
	e.Job, e.Node, e.Input, e.Replica = s.spec.ID, way.Node, way.Input, replica
	m, err := envelope.Append(nil, e, body)
	if errors.Is(err, envelope.ErrTooLarge) {
		err = fmt.Errorf("%w: worker %d would get %d rows of it in one message of %d bytes; %d are possible",
			ErrTooLarge, replica, e.Rows, len(body), envelope.MaxBody)
	}
	return broker.Message{Queue: s.spec.Queue(replica), Body: m}, err
}

// take returns an idle chain, or a new one.
func (s *Scan) take() (*chain, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.idle)
	switch {
	case s.closed:
		return nil, ErrClosed
	case n == 0:
		return newChain(s, s.sets)
	}
	c := s.idle[n-1]
	s.idle = s.idle[:n-1]
	return c, nil
}

// put returns a chain after use.
func (s *Scan) put(c *chain) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || !slices.Equal(c.sets, s.sets) {
		return c.close()
	}
	s.idle = append(s.idle, c)
	return nil
}

// rest closes the idle chains.
func (s *Scan) rest() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeIdleLocked()
}

// Close releases the scan's resources. Batches under way are still finished.
func (s *Scan) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.closeIdleLocked()
}

func (s *Scan) closeIdleLocked() error {
	var errs []error
	for _, c := range s.idle {
		errs = append(errs, c.close())
	}
	s.idle = nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the chains of scan %d: %w", s.node.ID, err)
	}
	return nil
}
