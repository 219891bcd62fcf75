package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
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
	worker *worker.Stepwise
	at     protocol.JobID // job whose step is running
	hears  bool           // it is taking a request, and takes no other meanwhile
	dead   bool
}

// outOfMemory is the reason when the Go runtime ends a process. Its machine goes on.
const outOfMemory = "its own fault"

// died is what a process panics with when it is killed.
type died struct{ point string }

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
	p := &process{node: n, broker: n.w.broker.Connect(nil)}
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
	err = n.alive(p, func() (err error) {
		p.worker, err = worker.NewStepwise(cfg, p.broker, vfs.Inject(n.disk, p.op), n.w.logger(n.replica), n.now, n.w.cfg.Knobs)
		return err
	})
	if err == nil && !p.dead {
		n.proc = p
	}
	if err != nil {
		err = fmt.Errorf("replica %d: start: %w", n.replica, err)
	}
	return err
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
	p.survive(point)
	if n := p.node; point == worker.PointCompute && n.w.cfg.Sick && p.at == n.w.clients[0].job.Spec.ID {
		n.w.note("replica %d runs out of memory", n.replica)
		if err := n.tell(stateDir+"/CRASH", "fatal error: out of memory\n"); err != nil {
			panic(err)
		}
		p.dead = true
		panic(died{outOfMemory})
	}
	if n := p.node; point == worker.PointCleanUp && n.w.kills > 0 && n.w.rng.IntN(4) == 0 {
		n.w.kills-- // otherwise it would seldom die while cleaning up
		n.fuse = n.w.rng.IntN(12)
	}
	if p.worker != nil && !p.hears && p.worker.Heard() > 0 && p.node.w.rng.IntN(8) == 0 {
		p.node.w.note("replica %d hears a request at %s", p.node.replica, point)
		p.hear()
	}
}

// hear takes a request, one after the other as workers do.
func (p *process) hear() {
	p.hears = true
	p.worker.Hear()
	p.hears = false
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
		p.dead = true
		panic(died{point})
	case n.fuse < 0:
	case n.fuse > 0:
		n.fuse--
	default:
		p.dead = true
		panic(died{point})
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
		if err := p.worker.Err(); err != nil {
			return n.restart(p, fmt.Sprint("an error after which it must not go on: ", err))
		}
		return n.look(p)
	})
}

// look notices jobs that come and go. A job that has gone must not come back.
func (n *node) look(p *process) error {
	jobs := p.worker.Jobs()
	for _, id := range jobs {
		if n.had[id] && !n.w.cfg.Clocks { // or it is a day later, and what has ended is forgotten
			return fmt.Errorf("replica %d takes part again in job %s, which it had forgotten", n.replica, id)
		}
		n.has[id] = n.has[id] || p.worker.Open(id)
	}
	for id := range n.has {
		if n.has[id] && !slices.Contains(jobs, id) {
			delete(n.has, id)
			n.had[id] = true
		}
	}
	return nil
}

func (p *process) turn(rng *rand.Rand) {
	if p.worker.Heard() > 0 && rng.IntN(2) == 0 {
		p.hear()
		return
	}
	if jobs := p.worker.Jobs(); len(jobs) > 0 && rng.IntN(10) > 0 {
		first := rng.IntN(len(jobs))
		for i := range jobs {
			if id := jobs[(first+i)%len(jobs)]; p.worker.Waiting(id) > 0 {
				p.at = id
				p.worker.Step(id)
				p.at = protocol.JobID{}
				return
			}
		}
	}
	p.worker.Tick()
}

// alive runs f in a process, and starts the process again if f kills it.
func (n *node) alive(p *process, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			d, ok := r.(died)
			if !ok {
				panic(r)
			}
			err = n.restart(p, d.point)
		}
	}()
	return f()
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
