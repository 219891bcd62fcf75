package gateway

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

// A gateway that stops finishes the batches in hand, and tells the clients.
func TestStoppingFinishesWhatIsInHand(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	idle, busy := ann.put(spec, scanOf(t, spec)), ann.put(spec, scanOf(t, spec))
	waitFor(t, "two uploads", func() bool { return c.metrics.Streams.Load() == 2 })
	c.server.Block(true)
	busy.send(busy.batch(0, "1 tea"))
	waitFor(t, "the batch", func() bool { return c.metrics.Messages.Load() == 2 })
	c.stop()
	if _, err := idle.acked(); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "stopping") {
		t.Errorf("the idle upload is told %v", err)
	}
	busy.send(busy.batch(1, "1 tea"))
	select {
	case err := <-c.done:
		t.Fatalf("the gateway ended with a batch in hand: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	c.server.Block(false)
	if k, err := busy.acked(); err != nil || k != 0 {
		t.Errorf("answer %d, %v", k, err)
	}
	if k, err := busy.acked(); status.Code(err) != codes.Unavailable {
		t.Errorf("then answer %d, %v", k, err)
	}
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("an action is told %v", err)
	}
}

// A gateway that drains goes on for those who are connected, refuses everybody else, and ends when the
// last one has left.
func TestDraining(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Drain = time.Minute })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	c.stop()
	waitFor(t, "no new connections", c.gateway.Draining)
	waitFor(t, "a refusal", func() bool {
		conn, err := net.Dial("tcp", c.addr)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	p.send(p.batch(0, "1 tea"))
	if k, err := p.acked(); err != nil || k != 0 {
		t.Errorf("a connected client is told %d, %v", k, err)
	}
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Errorf("an action is told %v", err)
	}
	ann.flight.Close()
	select {
	case err := <-c.done:
		if err != nil {
			t.Error(err)
		}
		c.done <- err
	case <-time.After(20 * time.Second):
		t.Error("the gateway waits for nobody")
	}
}

// A client that does not leave is waited for as long as was said.
func TestDrainingEnds(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Drain, cfg.Grace = 100*time.Millisecond, 50*time.Millisecond })
	ann := c.client(annToken)
	p := ann.put(c.open(ann, request()), 0)
	begin := time.Now()
	c.end()
	if took := time.Since(begin); took < 100*time.Millisecond || took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, err := p.acked(); status.Code(err) != codes.Unavailable {
		t.Errorf("the upload is told %v", err)
	}
}

// What cannot be finished in time is left: the client sends it elsewhere.
func TestStoppingDoesNotWaitForEver(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Grace = 50 * time.Millisecond })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.server.Block(true)
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	waitFor(t, "the batch", func() bool { return c.metrics.Messages.Load() == 2 })
	begin := time.Now()
	c.end()
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	if _, err := p.acked(); status.Code(err) == codes.OK {
		t.Error("the batch was answered")
	}
	c.server.Block(false)
	waitFor(t, "nothing held", func() bool { return c.metrics.Held.Load() == 0 })
}

// A gateway whose broker is away says so, and works when it is back.
func TestTheBrokerMayBeAway(t *testing.T) {
	server := membroker.New(membroker.Config{Seed: 1})
	c := startClusterOn(t, server, func(cfg *Config) { cfg.Timeout = 3 * time.Second })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	if _, err := p.acked(); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if _, err := ann.act(protocol.ActionOpen, request(), nil); status.Code(err) != codes.Unavailable {
		t.Errorf("while the broker is away: %v", err)
	}
	p.send(p.batch(1, "1 tea"))
	time.Sleep(20 * time.Millisecond)
	server.Start()
	if k, err := p.acked(); err != nil || k != 1 {
		t.Errorf("answer %d, %v", k, err)
	}
	// The answers' queue is a new one; what was asked before is asked again.
	waitFor(t, "an answer", func() bool {
		_, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, nil)
		return err == nil
	})
}

// Before the broker was ever reached, calls are told so.
func TestTheBrokerMayComeLater(t *testing.T) {
	server := membroker.New(membroker.Config{Seed: 1})
	server.Stop()
	g, err := New(Config{Replicas: 1, Timeout: 50 * time.Millisecond}, server.Connect(nil), discard(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx, lis) }()
	c := &cluster{T: t, addr: lis.Addr().String()}
	if _, err := c.client("").act(protocol.ActionList, struct{}{}, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("told %v", err)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("ended with %v", err)
	}
}

// A gateway that can get no answers any more must not go on.
func TestTheQueueForAnswersMustStay(t *testing.T) {
	c := startCluster(t, nil)
	if _, err := c.client(annToken).act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.broker.Delete(context.Background(), c.gateway.caller.replies); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.done:
		if !errors.Is(err, broker.ErrNoQueue) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	c.stop = nil
}

// A control queue that is lost with the broker's data is made again.
func TestControlQueuesAreMadeAgain(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Fatal(err)
	}
	b := c.workers[1].broker
	if err := b.Delete(context.Background(), protocol.ControlQueue(1)); err != nil {
		t.Fatal(err)
	}
	there := func() bool {
		_, _, ok := c.server.Depth(protocol.ControlQueue(1))
		return ok
	}
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); err != nil { // of the other worker
		t.Fatal(err)
	}
	waitFor(t, "the queue", there)
	waitFor(t, "the request in it", func() bool { ready, _, _ := c.server.Depth(protocol.ControlQueue(1)); return ready > 0 })
}

func TestAFaultEndsOneCallAlone(t *testing.T) {
	c := startCluster(t, func(cfg *Config) {
		first := true
		cfg.Crash = func(point string) {
			if point == PointAccept && first {
				first = false
				panic("a fault that a test makes")
			}
		}
	})
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	if _, err := p.finish(); status.Code(err) != codes.Internal || strings.Contains(err.Error(), "a test makes") {
		t.Errorf("told %v", err)
	}
	if n := c.metrics.Panics.Swap(0); n != 1 {
		t.Errorf("%d faults are counted", n)
	}
	c.alive()
}
