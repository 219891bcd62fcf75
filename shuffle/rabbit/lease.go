package rabbit

import (
	"fmt"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// lease is what one channel was delivered and has not settled. It settles each
// delivery at most once, and none after its end.
type lease struct {
	ch       *amqp.Channel
	counters *broker.Counters

	mu   sync.Mutex
	tags map[uint64]struct{} // nil after the end
}

func newLease(ch *amqp.Channel, c *broker.Counters) *lease {
	return &lease{ch: ch, counters: c, tags: make(map[uint64]struct{})}
}

func (l *lease) hold(tag uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tags[tag] = struct{}{}
}

// end gives back all that is held, as far as this side is concerned.
func (l *lease) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tags = nil
}

// take reports whether a delivery was held, and holds it no longer.
func (l *lease) take(tag uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, held := l.tags[tag]
	delete(l.tags, tag)
	return held
}

// Settle implements broker.Settler.
func (l *lease) Settle(tag uint64, how broker.Settlement) error {
	if !l.take(tag) {
		l.counters.Stale.Add(1)
		return broker.ErrStale
	}
	var err error
	if how == broker.Ack {
		err = l.ch.Ack(tag, false)
	} else {
		err = l.ch.Reject(tag, how == broker.Requeue)
	}
	if err != nil {
		l.counters.Stale.Add(1)
		return fmt.Errorf("%w: %w", broker.ErrStale, err)
	}
	if how == broker.Ack {
		l.counters.Acked.Add(1)
	}
	return nil
}
