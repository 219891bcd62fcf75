package brokertest

import (
	"context"
	"sync"
	"testing"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

func TestMembroker(t *testing.T) {
	for name, cfg := range map[string]membroker.Config{
		"gentle":   {Seed: 1},
		"disorder": {Seed: 3, Disorder: 0.5, KeepUnconfirmed: 0.5},
		"harsh":    harsh(4),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := membroker.New(cfg)
			step(t, server)
			clients := new(clients)
			run(t, harness{
				open: func(testing.TB) (broker.Broker, *broker.Counters) {
					counts := new(broker.Counters)
					c := server.Connect(counts)
					clients.add(c)
					return c, counts
				},
				cut:   func(testing.TB) { clients.cut() },
				down:  func(testing.TB) { server.Stop() },
				up:    func(testing.TB) { server.Start() },
				block: func(_ testing.TB, on bool) { server.Block(on) },
				kinds: []broker.Kind{broker.Quorum}, // kinds do not differ here
				many:  100,                          // each step looks at all of them
			})
			if left := server.Queues(); len(left) > 0 {
				t.Errorf("queues left over: %v", left)
			}
		})
	}
}

// harsh is what simulations run on, but for refused publishes, which the suite would
// take for lost ones; TestNothingConfirmedIsLost has those.
func harsh(seed uint64) membroker.Config {
	cfg := membroker.Harsh(seed)
	cfg.Refuse = 0
	return cfg
}

// step lets two goroutines step until the test ends: a handler that waits for the
// broker holds up one of them.
func step(t *testing.T, server *membroker.Server) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { server.Run(ctx) })
	}
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
}

type clients struct {
	mu  sync.Mutex
	all []*membroker.Client
}

func (c *clients) add(one *membroker.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, one)
}

func (c *clients) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.all {
		one.Cut()
	}
}
