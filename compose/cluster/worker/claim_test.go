package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/membroker"
)

// A second worker for a replica is refused by the name of the first one, which goes
// on; when that one is gone, another takes its place.
func TestASecondWorkerIsRefused(t *testing.T) {
	server := membroker.New(membroker.Config{Seed: 1})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { server.Run(ctx); close(served) }()
	defer func() { stop(); <-served }()
	run := func(state string) (end context.CancelFunc, ended chan error) {
		ctx, end := context.WithCancel(ctx)
		client := server.Connect(nil)
		ended = make(chan error, 1)
		go func() {
			err := New(Config{State: state, Commit: GroupCommit{Prefetch: 8}, Remember: time.Hour}, client, vfs.OS(), slog.New(slog.DiscardHandler), nil).Run(ctx)
			ended <- errors.Join(err, client.Close())
		}()
		return end, ended
	}
	first := t.TempDir()
	endFirst, firstEnded := run(first)
	defer endFirst()
	for !slices.Contains(server.Queues(), protocol.ControlQueue(0)) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // to consume from it
	end, ended := run(t.TempDir())
	defer end()
	select {
	case err := <-ended:
		if !errors.Is(err, ErrSecond) || !strings.Contains(err.Error(), first) {
			t.Errorf("the second one ended: %v", err)
		}
	case err := <-firstEnded:
		t.Fatalf("the first one ended: %v", err)
	case <-time.After(time.Minute):
		t.Fatal("the second one goes on")
	}
	endFirst()
	if err := <-firstEnded; err != nil {
		t.Errorf("the first one ended: %v", err)
	}
	end, ended = run(t.TempDir())
	select {
	case err := <-ended:
		t.Errorf("its successor ended: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	end()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) { // as it may be told that it does not begin
		t.Errorf("its successor ended: %v", err)
	}
}
