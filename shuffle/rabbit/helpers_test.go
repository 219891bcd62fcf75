package rabbit

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/brokertest"
	"analyzer/shuffle/rabbit/node"
)

// open returns a client of the node that is closed after the test.
func open(t testing.TB, n *node.Node, edit func(*Config)) (*Broker, *broker.Counters) {
	t.Helper()
	cfg := Config{URL: n.URL(), Name: t.Name(), Counters: new(broker.Counters), Log: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	if edit != nil {
		edit(&cfg)
	}
	b, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, cfg.Counters
}

// testLog writes a log to that of a test.
type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// remember waits until a node would know the queues that it has said it has after
// it is killed. Of quorum queues see Config.QuorumSettle.
func remember(t testing.TB, n *node.Node) {
	t.Helper()
	must(t, n.Sync(soon(t)))
	time.Sleep(1500 * time.Millisecond)
}

func TestContract(t *testing.T) {
	node := shared.Node(t)
	brokertest.Run(t, brokertest.Harness{
		Open: func(t testing.TB) (broker.Broker, *broker.Counters) {
			return open(t, node, func(c *Config) { c.QuorumSettle = time.Millisecond })
		},
		Cut: func(t testing.TB) {
			_, err := node.Control(soon(t), "close_all_connections", "test")
			must(t, err)
		},
		Down: func(t testing.TB) {
			remember(t, node)
			node.Kill()
		},
		Up:     func(t testing.TB) { must(t, node.Restart(soon(t))) },
		Block:  func(t testing.TB, on bool) { must(t, node.Alarm(soon(t), on)) },
		Expire: func(testing.TB) { time.Sleep(1500 * time.Millisecond) },
		Kinds:  []broker.Kind{broker.Classic, broker.Quorum},
	})
	queues, err := node.DefaultVhost().Queues(soon(t))
	must(t, err)
	if strings.Contains(strings.Join(queues, " "), "test.") {
		t.Errorf("queues left over: %q", queues)
	}
}
