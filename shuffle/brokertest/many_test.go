package brokertest

import (
	"flag"
	"fmt"
	"slices"
	"sync"

	"analyzer/shuffle/broker"
)

var long = flag.Bool("long", false, "have as many subscriptions as many jobs have")

// testManySubscriptions has a client subscribe to thousands of queues, as the worker of
// thousands of jobs does, end every other subscription, and delete some queues. Whatever
// happens to one must not disturb the others.
func testManySubscriptions(s *scene) {
	n := s.h.many
	if !*long {
		n = min(n, 200)
	}
	names := make([]string, n)
	var ms []broker.Message
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", s.prefix, i)
		ms = append(ms, broker.Message{Queue: names[i], Body: []byte(names[i])})
	}
	s.deleteInParts(names)
	s.inParts(n, func(i int) error { return s.client.Declare(s.context(), broker.Queue{Name: names[i], Kind: s.kind}) })
	baskets, subs := s.consumeAll(names)
	s.ok(publishAll(s.context(), s.client, ms))
	held := make([]broker.Delivery, n)
	for i := range held {
		held[i] = baskets[i].next()
	}
	for i := 0; i < n; i += 10 { // among those that stay
		s.ok(s.client.Delete(s.context(), names[i]))
		s.ends(subs[i], broker.ErrNoQueue)
	}
	for i := 1; i < n; i += 2 {
		subs[i].Cancel()
	}
	for i := range held {
		switch err := held[i].Ack(); {
		case i%2 == 1 || i%10 == 0:
			s.want(err, broker.ErrStale)
		default:
			s.ok(err)
		}
	}
	var cancelled []string
	for i := 1; i < n; i += 2 {
		cancelled = append(cancelled, names[i])
	}
	again, _ := s.consumeAll(cancelled)
	for i, b := range again {
		d := b.next()
		if string(d.Body) != cancelled[i] {
			s.Fatalf("%q came from %s", d.Body, cancelled[i])
		}
		s.ok(d.Ack())
	}
	if got := s.counts.Delivered.Load(); got != int64(n+len(cancelled)) {
		s.Errorf("%d messages were delivered, want %d and those of %d subscriptions once more", got, n, len(cancelled))
	}
}

// consumeAll subscribes to queues.
func (s *scene) consumeAll(queues []string) ([]*basket, []broker.Subscription) {
	baskets, subs := make([]*basket, len(queues)), make([]broker.Subscription, len(queues))
	s.inParts(len(queues), func(i int) (err error) {
		baskets[i] = &basket{s: s, come: make(chan broker.Delivery, 2)}
		subs[i], err = s.client.Consume(s.context(), queues[i], 1+i%3, func(d broker.Delivery) { baskets[i].come <- d })
		return err
	})
	return baskets, subs
}

// deleteInParts deletes queues after the test.
func (s *scene) deleteInParts(names []string) {
	for part := range slices.Chunk(names, 500) { // each within the test's patience
		s.deleteLater(part...)
	}
}

// inParts calls f for each number below n, some at a time.
func (s *scene) inParts(n int, f func(i int) error) {
	s.Helper()
	const atOnce = 20
	var wg sync.WaitGroup
	for part := range atOnce {
		wg.Go(func() {
			for i := part; i < n; i += atOnce {
				if err := f(i); err != nil {
					s.Errorf("number %d: %v", i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if s.Failed() {
		s.FailNow()
	}
}
