package brokertest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"analyzer/shuffle/broker"
)

// scene is what a test has: a client, counters, queues with names of its own.
type scene struct {
	*testing.T
	h      harness
	kind   broker.Kind
	client broker.Broker
	counts *broker.Counters
	prefix string
}

func newScene(t *testing.T, h harness, kind broker.Kind) *scene {
	s := &scene{T: t, h: h, kind: kind, prefix: "test." + rand.Text()[:8] + "."}
	s.client, s.counts = s.open()
	return s
}

// open returns another client.
func (s *scene) open() (broker.Broker, *broker.Counters) {
	b, counts := s.h.open(s)
	s.Cleanup(func() {
		if err := b.Close(); err != nil {
			s.Error(err)
		}
	})
	return b, counts
}

// context returns one that ends when the test has waited long enough.
func (s *scene) context() context.Context {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errors.New("the test has waited long enough"))
	s.Cleanup(cancel)
	return ctx
}

// queue declares a queue that is deleted after the test, changed by edit.
func (s *scene) queue(name string, edit func(*broker.Queue)) string {
	s.Helper()
	q := broker.Queue{Name: s.prefix + name, Kind: s.kind}
	if edit != nil {
		edit(&q)
	}
	s.ok(s.client.Declare(s.context(), q))
	s.deleteLater(q.Name)
	return q.Name
}

// deleteLater deletes queues after the test, with a client of its own, since the
// test may have closed others.
func (s *scene) deleteLater(names ...string) {
	s.Cleanup(func() {
		b, _ := s.h.open(s)
		if err := errors.Join(b.Delete(s.context(), names...), b.Close()); err != nil {
			s.Error(err)
		}
	})
}

func (s *scene) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// want checks that an error is a certain one.
func (s *scene) want(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("error %v, want %v", err, want)
	}
}

// publish publishes a body and waits for the result.
func (s *scene) publish(b broker.Broker, queue, body string) error {
	s.Helper()
	result := make(chan error, 1)
	s.ok(b.Publish(s.context(), queue, []byte(body), func(err error) { result <- err }))
	select {
	case err := <-result:
		return err
	case <-s.context().Done():
		s.Fatalf("no result of a publish to %s after %v", queue, patience)
		return nil
	}
}

// publishAll publishes messages and returns when the broker has them all. Errors: as
// of broker.Publisher, or that of the context.
func publishAll(ctx context.Context, b broker.Broker, messages []broker.Message) error {
	ctx, cancel := context.WithCancel(ctx)
	p := broker.NewPublisher(b, 0, broker.Watch{})
	var wg sync.WaitGroup
	wg.Go(func() { p.Run(ctx) })
	defer func() { cancel(); wg.Wait() }()
	done := make(chan error, 1)
	p.Publish(ctx, messages, func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fill publishes bodies "0" to "n-1".
func (s *scene) fill(queue string, n int) {
	s.Helper()
	var ms []broker.Message
	for i := range n {
		ms = append(ms, broker.Message{Queue: queue, Body: fmt.Append(nil, i)})
	}
	s.ok(publishAll(s.context(), s.client, ms))
}

// consume starts a consumer whose deliveries go to a basket.
func (s *scene) consume(b broker.Broker, queue string, prefetch int) (*basket, broker.Subscription) {
	s.Helper()
	k := &basket{s: s, come: make(chan broker.Delivery, 10000)}
	sub, err := b.Consume(s.context(), queue, prefetch, func(d broker.Delivery) { k.come <- d })
	s.ok(err)
	return k, sub
}

// basket collects deliveries.
type basket struct {
	s    *scene
	come chan broker.Delivery
}

// next waits for a delivery.
func (k *basket) next() broker.Delivery {
	k.s.Helper()
	select {
	case d := <-k.come:
		return d
	case <-time.After(patience):
		k.s.Fatalf("no delivery in %v", patience)
		return broker.Delivery{}
	}
}

// take waits for n deliveries.
func (k *basket) take(n int) []broker.Delivery {
	k.s.Helper()
	ds := make([]broker.Delivery, n)
	for i := range ds {
		ds[i] = k.next()
	}
	return ds
}

// ackAll takes deliveries and acknowledges them until each of n different bodies
// came. An acknowledgement may be stale only if stale says so.
func (k *basket) ackAll(n int, stale bool) {
	k.s.Helper()
	for seen := make(map[string]bool); len(seen) < n; {
		d := k.next()
		if err := d.Ack(); err != nil && !(stale && errors.Is(err, broker.ErrStale)) {
			k.s.Fatalf("acknowledge: %v", err)
		}
		seen[string(d.Body)] = true
	}
}

// none checks that nothing is delivered.
func (k *basket) none() {
	k.s.Helper()
	select {
	case d := <-k.come:
		k.s.Fatalf("a delivery that should not be: %.20q", d.Body)
	case <-time.After(quiet):
	}
}

// ends checks that a subscription ends with an error.
func (s *scene) ends(sub broker.Subscription, want error) {
	s.Helper()
	select {
	case <-sub.Done():
	case <-time.After(patience):
		s.Fatalf("a subscription has not ended after %v, want %v", patience, want)
	}
	if err := sub.Err(); !errors.Is(err, want) {
		s.Fatalf("a subscription ended with %v, want %v", err, want)
	}
}

// becomes waits for a state.
func (s *scene) becomes(b broker.Broker, want broker.State) {
	s.Helper()
	for end := time.Now().Add(patience); b.State() != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("the broker is %v after %v, want %v", b.State(), patience, want)
		}
	}
}
