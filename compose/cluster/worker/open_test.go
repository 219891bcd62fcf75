package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"analyzer/columnar/budget"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
	"analyzer/operators"
	"analyzer/operators/expr"
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

// A worker that dies when it has declared the queues of a job, and before it can
// say that it takes part, deletes them when it is started again: nobody else may
// be left who knows of them.
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
	stones, err := OpenTombstones(disk, "/ended", time.Hour, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{
		Broker: lastWish{server.Connect(nil)}, FS: disk, Log: slog.New(slog.DiscardHandler),
		Runtime: &operators.Runtime{Budget: budget.New(0), Env: expr.NewEnv()},
		Config:  Config{State: "/", Commit: GroupCommit{Prefetch: 8}, Crash: func(string) {}},
		Now:     time.Now, Metrics: new(Metrics), Tombstones: stones,
		Fatal: func(err error) { t.Error(err) }, Gone: func(protocol.JobID, string) {},
	}
	post := func(func()) {}
	func() {
		defer func() {
			if died := recover(); died != errDead {
				t.Fatalf("it has not died: %v", died)
			}
		}()
		OpenPart(t.Context(), spec, deps, post)
	}()
	if len(server.Queues()) == 0 {
		t.Fatal("there are no queues to forget")
	}
	deps.Broker = server.Connect(nil)
	if _, err := RecoverPart(t.Context(), spec.ID, deps, "", post); !errors.Is(err, ErrNeverOpened) {
		t.Fatal(err)
	}
	if left := server.Queues(); len(left) > 0 {
		t.Errorf("queues %q", left)
	}
}
