package rabbit

import (
	"encoding/binary"
	"sync"
	"testing"
	"time"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// ids is a set of message numbers.
type ids struct {
	mu  sync.Mutex
	set map[uint64]bool
}

func (s *ids) add(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set = make(map[uint64]bool)
	}
	s.set[id] = true
}

func (s *ids) missing(from *ids) (out []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from.mu.Lock()
	defer from.mu.Unlock()
	for id := range s.set {
		if !from.set[id] {
			out = append(out, id)
		}
	}
	return out
}

func (s *ids) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.set)
}

// TestKilledBrokerLosesNothingConfirmed publishes each message once, while the
// broker is killed, and looks for those that were confirmed.
func TestKilledBrokerLosesNothingConfirmed(t *testing.T) {
	for _, kind := range []broker.Kind{broker.Classic, broker.Quorum} {
		t.Run(kind.String(), func(t *testing.T) { killedBroker(t, kind) })
	}
}

func killedBroker(t *testing.T, kind broker.Kind) {
	const size = 64 << 10
	node := shared.Node(t)
	consumer, received := open(t, node, nil)
	publisher, sent := open(t, node, nil)
	queue := "killed." + kind.String()
	must(t, consumer.Declare(soon(t), broker.Queue{Name: queue, Kind: kind}))
	defer func() { must(t, consumer.Delete(soon(t), queue)) }()
	remember(t, node)

	var seen, confirmed ids
	_, err := consumer.Consume(soon(t), queue, 16, func(d broker.Delivery) {
		if len(d.Body) != size {
			t.Errorf("a body of %d bytes", len(d.Body))
			return
		}
		seen.add(binary.LittleEndian.Uint64(d.Body))
		d.Ack() // that it is stale happens
	})
	must(t, err)

	stop := make(chan struct{})
	var publishing, unsettled sync.WaitGroup
	publishing.Go(func() {
		for id := uint64(0); ; id++ {
			select {
			case <-stop:
				return
			default:
			}
			body := binary.LittleEndian.AppendUint64(make([]byte, 0, size), id)[:size]
			unsettled.Add(1)
			err := publisher.Publish(soon(t), queue, body, func(err error) {
				defer unsettled.Done()
				if err == nil {
					confirmed.add(id)
				}
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	flow := func() {
		before := confirmed.len()
		eventually(t, "messages flow", func() bool { return confirmed.len() > before+200 })
	}
	flow()
	nodetest.Kill(t, node)
	must(t, node.Restart(soon(t)))
	flow()
	close(stop)
	publishing.Wait()
	unsettled.Wait()
	eventually(t, "all confirmed messages came", func() bool { return len(confirmed.missing(&seen)) == 0 })
	t.Logf("%d published, %d confirmed, %d received, %d of them redelivered, %d stale acknowledgements",
		sent.Published.Load(), confirmed.len(), received.Delivered.Load(), received.Redelivered.Load(), received.Stale.Load())
	if n := sent.Unconfirmed.Load(); n == 0 {
		t.Error("the kill hit no publish")
	}
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(nodetest.Patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v it is not so that %s", nodetest.Patience, what)
		}
	}
}

// TestQuorumQueueSurvivesOnceDeclared kills the broker as soon as it could.
func TestQuorumQueueSurvivesOnceDeclared(t *testing.T) {
	node := shared.Node(t)
	b, _ := open(t, node, nil)
	const queue = "declared just now"
	must(t, b.Declare(soon(t), broker.Queue{Name: queue, Kind: broker.Quorum}))
	must(t, publishAll(soon(t), b, broker.Message{Queue: queue, Body: []byte("kept")}))
	nodetest.Kill(t, node)
	must(t, node.Restart(soon(t)))
	came := make(chan string, 1)
	_, err := b.Consume(soon(t), queue, 1, func(d broker.Delivery) {
		d.Ack()
		came <- string(d.Body)
	})
	must(t, err)
	if body := <-came; body != "kept" {
		t.Errorf("%q came", body)
	}
	must(t, b.Delete(soon(t), queue))
}
