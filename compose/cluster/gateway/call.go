package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// call is one pending request.
type call struct {
	replica int
	request protocol.Request
	answer  chan *protocol.Response
}

const (
	maxPending  = 4096 // calls
	giveUpAfter = 2 * time.Minute
	firstRetry  = 2 * time.Second // a worker that is not busy answers faster
	lastRetry   = 8 * time.Second // an answer is lost if the broker that has the queue for it ends, or comes back before the queue does
)

// call sends a request and repeats it until it is answered, given up, or no longer wanted.
func (c *caller) call(wanted context.Context, replica int, r protocol.Request) (*protocol.Response, error) {
	k, err := c.begin(replica, r)
	if err != nil {
		return nil, err
	}
	defer c.end(k, time.Now())
	ctx, cancel := context.WithTimeout(wanted, giveUpAfter)
	defer cancel()
	defer context.AfterFunc(c.stop, cancel)()
	return c.exchange(ctx, k)
}

func (c *caller) begin(replica int, r protocol.Request) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errStopping
	}
	if len(c.byID) >= maxPending {
		return nil, errors.New("too many requests to workers are without an answer")
	}
	c.nextID++
	r.ID, r.ReplyTo = c.nextID, c.replies
	k := &call{replica: replica, request: r, answer: make(chan *protocol.Response, 1)}
	c.byID[r.ID] = k
	c.active.Add(1)
	c.metrics.Requests.Add(1)
	return k, nil
}

func (c *caller) end(k *call, began time.Time) {
	c.metrics.RequestTook.Observe(time.Since(began))
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byID, k.request.ID)
	c.active.Done()
}

// exchange publishes a request again and again until there is an answer. It declares a
// missing control queue again, which loses nothing but requests.
func (c *caller) exchange(ctx context.Context, k *call) (*protocol.Response, error) {
	body, err := protocol.EncodeRequest(&k.request)
	if err != nil {
		return nil, err
	}
	request := []broker.Message{{Queue: protocol.ControlQueue(k.replica), Body: body}}
	for wait := firstRetry; ctx.Err() == nil; wait = min(2*wait, lastRetry) {
		lost := make(chan error, 1)
		c.requests.Publish(ctx, request, func(err error) { lost <- err })
		retry := time.After(wait)
		for again := false; !again; {
			select {
			case r := <-k.answer:
				return r, nil
			case err := <-lost:
				if again, err = c.mend(ctx, k.replica, err); err != nil {
					return nil, fmt.Errorf("ask worker %d: %w", k.replica, err)
				}
			case <-ctx.Done():
				return nil, noAnswer(ctx, fmt.Sprintf("worker %d does not answer", k.replica))
			case <-retry:
				again = true
			}
		}
		c.metrics.Repeated.Add(1)
	}
	return nil, noAnswer(ctx, fmt.Sprintf("worker %d does not answer", k.replica))
}

// mend declares the control queue of a worker if a request found none, and reports
// whether to send the request again. The worker declares it as well, so that neither has
// to be first. Other errors are permanent.
func (c *caller) mend(ctx context.Context, replica int, err error) (again bool, _ error) {
	if errors.Is(err, broker.ErrNoQueue) {
		queue := broker.Queue{Name: protocol.ControlQueue(replica), Kind: c.queues, SingleActive: true}
		if err := c.broker.Declare(ctx, queue); err != nil {
			return true, fmt.Errorf("declare its queue: %w", err)
		}
		return true, nil
	}
	if ctx.Err() != nil {
		err = nil
	}
	return false, err
}
