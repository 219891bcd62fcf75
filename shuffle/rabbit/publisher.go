package rabbit

import (
	"context"
	"fmt"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"golang.org/x/sync/semaphore"

	"analyzer/shuffle/broker"
)

// publisher publishes messages on a link of its own.
type publisher struct {
	cfg    Config
	link   *link
	room   *semaphore.Weighted // bytes that may be unconfirmed
	todo   chan *request       // to the goroutine that writes
	closed <-chan struct{}
}

// request is one message to publish.
type request struct {
	queue    string
	body     []byte
	done     func(error)
	returned bool                       // the broker sent it back
	settled  bool                       // the broker confirmed or refused it
	outcome  *amqp.DeferredConfirmation // confirmed or refused; nil until the message is written
}

func (r *request) cost() int64 { return int64(len(r.body)) + messageCost }

func newPublisher(cfg Config, closed <-chan struct{}) *publisher {
	return &publisher{
		cfg:    cfg,
		link:   newLink(cfg, "publish", func(*session) error { return nil }),
		room:   semaphore.NewWeighted(cfg.InFlight),
		todo:   make(chan *request),
		closed: closed,
	}
}

// publish hands a message to the goroutine that writes, which takes it only when
// the broker can be reached and is not blocked.
func (p *publisher) publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if len(body) > broker.MaxMessage {
		return fmt.Errorf("publish %d bytes to %q: %w, want at most %d", len(body), queue, broker.ErrTooLarge, broker.MaxMessage)
	}
	if len(queue) > 255 {
		return fmt.Errorf("publish to a queue with a name of %d bytes: %w", len(queue), broker.ErrNoQueue)
	}
	r := &request{queue: queue, body: body, done: done}
	if err := p.hand(ctx, r); err != nil {
		return fmt.Errorf("publish to %q: %w", queue, err)
	}
	return nil
}

func (p *publisher) hand(ctx context.Context, r *request) error {
	if err := p.room.Acquire(ctx, r.cost()); err != nil {
		return p.link.explain(ctx)
	}
	select {
	case p.todo <- r:
		return nil
	case <-p.closed:
		p.room.Release(r.cost())
		return broker.ErrClosed
	case <-ctx.Done():
		p.room.Release(r.cost())
		return p.link.explain(ctx)
	}
}

// finish reports the result of a request and frees its room. why says what went wrong;
// nil if nothing did.
func (p *publisher) finish(r *request, why error) {
	c := p.cfg.Counters
	var err error
	switch {
	case r.returned:
		err = fmt.Errorf("publish to %q: %w", r.queue, broker.ErrNoQueue)
		c.Returned.Add(1)
	case why != nil:
		err = fmt.Errorf("publish to %q: %w: %w", r.queue, broker.ErrUnconfirmed, why)
		c.Unconfirmed.Add(1)
	default:
		c.Confirmed.Add(1)
	}
	p.room.Release(r.cost())
	r.done(err)
}

// run publishes until the context ends.
func (p *publisher) run(ctx context.Context) {
	pauses := newBackoff()
	for {
		s, err := p.link.wait(ctx)
		if err != nil {
			return
		}
		start := time.Now()
		if err := p.serve(ctx, s); err != nil {
			s.giveUp(fmt.Errorf("open a channel to publish: %w", err))
		}
		pauses.Lasted(time.Since(start))
		pauses.Wait(ctx)
	}
}

// serve publishes on one channel until the channel ends. An error means that it could not
// start.
func (p *publisher) serve(ctx context.Context, s *session) error {
	ch, err := s.conn.Channel()
	if err != nil {
		return err
	}
	defer func() { _ = ch.Close() }()
	if err := ch.Confirm(false); err != nil {
		return err
	}
	f := newFlight(p, s, ch)
	go f.listen()
	p.write(ctx, ch, f)
	<-f.ended
	f.abandon()
	return nil
}

// publishedHeader says when a message was sent, in microseconds of Unix time. AMQP's own
// timestamp property has only whole seconds.
const publishedHeader = "published"

// write writes messages until the channel has ended. A write that hangs ends at
// the latest when the listener gives up the connection.
func (p *publisher) write(ctx context.Context, ch *amqp.Channel, f *flight) {
	for tag := uint64(1); ; {
		todo := p.todo
		if f.session.alarm.Load() != nil || ctx.Err() != nil {
			todo = nil
		}
		select {
		case r := <-todo:
			f.add(tag, r)
			p.cfg.Counters.Published.Add(1)
			p.cfg.Counters.PublishedBytes.Add(int64(len(r.body)))
			// A failure closes the channel, which settles what is in flight.
			outcome, _ := ch.PublishWithDeferredConfirm("", r.queue, true, false, amqp.Publishing{
				DeliveryMode: amqp.Persistent,
				MessageId:    strconv.FormatUint(tag, 10),
				Headers:      amqp.Table{publishedHeader: time.Now().UnixMicro()},
				Body:         r.body,
			})
			f.written(tag, outcome)
			tag++
		case <-f.turn:
		case <-ctx.Done():
			<-f.ended // the link closes the connection
			return
		case <-f.ended:
			return
		}
	}
}
