package worker

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
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
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
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

// TestRefusalsNameNoPaths opens a job on a disk that fails at each operation in turn. Whoever
// asked hears why, but not where the worker keeps its state.
func TestRefusalsNameNoPaths(t *testing.T) {
	d := catalog.All()[0]
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
		Label: d.Name, Tables: d.Tables, Queries: d.Queries, Block: 1 << 20, TTL: time.Minute,
	}, "tester", 1, broker.Classic, time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	text, err := spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const state = "/srv/secret"
	refused := 0
	for failing, opened := int64(1), false; !opened; failing++ {
		disk, at := vfs.NewMem(), int64(0)
		if err := vfs.MakeState(disk, state, jobsName); err != nil {
			t.Fatal(err)
		}
		faulty := vfstest.Inject(disk, func(op vfs.Op) error {
			if at++; at == failing {
				return &fs.PathError{Op: "write", Path: op.Name, Err: syscall.ENOSPC}
			}
			return nil
		})
		server := membroker.New(membroker.Config{})
		client := server.Connect(nil)
		if err := client.Declare(t.Context(), broker.Queue{Name: "replies"}); err != nil {
			t.Fatal(err)
		}
		w := New(Config{State: state, Commit: GroupCommit{Prefetch: 8}}, client, faulty, slog.New(slog.DiscardHandler), nil)
		w.Go = func(protocol.JobID, func() bool) {}
		if w.Tombstones, err = OpenTombstones(disk, state+"/ended", time.Hour, nil, time.Now); err != nil {
			t.Fatal(err)
		}
		said := make(chan *protocol.Response, 1)
		_, err := client.Consume(t.Context(), "replies", 1, func(d broker.Delivery) {
			r, err := protocol.DecodeResponse(d.Body)
			if err != nil {
				t.Error(err)
			}
			said <- r
			_ = d.Ack()
		})
		if err != nil {
			t.Fatal(err)
		}
		w.open(t.Context(), &protocol.Request{Action: protocol.ActionOpen, Job: spec.ID, Spec: text, ReplyTo: "replies"})
		if m := w.member(spec.ID); m != nil {
			m.box.take()()
		}
		for server.Step() {
		}
		select {
		case r := <-said:
			opened = r.Code == ""
			if !opened {
				refused++
			}
			if strings.Contains(r.Error, "secret") {
				t.Errorf("operation %d fails: %s", failing, r.Error)
			}
		case <-w.fatal: // it dies without an answer
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
