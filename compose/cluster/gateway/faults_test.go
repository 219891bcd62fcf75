package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/membroker"
)

// fault is what happens to an operation on the broker.
type fault string

const (
	refusedByBroker fault = "is refused"
	lostOnItsWay    fault = "is lost, and unconfirmed"
	unconfirmed     fault = "arrives, and is unconfirmed"
)

// faultyBroker is a broker at which operation n fails, counted from 0 once it is armed.
type faultyBroker struct {
	broker.Broker
	armed  atomic.Bool
	n      int64
	how    fault
	done   atomic.Int64 // operations since it was armed
	failed atomic.Bool
}

func (b *faultyBroker) fails() bool {
	if !b.armed.Load() || b.done.Add(1)-1 != b.n {
		return false
	}
	b.failed.Store(true)
	return true
}

func (b *faultyBroker) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if !b.fails() {
		return b.Broker.Publish(ctx, queue, body, done)
	}
	switch b.how {
	case lostOnItsWay:
		go done(fmt.Errorf("%w: injected", broker.ErrUnconfirmed))
		return nil
	case unconfirmed:
		return b.Broker.Publish(ctx, queue, body, func(err error) { done(errors.Join(err, broker.ErrUnconfirmed)) })
	}
	return broker.ErrClosed
}

func (b *faultyBroker) Depth(ctx context.Context, names ...string) (int, error) {
	if b.fails() {
		return 0, broker.ErrClosed
	}
	return b.Broker.Depth(ctx, names...)
}

// patiently does what a client does: it tries again while that is said to help.
func patiently(t *testing.T, what string, do func() error) {
	t.Helper()
	err := do()
	for tries := 0; status.Code(err) == codes.Unavailable && tries < 20; tries++ {
		err = do()
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// job takes a job from its opening to its end, and checks that its workers were sent each batch.
func (c *cluster) job(t *testing.T) {
	t.Helper()
	ann, r := c.client(annToken), request()
	r.Job = protocol.NewJobID()
	var opened protocol.Opened
	patiently(t, "open", func() error { _, err := ann.act(protocol.ActionOpen, r, &opened); return err })
	for _, w := range c.workers {
		w.listen(t, opened.Spec)
	}
	scan := scanOf(t, opened.Spec)
	const batches = 3
	acked := make(map[uint64]bool)
	patiently(t, "upload", func() error {
		p := ann.put(opened.Spec, scan)
		for k := range uint64(batches) {
			if !acked[k] {
				p.send(p.batch(k, fmt.Sprintf("%d tea 7 milk 8 air", k)))
			}
		}
		done, err := p.finish()
		for _, k := range done {
			acked[k] = true
		}
		return err
	})
	patiently(t, "end of the table", func() error {
		_, err := ann.act(protocol.ActionEndTable, protocol.TableEnd{Job: r.Job, Node: scan, Batches: batches}, nil)
		return err
	})
	for _, w := range c.workers {
		waitFor(t, "all messages", func() bool { return len(w.ids(envelope.Data)) >= batches && len(w.ids(envelope.End)) > 0 })
		w.with(func() { w.data = w.once(t) })
	}
	if got, want := fmt.Sprint(c.counts(opened.Spec)), "map[0:1 1:1 2:1 7:3]"; got != want {
		t.Errorf("workers were sent %s, not %s", got, want)
	}
	patiently(t, "status", func() error {
		_, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: r.Job}, nil)
		return err
	})
	patiently(t, "end", func() error {
		_, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: r.Job, Reason: "done"}, nil)
		if protocol.CodeOf(err) == protocol.JobEnded { // by a request whose answer was lost
			return nil
		}
		return err
	})
}

// TestEveryOperationOfAJobFails makes each operation of a gateway on the broker fail, one per job,
// from the opening of a job to its end, in each way in which it can, and then refuses each claim on the
// gateway's memory. A client that tries again while it is told to gets through, what workers are sent
// is the same, and in the end nothing is held or reserved.
func TestEveryOperationOfAJobFails(t *testing.T) {
	for _, how := range []fault{refusedByBroker, lostOnItsWay, unconfirmed} {
		for n, failed := int64(0), true; failed; n++ {
			b := &faultyBroker{n: n, how: how}
			what := fmt.Sprintf("operation %d %s", n, how)
			t.Run(what, func(t *testing.T) {
				c := startFaulty(t, b)
				b.armed.Store(true)
				c.job(t)
				c.closes()
			})
			if failed = b.failed.Load(); t.Failed() {
				return
			}
			if !failed && n < 8 {
				t.Errorf("a job has only %d operations", n)
			}
		}
	}
}

// TestEveryClaimOfAJobIsRefused refuses each claim on the memory of a gateway, one per job.
func TestEveryClaimOfAJobIsRefused(t *testing.T) {
	refused := 0
	for n, failed := int64(0), true; failed; n++ {
		failed = false
		t.Run(fmt.Sprintf("claim %d", n), func(t *testing.T) {
			c := startFaulty(t, &faultyBroker{})
			var claims atomic.Int64
			var hit atomic.Bool
			c.gateway.rt.Budget.Refuse(func() bool {
				no := claims.Add(1)-1 == n
				if no {
					hit.Store(true)
				}
				return no
			})
			c.job(t)
			c.closes()
			failed = hit.Load()
		})
		if t.Failed() {
			return
		}
		if failed {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no claim was refused")
	}
}

func startFaulty(t *testing.T, b *faultyBroker) *cluster {
	t.Helper()
	return startClusterBehind(t, membroker.New(membroker.Config{Seed: 1}), func(own broker.Broker) broker.Broker {
		b.Broker = own
		return b
	}, func(cfg *Config) { cfg.Timeout = 10 * time.Second })
}

// closes ends the gateway, and checks that nothing is left of its jobs.
func (c *cluster) closes() {
	c.Helper()
	c.end()
	if used := c.gateway.rt.Budget.Used(); used != 0 {
		c.Errorf("in the end %d bytes are reserved", used)
	}
}
