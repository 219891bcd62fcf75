package worker

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// blockable is a broker that can be blocked: as long as it is, Publish waits, as that of
// RabbitMQ does during an alarm.
type blockable struct {
	broker.Broker
	blocked            atomic.Bool
	emitting, replying atomic.Bool // Publish waits
}

func (b *blockable) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if b.blocked.Load() {
		if queue == "replies" {
			b.replying.Store(true)
		} else if !strings.Contains(queue, "control") {
			b.emitting.Store(true)
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return b.Broker.Publish(ctx, queue, body, done)
}

// A worker ends soon while its broker is blocked, although it emits rows and answers requests;
// the next one goes on with what was frozen.
func TestAWorkerEndsWhileItsBrokerIsBlocked(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	m.kill()
	m.outside = true
	state := t.TempDir()
	run := func(crash func(string)) (b *blockable, end func() (time.Duration, error)) {
		client := w.broker.Connect(nil)
		b = &blockable{Broker: client}
		cfg := Config{State: state, Commit: GroupCommit{Prefetch: 8}, Remember: time.Hour, Crash: func(point string) {
			if point == PointFreeze && crash == nil {
				b.blocked.Store(true)
			}
		}}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- New(cfg, b, vfs.OS(), slog.New(slog.DiscardHandler), nil).Run(ctx)
		}()
		return b, func() (time.Duration, error) {
			began := time.Now()
			stop()
			select {
			case err := <-ended:
				return time.Since(began), errors.Join(err, client.Close())
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
				return 0, nil
			}
		}
	}
	b, end := run(nil)
	j := newJob(w).open().upload()
	w.until("it emits", func() bool { return b.emitting.Load() })
	w.tell(0, protocol.Request{Action: protocol.ActionStatus, Job: protocol.NewJobID(), ReplyTo: "replies"})
	var stepping sync.WaitGroup
	stepping.Go(func() { // the step that delivers the request lasts until the worker ends
		for range 10_000 {
			if b.replying.Load() {
				return
			}
			w.broker.Step()
			time.Sleep(time.Millisecond)
		}
	})
	for began := time.Now(); !b.replying.Load(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("it answers nothing")
		}
	}
	took, err := end()
	stepping.Wait()
	if err != nil || took > 3*lastPatience {
		t.Errorf("it ended after %v: %v", took, err)
	}
	_, end = run(func(string) {})
	j.exact()
	j.cancel()
	if _, err := end(); err != nil {
		t.Error(err)
	}
}
