package brokertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"analyzer/shuffle/broker"
)

// stream publishes and consumes n messages of some size through a queue, makes
// trouble in their midst, and checks that all arrive.
func (s *scene) stream(queue string, n, size int, trouble func()) {
	s.Helper()
	basket, _ := s.consume(s.client, queue, 16)
	publisher, counts := s.open()
	begun, over := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		s.pour(publisher, queue, size, 0, n/4)
		close(begun)
		s.pour(publisher, queue, size, n/4, n-1)
		<-over
		s.pour(publisher, queue, size, n-1, n)
	})
	wg.Go(func() { s.collect(basket, n) })
	<-begun
	func() {
		defer wg.Wait() // also behind trouble that ended the test
		defer close(over)
		trouble()
	}()
	if counts.Connects.Load() < 2 {
		s.Errorf("%d connections counted: the trouble passed by", counts.Connects.Load())
	}
}

// pour publishes the messages of some numbers, each twice.
func (s *scene) pour(b broker.Broker, queue string, size, first, end int) {
	for i := first; i < end; i++ {
		body := make([]byte, size)
		copy(body, fmt.Sprint(i, " "))
		m := broker.Message{Queue: queue, Body: body}
		if err := publishAll(s.context(), b, []broker.Message{m, m}); err != nil {
			s.Errorf("message %d: %v", i, err)
			return
		}
	}
}

// collect acknowledges deliveries until n different ones came.
func (s *scene) collect(k *basket, n int) {
	for seen := make(map[string]bool); len(seen) < n; {
		select {
		case d := <-k.come:
			seen[string(d.Body[:10])] = true
			if err := d.Ack(); err != nil && !errors.Is(err, broker.ErrStale) {
				s.Errorf("acknowledge: %v", err)
			}
		case <-time.After(patience):
			s.Errorf("%d of %d messages came", len(seen), n)
			return
		}
	}
}

func testConnectionLost(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 1)
	held, sub := s.consume(s.client, queue, 1)
	d := held.next()
	s.h.cut(s)
	again := held.next()
	s.want(d.Ack(), broker.ErrStale)
	s.ok(again.Ack())
	sub.Cancel()
	if s.counts.Disconnects.Load() == 0 {
		s.Error("no lost connection was counted")
	}
	s.stream(queue, 300, 8<<10, func() {
		for range 3 {
			time.Sleep(20 * time.Millisecond)
			s.h.cut(s)
		}
	})
}

func testCrash(s *scene) {
	queue := s.queue("q", func(q *broker.Queue) { q.SingleActive = true })
	kept := s.queue("kept", nil)
	s.fill(kept, 100)
	s.stream(queue, 600, 64<<10, func() {
		s.h.down(s)
		s.becomes(s.client, broker.Away)
		s.waitsAsLongAsItsContext(kept)
		s.h.up(s)
	})
	basket, _ := s.consume(s.client, kept, 100)
	basket.ackAll(100, false)
}

// waitsAsLongAsItsContext calls a client whose broker is away.
func (s *scene) waitsAsLongAsItsContext(queue string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.context(), quiet)
	defer cancel()
	s.want(s.client.Declare(ctx, broker.Queue{Name: queue, Kind: s.kind}), context.DeadlineExceeded)
	s.want(s.client.Delete(ctx, queue), context.DeadlineExceeded)
	s.want(s.client.Ready(ctx), context.DeadlineExceeded)
	_, err := s.client.Consume(ctx, queue, 1, func(broker.Delivery) {})
	s.want(err, context.DeadlineExceeded)
}

func testEndedContext(s *scene) {
	queue := s.queue("q", nil)
	reason := errors.New("no longer wanted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	ended := func(what string, err error) {
		s.Helper()
		if !errors.Is(err, reason) && !errors.Is(err, context.Canceled) {
			s.Errorf("%s with a context that has ended: %v", what, err)
		}
	}
	ended("publish", s.client.Publish(ctx, queue, nil, func(error) { s.Error("done was called") }))
	ended("declare", s.client.Declare(ctx, broker.Queue{Name: queue, Kind: s.kind}))
	ended("delete", s.client.Delete(ctx, queue))
	_, err := s.client.Consume(ctx, queue, 1, func(broker.Delivery) { s.Error("a handler was called") })
	ended("consume", err)
	s.fill(queue, 1)
	basket, _ := s.consume(s.client, queue, 1)
	basket.ackAll(1, false)
}

func testCloseWhileAway(s *scene) {
	queue := s.queue("q", nil)
	b, _ := s.open()
	s.ok(b.Ready(s.context()))
	_, sub := s.consume(b, queue, 1)
	s.h.down(s)
	defer s.h.up(s)
	waiting := make(chan error, 2)
	go func() { waiting <- b.Declare(s.context(), broker.Queue{Name: queue, Kind: s.kind}) }()
	s.becomes(b, broker.Away)
	s.closesSoon(b)
	s.ends(sub, broker.ErrClosed)
	select {
	case err := <-waiting:
		s.want(err, broker.ErrClosed)
	case <-time.After(patience):
		s.Fatal("a call waits although the broker is closed")
	}
}

// closesSoon closes a client and checks that that does not wait for the broker.
func (s *scene) closesSoon(b broker.Broker) {
	s.Helper()
	start := time.Now()
	s.ok(b.Close())
	if d := time.Since(start); d > 3*time.Second {
		s.Errorf("Close took %v", d)
	}
}

// press publishes until the client is blocked, and returns how many messages it
// took and where their results go.
func (s *scene) press(b broker.Broker, queue string) (int, chan error) {
	s.Helper()
	results := make(chan error, 10000)
	body := make([]byte, 64<<10)
	for n := range cap(results) {
		ctx, cancel := context.WithTimeout(s.context(), quiet)
		err := b.Publish(ctx, queue, body, func(err error) { results <- err })
		cancel()
		switch {
		case err != nil:
			s.want(err, context.DeadlineExceeded)
			s.becomes(b, broker.NoMemory)
			return n, results
		case n >= 500 && b.State() == broker.NoMemory: // it takes messages nevertheless
			return n + 1, results
		}
	}
	s.Fatal("an alarm does not block")
	return 0, nil
}

func testBlocked(s *scene) {
	queue, other := s.queue("q", nil), s.queue("other", nil)
	s.fill(other, 10)
	publisher, counts := s.open()
	s.ok(publisher.Ready(s.context()))
	s.h.block(s, true)
	unblock := sync.OnceFunc(func() { s.h.block(s, false) })
	defer unblock()
	n, results := s.press(publisher, queue)

	// Whoever consumes is not held up.
	basket, _ := s.consume(publisher, other, 2)
	basket.ackAll(10, false)

	unblock()
	s.becomes(publisher, broker.Connected)
	for range n {
		select {
		case err := <-results:
			s.ok(err)
		case <-time.After(patience):
			s.Fatal("a publish of the time of the alarm has no result")
		}
	}
	if counts.Blocks.Load() == 0 {
		s.Error("no alarm was counted")
	}
	s.ok(s.publish(publisher, queue, "after"))
}

func testCloseWhileBlocked(s *scene) {
	queue := s.queue("q", nil)
	b, _ := s.open()
	s.ok(b.Ready(s.context()))
	s.h.block(s, true)
	defer s.h.block(s, false)
	n, results := s.press(b, queue)
	waiting := make(chan error, 1)
	if n < 500 {
		go func() { waiting <- b.Publish(s.context(), queue, nil, func(error) { s.Error("done was called") }) }()
	} else {
		waiting <- broker.ErrClosed // nobody waits
	}
	time.Sleep(quiet)
	s.closesSoon(b)
	s.want(<-waiting, broker.ErrClosed)
	for range n {
		select {
		case err := <-results:
			if err != nil {
				s.want(err, broker.ErrUnconfirmed)
			}
		default:
			s.Fatal("a publish has no result after Close")
		}
	}
}
