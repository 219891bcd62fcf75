package rabbit

import (
	"context"
	"strings"
	"sync"

	"analyzer/shuffle/broker"
)

// Broker is a broker.Broker on RabbitMQ.
type Broker struct {
	cfg       Config
	publisher *publisher
	consumes  *link // also declares and deletes
	exclusive exclusive

	ctx    context.Context // ends with Close
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup // all goroutines
}

var _ broker.Broker = (*Broker)(nil)

// Open returns a broker that connects in the background; Ready waits for the
// connection. The caller closes it.
func Open(cfg Config) (*Broker, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	b := &Broker{cfg: cfg, exclusive: exclusive{queues: make(map[string]broker.Queue)}}
	b.ctx, b.cancel = context.WithCancelCause(context.Background())
	b.publisher = newPublisher(cfg, b.ctx.Done())
	b.consumes = newLink(cfg, "consume", b.exclusive.declareAll)
	b.spawn(func() { b.publisher.link.run(b.ctx) })
	b.spawn(func() { b.consumes.run(b.ctx) })
	b.spawn(func() { b.publisher.run(b.ctx) })
	return b, nil
}

// spawn starts a goroutine that Close waits for. It reports false when the
// Broker is closed.
func (b *Broker) spawn(f func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.running.Go(f)
	return true
}

// Ready implements broker.Broker.
func (b *Broker) Ready(ctx context.Context) error {
	for _, l := range []*link{b.publisher.link, b.consumes} {
		if _, err := l.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// State implements broker.Broker.
func (b *Broker) State() broker.State {
	p, _, _ := b.publisher.link.look()
	c, _, _ := b.consumes.look()
	if p == nil || c == nil {
		return broker.Away
	}
	switch alarm := p.alarm.Load(); {
	case alarm == nil:
		return broker.Connected
	case strings.Contains(*alarm, "disk"):
		return broker.NoDisk
	}
	return broker.NoMemory
}

// Publish implements broker.Broker.
func (b *Broker) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	return b.publisher.publish(ctx, queue, body, done)
}

// Close implements broker.Broker. It waits for calls of handle and done.
func (b *Broker) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.cancel(broker.ErrClosed)
	b.running.Wait()
	return nil
}
