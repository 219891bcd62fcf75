package rabbit

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	amqp "github.com/rabbitmq/amqp091-go"
)

// carriers are the channels of one connection that carry its consumers.
type carriers struct {
	most int // see Config.Channels

	mu  sync.Mutex
	all []*carrier
}

// carrier is a channel with consumers. An error ends it with all of them, so what may fail
// for one queue is tried elsewhere first; see subscription.check.
type carrier struct {
	users int // guarded by carriers.mu
	ch    atomic.Pointer[amqp.Channel]

	mu   sync.Mutex // held during calls, whose answers the library would mix up
	tags int        // consumers so far
}

// take returns the carrier with the fewest consumers. The caller gives it back.
func (c *carriers) take() *carrier {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, (*carrier).ended)
	if len(c.all) < c.most {
		c.all = append(c.all, new(carrier))
	}
	least := slices.MinFunc(c.all, func(a, b *carrier) int { return a.users - b.users })
	least.users++
	return least
}

// give gives a carrier back. Without consumers its channel is closed.
func (c *carriers) give(x *carrier) {
	c.mu.Lock()
	x.users--
	unused := x.users == 0
	if unused {
		c.all = slices.DeleteFunc(c.all, func(y *carrier) bool { return x == y })
	}
	c.mu.Unlock()
	if ch := x.ch.Load(); unused && ch != nil {
		_ = ch.Close() // a failure means that it is closed
	}
}

func (x *carrier) ended() bool {
	ch := x.ch.Load()
	return ch != nil && ch.IsClosed()
}

// consume starts a consumer, which is known by the tag. A prefetch is that of the
// consumers that start after it was set.
func (x *carrier) consume(s *session, queue string, prefetch int) (tag string, deliveries <-chan amqp.Delivery, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	ch := x.ch.Load()
	if ch == nil {
		if ch, err = s.conn.Channel(); err != nil {
			return "", nil, err
		}
		x.ch.Store(ch)
	}
	if err := ch.Qos(prefetch, 0, false); err != nil {
		return "", nil, err
	}
	x.tags++
	tag = strconv.Itoa(x.tags)
	deliveries, err = ch.Consume(queue, tag, false, false, false, false, nil)
	return tag, deliveries, err
}

// cancel ends a consumer. The broker sends it nothing any more.
func (x *carrier) cancel(tag string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ch.Load().Cancel(tag, false)
}
