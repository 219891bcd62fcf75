package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

// lastWish is the connection of a process that dies as soon as it has declared
// queues.
type lastWish struct{ broker.Broker }

var errDead = errors.New("the process is dead")

func (lastWish) Delete(context.Context, ...string) error { return errDead }

func (b lastWish) Declare(ctx context.Context, queues ...broker.Queue) error {
	if err := b.Broker.Declare(ctx, queues...); err != nil {
		return err
	}
	panic(errDead)
}

// A worker that dies after it has declared the queue of a job, and before it can say that
// it takes part, deletes the queue when it is started again, since nobody else may know of
// it.
func TestQueuesOfAJobHalfOpened(t *testing.T) {
	d := catalog.All()[0]
	spec, err := protocol.NewSpec(protocol.OpenRequest{
		Label: d.Name, Tables: d.Tables, Queries: d.Queries, Block: 1 << 20, TTL: time.Minute,
	}, "tester", 1, broker.Classic, time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	server := membroker.New(membroker.Config{})
	disk := vfs.NewMem()
	if err := disk.MkdirAll("/jobs"); err != nil {
		t.Fatal(err)
	}
	w := New(Config{State: "/", Commit: GroupCommit{Prefetch: 8}}, lastWish{server.Connect(nil)}, disk, slog.New(slog.DiscardHandler), nil)
	if w.Tombstones, err = OpenTombstones(disk, "/ended", time.Hour, nil, time.Now); err != nil {
		t.Fatal(err)
	}
	post := func(func()) {}
	func() {
		defer func() {
			if died := recover(); died != errDead {
				t.Fatalf("it has not died: %v", died)
			}
		}()
		w.openPart(t.Context(), spec, nil, post)
	}()
	if len(server.Queues()) == 0 {
		t.Fatal("there are no queues to forget")
	}
	w.Broker = server.Connect(nil)
	if _, err := w.recoverPart(spec.ID, "", post); !errors.Is(err, ErrNeverOpened) {
		t.Fatal(err)
	}
	if left := server.Queues(); len(left) > 0 {
		t.Errorf("queues %q", left)
	}
	if len(w.fatal) > 0 {
		t.Error(<-w.fatal)
	}
}
