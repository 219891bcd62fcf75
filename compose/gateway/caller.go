package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"analyzer/compose/control"
	"analyzer/compose/job"
	"analyzer/shuffle/broker"
)

// caller asks workers and matches what they answer. A request is repeated until
// it is answered or given up; who asks for the same thing meanwhile waits for the
// same answer. So a worker that is busy or away for minutes finds one request in
// its queue for each thing that was asked for, however often.
type caller struct {
	broker   broker.Broker
	queues   broker.Kind
	replicas int
	log      *slog.Logger
	metrics  *Metrics
	replies  string        // the queue for answers
	ready    chan struct{} // closed when answers can come

	mu     sync.Mutex
	closed bool
	nextID uint64
	byID   map[uint64]*call
	byKey  map[callKey]*call
	active sync.WaitGroup // of calls
	stop   context.Context
	cancel context.CancelFunc
}

// callKey is what makes two requests one.
type callKey struct {
	replica    int
	kind       control.Type
	job        job.ID
	node, page int
	query      string
}

// call is one request that is on its way.
type call struct {
	key     callKey
	request control.Request
	done    chan struct{} // closed when response or err is set
	answer  chan *control.Response
	again   chan struct{} // the broker did not confirm the request

	response *control.Response
	err      error
}

const (
	maxPending  = 4096             // without an answer
	handOver    = 10 * time.Second // for the broker to take a request
	giveUpAfter = 2 * time.Minute
	firstRetry  = 2 * time.Second // a worker is quicker than that, unless it is busy
	lastRetry   = 30 * time.Second
)

func newCaller(b broker.Broker, cfg Config, log *slog.Logger, m *Metrics) *caller {
	stop, cancel := context.WithCancel(context.Background())
	return &caller{
		broker: b, queues: cfg.Queues, replicas: cfg.Replicas, log: log, metrics: m,
		replies: "analyzer.gateway." + rand.Text(), ready: make(chan struct{}),
		byID: make(map[uint64]*call), byKey: make(map[callKey]*call), stop: stop, cancel: cancel,
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
	if err := c.declareWorkers(ctx); err != nil {
		return err
	}
	if err := c.broker.Declare(ctx, broker.Queue{Name: c.replies, Exclusive: true}); err != nil {
		return fmt.Errorf("declare the queue for answers: %w", err)
	}
	sub, err := c.broker.Consume(ctx, c.replies, 64, c.hear)
	if err != nil {
		return fmt.Errorf("consume answers: %w", err)
	}
	defer sub.Cancel()
	close(c.ready)
	select {
	case <-ctx.Done():
		return nil
	case <-sub.Done():
		return fmt.Errorf("the queue for answers is gone: %w", sub.Err())
	}
}

// declareWorkers makes the control queues, as workers do, so that neither has to
// be first.
func (c *caller) declareWorkers(ctx context.Context) error {
	queues := make([]broker.Queue, c.replicas)
	for r := range queues {
		queues[r] = broker.Queue{Name: control.Queue(r), Kind: c.queues, SingleActive: true}
	}
	if err := c.broker.Declare(ctx, queues...); err != nil {
		return fmt.Errorf("declare the workers' queues: %w", err)
	}
	return nil
}

// close ends all calls and waits for them.
func (c *caller) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.active.Wait()
}

// hear is told of each answer.
func (c *caller) hear(d broker.Delivery) {
	defer d.Ack()
	r, err := control.DecodeResponse(d.Body)
	if err != nil {
		c.log.Warn("an answer of a worker cannot be read", "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.byID[r.ID]; k != nil && k.key.replica == r.Replica {
		select {
		case k.answer <- r:
		default: // it was answered already
		}
	}
}

// ask returns the answer of a replica. Its error is that of the context, or says
// that the replica did not answer; what the replica refuses is in the response.
func (c *caller) ask(ctx context.Context, replica int, r control.Request) (*control.Response, error) {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return nil, fmt.Errorf("ask worker %d: the broker cannot be reached: %w", replica, context.Cause(ctx))
	}
	k, err := c.join(callKey{replica, r.Type, r.Job, r.Node, r.Page, r.Query}, r)
	if err != nil {
		return nil, err
	}
	select {
	case <-k.done:
		return k.response, k.err
	case <-ctx.Done():
		return nil, fmt.Errorf("ask worker %d: no answer: %w", replica, context.Cause(ctx))
	}
}

// join returns the call for a request, the one on its way if there is one.
func (c *caller) join(key callKey, r control.Request) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.byKey[key]; k != nil {
		return k, nil
	}
	if c.closed {
		return nil, errStopping
	}
	if len(c.byID) >= maxPending {
		return nil, errors.New("too many requests to workers are without an answer")
	}
	c.nextID++
	r.ID, r.ReplyTo = c.nextID, c.replies
	k := &call{
		key: key, request: r, done: make(chan struct{}),
		answer: make(chan *control.Response, 1), again: make(chan struct{}, 1),
	}
	c.byID[r.ID], c.byKey[key] = k, k
	c.active.Add(1)
	c.metrics.Requests.Add(1)
	go c.pursue(k)
	return k, nil
}

// pursue sends a request, again and again, until it is answered or given up.
func (c *caller) pursue(k *call) {
	defer c.active.Done()
	ctx, cancel := context.WithTimeout(c.stop, giveUpAfter)
	defer cancel()
	k.response, k.err = c.exchange(ctx, k)
	c.mu.Lock()
	delete(c.byID, k.request.ID)
	delete(c.byKey, k.key)
	c.mu.Unlock()
	close(k.done)
}

func (c *caller) exchange(ctx context.Context, k *call) (*control.Response, error) {
	body, err := control.EncodeRequest(&k.request)
	if err != nil {
		return nil, err
	}
	wait := firstRetry
	for {
		if err := c.send(ctx, k, body); err != nil && ctx.Err() == nil {
			c.log.Warn("ask a worker", "replica", k.key.replica, "request", k.key.kind, "error", err)
			if errors.Is(err, broker.ErrTooLarge) || errors.Is(err, broker.ErrClosed) {
				return nil, err
			}
		}
		retry := time.NewTimer(wait)
		select {
		case r := <-k.answer:
			retry.Stop()
			return r, nil
		case <-ctx.Done():
			retry.Stop()
			return nil, fmt.Errorf("worker %d does not answer", k.key.replica)
		case <-k.again:
			retry.Stop()
			wait = max(wait, firstRetry)
			if err := sleep(ctx, republishAfter); err != nil {
				return nil, err
			}
		case <-retry.C:
			wait = min(2*wait, lastRetry)
		}
		c.metrics.Repeated.Add(1)
	}
}

// send publishes a request once. A control queue that is gone held requests
// alone, so it is made anew.
func (c *caller) send(ctx context.Context, k *call, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, handOver)
	defer cancel()
	return c.broker.Publish(ctx, control.Queue(k.key.replica), body, func(err error) {
		if err == nil {
			return
		}
		if errors.Is(err, broker.ErrNoQueue) {
			c.remake()
		}
		select {
		case k.again <- struct{}{}:
		default:
		}
	})
}

// tell sends a request that is not answered, and returns when the broker was handed
// it.
func (c *caller) tell(ctx context.Context, replica int, r control.Request) error {
	body, err := control.EncodeRequest(&r)
	if err != nil {
		return err
	}
	return c.broker.Publish(ctx, control.Queue(replica), body, func(err error) {
		if err != nil {
			c.log.Warn("tell a worker", "replica", replica, "request", r.Type, "error", err)
		}
	})
}

// remake declares the control queues once more, from a goroutine of its own since
// it is asked to by the broker.
func (c *caller) remake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.active.Add(1)
	go func() {
		defer c.active.Done()
		ctx, cancel := context.WithTimeout(c.stop, handOver)
		defer cancel()
		if err := c.declareWorkers(ctx); err != nil && ctx.Err() == nil {
			c.log.Warn("make the workers' queues anew", "error", err)
		}
	}()
}

// sleep waits.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answer is what became of asking one replica.
type answer struct {
	replica  int
	response *control.Response // nil with err
	err      error
}

// askAll asks replicas at once and returns when all have answered, when the
// context has ended, or as soon as one answer is enough; enough may be nil.
func (c *caller) askAll(ctx context.Context, replicas []int, r control.Request, enough func(answer) bool) []answer {
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

// everybody returns the replicas there are.
func (c *caller) everybody() []int {
	out := make([]int, c.replicas)
	for r := range out {
		out[r] = r
	}
	return out
}
