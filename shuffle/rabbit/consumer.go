package rabbit

import (
	"fmt"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// consumer is a subscription's consumer on one channel, from its start to its end.
type consumer struct {
	carrier    *carrier
	tag        string
	deliveries <-chan amqp.Delivery
	counters   *broker.Counters

	mu   sync.Mutex
	held map[uint64]amqp.Delivery // neither acknowledged nor given back, without bodies
}

// deliver hands a delivery to the subscription.
func (c *consumer) deliver(d amqp.Delivery, handle func(broker.Delivery)) {
	c.counters.Delivered.Add(1)
	c.counters.DeliveredBytes.Add(int64(len(d.Body)))
	if d.Redelivered {
		c.counters.Redelivered.Add(1)
	}
	given := broker.Delivery{Body: d.Body, Redelivered: d.Redelivered, Settle: func(ack bool) error {
		return c.settle(d.DeliveryTag, ack)
	}}
	if at, ok := d.Headers[publishedHeader].(int64); ok {
		given.Published = time.UnixMicro(at)
	}
	d.Body, d.Headers = nil, nil // it may be held for longer than they are needed
	c.mu.Lock()
	c.held[d.DeliveryTag] = d
	c.mu.Unlock()
	handle(given)
}

// settle acknowledges or requeues a delivery that is held.
func (c *consumer) settle(tag uint64, ack bool) error {
	c.mu.Lock()
	d, held := c.held[tag]
	delete(c.held, tag)
	c.mu.Unlock()
	if !held {
		c.counters.Stale.Add(1)
		return broker.ErrStale
	}
	var err error
	if ack {
		err = d.Ack(false)
	} else {
		err = d.Reject(true)
	}
	if err != nil {
		c.counters.Stale.Add(1)
		return fmt.Errorf("%w: %w", broker.ErrStale, err)
	}
	if ack {
		c.counters.Acked.Add(1)
	}
	return nil
}

// release lets go of all deliveries, and returns them.
func (c *consumer) release() map[uint64]amqp.Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.held
	c.held = nil
	return held
}

// end cancels the consumer, and gives back what it held and what is still on its way. The
// channel lives on, so the broker would otherwise keep that for it. Errors mean that the
// channel has ended, by which the broker has it all back.
func (c *consumer) end(held map[uint64]amqp.Delivery) {
	_ = c.carrier.cancel(c.tag)
	for d := range c.deliveries {
		_ = d.Reject(true)
	}
	for _, d := range held {
		_ = d.Reject(true)
	}
}
