package brokertest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"analyzer/shuffle/broker"
)

func testDeclareAgain(s *scene) {
	q := broker.Queue{Name: s.prefix + "q", Kind: s.kind, SingleActive: true}
	s.deleteLater(q.Name)
	other, _ := s.open()
	for _, b := range []broker.Broker{s.client, other, s.client} {
		s.ok(b.Declare(s.context(), q, q))
	}
	s.fill(q.Name, 1)
	changes := []func(*broker.Queue){
		func(q *broker.Queue) { q.Kind = broker.Classic + broker.Quorum - q.Kind },
		func(q *broker.Queue) { q.SingleActive = false },
	}
	for _, change := range changes {
		changed := q
		change(&changed)
		s.want(other.Declare(s.context(), changed), broker.ErrMismatch)
	}
	basket, _ := s.consume(other, q.Name, 1)
	basket.ackAll(1, false) // what was in it still is
}

func testDeleteWhileConsuming(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 5)
	basket, sub := s.consume(s.client, queue, 2)
	other, _ := s.open()
	otherBasket, otherSub := s.consume(other, queue, 2)
	held := basket.take(2)
	otherBasket.take(2)
	s.ok(s.client.Delete(s.context(), queue))
	s.ends(sub, broker.ErrNoQueue)
	s.ends(otherSub, broker.ErrNoQueue)
	s.want(held[0].Ack(), broker.ErrStale)
	s.want(s.publish(s.client, queue, "late"), broker.ErrNoQueue)

	// A new queue of the same name is another one, and the clients are well.
	s.queue("q", nil)
	again, _ := s.consume(other, queue, 1)
	s.ok(s.publish(s.client, queue, "new"))
	if d := again.next(); string(d.Body) != "new" {
		s.Errorf("%q came from a queue made anew", d.Body)
	}
	basket.none()
}

func testManyQueues(s *scene) {
	const n = 60
	var qs []broker.Queue
	var names []string
	for i := range n {
		qs = append(qs, broker.Queue{Name: fmt.Sprintf("%s%d", s.prefix, i), Kind: s.kind})
		names = append(names, qs[i].Name)
	}
	s.deleteLater(names...)
	s.ok(s.client.Declare(s.context(), qs...))
	var baskets []*basket
	var ms []broker.Message
	for _, name := range names {
		b, _ := s.consume(s.client, name, 3)
		baskets = append(baskets, b)
		for i := range 5 {
			ms = append(ms, broker.Message{Queue: name, Body: fmt.Append(nil, name, " ", i)})
		}
	}
	s.ok(publishAll(s.context(), s.client, ms))
	for i, b := range baskets {
		d := b.next()
		if !strings.HasPrefix(string(d.Body), names[i]+" ") {
			s.Fatalf("%q came from %s", d.Body, names[i])
		}
		s.ok(d.Requeue())
		b.ackAll(5, false)
	}
	s.ok(s.client.Delete(s.context(), names...))
	for _, name := range names {
		s.want(s.publish(s.client, name, "late"), broker.ErrNoQueue)
	}
}

func testMissingQueue(s *scene) {
	missing := s.prefix + "missing"
	present := s.queue("present", nil)
	s.want(s.publish(s.client, missing, "x"), broker.ErrNoQueue)
	s.ok(s.publish(s.client, present, "x"))
	s.want(s.publish(s.client, missing, "x"), broker.ErrNoQueue)
	_, err := s.client.Consume(s.context(), missing, 1, func(broker.Delivery) { s.Error("a delivery from a queue that is missing") })
	s.want(err, broker.ErrNoQueue)
	s.ok(s.client.Delete(s.context(), missing))
	if got := s.counts.Returned.Load(); got != 2 {
		s.Errorf("%d publishes counted as returned, want 2", got)
	}
	basket, _ := s.consume(s.client, present, 1)
	basket.ackAll(1, false) // the client is well
}

func testBadArguments(s *scene) {
	for _, q := range []broker.Queue{
		{},
		{Name: string(make([]byte, 256))},
		{Name: s.prefix + "q", Kind: 7},
		{Name: s.prefix + "q", Exclusive: true, Kind: broker.Quorum},
	} {
		if err := s.client.Declare(s.context(), broker.Queue{Name: s.prefix + "fine"}, q); err == nil {
			s.Errorf("%+v was declared", q)
		}
	}
	s.want(s.publish(s.client, s.prefix+"fine", "x"), broker.ErrNoQueue) // nothing was declared
	queue := s.queue("q", nil)
	for _, prefetch := range []int{-1, 0, broker.MaxPrefetch + 1} {
		if _, err := s.client.Consume(s.context(), queue, prefetch, func(broker.Delivery) {}); err == nil {
			s.Errorf("prefetch of %d was taken", prefetch)
		}
	}
}

func testExclusive(s *scene) {
	owner, _ := s.open()
	q := broker.Queue{Name: s.prefix + "replies", Exclusive: true}
	s.ok(owner.Declare(s.context(), q))
	s.ok(owner.Declare(s.context(), q))
	basket, sub := s.consume(owner, q.Name, 5)
	s.ok(s.publish(s.client, q.Name, "before")) // anybody may publish
	basket.ackAll(1, false)
	_, err := s.client.Consume(s.context(), q.Name, 1, func(broker.Delivery) {})
	s.want(err, broker.ErrMismatch)

	s.h.cut(s)
	s.ok(owner.Ready(s.context()))
	s.eventually(func() error { return s.publish(s.client, q.Name, "after") })
	basket.ackAll(1, true)

	s.ok(owner.Close())
	s.ends(sub, broker.ErrClosed)
	s.eventually(func() error {
		if err := s.publish(s.client, q.Name, "late"); err == nil {
			return errors.New("the queue outlives its owner")
		}
		return nil
	})
	s.want(s.publish(s.client, q.Name, "late"), broker.ErrNoQueue)
}

// eventually repeats what fails at first.
func (s *scene) eventually(f func() error) {
	s.Helper()
	end := time.Now().Add(patience)
	for err := f(); err != nil; err = f() {
		if time.Now().After(end) {
			s.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func testDepth(s *scene) {
	one, other := s.queue("one", nil), s.queue("other", nil)
	depth := func(want int, names ...string) {
		s.Helper()
		got := -1
		for end := time.Now().Add(patience); got != want && time.Now().Before(end); time.Sleep(time.Millisecond) {
			var err error
			got, err = s.client.Depth(s.context(), names...)
			s.ok(err)
		}
		if got != want {
			s.Errorf("%d messages wait in %q, want %d", got, names, want)
		}
	}
	depth(0)
	depth(0, one, other)
	s.fill(one, 5)
	s.fill(other, 2)
	depth(7, one, s.prefix+"none", other, s.prefix+"none too")
	basket, _ := s.consume(s.client, one, 2)
	held := basket.take(2)
	depth(3, one)
	s.ok(held[0].Ack())
	depth(2, one)
	s.ok(s.client.Close())
	_, err := s.client.Depth(s.context(), one)
	s.want(err, broker.ErrClosed)
}
