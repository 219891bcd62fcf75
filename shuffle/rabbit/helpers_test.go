package rabbit

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node"
	"analyzer/shuffle/rabbit/node/nodetest"
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
	ctx, cancel := context.WithTimeout(context.Background(), nodetest.Patience)
	t.Cleanup(cancel)
	return ctx
}

// remember waits until a node would know the queues that it has said it has after
// it is killed. Of quorum queues see Config.QuorumSettle.
func remember(t testing.TB, n *node.Node) {
	t.Helper()
	must(t, nodetest.Sync(soon(t), n))
	time.Sleep(1500 * time.Millisecond)
}

// publishAll publishes messages and returns when the broker has them all.
func publishAll(ctx context.Context, b *Broker, messages ...broker.Message) error {
	ctx, cancel := context.WithCancel(ctx)
	p := broker.NewPublisher(b, 0, broker.Watch{})
	var wg sync.WaitGroup
	wg.Go(func() { p.Run(ctx) })
	defer func() { cancel(); wg.Wait() }()
	done := make(chan error, 1)
	p.Publish(ctx, messages, func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
