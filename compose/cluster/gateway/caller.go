package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// caller sends requests to workers and matches the answers. It repeats a request until
// it is answered or given up. Equal requests share one call and its answer. A call
// goes on without those who have asked, so requests do not pile up in the queue of a worker
// that is busy or away for minutes, however often clients ask. Only a call to open a job ends
// with its asker, since then nobody may want the job any more.
type caller struct {
	broker   broker.Broker
	queues   broker.Kind
	log      *slog.Logger
	metrics  *Metrics
	requests *broker.Publisher
	replies  string             // the queue for answers
	ready    chan struct{}      // closed once answers can be received
	same     singleflight.Group // joins equal requests

	mu     sync.Mutex
	closed bool
	nextID uint64
	byID   map[uint64]*call
	speaks map[int]int    // newest version of the protocol, by replica, of those heard
	active sync.WaitGroup // of calls
	stop   context.Context
	cancel context.CancelFunc
}

func newCaller(b broker.Broker, cfg Config, log *slog.Logger, m *Metrics) *caller {
	stop, cancel := context.WithCancel(context.Background())
	return &caller{
		broker: b, queues: cfg.Queues, log: log, metrics: m,
		requests: broker.NewPublisher(b, 0, broker.Watch{}), replies: "analyzer.gateway." + rand.Text(), ready: make(chan struct{}),
		byID: make(map[uint64]*call), speaks: make(map[int]int), stop: stop, cancel: cancel,
	}
}

// run takes answers until the context ends.
func (c *caller) run(ctx context.Context) error {
	if err := c.take(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func (c *caller) take(ctx context.Context) error {
	if err := c.broker.Declare(ctx, broker.Queue{Name: c.replies, Exclusive: true}); err != nil {
		return fmt.Errorf("declare the queue for answers: %w", err)
	}
	sub, err := c.broker.Consume(ctx, c.replies, 64, c.hear)
	if err != nil {
		return fmt.Errorf("consume answers: %w", err)
	}
	defer sub.Cancel()
	close(c.ready)
	publishing, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { c.requests.Run(publishing) })
	defer done.Wait()
	defer cancel()
	select {
	case <-ctx.Done():
		return nil
	case <-sub.Done():
		return fmt.Errorf("the queue for answers is gone: %w", sub.Err())
	}
}

// close ends all calls and waits for them.
func (c *caller) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.active.Wait()
}

// hear hands an answer to the call that waits for it.
func (c *caller) hear(d broker.Delivery) {
	defer func() { _ = d.Ack() }() // a redelivered answer finds no call waiting
	r, err := protocol.DecodeResponse(d.Body)
	if err != nil {
		c.log.Warn("an answer of a worker cannot be read", "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.speaks[r.Replica] = r.Speaks
	if k := c.byID[r.ID]; k != nil && k.replica == r.Replica {
		select {
		case k.answer <- r:
		default: // already answered
		}
	}
}

// ask returns the answer of a replica. Its error is that of the context, or says
// that the replica did not answer. A refusal of the replica is in the response.
func (c *caller) ask(ctx context.Context, replica int, r protocol.Request) (*protocol.Response, error) {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return nil, noAnswer(ctx, "the broker cannot be reached")
	}
	text, err := protocol.EncodeRequest(&r)
	if err != nil {
		return nil, err
	}
	wanted := c.stop
	if r.Action == protocol.ActionOpen {
		wanted = ctx
	}
	done := c.same.DoChan(fmt.Sprintf("%d %s", replica, text), func() (any, error) { return c.call(wanted, replica, r) })
	look := time.NewTicker(blockedPatience)
	defer look.Stop()
	for {
		select {
		case made := <-done:
			response, _ := made.Val.(*protocol.Response)
			return response, made.Err
		case <-ctx.Done():
			if s := c.broker.State(); s.Blocked() {
				return nil, blocked(s)
			}
			return nil, noAnswer(ctx, fmt.Sprintf("worker %d does not answer", replica))
		case <-look.C:
			if s := c.broker.State(); s.Blocked() {
				return nil, blocked(s)
			}
		}
	}
}

// tell sends a replica a request that needs no answer and may get lost.
func (c *caller) tell(replica int, r protocol.Request) {
	body, err := protocol.EncodeRequest(&r)
	if err != nil {
		c.log.Warn("a request cannot be written", "action", r.Action, "error", err)
		return
	}
	c.requests.Publish(c.stop, []broker.Message{{Queue: protocol.ControlQueue(replica), Body: body}}, func(error) {})
}

// noAnswer returns the error of a request that was given up, with the reason.
func noAnswer(ctx context.Context, why string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return protocol.Errorf(protocol.Trouble, "%s; try again", why)
	}
	return fmt.Errorf("%s: %w", why, context.Cause(ctx))
}

// blockedPatience is how often a waiting request checks whether the broker is blocked.
const blockedPatience = time.Second

// answer is the outcome of asking one replica.
type answer struct {
	replica  int
	response *protocol.Response // nil if err is set
	err      error
}

// askAll asks replicas concurrently. It returns when all have answered, when the
// context has ended, or as soon as enough accepts an answer; enough may be nil.
func (c *caller) askAll(ctx context.Context, replicas []int, r protocol.Request, enough func(answer) bool) []answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := make([]answer, len(replicas))
	done := make(chan int, len(replicas))
	for i, replica := range replicas {
		go func() {
			response, err := c.ask(ctx, replica, r)
			out[i] = answer{replica, response, err}
			done <- i
		}()
	}
	for range replicas {
		if i := <-done; enough != nil && enough(out[i]) {
			cancel()
		}
	}
	return out
}
