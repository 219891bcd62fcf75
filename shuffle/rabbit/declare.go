package rabbit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// deliveryLimit is how often a quorum queue delivers a message before dropping
// it: effectively without limit. The default is 20 from RabbitMQ 4.0 on.
const deliveryLimit = 1 << 30

// Declare implements broker.Broker.
func (b *Broker) Declare(ctx context.Context, queues ...broker.Queue) error {
	for _, q := range queues {
		if err := q.Validate(); err != nil {
			return err
		}
	}
	err := b.manage(ctx, func(ch *amqp.Channel) error { return declare(ch, queues) })
	if err == nil && slices.ContainsFunc(queues, func(q broker.Queue) bool { return q.Kind == broker.Quorum }) {
		err = b.settle(ctx)
	}
	if err != nil {
		return fmt.Errorf("declare queues: %w", err)
	}
	b.exclusive.add(queues)
	return nil
}

// settle waits until quorum queues survive a crash of the broker; see
// Config.QuorumSettle. It waits for existing queues, too: somebody else may have
// declared them just now.
func (b *Broker) settle(ctx context.Context) error {
	t := time.NewTimer(b.cfg.QuorumSettle)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-b.ctx.Done():
		return broker.ErrClosed
	case <-ctx.Done():
		return b.consumes.explain(ctx)
	}
}

func declare(ch *amqp.Channel, queues []broker.Queue) error {
	for _, q := range queues {
		if _, err := ch.QueueDeclare(q.Name, !q.Exclusive, false, q.Exclusive, false, arguments(q)); err != nil {
			return fmt.Errorf("queue %q: %w", q.Name, err)
		}
	}
	return nil
}

// arguments returns the AMQP arguments of a queue. They must not change between versions:
// sender and receiver both declare, and RabbitMQ compares the arguments.
func arguments(q broker.Queue) amqp.Table {
	t := amqp.Table{"x-queue-type": q.Kind.String()}
	if q.Kind == broker.Quorum {
		t["x-delivery-limit"] = int64(deliveryLimit)
	}
	if q.SingleActive {
		t["x-single-active-consumer"] = true
	}
	return t
}

// Delete implements broker.Broker.
func (b *Broker) Delete(ctx context.Context, names ...string) error {
	b.exclusive.remove(names)
	err := b.manage(ctx, func(ch *amqp.Channel) error {
		for _, name := range names {
			if _, err := ch.QueueDelete(name, false, false, false); err != nil {
				return fmt.Errorf("queue %q: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete queues: %w", err)
	}
	return nil
}

// Depth implements broker.Broker. A passive declare returns a queue's depth. For a queue
// that does not exist it fails, which ends the channel; the next queue gets a new one.
func (b *Broker) Depth(ctx context.Context, names ...string) (int, error) {
	waiting, next := 0, 0
	for next < len(names) {
		err := b.manage(ctx, func(ch *amqp.Channel) error {
			for ; next < len(names); next++ {
				q, err := ch.QueueDeclarePassive(names[next], true, false, false, false, nil)
				if err != nil {
					return fmt.Errorf("queue %q: %w", names[next], err)
				}
				waiting += q.Messages
			}
			return nil
		})
		switch {
		case errors.Is(err, broker.ErrNoQueue):
			next++
		case err != nil:
			return 0, fmt.Errorf("ask for the messages of queues: %w", err)
		}
	}
	return waiting, nil
}

// manage calls f with a channel of its own, and retries until f succeeds, fails for good,
// or the context ends. Since the library waits for answers without a context, f
// runs in a goroutine that may outlive manage.
func (b *Broker) manage(ctx context.Context, f func(*amqp.Channel) error) error {
	pauses := newBackoff()
	for {
		s, err := b.consumes.wait(ctx)
		if err != nil {
			return err
		}
		result := make(chan error, 1)
		if !b.spawn(func() { result <- s.withChannel(ctx, f) }) {
			return broker.ErrClosed
		}
		select {
		case err = <-result:
		case <-ctx.Done():
			return b.consumes.explain(ctx)
		}
		if err == nil {
			return nil
		}
		judged, again := judge(err)
		if !again {
			return judged
		}
		if !pauses.Wait(ctx) {
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

// exclusive are the exclusive queues, which are gone with their connection.
type exclusive struct {
	mu     sync.Mutex
	queues map[string]broker.Queue
}

// add notes the exclusive ones among queues.
func (e *exclusive) add(queues []broker.Queue) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, q := range queues {
		if q.Exclusive {
			e.queues[q.Name] = q
		}
	}
}

func (e *exclusive) remove(names []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range names {
		delete(e.queues, name)
	}
}

// find returns the exclusive queue with a name, if there is one.
func (e *exclusive) find(name string) (q broker.Queue, found bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q, found = e.queues[name]
	return q, found
}

// declareAll declares the queues again on a new connection.
func (e *exclusive) declareAll(s *session) error {
	e.mu.Lock()
	queues := slices.Collect(maps.Values(e.queues))
	e.mu.Unlock()
	if len(queues) == 0 {
		return nil
	}
	err := s.withChannel(context.Background(), func(ch *amqp.Channel) error { return declare(ch, queues) })
	if err != nil {
		return fmt.Errorf("declare exclusive queues again: %w", err)
	}
	return nil
}
