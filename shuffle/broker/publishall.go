package broker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Message is a body for a queue.
type Message struct {
	Queue string
	Body  []byte
}

// PublishAll publishes messages and returns when the broker has them all. What is
// not confirmed it publishes again, so that receivers may get a message more than
// once. Errors: as of Publish, and ErrNoQueue; some of the messages may then be
// on their way, and no body may change any more.
func PublishAll(ctx context.Context, b Broker, messages []Message) error {
	all := batch{broker: b, messages: messages, results: make(chan result, len(messages))}
	todo := make([]int, len(messages))
	for i := range todo {
		todo[i] = i
	}
	for {
		again, err := all.publish(ctx, todo)
		if err != nil || len(again) == 0 {
			return err
		}
		todo = again
		select {
		case <-time.After(retryPause/2 + rand.N(retryPause/2)):
		case <-ctx.Done():
			return fmt.Errorf("%d of %d messages not confirmed: %w", len(todo), len(messages), context.Cause(ctx))
		}
	}
}

// retryPause is short, since Publish itself waits for a broker that is away.
const retryPause = 100 * time.Millisecond

// batch is a set of messages that are published together.
type batch struct {
	broker   Broker
	messages []Message
	results  chan result // has room for one of each message
}

type result struct {
	message int
	err     error
}

// publish publishes some of the messages and returns those not confirmed.
func (b *batch) publish(ctx context.Context, todo []int) (again []int, err error) {
	for _, i := range todo {
		m := b.messages[i]
		err := b.broker.Publish(ctx, m.Queue, m.Body, func(err error) { b.results <- result{i, err} })
		if err != nil {
			return nil, err
		}
	}
	for n := range todo {
		select {
		case r := <-b.results:
			if errors.Is(r.err, ErrUnconfirmed) {
				again = append(again, r.message)
			} else if r.err != nil {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("%d of %d messages not confirmed: %w",
				len(todo)-n+len(again), len(b.messages), context.Cause(ctx))
		}
	}
	return again, nil
}
