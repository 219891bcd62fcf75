package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// callKey is what makes two requests one.
type callKey struct {
	replica    int
	kind       protocol.Action
	job        protocol.JobID
	node, page int
	query      string
}

// call is one request that is on its way.
type call struct {
	key     callKey
	request protocol.Request
	done    chan struct{} // closed when response or err is set
	answer  chan *protocol.Response
	again   chan struct{} // the broker did not confirm the request

	response *protocol.Response
	err      error
}

const (
	maxPending  = 4096             // without an answer
	handOver    = 10 * time.Second // for the broker to take a request
	giveUpAfter = 2 * time.Minute
	firstRetry  = 2 * time.Second // a worker is quicker than that, unless it is busy
	lastRetry   = 30 * time.Second
	// republishAfter is how long a request waits that the broker did not confirm.
	republishAfter = 50 * time.Millisecond
)

// join returns the call for a request, the one on its way if there is one.
func (c *caller) join(key callKey, r protocol.Request) (*call, error) {
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
		answer: make(chan *protocol.Response, 1), again: make(chan struct{}, 1),
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
	began := time.Now()
	k.response, k.err = c.exchange(ctx, k)
	c.metrics.request.Observe(time.Since(began))
	c.mu.Lock()
	delete(c.byID, k.request.ID)
	delete(c.byKey, k.key)
	c.mu.Unlock()
	close(k.done)
}

func (c *caller) exchange(ctx context.Context, k *call) (*protocol.Response, error) {
	body, err := protocol.EncodeRequest(&k.request)
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
	return c.broker.Publish(ctx, protocol.ControlQueue(k.key.replica), body, func(err error) {
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
