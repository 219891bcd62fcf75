package sim

import (
	"slices"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/membroker"
)

// beginTrouble sometimes makes faults begin at once; otherwise they would seldom hit the
// opening of a job.
func (w *world) beginTrouble() {
	n := w.someNode()
	if w.kills > 0 && w.rng.IntN(4) == 0 {
		w.kills--
		n.fuse = w.rng.IntN(60)
	}
	if w.fills > 0 && w.rng.IntN(2) == 0 {
		w.fills--
		n.disk.fill()
	}
}

// trouble decides whether a fault happens now, and makes it happen.
func (w *world) trouble() error {
	often := 200
	if !w.waited() {
		often = 40 // the remaining faults come while jobs are cleaned up
	}
	switch {
	case w.due(&w.kills, often):
		return w.kill()
	case w.due(&w.restarts, 4*often):
		w.note("the broker restarts")
		w.broker.Crash()
	case w.due(&w.drops, often):
		clients := w.connections()
		i := w.rng.IntN(len(clients))
		w.note("connection %d is lost", i)
		clients[i].Cut()
	case w.due(&w.pauses, often):
		n := w.someNode()
		n.paused = w.rng.IntN(100)
		w.note("replica %d is stopped for %d turns", n.replica, n.paused)
	case w.due(&w.fills, often):
		n := w.someNode()
		n.disk.fill()
		w.note("the disk of replica %d is full: %s", n.replica, n.disk)
	case w.due(&w.losses, often):
		w.loseQueue()
	case w.due(&w.wipes, often):
		return w.someNode().wipe()
	}
	for _, c := range w.clients {
		if w.due(&c.late, often) {
			c.openLate()
		}
	}
	return nil
}

// connections returns the connections of all live processes.
func (w *world) connections() []*membroker.Client {
	var out []*membroker.Client
	for _, n := range w.nodes {
		if n.proc != nil {
			out = append(out, n.proc.broker)
		}
	}
	for _, c := range w.clients {
		for _, g := range c.gateways {
			out = append(out, g.broker)
		}
	}
	return out
}

// loseQueue loses a queue of a job, if there is one.
func (w *world) loseQueue() {
	queues := slices.DeleteFunc(w.broker.Queues(), func(q string) bool { return !w.ofJob(q) })
	if len(queues) > 0 {
		q := queues[w.rng.IntN(len(queues))]
		w.note("the broker loses %s", q)
		w.broker.Lose(q)
	}
}

// ofJob reports whether a queue belongs to a job.
func (w *world) ofJob(queue string) bool {
	return slices.ContainsFunc(w.clients, func(c *client) bool { return strings.Contains(queue, c.job.Spec.ID.String()) })
}

func (w *world) due(left *int, often int) bool {
	if *left == 0 || w.rng.IntN(often) > 0 {
		return false
	}
	*left--
	return true
}

// Points returns the failpoints at which processes die, except disk operations, which
// Operations returns.
func Points() []string {
	disk := []string{worker.PointFsync, worker.PointManifest, worker.PointRename, worker.PointDirectorySync}
	return slices.DeleteFunc(worker.Points(), func(p string) bool { return slices.Contains(disk, p) })
}

// Operations returns the operations that change a disk, before which processes die.
func Operations() (out []string) {
	for _, op := range []vfs.Kind{vfs.OpCreate, vfs.OpWrite, vfs.OpSync, vfs.OpRename, vfs.OpSyncDir, vfs.OpRemove, vfs.OpRemoveAll, vfs.OpMkdirAll} {
		out = append(out, op.String())
	}
	return out
}

// kill ends a process at once, within one of its next steps, or when it next passes some
// failpoint.
func (w *world) kill() error {
	if w.rng.IntN(4) == 0 {
		w.clients[w.rng.IntN(len(w.clients))].killGateway()
		return nil
	}
	n := w.someNode()
	if n.proc != nil && w.rng.IntN(4) == 0 {
		return n.restart(n.proc, "no point")
	}
	if w.rng.IntN(4) == 0 { // otherwise few would die at points that a job passes only once
		at := slices.Concat(Points(), Operations())
		n.fate = at[w.rng.IntN(len(at))]
	} else {
		n.fuse = w.rng.IntN(60)
	}
	return nil
}
