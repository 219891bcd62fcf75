package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
)

// batch is one message on its way to a gateway.
type batch struct {
	number       uint64
	header, body []byte // both nil: no rows
	message      []byte // the buffer that header and body are parts of
	cell         *cell  // a cell too large for any message to a worker; nil: none
	calls        int    // how many calls have sent it
}

// stream uploads the batches of one scan. One user puts batches and then closes it; one
// goroutine keeps the unacknowledged batches and sends them again when the connection breaks.
type stream struct {
	client  *Client
	op      string
	command []byte          // descriptor
	schema  columnar.Schema // of the batches
	header  []byte          // of the first message
	acked   func(number uint64)
	cancel  context.CancelFunc

	in      chan batch
	free    chan []byte   // buffers of acknowledged messages, to be reused
	unacked []batch       // in the order of sending
	bytes   int           // of the messages of these
	done    chan struct{} // closed when run has ended
	err     error         // why run ended; valid once done is closed
}

// Bounds of what may be unacknowledged: enough to keep a gateway busy while it waits for the broker, little enough to
// hold it in memory.
const (
	window      = protocol.Window
	largeWindow = protocol.Window / 2 // of batches that have windowBytes
	windowBytes = 8 << 20
)

// full reports whether as much is unacknowledged as may be.
func (s *stream) full() bool {
	return len(s.unacked) >= window || len(s.unacked) >= largeWindow && s.bytes >= windowBytes
}

// newStream starts a stream of batches of a split of a scan's table. It calls acked, from the stream's goroutine, for each batch that
// a gateway acknowledged.
func newStream(ctx context.Context, j *Job, scan, split int, acked func(number uint64)) (*stream, error) {
	schema, err := protocol.UploadSchema(j.Spec, scan)
	if err != nil {
		return nil, err
	}
	header, err := ipc.Schema(schema.Arrow())
	if err != nil {
		return nil, err
	}
	command, err := json.Marshal(protocol.Put{Job: j.Spec.ID, Node: scan, Split: split})
	if err != nil {
		return nil, fmt.Errorf("describe an upload: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &stream{
		cancel: cancel, client: j.client, op: opOf(j.Spec.Plan.Nodes[scan].Scan.Table),
		command: command, schema: schema, header: header, acked: acked,
		in: make(chan batch), free: make(chan []byte, window), done: make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		s.err = s.run(ctx)
	}()
	return s, nil
}

// put hands over a batch. It waits while the window is full, and returns the stream's error
// if the stream has ended.
func (s *stream) put(number uint64, rows columnar.Rows, large *cell) error {
	b := batch{number: number, cell: large}
	if rows.Len > 0 {
		if err := b.encode(s.room(), s.schema, rows); err != nil {
			return fmt.Errorf("%s: %w", s.op, err)
		}
	}
	select {
	case s.in <- b:
		return nil
	case <-s.done:
		return s.err
	}
}

// encode makes the message of a batch in a buffer.
func (b *batch) encode(room []byte, schema columnar.Schema, rows columnar.Rows) (err error) {
	if b.message, err = ipc.Append(room, schema, rows); err != nil {
		return err
	}
	if len(b.message) > protocol.MaxBatch {
		return b.tooLarge(rows.Len)
	}
	b.header, b.body, err = ipc.Split(b.message)
	return err
}

// tooLarge is the error of a batch too large for any gateway.
func (b *batch) tooLarge(rows int) error {
	if b.cell != nil {
		return errors.New(b.cell.String())
	}
	return fmt.Errorf("block %d makes a batch of %d rows in %d bytes, more than a batch can have; smaller blocks help", b.number, rows, len(b.message))
}

// room returns a buffer for the message of a batch: that of an acknowledged batch, or nil.
func (s *stream) room() []byte {
	select {
	case message := <-s.free:
		return message[:0]
	default:
		return nil
	}
}

// close waits until every batch is acknowledged. put must not be called after it.
func (s *stream) close() error {
	close(s.in)
	<-s.done
	return s.err
}

func (s *stream) abandon() {
	s.cancel()
	<-s.done
}

// run sends batches until the stream is closed and all are acknowledged. It holds no
// connection while there is nothing to send.
func (s *stream) run(ctx context.Context) error {
	for {
		if len(s.unacked) == 0 {
			select {
			case b, open := <-s.in:
				if !open {
					return nil
				}
				s.add(b)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		err := s.client.again(ctx, s.op, true, func(g *gateway) (moved bool, err error) {
			moved, err = s.attempt(ctx, g)
			if len(s.unacked) == 0 {
				err = nil // nothing is left to send again, and the next batch begins a new call
			}
			return moved, err
		})
		if err != nil {
			return s.blame(err)
		}
	}
}

// add adds a batch to the unacknowledged ones.
func (s *stream) add(b batch) { s.unacked, s.bytes = append(s.unacked, b), s.bytes+len(b.message) }

// blame adds to a refusal the cell that is too large for any message, if there is one.
func (s *stream) blame(err error) error {
	for _, b := range s.unacked {
		if b.cell != nil {
			return b.cell.blame(err)
		}
	}
	return err
}

// attempt sends the unacknowledged batches, and then new ones, on one call. It ends without
// an error when the stream is closed and all is acknowledged, or to make room for another
// call.
func (s *stream) attempt(ctx context.Context, g *gateway) (moved bool, err error) {
	ctx, cancel := context.WithCancel(protocol.WithToken(ctx, s.client.cfg.Token))
	defer cancel()
	put, err := g.flight.DoPut(ctx)
	if err != nil {
		return false, err
	}
	r := receive(ctx, put)
	defer func() { // the receiver must have stopped reading the call before this returns
		cancel()
		_ = r.failure(nil)
	}()
	if err := s.begin(put); err != nil {
		return false, r.failure(err)
	}
	in := s.in
	for {
		if len(s.unacked) == 0 && in == nil {
			r.finish(put)
			return moved, nil
		}
		source := in
		if s.full() {
			source = nil
		}
		var wanted <-chan chan struct{}
		if len(s.unacked) == 0 {
			wanted = s.client.room
		}
		select {
		case b, open := <-source:
			if !open {
				in = nil
				if err := put.CloseSend(); err != nil { // the gateway need not wait for more
					return moved, r.failure(err)
				}
				continue
			}
			b.calls++
			s.add(b)
			if err := send(put, b); err != nil {
				return moved, r.failure(err)
			}
		case made := <-wanted:
			r.finish(put)
			close(made)
			return moved, nil
		case number, more := <-r.acks:
			if !more {
				return moved, r.failure(errEnded)
			}
			moved = s.settle(number) || moved
		case <-ctx.Done():
			return moved, context.Cause(ctx)
		}
	}
}

// begin sends the schema and every unacknowledged batch.
func (s *stream) begin(put flight.FlightService_DoPutClient) error {
	first := &flight.FlightData{
		FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: s.command},
		DataHeader:       s.header,
	}
	if err := put.Send(first); err != nil {
		return err
	}
	for i := range s.unacked {
		s.unacked[i].calls++
		if err := send(put, s.unacked[i]); err != nil {
			return err
		}
	}
	return nil
}

// send sends a batch, in as many messages as it needs.
func send(put flight.FlightService_DoPutClient, b batch) error {
	d := &flight.FlightData{DataHeader: b.header, AppMetadata: protocol.EncodeNumber(b.number)}
	for rest := b.body; ; {
		room := protocol.MaxMessage - protocol.Margin - len(d.DataHeader)
		n := min(max(room, 0), len(rest))
		d.DataBody, rest = rest[:n], rest[n:]
		if err := put.Send(d); err != nil || len(rest) == 0 {
			return err
		}
		d = &flight.FlightData{}
	}
}

// settle forgets an acknowledged batch, and reports whether it was unacknowledged before. If
// only this call sent it, all of it is sent, and its buffer is free for reuse. If an earlier
// call sent it too, that call may not have ended at its gateway and may still be sending the
// bytes, so they must not change.
func (s *stream) settle(number uint64) bool {
	for i, b := range s.unacked {
		if b.number == number {
			s.unacked, s.bytes = append(s.unacked[:i], s.unacked[i+1:]...), s.bytes-len(b.message)
			if b.calls == 1 && b.message != nil {
				select {
				case s.free <- b.message:
				default:
				}
			}
			s.acked(number)
			return true
		}
	}
	return false
}

// errEnded means that a gateway ended the call because it is shutting down in order.
var errEnded = status.Error(codes.Unavailable, "the gateway ended the upload")

// receiver reads a gateway's acknowledgements of an upload.
type receiver struct {
	acks chan uint64 // closed at the end
	err  error       // valid once acks is closed; nil: the gateway ended the call in order
}

// receive starts reading. The caller ends the call and drains acks until it is closed.
func receive(ctx context.Context, put flight.FlightService_DoPutClient) *receiver {
	r := &receiver{acks: make(chan uint64, 2*window)}
	go func() {
		defer close(r.acks)
		for {
			result, err := put.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			var number uint64
			if err == nil {
				number, err = protocol.DecodeNumber(result.AppMetadata)
			}
			if err != nil {
				r.err = err
				return
			}
			select {
			case r.acks <- number:
			case <-ctx.Done():
				return
			}
		}
	}()
	return r
}

// failure waits for the end of a call and returns the gateway's reason, or else err: a failed
// send alone only shows that the call is over.
func (r *receiver) failure(err error) error {
	for range r.acks { // drop them: their batches will be sent again
	}
	return cmp.Or(r.err, err)
}

// goodbye is how long a gateway may take to end a call of which everything is acknowledged. A
// gateway that takes longer does no harm.
const goodbye = 2 * time.Second

// finish ends a call of which everything is acknowledged.
func (r *receiver) finish(put flight.FlightService_DoPutClient) {
	if put.CloseSend() != nil {
		return
	}
	select {
	case <-r.acks: // no acknowledgement is due, so this is the end
	case <-time.After(goodbye):
	}
}
