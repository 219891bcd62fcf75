package sim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/control"
	"analyzer/compose/job"
	"analyzer/compose/worker"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/shuffle/broker"
)

// node is a worker's process with its disk. The disk outlives the process.
type node struct {
	w       *world
	replica int
	disk    *vfs.Mem
	conn    *conn
	steps   []func()
	stones  *worker.Tombstones
	parts   map[job.ID]*worker.Part
	dead    bool
	fuse    int // points to pass before the process dies; negative: none
}

// died is what a process panics with when it is killed.
type died struct{ point string }

const (
	stateDir = "/state/jobs"
	endedDir = "/state/ended"
)

// start begins a process on the node's disk.
func (n *node) start() error {
	n.conn, n.steps, n.parts, n.dead = n.w.hub.connect(), nil, make(map[job.ID]*worker.Part), false
	if err := n.disk.MkdirAll(stateDir); err != nil {
		return err
	}
	for _, dir := range []string{"/", "/state", stateDir} {
		if err := n.disk.SyncDir(dir); err != nil {
			return err
		}
	}
	var err error
	if n.stones, err = worker.OpenTombstones(n.disk, endedDir, 1<<40, n.w.now); err != nil {
		return err
	}
	names, err := n.disk.List(stateDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		id, err := job.ParseID(name)
		if err != nil {
			return err
		}
		if _, ended := n.stones.Ended(id); ended {
			if err := n.disk.RemoveAll(stateDir + "/" + name); err != nil {
				return err
			}
			continue
		}
		p, err := worker.RecoverPart(context.Background(), id, n.deps(), n.post)
		if err != nil {
			if !errors.Is(err, worker.ErrNeverOpened) {
				return fmt.Errorf("replica %d: recover: %w", n.replica, err)
			}
			if err := n.disk.RemoveAll(stateDir + "/" + name); err != nil {
				return err
			}
			continue
		}
		n.parts[id] = p
	}
	queue := control.Queue(n.replica)
	if err := n.conn.Declare(context.Background(), broker.Queue{Name: queue}); err != nil {
		return err
	}
	_, err = n.conn.Consume(context.Background(), queue, 4, func(d broker.Delivery) { n.post(func() { n.request(d) }) })
	return err
}

func (n *node) post(f func()) {
	if !n.dead {
		n.steps = append(n.steps, f)
	}
}

func (n *node) deps() worker.Deps {
	fs := vfs.Inject(n.disk, func(op vfs.Op) error {
		n.crash(op.Kind.String())
		return nil
	})
	return worker.Deps{
		Replica: n.replica, Broker: n.conn, FS: fs, Dir: stateDir, Prefetch: 8,
		Runtime: &operators.Runtime{Alloc: memory.DefaultAllocator, Budget: budget.New(n.w.cfg.Budget), Env: expr.NewEnv()},
		Scratch: func() *segment.Scratch {
			m := vfs.NewMem()
			m.MkdirAll("/tmp")
			return segment.NewScratch(m, "/tmp", segment.Options{})
		},
		Log: slog.New(slog.DiscardHandler), Now: n.w.now, Crash: n.crash, Tombstones: n.stones,
		Fatal: func(err error) { panic(died{"fatal: " + err.Error()}) },
		Gone:  n.gone, Knobs: n.w.cfg.Knobs,
	}
}

// crash is told of every point and every operation on the disk.
func (n *node) crash(point string) {
	if n.fuse < 0 {
		return
	}
	if n.fuse == 0 {
		n.fuse = -1
		panic(died{point})
	}
	n.fuse--
}

func (n *node) gone(id job.ID, _ string) {
	delete(n.parts, id)
	if n.replica != 0 {
		n.tell(0, &control.Request{Type: control.Cleaned, Job: id, From: n.replica})
	}
}

func (n *node) tell(replica int, r *control.Request) {
	body, err := control.EncodeRequest(r)
	if err != nil {
		panic(err)
	}
	n.conn.Publish(context.Background(), control.Queue(replica), body, func(error) {})
}

// request does what a worker does with requests that change something.
func (n *node) request(d broker.Delivery) {
	r, err := control.DecodeRequest(d.Body)
	if err != nil {
		panic(err)
	}
	p := n.parts[r.Job]
	switch {
	case r.Type == control.Open:
		_, ended := n.stones.Ended(r.Job)
		if p == nil && !ended {
			spec, err := job.Decode(r.Spec)
			if err != nil {
				panic(err)
			}
			if n.parts[r.Job], err = worker.OpenPart(context.Background(), spec, n.deps(), n.post); err != nil {
				panic(err)
			}
		}
		n.w.opened[n.replica] = true
	case p == nil && r.Type == control.Clean:
		n.tell(0, &control.Request{Type: control.Cleaned, Job: r.Job, From: n.replica})
	case p == nil:
	case r.Type == control.Clean:
		p.Forget(r.Reason)
	case r.Type == control.Cleaned:
		p.Cleaned(r.From)
	default:
		p.Serve(r)
	}
	d.Ack()
}

// run lets the process do one thing: the next step, or a tick.
func (n *node) run() error {
	return n.alive(func() {
		if len(n.steps) == 0 || n.w.rng.IntN(10) == 0 {
			for _, p := range n.parts {
				p.Tick()
			}
			return
		}
		f := n.steps[0]
		n.steps = n.steps[1:]
		f()
	})
}

// alive does something in the process, which is started again if it dies of it.
func (n *node) alive(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			d, ok := r.(died)
			if !ok {
				panic(r)
			}
			n.w.note("replica %d dies at %s", n.replica, d.point)
			err = n.restart()
		}
	}()
	f()
	return nil
}

// restart kills the process, or the machine with it, and starts it again.
func (n *node) restart() error {
	n.dead = true
	n.conn.kill()
	if n.w.rng.IntN(2) == 0 {
		n.disk.Crash(n.w.rng)
	}
	n.fuse = -1
	return n.start()
}
