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
// requests, and the one without a job would say that there is none. So a worker says
// again and again, by its own control queue, that it is the one. The broker gives
// that queue's requests to one process alone: if that is itself, all is well; if it
// is another, that one refuses, and the worker ends.

// claimEvery is how often a worker says that it is the one.
const claimEvery = 5 * time.Second

// claim is what a process calls itself.
type claim struct {
	process string // of this life, by chance
	about   string // for people
}

func newClaim(cfg Config) claim {
	host, _ := os.Hostname() // for people
	return claim{rand.Text(), fmt.Sprintf("the one on %s with the state %s", host, cfg.absolute())}
}

// replies is the queue for refusals.
func (c claim) replies(replica int) string { return protocol.ControlQueue(replica) + "." + c.process }

// claim says that this is the worker of its replica until the context ends.
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

// claimed hears that a process says it is the worker of this replica.
func (w *Worker) claimed(r *protocol.Request) {
	if r.Reason == w.claims.process {
		return
	}
	w.Log.Warn("another worker for this replica is refused")
	w.refuse(r, protocol.Refused, w.claims.about)
}

// refused hears that another process is the worker of this replica.
func (w *Worker) refused(d broker.Delivery) {
	_ = d.Ack()
	if r, err := protocol.DecodeResponse(d.Body); err == nil && r.Code == protocol.Refused {
		w.die(fmt.Errorf("%w: %s", ErrSecond, r.Error))
	}
}

// ErrSecond says that another process is the worker of this replica.
var ErrSecond = errors.New("the cluster has a worker for this replica")
