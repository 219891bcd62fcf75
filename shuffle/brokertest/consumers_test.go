package brokertest

import (
	"fmt"
	"sync/atomic"
	"time"

	"analyzer/shuffle/broker"
)

func testSingleActive(s *scene) {
	queue := s.queue("q", func(q *broker.Queue) { q.SingleActive = true })
	active, _ := s.open()
	first, _ := s.consume(active, queue, 4)
	second, _ := s.consume(s.client, queue, 4)
	s.fill(queue, 12)
	held := first.take(4)
	second.none()
	s.ok(held[0].Ack())
	first.next()
	second.none()
	s.ok(active.Close())
	second.ackAll(11, false)
	second.none()
}

func testCompetingConsumers(s *scene) {
	queue := s.queue("q", nil)
	other, _ := s.open()
	a, _ := s.consume(s.client, queue, 5)
	b, _ := s.consume(other, queue, 5)
	s.fill(queue, 10)
	seen := make(map[string]bool)
	for _, d := range append(a.take(5), b.take(5)...) {
		seen[string(d.Body)] = true
		s.ok(d.Ack())
	}
	if len(seen) != 10 {
		s.Errorf("two consumers got %d different messages, want 10", len(seen))
	}
}

func testCancel(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 8)
	var cancelled atomic.Bool
	entered := make(chan broker.Delivery, 8)
	leave := make(chan struct{})
	sub, err := s.client.Consume(s.context(), queue, 8, func(d broker.Delivery) {
		if cancelled.Load() {
			s.Error("a handler was called after Cancel returned")
		}
		entered <- d
		<-leave
	})
	s.ok(err)
	if sub.Err() != nil {
		s.Errorf("a subscription that goes on has the error %v", sub.Err())
	}
	held := <-entered
	returned := make(chan struct{})
	go func() {
		sub.Cancel()
		cancelled.Store(true)
		close(returned)
	}()
	select {
	case <-returned:
		s.Error("Cancel returned while the handler was running")
	case <-time.After(quiet):
	}
	close(leave)
	select {
	case <-returned:
	case <-time.After(patience):
		s.Fatal("Cancel does not return")
	}
	sub.Cancel()
	s.ends(sub, nil)
	s.want(held.Ack(), broker.ErrStale)
	basket, _ := s.consume(s.client, queue, 8)
	basket.ackAll(8, false)
	basket.none()
}

func testClose(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 3)
	b, _ := s.open()
	s.ok(b.Ready(s.context()))
	basket, sub := s.consume(b, queue, 3)
	ds := basket.take(3)
	s.ok(ds[0].Ack())
	results := make(chan error, 20)
	for i := range 20 {
		s.ok(b.Publish(s.context(), queue, fmt.Append(nil, "late", i), func(err error) { results <- err }))
	}
	s.ok(b.Close())
	s.ok(b.Close())
	s.ends(sub, broker.ErrClosed)
	for range 20 {
		select {
		case err := <-results:
			if err != nil {
				s.want(err, broker.ErrUnconfirmed)
			}
		default:
			s.Fatal("Close returned before all publishes were done")
		}
	}
	s.want(ds[1].Ack(), broker.ErrStale)
	s.want(b.Publish(s.context(), queue, nil, func(error) { s.Error("done was called") }), broker.ErrClosed)
	s.want(b.Declare(s.context(), broker.Queue{Name: queue, Kind: s.kind}), broker.ErrClosed)
	s.want(b.Delete(s.context(), queue), broker.ErrClosed)
	s.want(b.Ready(s.context()), broker.ErrClosed)
	_, err := b.Consume(s.context(), queue, 1, func(broker.Delivery) {})
	s.want(err, broker.ErrClosed)
	if st := b.State(); st != broker.Away {
		s.Errorf("a closed broker is %v", st)
	}
}
