package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

// node is a machine with a disk, on which the worker of one replica runs. The
// disk outlives the process.
type node struct {
	w       *world
	replica int
	disk    *disk
	proc    *process      // nil while none can be started
	fuse    int           // points to pass before the process dies; negative: it does not
	fate    string        // one of Points or Operations, at which the process dies; "": none chosen
	paused  int           // turns that the process does not get
	skew    time.Duration // of its clock
	deaths  int
	has     map[protocol.JobID]bool // the jobs it takes part in
	had     map[protocol.JobID]bool // jobs that it has forgotten
}

// process is one life of a worker.
type process struct {
	node   *node
	broker *membroker.Client
	worker *worker.Worker                        // nil before it listens
	inbox  []broker.Delivery                     // requests
	steps  map[protocol.JobID]func() (more bool) // of the jobs that have any
	at     protocol.JobID                        // job whose step is running
	hears  bool                                  // it is taking a request, and takes no other meanwhile
	dead   bool
	why    string // it is dead
}

// outOfMemory is the reason when the Go runtime ends a process. Its machine goes on.
const outOfMemory = "its own fault"

// errDead is what the disk returns to a killed process while its deferred functions run.
var errDead = errors.New("the process is dead")

const (
	stateDir = "/state"
	spillDir = "/spill"
)

func newNode(w *world, replica int) *node {
	return &node{w: w, replica: replica, disk: newDisk(w.rng, w.cfg), fuse: -1, has: make(map[protocol.JobID]bool), had: make(map[protocol.JobID]bool)}
}

// start starts a process on the node's disk. If the disk is full, there is no process
// afterwards, and the caller has to retry later.
func (n *node) start() (err error) {
	p := &process{node: n, broker: n.w.broker.Connect(nil), steps: make(map[protocol.JobID]func() (more bool))}
	defer func() {
		if err != nil {
			p.dead = true
			p.broker.Kill()
		}
		if errors.Is(err, syscall.ENOSPC) {
			n.w.note("replica %d cannot start: %v", n.replica, err)
			err = nil
		}
	}()
	cfg := worker.Config{
		Replica: n.replica, State: stateDir, SpillDir: spillDir,
		Memory: n.w.cfg.Budget, Commit: n.w.cfg.Commit, Remember: remember, Reserve: n.w.cfg.Reserve, Crash: p.pass,
		TellCrash: func(path string) error { return n.tell(path, "") },
	}
	if n.w.clocks {
		n.skew = time.Duration(n.w.rng.IntN(3)-1) * 24 * time.Hour
	}
	err = n.alive(p, func() error { return p.begin(cfg) })
	if err == nil && !p.dead {
		n.proc = p
	}
	if err != nil {
		err = fmt.Errorf("replica %d: start: %w", n.replica, err)
	}
	return err
}

// begin recovers the jobs on the disk, and starts to listen for requests.
func (p *process) begin(cfg worker.Config) error {
	n, ctx := p.node, context.Background()
	w := worker.New(cfg, p.broker, vfs.Inject(n.disk, p.op), n.w.logger(n.replica), nil)
	w.Now = n.now
	w.Go = func(job protocol.JobID, next func() (more bool)) { p.steps[job] = next }
	if err := w.MakeState(); err != nil {
		return err
	}
	if err := w.Recover(ctx); err != nil {
		return err
	}
	if _, err := w.Listen(ctx, func(d broker.Delivery) { p.inbox = append(p.inbox, d) }); err != nil {
		return err
	}
	p.worker = w
	return nil
}

func (n *node) now() time.Time { return n.w.now().Add(n.skew) }

// tell writes the last words of a dying process to a file.
func (n *node) tell(path, words string) error {
	f, err := n.disk.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(words))
	return errors.Join(err, f.Close())
}

// pass is called at every failpoint. A request may come there, as at any moment while a
// part is at work.
func (p *process) pass(point string) {
	if p.dead {
		return
	}
	p.survive(point)
	if n := p.node; point == worker.PointCompute && n.w.cfg.Sick && p.at == n.w.clients[0].job.Spec.ID {
		n.w.note("replica %d runs out of memory", n.replica)
		if err := n.tell(stateDir+"/CRASH", "fatal error: out of memory\n"); err != nil {
			panic(err)
		}
		p.die(outOfMemory)
	}
	if n := p.node; point == worker.PointCleanUp && n.w.kills > 0 && n.w.rng.IntN(4) == 0 {
		n.w.kills-- // otherwise it would seldom die while cleaning up
		n.fuse = n.w.rng.IntN(12)
	}
	if p.worker != nil && !p.hears && len(p.inbox) > 0 && p.node.w.rng.IntN(8) == 0 {
		p.node.w.note("replica %d hears a request at %s", p.node.replica, point)
		p.hear()
	}
}

// hear takes a request, one after the other as workers do.
func (p *process) hear() {
	p.hears = true
	d := p.inbox[0]
	p.inbox = p.inbox[1:]
	p.worker.Request(context.Background(), d)
	p.hears = false
}

// step runs the next step of a job.
func (p *process) step(job protocol.JobID) {
	next := p.steps[job]
	delete(p.steps, job) // another part of the job may come while this one ends
	p.at = job
	if next() {
		p.steps[job] = next
	}
	p.at = protocol.JobID{}
}

// die ends the process: nothing that it is doing goes on, but for its deferred functions.
func (p *process) die(why string) {
	p.dead, p.why = true, why
	runtime.Goexit()
}

// op is called before every disk operation, and may fail it.
func (p *process) op(op vfs.Op) error {
	if p.dead {
		return errDead
	}
	p.survive(op.Kind.String())
	return p.node.disk.room(op)
}

// survive counts a moment, which may be the last of the process.
func (p *process) survive(point string) {
	if p.dead {
		return
	}
	n := p.node
	n.w.moment()
	switch {
	case n.fate == point:
		p.die(point)
	case n.fuse < 0:
	case n.fuse > 0:
		n.fuse--
	default:
		p.die(point)
	}
}

// run lets the process do one thing: hear a request, a step of a part, or a tick.
func (n *node) run() error {
	if n.paused > 0 {
		n.paused--
		return nil
	}
	p := n.proc
	if p == nil {
		return n.start()
	}
	return n.alive(p, func() error {
		p.turn(n.w.rng)
		select {
		case err := <-p.worker.Fatal():
			return n.restart(p, fmt.Sprint("an error after which it must not go on: ", err))
		default:
			return n.look(p)
		}
	})
}

// look notices jobs that come and go. A job that has gone must not come back.
func (n *node) look(p *process) error {
	open := p.worker.Jobs(n.w.owner(), protocol.JobID{})
	for _, id := range open {
		if n.had[id] && !n.w.cfg.Clocks { // or it is a day later, and what has ended is forgotten
			return fmt.Errorf("replica %d takes part again in job %s, which it had forgotten", n.replica, id)
		}
		n.has[id] = true
	}
	for id := range n.has {
		if p.steps[id] == nil && !slices.Contains(open, id) { // or its part is yet to be recovered
			delete(n.has, id)
			n.had[id] = true
		}
	}
	return nil
}

func (p *process) turn(rng *rand.Rand) {
	if len(p.inbox) > 0 && rng.IntN(2) == 0 {
		p.hear()
		return
	}
	if len(p.steps) > 0 && rng.IntN(10) > 0 {
		jobs := slices.SortedFunc(maps.Keys(p.steps), func(a, b protocol.JobID) int { return bytes.Compare(a[:], b[:]) })
		p.step(jobs[rng.IntN(len(jobs))])
		return
	}
	p.worker.Tick()
}

// alive runs f in a process, and starts the process again if f kills it.
func (n *node) alive(p *process, f func() error) (err error) {
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		err = f()
		returned = true
	}()
	<-ended
	if !returned {
		return n.restart(p, p.why)
	}
	return err
}

// restart kills a process, or the machine with it, and starts the next.
func (n *node) restart(p *process, why string) error {
	n.w.note("replica %d dies at %s", n.replica, why)
	p.dead = true
	p.broker.Kill()
	n.proc, n.fuse, n.fate = nil, -1, ""
	n.deaths++
	if why != outOfMemory && n.w.rng.IntN(2) == 0 {
		n.w.note("replica %d loses what is not on disk", n.replica)
		n.disk.crash()
	}
	if n.w.kills > 0 && n.w.rng.IntN(8) == 0 {
		n.w.kills--
		n.fuse = n.w.rng.IntN(25)
	}
	return n.start()
}

// wipe replaces the disk by one with nothing on it.
func (n *node) wipe() error {
	n.w.note("the disk of replica %d is lost", n.replica)
	n.w.wiped = true
	if n.proc != nil {
		n.proc.dead = true
		n.proc.broker.Kill()
	}
	n.disk, n.proc, n.fuse, n.fate = newDisk(n.w.rng, n.w.cfg), nil, -1, ""
	if n.w.cfg.Fills > 0 && !n.w.cfg.Stuffed { // only the first start on a disk needs room
		n.disk.lack = n.w.rng.IntN(60)
	}
	clear(n.has)
	clear(n.had)
	n.deaths++
	return n.start()
}
