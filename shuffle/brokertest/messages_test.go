package brokertest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"time"

	"analyzer/shuffle/broker"
)

func testConcurrentPublishers(s *scene) {
	const publishers, each = 8, 50
	queue := s.queue("q", nil)
	basket, _ := s.consume(s.client, queue, 20)
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			var ms []broker.Message
			for i := range each {
				ms = append(ms, broker.Message{Queue: queue, Body: fmt.Appendf(nil, "%d/%d", p, i)})
			}
			if err := publishAll(s.context(), s.client, ms); err != nil {
				s.Error(err)
			}
		})
	}
	basket.ackAll(publishers*each, false)
	wg.Wait()
	if got := s.counts.Confirmed.Load(); got != publishers*each {
		s.Errorf("%d publishes counted as confirmed, want %d", got, publishers*each)
	}
	if got := s.counts.Delivered.Load(); got < publishers*each {
		s.Errorf("%d messages counted as delivered, want at least %d", got, publishers*each)
	}
}

func testPublished(s *scene) {
	queue := s.queue("q", nil)
	begin := time.Now().Truncate(time.Microsecond)
	s.fill(queue, 1)
	end := time.Now()
	dying, _ := s.open()
	first, _ := s.consume(dying, queue, 1)
	first.next()
	s.ok(dying.Close())
	again, _ := s.consume(s.client, queue, 1)
	d := again.next()
	if at := d.Published; at.Before(begin) || at.After(end) {
		s.Errorf("published at %v, not between %v and %v", at, begin, end)
	}
	s.ok(d.Ack())
}

func testUnackedComeAgain(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 10)
	dying, _ := s.open()
	first, _ := s.consume(dying, queue, 10)
	for _, d := range first.take(10)[:4] {
		s.ok(d.Ack())
	}
	s.ok(dying.Close())
	second, _ := s.consume(s.client, queue, 10)
	second.ackAll(6, false)
	second.none()
}

func testAckedStayAway(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 20)
	other, counts := s.open()
	first, _ := s.consume(other, queue, 5)
	first.ackAll(20, false)
	s.ok(other.Close())
	if got := counts.Acked.Load(); got != 20 {
		s.Errorf("%d messages counted as acknowledged, want 20", got)
	}
	second, _ := s.consume(s.client, queue, 5)
	second.none()
}

func testRequeue(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 2)
	basket, _ := s.consume(s.client, queue, 1)
	s.ok(basket.next().Ack())
	kept := basket.next()
	s.ok(kept.Requeue())
	again := basket.next()
	if !bytes.Equal(again.Body, kept.Body) {
		s.Errorf("%q came after %q was given back", again.Body, kept.Body)
	}
	s.ok(again.Ack())
	basket.none()
}

func testPrefetch(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 10)
	basket, _ := s.consume(s.client, queue, 3)
	held := basket.take(3)
	basket.none()
	s.ok(held[1].Ack())
	held[1] = basket.next()
	basket.none()
	for _, d := range held {
		s.ok(d.Ack())
	}
	basket.ackAll(6, false)
}

func testOneCallAtATime(s *scene) {
	queue := s.queue("q", nil)
	var mu sync.Mutex
	running, came := 0, 0
	all := make(chan struct{})
	_, err := s.client.Consume(s.context(), queue, 50, func(d broker.Delivery) {
		mu.Lock()
		running++
		if running > 1 {
			s.Error("two calls of a handler at a time")
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
		if err := d.Ack(); err != nil {
			s.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		running--
		if came++; came == 100 {
			close(all)
		}
	})
	s.ok(err)
	s.fill(queue, 100)
	select {
	case <-all:
	case <-time.After(patience):
		s.Fatal("not all messages came")
	}
}

func testSettledOnce(s *scene) {
	queue := s.queue("q", nil)
	s.fill(queue, 3)
	basket, _ := s.consume(s.client, queue, 3)
	ds := basket.take(3)
	s.ok(ds[0].Ack())
	s.want(ds[0].Ack(), broker.ErrStale)
	s.want(ds[0].Requeue(), broker.ErrStale)
	// The others are still held.
	s.ok(ds[1].Ack())
	s.ok(ds[2].Ack())
	basket.none()
	if got := s.counts.Stale.Load(); got != 2 {
		s.Errorf("%d settlements counted as stale, want 2", got)
	}
	s.want(broker.Delivery{}.Ack(), broker.ErrStale)
}

func testBodySizes(s *scene) {
	queue := s.queue("q", nil)
	basket, _ := s.consume(s.client, queue, 1)
	for _, size := range []int{0, 1, 4096, 131072 - 8, 131072, 1<<20 + 1, broker.MaxMessage} {
		body := bytes.Repeat([]byte("0123456789abcde"), size/15+1)[:size]
		s.ok(s.publish(s.client, queue, string(body)))
		d := basket.next()
		if !bytes.Equal(d.Body, body) {
			s.Fatalf("a body of %d bytes came as one of %d bytes, or a different one", size, len(d.Body))
		}
		s.ok(d.Ack())
	}
	err := s.client.Publish(s.context(), queue, make([]byte, broker.MaxMessage+1), func(error) {
		s.Error("done was called for a body that is too large")
	})
	s.want(err, broker.ErrTooLarge)
	basket.none()
}

func testThroughput(s *scene) {
	const n, size = 500, 64 << 10
	queue := s.queue("q", nil)
	basket, _ := s.consume(s.client, queue, 64)
	body := bytes.Repeat([]byte{'x'}, size)
	start := time.Now()
	results := make(chan error, n)
	go func() {
		for range n {
			err := s.client.Publish(s.context(), queue, body, func(err error) { results <- err })
			if err != nil {
				results <- err
			}
		}
	}()
	for range n {
		s.ok(basket.next().Ack())
	}
	for range n {
		s.ok(<-results)
	}
	rate := float64(n*size) / time.Since(start).Seconds() / 1e6
	s.Logf("%.0f MB/s", rate)
	if rate < 1 {
		s.Errorf("%.2f MB/s published, delivered and acknowledged, want at least 1", rate)
	}
}

func testPublishAll(s *scene) {
	queue := s.queue("q", nil)
	basket, _ := s.consume(s.client, queue, 10)
	var ms []broker.Message
	for i := range 50 {
		ms = append(ms, broker.Message{Queue: queue, Body: fmt.Append(nil, i)})
	}
	s.ok(publishAll(s.context(), s.client, ms))
	basket.ackAll(50, false)
	s.ok(publishAll(s.context(), s.client, nil))

	ms[25].Queue = s.prefix + "missing"
	s.want(publishAll(s.context(), s.client, ms), broker.ErrNoQueue)
	ms[25] = broker.Message{Queue: queue, Body: make([]byte, broker.MaxMessage+1)}
	if err := publishAll(s.context(), s.client, ms); !errors.Is(err, broker.ErrTooLarge) {
		s.Errorf("publish a large message: %v", err)
	}
}
