package worker

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/shuffle/broker"
)

// slow is a broker that takes its time for subscriptions to jobs' queues.
type slow struct {
	broker.Broker
	now, most, all atomic.Int64
}

func (s *slow) Consume(ctx context.Context, queue string, prefetch int, handle func(broker.Delivery)) (broker.Subscription, error) {
	now := s.now.Add(1)
	defer s.now.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	time.Sleep(5 * time.Millisecond)
	s.all.Add(1)
	return s.Broker.Consume(ctx, queue, prefetch, handle)
}

// A worker with many jobs subscribes for some of them at a time, and not for one after the other.
func TestSomeStartAtATime(t *testing.T) {
	const jobs = 150
	w := newWorld(t, 1)
	for range jobs {
		newOpenJob(w).open()
	}
	m := w.machines[0]
	m.kill()
	b := &slow{Broker: w.broker.Connect(nil)}
	again := New(m.config(), b, m.disk, slog.New(slog.DiscardHandler), nil)
	if err := again.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); b.all.Load() < jobs; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d of %d jobs have subscribed", b.all.Load(), jobs)
		}
	}
	again.close()
	if most := b.most.Load(); most > mostStarting || most < 2 {
		t.Errorf("%d subscribed at a time", most)
	}
	for _, member := range again.members() {
		if s := member.part.Load().Status(); s.Reason != "" || !s.Uploading {
			t.Errorf("%+v", s)
		}
	}
}
