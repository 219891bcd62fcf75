package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/sync/semaphore"

	"analyzer/compose/cluster/protocol"
)

// upload is one stream of DoPut. Only its handler, run, sends; only its intake receives.
// The intake may briefly outlive the handler, until it notices that the stream has ended.
type upload struct {
	g      *Gateway
	stream flight.FlightService_DoPutServer
	ctx    context.Context
	window *semaphore.Weighted // one unit for each batch received and not answered
	wake   chan struct{}       // signals a change of the fields below mu
	job    protocol.JobID      // from the descriptor; set before the first batch
	split  int                 // of the table; likewise
	body   []byte              // of a batch that came in parts; reused for the next

	gathered gathered

	mu        sync.Mutex
	confirmed []uint64 // batches to be answered
	inHand    int      // batches received and not yet confirmed
	ended     bool     // the intake has ended
	end       error    // for the client, once all batches are answered
	failure   error    // the first one
}

// What an upload gathers goes on when it is half of what may be unanswered, so that the client sends the other half
// meanwhile, or if what came first has waited so long: a client that reads a pipe may have nothing more to send.
const (
	uploadBatches = protocol.Window / 2
	uploadWait    = 50 * time.Millisecond
)

// DoPut takes an upload.
func (g *Gateway) DoPut(stream flight.FlightService_DoPutServer) error {
	owner := OwnerOf(stream.Context())
	if err := g.uploads.Take(owner, 1); err != nil {
		return err
	}
	defer g.uploads.Give(owner, 1)
	g.metrics.Uploads.Add(1)
	u := &upload{
		g: g, stream: stream, ctx: stream.Context(),
		window: semaphore.NewWeighted(protocol.Window), wake: make(chan struct{}, 1),
	}
	u.gathered = gathered{g: g, ctx: u.ctx, most: uploadBatches, done: u.published}
	g.intakes.Add(1)
	go u.intake()
	return u.run()
}

// run sends answers until the upload has ended.
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
			stop = nil // do not select on it again
		}
		switch {
		case failure != nil:
			return u.g.explain(u.ctx, u.job, failure)
		case ended && inHand == 0:
			return u.end
		case stop == nil && inHand == 0:
			return errStopping
		}
		var late <-chan time.Time
		if first := u.gathered.since(); !first.IsZero() {
			late = time.After(uploadWait - time.Since(first))
		}
		select {
		case <-u.wake:
			idle.Reset(u.g.cfg.Idle)
		case <-late:
			u.gathered.publish()
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

// answer acknowledges batch k to the client: the broker has all its messages.
func (u *upload) answer(k uint64) error {
	u.g.cfg.Crash(PointPreAck)
	if err := u.stream.Send(&flight.PutResult{AppMetadata: protocol.EncodeNumber(k)}); err != nil {
		return err
	}
	u.g.metrics.Acked.Add(1)
	u.window.Release(1)
	return nil
}

// poll returns the batches to be answered, which it removes, and the state of the upload.
func (u *upload) poll() (confirmed []uint64, inHand int, ended bool, failure error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	confirmed, u.confirmed = u.confirmed, nil
	return confirmed, u.inHand, u.ended, u.failure
}

// change runs f, which changes fields that the handler reads, and wakes the handler.
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
