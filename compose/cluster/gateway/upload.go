package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/sync/semaphore"

	"analyzer/compose/cluster/protocol"
)

// upload is one stream of DoPut. Its handler, run, is the only one to send; its
// intake is the only one to receive, and may outlive the handler by the time it
// takes to notice.
type upload struct {
	g      *Gateway
	stream flight.FlightService_DoPutServer
	ctx    context.Context
	window *semaphore.Weighted // a place for each batch that was received and not answered
	wake   chan struct{}       // there is something in the fields below
	job    protocol.JobID      // of the descriptor; set before the first batch
	body   []byte              // of the batch in hand, if it came in parts; its memory is that of the next

	mu        sync.Mutex
	confirmed []uint64 // batches to be answered
	inHand    int      // batches received and not in confirmed
	ended     bool     // nothing more is received
	end       error    // what the client is told when all is answered
	failure   error    // the first
}

// DoPut takes an upload.
func (g *Gateway) DoPut(stream flight.FlightService_DoPutServer) error {
	owner := ownerOf(stream.Context())
	if err := g.uploads.Take(owner, 1); err != nil {
		return err
	}
	defer g.uploads.Give(owner, 1)
	g.metrics.Uploads.Add(1)
	u := &upload{
		g: g, stream: stream, ctx: stream.Context(),
		window: semaphore.NewWeighted(protocol.Window), wake: make(chan struct{}, 1),
	}
	g.intakes.Add(1)
	go u.intake()
	return u.run()
}

// run answers until the upload has ended.
func (u *upload) run() error {
	idle := time.NewTimer(u.g.cfg.Idle)
	defer idle.Stop()
	for {
		confirmed, inHand, ended, failure := u.poll()
		for _, k := range confirmed {
			if err := u.answer(k); err != nil {
				return err
			}
		}
		stop := u.g.stop
		if u.g.stopping() {
			stop = nil // known
		}
		switch {
		case failure != nil:
			return u.g.explain(u.ctx, u.job, failure)
		case ended && inHand == 0:
			return u.end
		case stop == nil && inHand == 0:
			return errStopping
		}
		select {
		case <-u.wake:
			idle.Reset(u.g.cfg.Idle)
		case <-stop:
		case <-u.ctx.Done():
			return asStatus(context.Cause(u.ctx))
		case <-idle.C:
			if inHand == 0 {
				return protocol.Errorf(protocol.Trouble, "nothing came for %v; go on with a new stream", u.g.cfg.Idle)
			}
			idle.Reset(u.g.cfg.Idle)
		}
	}
}

// answer tells the client that the broker has batch k.
func (u *upload) answer(k uint64) error {
	u.g.cfg.Crash(PointPreAck)
	if err := u.stream.Send(&flight.PutResult{AppMetadata: protocol.EncodeNumber(k)}); err != nil {
		return err
	}
	u.g.metrics.Acked.Add(1)
	u.window.Release(1)
	return nil
}

// poll takes what is to be answered, and returns how things stand.
func (u *upload) poll() (confirmed []uint64, inHand int, ended bool, failure error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	confirmed, u.confirmed = u.confirmed, nil
	return confirmed, u.inHand, u.ended, u.failure
}

// change changes the fields that the handler looks at, and wakes it.
func (u *upload) change(f func()) {
	u.mu.Lock()
	f()
	u.mu.Unlock()
	select {
	case u.wake <- struct{}{}:
	default:
	}
}

// fail ends the upload with an error.
func (u *upload) fail(err error) {
	u.change(func() {
		if u.failure == nil {
			u.failure = err
		}
	})
}
