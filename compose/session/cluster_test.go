package session_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startCluster starts two workers and a gateway on a broker in memory. It returns the address
// of the gateway, and what ends all of them.
func startCluster() (address string, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "analyzer-cluster-*")
	must(err)
	server := membroker.New(membroker.Config{Seed: 1})
	var brokers []broker.Broker
	connect := func() broker.Broker {
		b := server.Connect(nil)
		brokers = append(brokers, b)
		return b
	}
	var running sync.WaitGroup
	background := func(run func(context.Context) error) {
		running.Go(func() {
			if err := run(ctx); !errors.Is(err, context.Canceled) {
				must(err)
			}
		})
	}
	for range 2 {
		background(func(ctx context.Context) error { server.Run(ctx); return nil })
	}
	log := slog.New(slog.DiscardHandler)
	for r := range 2 {
		w := worker.New(worker.Config{
			Replica: r, State: filepath.Join(dir, fmt.Sprint(r)), SpillDir: dir,
			Memory: 64 << 20, Commit: worker.GroupCommit{Prefetch: 32}, Queues: broker.Classic, Remember: time.Hour,
		}, connect(), vfs.OS(), log, new(worker.Metrics))
		background(w.Run)
	}
	g, err := gateway.New(gateway.Config{Replicas: 2, Patience: 10 * time.Second, Timeout: 10 * time.Second, SpillDir: dir}, connect(), log, new(gateway.Metrics))
	must(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	background(func(ctx context.Context) error { return g.Run(ctx, listener) })
	return listener.Addr().String(), func() {
		cancel()
		running.Wait()
		for _, b := range brokers {
			must(b.Close())
		}
		must(os.RemoveAll(dir))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
