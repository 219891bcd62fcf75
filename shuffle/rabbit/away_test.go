package rabbit

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// freeze stops the node as a hanging machine would, until the test ends or the
// function returned is called.
func freeze(t *testing.T) (thaw func()) {
	t.Helper()
	server, err := nodetest.Server(soon(t), shared.Node(t))
	must(t, err)
	must(t, server.Signal(syscall.SIGSTOP))
	time.Sleep(100 * time.Millisecond) // until the signal has stopped all its threads
	thawed := false
	thaw = func() {
		if !thawed {
			thawed = true
			must(t, server.Signal(syscall.SIGCONT))
		}
	}
	t.Cleanup(thaw)
	return thaw
}

func declared(t *testing.T, b *Broker, name string) string {
	t.Helper()
	must(t, b.Declare(soon(t), broker.Queue{Name: name}))
	t.Cleanup(func() {
		last, _ := open(t, shared.Node(t), nil)
		must(t, last.Delete(soon(t), name))
		last.Close()
	})
	return name
}

// flood publishes more than the socket takes, so that a write hangs, and returns
// how many messages it published.
func flood(t *testing.T, b *Broker, queue string, results chan error) int {
	t.Helper()
	body := make([]byte, 128<<10)
	for n := range cap(results) {
		if err := b.Publish(shortly(t), queue, body, func(err error) { results <- err }); err != nil {
			return n
		}
	}
	t.Fatal("everything was written")
	return 0
}

func shortly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// A broker that hangs is noticed by the missing heartbeats, holds up nobody
// longer than the context, and is used again when it goes on.
func TestFrozenBroker(t *testing.T) {
	b, counts := open(t, shared.Node(t), func(c *Config) { c.Heartbeat = time.Second })
	queue := declared(t, b, "frozen")
	must(t, publishAll(soon(t), b, broker.Message{Queue: queue}, broker.Message{Queue: queue}))
	come := make(chan broker.Delivery, 10)
	_, err := b.Consume(soon(t), queue, 1, func(d broker.Delivery) { come <- d })
	must(t, err)
	held := <-come

	thaw := freeze(t)
	results := make(chan error, 2000)
	n := flood(t, b, queue, results)
	for what, call := range map[string]func() error{
		"declare": func() error { return b.Declare(shortly(t), broker.Queue{Name: queue}) },
		"delete":  func() error { return b.Delete(shortly(t), "other") },
		"consume": func() error {
			_, err := b.Consume(shortly(t), queue, 1, func(broker.Delivery) { t.Error("a delivery to nobody") })
			return err
		},
	} {
		start := time.Now()
		if err := call(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s with a frozen broker: %v", what, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", what, d)
		}
	}
	eventually(t, "the connections are given up", func() bool { return counts.Disconnects.Load() >= 2 })
	for range n {
		if err := <-results; !errors.Is(err, broker.ErrUnconfirmed) {
			t.Errorf("a publish to a frozen broker: %v", err)
		}
	}
	if err := held.Ack(); !errors.Is(err, broker.ErrStale) {
		t.Errorf("an acknowledgement after the connection was given up: %v", err)
	}
	thaw()
	must(t, (<-come).Ack())
}

// A broker that shows life but confirms nothing is given up as well.
func TestNothingConfirmed(t *testing.T) {
	b, counts := open(t, shared.Node(t), func(c *Config) {
		c.Heartbeat = time.Minute // the clock of the confirms comes first
		c.ConfirmPatience = 400 * time.Millisecond
	})
	queue := declared(t, b, "unconfirmed")
	time.Sleep(600 * time.Millisecond) // nothing is in flight: no reason to give up
	must(t, publishAll(soon(t), b, broker.Message{Queue: queue}))
	if n := counts.Disconnects.Load(); n != 0 {
		t.Fatalf("%d connections were lost", n)
	}
	thaw := freeze(t)
	results := make(chan error, 2000)
	n := flood(t, b, queue, results)
	for range n {
		if err := <-results; !errors.Is(err, broker.ErrUnconfirmed) {
			t.Errorf("a publish that nobody confirmed: %v", err)
		}
	}
	thaw()
	must(t, publishAll(soon(t), b, broker.Message{Queue: queue}))
}

// While the broker is away, Publish waits, and says why it waited in vain.
func TestPublishWaits(t *testing.T) {
	node := shared.Node(t)
	b, counts := open(t, node, nil)
	queue := declared(t, b, "waits")
	remember(t, node)
	nodetest.Kill(t, node)
	eventually(t, "both connections are lost", func() bool { return counts.Disconnects.Load() >= 2 && b.State() == broker.Away })
	err := b.Publish(shortly(t), queue, nil, func(error) { t.Error("done was called") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("publish while the broker is away: %v", err)
	}
	waiting := make(chan error, 1)
	go func() { waiting <- publishAll(soon(t), b, broker.Message{Queue: queue}) }()
	select {
	case err := <-waiting:
		t.Errorf("publish while the broker is away returned: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	must(t, node.Restart(soon(t)))
	must(t, <-waiting)
}

// A connection that an alarm blocks for long is a live one, even with a write
// stuck in it.
func TestLongAlarm(t *testing.T) {
	node := shared.Node(t)
	b, counts := open(t, node, func(c *Config) {
		c.Heartbeat, c.ConfirmPatience, c.InFlight = time.Second, time.Second, 256<<20
	})
	queue := declared(t, b, "alarm")
	must(t, b.Ready(soon(t)))
	must(t, nodetest.Alarm(soon(t), node, true))
	results := make(chan error, 2000)
	n := flood(t, b, queue, results)
	eventually(t, "the broker is blocked", func() bool { return b.State() == broker.NoMemory })
	time.Sleep(5 * time.Second)
	if n := counts.Disconnects.Load(); n != 0 {
		t.Errorf("%d connections were lost to an alarm", n)
	}
	must(t, nodetest.Alarm(soon(t), node, false))
	for range n {
		must(t, <-results)
	}
}

// A broker of several nodes may lose an exclusive queue while the connection of its
// owner lives. It is made again.
func TestExclusiveQueueLost(t *testing.T) {
	n := shared.Node(t)
	b, _ := open(t, n, nil)
	must(t, b.Declare(soon(t), broker.Queue{Name: "own", Exclusive: true}))
	come := make(chan broker.Delivery, 10)
	sub, err := b.Consume(soon(t), "own", 1, func(d broker.Delivery) { must(t, d.Ack()); come <- d })
	must(t, err)
	_, err = nodetest.Eval(soon(t), n, `{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"own">>)),
		rabbit_amqqueue:delete(Q, false, false, <<"test">>)`)
	must(t, err)
	for {
		must(t, b.Publish(soon(t), "own", []byte("x"), func(error) {}))
		select {
		case <-come:
			sub.Cancel()
			must(t, b.Delete(soon(t), "own"))
			return
		case <-sub.Done():
			t.Fatal(sub.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
