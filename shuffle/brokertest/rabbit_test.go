package brokertest

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit"
	"analyzer/shuffle/rabbit/node/nodetest"
)

var shared nodetest.Shared

func TestMain(m *testing.M) {
	os.Exit(shared.Main(m, func() error { return goleak.Find() }))
}

// All subscriptions of a client share a channel here, as they do once there are thousands.
func TestRabbit(t *testing.T) {
	node := shared.Node(t)
	must := func(t testing.TB, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	soon := func(t testing.TB) context.Context {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		t.Cleanup(cancel)
		return ctx
	}
	run(t, harness{
		open: func(t testing.TB) (broker.Broker, *broker.Counters) {
			cfg := rabbit.Config{
				URL: node.URL(), Name: t.Name(), Counters: new(broker.Counters), QuorumSettle: time.Millisecond, Channels: 1,
				Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
			}
			b, err := rabbit.Open(cfg)
			must(t, err)
			return b, cfg.Counters
		},
		cut: func(t testing.TB) {
			_, err := nodetest.Eval(soon(t), node, `rabbit_networking:close_connections(rabbit_networking:connections_local(), "test")`)
			must(t, err)
		},
		down: func(t testing.TB) {
			must(t, nodetest.Sync(soon(t), node))
			time.Sleep(1500 * time.Millisecond) // see rabbit.Config.QuorumSettle
			nodetest.Kill(t, node)
		},
		up:    func(t testing.TB) { must(t, node.Restart(soon(t))) },
		block: func(t testing.TB, on bool) { must(t, nodetest.Alarm(soon(t), node, on)) },
		kinds: []broker.Kind{broker.Classic, broker.Quorum},
		many:  5000,
	})
	queues, err := nodetest.Eval(soon(t), node, "rabbit_amqqueue:list_names()")
	must(t, err)
	if strings.Contains(queues, "test.") {
		t.Errorf("queues left over: %s", queues)
	}
}
