package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/shuffle/broker"
)

// intake receives batches until there are no more.
func (u *upload) intake() {
	defer u.g.intakes.Done()
	defer u.g.rescue("upload", u.fail)
	err := u.receive()
	u.gathered.publish()
	switch {
	case errors.Is(err, io.EOF):
		err = nil
	case !errors.Is(err, errStopping):
		u.fail(err)
		return
	}
	u.change(func() { u.ended, u.end = true, err })
}

// receive receives the descriptor, the schema, and then one batch after the other.
// At the end of the stream it returns io.EOF.
func (u *upload) receive() error {
	put, d, err := u.descriptor()
	if err != nil {
		return err
	}
	k, err := u.g.jobs.find(u.ctx, put.Job, OwnerOf(u.ctx))
	if err != nil {
		return err
	}
	u.change(func() { u.job = put.Job })
	u.split = put.Split
	s, err := u.g.scan(u.ctx, k, put.Node, put.Split)
	if err != nil {
		return err
	}
	if len(d.DataHeader) == 0 {
		if d, err = u.next(); err != nil {
			return err
		}
	}
	if err := checkSchema(s, put.Node, d.DataHeader); err != nil {
		return err
	}
	for {
		if err := u.batch(s); err != nil {
			return err
		}
	}
}

// descriptor receives the first message.
func (u *upload) descriptor() (*protocol.Put, *flight.FlightData, error) {
	d, err := u.next()
	if err != nil {
		return nil, nil, err
	}
	if d.FlightDescriptor == nil || d.FlightDescriptor.Type != flight.DescriptorCMD {
		return nil, nil, refused("an upload begins with a descriptor that is a command")
	}
	put := new(protocol.Put)
	if err := json.Unmarshal(d.FlightDescriptor.Cmd, put); err != nil {
		return nil, nil, refused("read the command of the upload: %v", err)
	}
	return put, d, nil
}

// next receives the client's next message.
func (u *upload) next() (*flight.FlightData, error) {
	d, err := u.stream.Recv()
	if err != nil {
		return nil, err
	}
	u.change(func() {})
	return d, nil
}

// batch receives the first part of a batch and takes it in.
func (u *upload) batch(s *scatter.Scan) error {
	d, err := u.next()
	if err != nil {
		return err
	}
	u.g.jobs.lookUp(u.job) // marks the job as used
	k, err := protocol.DecodeNumber(d.AppMetadata)
	if err != nil {
		return badBatch("a batch must have its number: %v", err)
	}
	if u.window.Acquire(u.ctx, 1) != nil {
		return context.Cause(u.ctx)
	}
	if u.g.stopping() {
		return errStopping // the client sends this batch again
	}
	u.change(func() { u.inHand++ })
	return u.take(s, k, d)
}

// heldFactor is how many copies of a batch are in memory while it is worked on: as
// received, and as rows by receiver.
const heldFactor = 2

// take takes in batch k: it waits for credit, receives the rest of the batch, scatters it
// and gathers the messages. d holds the first part of the batch, or all of it.
func (u *upload) take(s *scatter.Scan, k uint64, d *flight.FlightData) error {
	body, err := bodySize(d)
	if err != nil {
		return batchError(k, err)
	}
	size := int64(len(d.DataHeader)) + body
	if err := u.gathered.acquire(heldFactor * size); err != nil {
		return err
	}
	var messages []broker.Message
	var began time.Time
	if err = u.rest(d, body); err == nil {
		began = time.Now()
		messages, err = u.g.scatter(u.ctx, s, u.split, k, func() (columnar.Rows, error) { return decode(s.Schema(), d) })
	}
	if err != nil {
		u.g.credit.release(heldFactor * size)
		return batchError(k, err)
	}
	u.g.metrics.Bytes.Add(size)
	if u.gathered.add(begun{k, began}, heldFactor*size, messages) {
		u.change(func() {}) // the handler sees to it that it goes on in time
	}
	return nil
}

// published is told what has become of batches. The client gets its answers from the handler.
func (u *upload) published(batches []begun, err error) {
	if err != nil {
		u.fail(err)
		return
	}
	u.change(func() {
		for _, b := range batches {
			u.confirmed = append(u.confirmed, b.number)
		}
		u.inHand -= len(batches)
	})
}

// rest receives the rest of d's body, which has size bytes in all.
func (u *upload) rest(d *flight.FlightData, size int64) error {
	if int64(len(d.DataBody)) == size {
		return nil
	}
	late := time.AfterFunc(u.g.cfg.Stall, func() {
		u.fail(protocol.Errorf(protocol.Trouble, "the rest of a batch did not come within %v; send it again", u.g.cfg.Stall))
	})
	defer late.Stop()
	body := append(slices.Grow(u.body[:0], int(size)), d.DataBody...)
	for int64(len(body)) < size {
		part, err := u.next()
		if errors.Is(err, io.EOF) {
			return badBatch("its body ends after %d of %d bytes", len(body), size)
		}
		if err != nil {
			return err
		}
		if n := int64(len(part.DataBody)); n == 0 || n > size-int64(len(body)) || len(part.DataHeader) > 0 || len(part.AppMetadata) > 0 {
			return badBatch("of its body %d of %d bytes came, and then something else", len(body), size)
		}
		body = append(body, part.DataBody...)
		late.Reset(u.g.cfg.Stall)
	}
	d.DataBody, u.body = body, body
	return nil
}

// scatter makes the messages of batch k of a split of a scan once a processor is free.
func (g *Gateway) scatter(ctx context.Context, s *scatter.Scan, split int, k uint64, decode func() (columnar.Rows, error)) (messages []broker.Message, err error) {
	defer g.rescue("batch", func(fault error) { messages, err = nil, fault })
	if g.processors.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	defer g.processors.Release(1)
	g.cfg.Crash(PointAccept)
	rows, err := decode()
	if err != nil {
		return nil, err
	}
	if messages, err = scatterBatch(ctx, s, split, k, rows); err == nil {
		g.metrics.Batches.Add(1)
		g.metrics.Rows.Add(int64(rows.Len))
	}
	return messages, err
}

// scatterBatch makes the messages of batch k of a split.
func scatterBatch(ctx context.Context, s *scatter.Scan, split int, k uint64, rows columnar.Rows) ([]broker.Message, error) {
	messages, err := s.Batch(ctx, split, k, rows)
	if errors.Is(err, scatter.ErrTooLarge) {
		err = tooLarge(err.Error())
	}
	return messages, err
}

// batchError adds the number of the batch to an error.
func batchError(k uint64, err error) error {
	s := status.Convert(asStatus(err))
	p := s.Proto()
	p.Message = fmt.Sprintf("batch %d: %s", k, p.Message)
	return status.FromProto(p).Err()
}
