package broker_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"analyzer/shuffle/broker"
)

// post is a broker that holds publishes until a test settles them.
type post struct {
	broker.Broker
	mu   sync.Mutex
	sent []string // queue and body
	done []func(error)
}

func (p *post) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent, p.done = append(p.sent, queue+" "+string(body)), append(p.done, done)
	return nil
}

// joining is a Publisher that joins up to ten bytes, on such a broker.
type joining struct {
	t *testing.T
	*broker.Publisher
	post post

	mu    sync.Mutex
	told  []string
	held  int
	lefts []int
	stop  func()
}

// withJoining runs a test in a synctest bubble.
func withJoining(t *testing.T, test func(*joining)) {
	synctest.Test(t, func(t *testing.T) {
		j := &joining{t: t}
		j.Publisher = broker.NewPublisher(&j.post, 10, broker.Watch{
			Handed:  func(_ broker.Message, left int) { j.with(func() { j.lefts = append(j.lefts, left) }) },
			Settled: func(m broker.Message) { j.with(func() { j.held -= len(m.Body) }) },
		})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); j.Run(ctx) }()
		j.stop = func() { stop(); <-ended }
		test(j)
		j.stop()
		if j.held != 0 {
			t.Errorf("%d bytes are held", j.held)
		}
	})
}

func (j *joining) with(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f()
}

// send publishes a batch: queue and body of each message.
func (j *joining) send(ctx context.Context, name string, messages ...string) {
	var batch []broker.Message
	for _, m := range messages {
		queue, body, _ := strings.Cut(m, " ")
		batch = append(batch, broker.Message{Queue: queue, Body: []byte(body)})
		j.with(func() { j.held += len(body) })
	}
	j.Publish(ctx, batch, func(err error) {
		if err != nil {
			name += ": " + err.Error()
		}
		j.with(func() { j.told = append(j.told, name) })
	})
	synctest.Wait()
}

// settle settles the n-th message that the broker was handed.
func (j *joining) settle(n int, err error) {
	j.post.mu.Lock()
	done := j.post.done[n]
	j.post.mu.Unlock()
	done(err)
	synctest.Wait()
}

// sent returns what the broker was handed.
func (j *joining) sent() []string {
	j.post.mu.Lock()
	defer j.post.mu.Unlock()
	return slices.Clone(j.post.sent)
}

// through returns the batches that are done, with their errors.
func (j *joining) through() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.told)
}

func (j *joining) want(what string, got []string, want ...string) {
	j.t.Helper()
	if !slices.Equal(got, want) {
		j.t.Errorf("%s %q, want %q", what, got, want)
	}
}

func TestMessagesAreJoined(t *testing.T) {
	withJoining(t, func(j *joining) {
		j.send(j.t.Context(), "a", "x 1", "y 1", "x 2")
		j.want("at once", j.sent(), "x 12", "y 1")
		j.send(j.t.Context(), "b", "x 3", "y 2", "z 1")
		j.send(j.t.Context(), "c", "x 4")
		j.want("others wait", j.sent(), "x 12", "y 1", "z 1")
		j.settle(0, nil)
		j.want("and go together", j.sent(), "x 12", "y 1", "z 1", "x 34")
		j.want("none is through", j.through())
		j.settle(1, nil)
		j.settle(3, nil)
		j.settle(2, nil)
		j.want("some are", j.through(), "a", "c")
		j.settle(4, nil)
		j.want("all are", j.through(), "a", "c", "b")
		j.send(j.t.Context(), "d", "x 5")
		j.want("a queue is free again", j.sent()[5:], "x 5")
		j.settle(5, nil)
		j.with(func() {
			if want := []int{1, 0, 2, 1, 0, 0}; !slices.Equal(j.lefts, want) {
				t.Errorf("left of a batch: %v, want %v", j.lefts, want)
			}
		})
	})
}

// Messages that fill a parcel do not wait, and a larger message goes alone.
func TestAFullParcelDoesNotWait(t *testing.T) {
	withJoining(t, func(j *joining) {
		j.send(j.t.Context(), "a", "x 123456789012", "x 1", "x 123456789", "x 2")
		j.want("of one batch", j.sent(), "x 123456789012", "x 1123456789", "x 2")
		j.send(j.t.Context(), "b", "x 123456789")
		j.want("it waits", j.sent()[3:])
		j.send(j.t.Context(), "c", "x 123")
		j.want("it is full", j.sent()[3:], "x 123456789")
		for i := range 4 {
			j.settle(i, nil)
		}
		j.want("the rest", j.sent()[4:], "x 123")
		j.settle(4, nil)
		j.want("all are through", j.through(), "a", "b", "c")
	})
}

// A parcel that is not confirmed is published again as it was, while others wait.
func TestAParcelIsPublishedAgain(t *testing.T) {
	withJoining(t, func(j *joining) {
		j.send(j.t.Context(), "a", "x 1")
		ctx, leave := context.WithCancel(j.t.Context())
		j.send(ctx, "b", "x 2")
		j.send(j.t.Context(), "c", "x 3")
		j.settle(0, nil)
		leave()
		j.send(j.t.Context(), "d", "x 4")
		j.settle(1, broker.ErrUnconfirmed)
		j.want("not yet", j.sent(), "x 1", "x 23")
		time.Sleep(time.Minute)
		synctest.Wait()
		j.want("again", j.sent()[2:], "x 23")
		j.settle(2, nil)
		j.settle(3, broker.ErrNoQueue)
		j.want("all are told", j.through(), "a", "b", "c", "d: "+broker.ErrNoQueue.Error())
	})
}

// Waiting messages are not sent if nobody waits for them any more, and are given up at the
// end.
func TestWhatWaitsIsGivenUp(t *testing.T) {
	withJoining(t, func(j *joining) {
		j.send(j.t.Context(), "a", "x 1")
		ctx, leave := context.WithCancelCause(j.t.Context())
		j.send(ctx, "b", "x 2")
		leave(errors.New("left"))
		j.settle(0, nil)
		j.want("none is sent", j.sent(), "x 1")
		j.want("who left is told", j.through(), "a", "b: left")
		j.send(j.t.Context(), "c", "x 3")
		j.send(j.t.Context(), "d", "x 4")
		j.stop()
		j.want("what waits at the end is", j.through()[2:], "d: "+broker.ErrClosed.Error())
		j.settle(1, nil)
		j.want("what is on its way is not", j.through()[3:], "c")
	})
}
