package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// Two workers for one replica, with a state directory each, would take turns at its
// requests, and the one without a job would say that there is none. So a worker regularly
// sends a claim to its own control queue. The broker delivers that queue's requests to one
// process only. If the worker gets its own claim back, all is well; if another process
// gets it, that process refuses the claim, and the worker ends.

// claimEvery is how often a worker sends its claim.
const claimEvery = 5 * time.Second

// claim identifies a process.
type claim struct {
	process string // drawn at random by each process
	about   string // for people
}

func newClaim(cfg Config) claim {
	host, _ := os.Hostname() // for people
	return claim{rand.Text(), fmt.Sprintf("the one on %s with the state %s", host, cfg.absolute())}
}

// replies is the name of the queue for refusals.
func (c claim) replies(replica int) string { return protocol.ControlQueue(replica) + "." + c.process }

// claim sends this worker's claim to its replica again and again until the context ends.
func (w *Worker) claim(ctx context.Context) error {
	c := w.claims
	if err := w.Broker.Declare(ctx, broker.Queue{Name: c.replies(w.Replica), Exclusive: true}); err != nil {
		return err
	}
	sub, err := w.Broker.Consume(ctx, c.replies(w.Replica), 1, w.refused)
	if err != nil {
		return err
	}
	defer sub.Cancel()
	body, err := protocol.EncodeRequest(&protocol.Request{
		Action: protocol.ActionClaim, From: w.Replica, Reason: c.process, ReplyTo: c.replies(w.Replica),
	})
	if err != nil {
		return err
	}
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	for {
		publish, cancel := context.WithTimeout(ctx, claimEvery)
		err := w.Broker.Publish(publish, protocol.ControlQueue(w.Replica), body, func(error) {})
		cancel()
		if err != nil && ctx.Err() == nil {
			w.Log.Debug("say who the worker is", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// claimed handles a claim: it refuses the claim of another process.
func (w *Worker) claimed(r *protocol.Request) {
	if r.Reason == w.claims.process {
		return
	}
	w.Log.Warn("another worker for this replica is refused")
	w.refuse(r, protocol.Refused, w.claims.about)
}

// refused handles a refusal: another process is the worker of this replica.
func (w *Worker) refused(d broker.Delivery) {
	_ = d.Ack()
	if r, err := protocol.DecodeResponse(d.Body); err == nil && r.Code == protocol.Refused {
		w.die(fmt.Errorf("%w: %s", ErrSecond, r.Error))
	}
}

// ErrSecond says that another process is the worker of this replica.
var ErrSecond = errors.New("the cluster has a worker for this replica")
