package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/ledger"
)

// Knobs each switch off one of the things that make answers exact. They exist so
// that a simulation can show that it notices.
type Knobs struct {
	AckFirst       bool // acknowledge before the commit
	NoDedup        bool // count a message as often as it comes
	VolatileLedger bool // forget the ledger with the process
	EmittedFirst   bool // commit that all was emitted before it is confirmed
	CountMessages  bool // complete when as many messages came as there are ids
	NoTombstone    bool // forget that a job has ended
	BlameKills     bool // take every death of a process for its own fault
}

// Part is one replica's part of a job. Its methods are called from one goroutine
// at a time; what others have to say to it they hand to post.
type Part struct {
	worker *Worker
	post   func(func())
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	spec   *protocol.Spec
	ports  []ledger.Port
	store  *segment.Store
	d      *durable
	seen   *ledger.Ledger // with what is not committed yet

	sub       broker.Subscription // to the queue; nil: nothing is received
	pending   []pendingPort       // messages not committed, by port
	unacked   []broker.Delivery
	held      int64     // bytes in pending
	since     time.Time // of the first message not committed
	urgent    bool      // a port is complete since the last commit
	emitters  []*emitter
	publisher *broker.Publisher
	keys      map[int][]byte // key hashes by join; nil: too many
	cleaning  *cleaning
	sign      time.Time             // the last sign of life: somebody asked, or something came
	idle      time.Duration         // that was written down last
	ticked    time.Time             // when that was last looked at
	tries     map[uint64]int        // of messages that cannot be taken in, by hash
	waited    map[int]time.Duration // the longest of a message in its queue, by stage
	spilled   map[int]int64         // bytes, by stage
	rest      time.Time             // before which it does not start
	started   bool
	closed    bool

	client      atomic.Int64                // when the job's client was last heard of, Unix time in ns
	interrupted atomic.Bool                 // see Interrupt
	computing   atomic.Pointer[computation] // what is computed now
}

// pendingPort collects messages until the next commit. They are logged as they came:
// to join their rows to one batch takes 1.5 times as long (BenchmarkLog,
// docs/decisions/2026-11-21-received-bodies.md).
type pendingPort struct {
	messages [][]byte
	numbers  []uint64 // of the messages, if the job is followed
	rows     int64
	batches  int64
}

// GroupCommit says how many of the messages that come are made durable together. Any
// values give the same answers. When all of a port has come that is committed at once.
type GroupCommit struct {
	// Prefetch is how many messages the broker sends ahead of their acknowledgement, 1 to
	// broker.MaxPrefetch. Half as many are committed at the latest, so that the broker can
	// go on sending meanwhile.
	Prefetch int
	Bytes    int64         // that wait are committed; 0: 4 MiB
	Interval time.Duration // after the first message all are committed; 0: 200 ms
	// Merge is how many small segments a log that is kept ends with at most; then they
	// become one. 0: 64.
	Merge int
}

func (g GroupCommit) withDefaults() GroupCommit {
	g.Bytes = cmp.Or(g.Bytes, 4<<20)
	g.Interval = cmp.Or(g.Interval, 200*time.Millisecond)
	g.Merge = cmp.Or(g.Merge, 64)
	return g
}

// due reports whether messages of so many bytes are to be committed, however short a
// time they have waited.
func (g GroupCommit) due(messages int, bytes int64) bool {
	return bytes >= g.Bytes || messages >= max(1, g.Prefetch/2)
}

// openPart takes part in a job, of which a cut begins with an excerpt of the job that it
// is of and others with nil. It is durable when openPart returns; after an error nothing
// is left of it, unless that wraps vfs.ErrUnsure.
func (w *Worker) openPart(ctx context.Context, spec *protocol.Spec, from *excerpt, post func(func())) (*Part, error) {
	p, err := w.newPart(spec, post)
	if err != nil {
		return nil, err
	}
	if p.d, err = newDurable(spec, len(p.ports)); err != nil {
		return nil, err
	}
	for _, stage := range spec.Stages(w.Replica) {
		p.d.Stages[stage] = protocol.Receiving
	}
	if err = p.open(ctx, from); err == nil {
		err = p.receive(ctx)
	}
	if errors.Is(err, vfs.ErrUnsure) {
		p.cancel()
		p.stopReceiving()
		return nil, fmt.Errorf("open job %s: %w", spec.ID, err) // what there is is the next process's
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open job %s: %w", spec.ID, err), p.takeBack())
	}
	return p, nil
}

// open makes the state durable and then the queues, so that a process that finds
// the state knows which queues there may be.
func (p *Part) open(ctx context.Context, from *excerpt) (err error) {
	if p.store, err = p.worker.openStore(p.spec.ID); err != nil {
		return err
	}
	change, err := p.copyLogs(from)
	if err != nil {
		return err
	}
	if err := p.commit(change); err != nil {
		return err
	}
	// The store has synced its directory, not the one that holds it.
	if err := p.worker.FS.SyncDir(p.worker.jobs()); err != nil {
		return fmt.Errorf("sync the state directory: %w", vfs.Unsure(err))
	}
	if err := p.worker.Broker.Declare(ctx, p.spec.OwnQueue(p.worker.Replica)); err != nil {
		return err
	}
	p.d.Opened = true
	return p.commit(segment.Change{})
}

// takeBack deletes what there is of a job that was not opened: the queues first,
// or nobody would know of them any more.
func (p *Part) takeBack() error {
	p.stopReceiving()
	err := p.deleteQueues(false)
	if p.store != nil {
		err = errors.Join(err, p.Close())
	}
	if err != nil {
		return err // the next process finds the state, and tries again
	}
	return p.removeState()
}

// recoverPart takes up a job whose state is on disk, and goes on with it by steps that
// it posts. It returns ErrNeverOpened if nobody was told that the job is open; its
// queues are deleted then, and its state can be. If there is a cause, it is
// what the process before this one died of in the midst of a step of this job.
func (w *Worker) recoverPart(id protocol.JobID, cause string, post func(func())) (*Part, error) {
	// Whoever died before the first manifest had not made a queue; and for a new
	// manifest there may be no room.
	if there, err := segment.Exists(w.FS, filepath.Join(w.jobs(), id.String())); err != nil || !there {
		return nil, errors.Join(err, ErrNeverOpened)
	}
	store, err := w.openStore(id)
	if err != nil {
		return nil, err
	}
	d, spec, err := decodeDurable(store.Payload(), w.Replica)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p, err := w.newPart(spec, post)
	if err != nil {
		return nil, errors.Join(unreadable(err), store.Close())
	}
	p.store, p.d = store, d
	p.recallIdle()
	if !d.Opened {
		if err := errors.Join(p.deleteQueues(false), p.Close()); err != nil {
			return nil, err
		}
		return nil, ErrNeverOpened
	}
	if !w.Knobs.VolatileLedger {
		if err := p.seen.UnmarshalBinary(d.Ledger); err != nil {
			return nil, errors.Join(unreadable(err), store.Close())
		}
	}
	if cause != "" {
		if err := p.accuse(cause); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	if !w.Now().Before(p.rest) {
		p.post(p.start)
	}
	return p, nil
}

// accuse notes that a process has died of this job. After some, the job fails;
// before, it is tried again after a pause.
func (p *Part) accuse(cause string) error {
	deaths := p.d.Suspect.Deaths + 1
	p.rest = p.worker.Now().Add(restAfter(deaths))
	if deaths >= maxDeaths && p.d.Failed == "" {
		p.d.Failed = fmt.Sprintf("worker %d has died of it %d times: %s", p.worker.Replica, deaths, cause)
		p.worker.Log.Error("the job failed", "job", p.spec.ID, "reason", p.d.Failed)
	}
	return p.worker.Room.spend(func() error {
		p.d.Suspect = suspect{deaths, cause} // which a commit that fails takes back
		return p.commit(segment.Change{})
	})
}

func (w *Worker) openStore(id protocol.JobID) (*segment.Store, error) {
	dir := filepath.Join(w.jobs(), id.String())
	if err := w.FS.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("job %s: make its state directory: %w", id, err)
	}
	return segment.OpenStore(w.FS, dir)
}

func (w *Worker) newPart(spec *protocol.Spec, post func(func())) (*Part, error) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Part{
		ctx: ctx, cancel: cancel, worker: w, post: post, spec: spec, ports: spec.Ports(w.Replica),
		keys: make(map[int][]byte), tries: make(map[uint64]int), waited: make(map[int]time.Duration), spilled: make(map[int]int64), sign: w.Now(), ticked: w.Now(),
	}
	p.publisher = broker.NewPublisher(w.Broker, 0, broker.Watch{})
	var err error
	if p.seen, err = ledger.New(p.ports); err != nil {
		return nil, fmt.Errorf("job %s: %w", spec.ID, err)
	}
	p.pending = make([]pendingPort, len(p.ports))
	p.client.Store(p.sign.UnixNano())
	return p, nil
}

// start goes on with what the state says is next. It is a step like any other: a
// worker listens before it computes.
func (p *Part) start() {
	if p.closed || p.started {
		return
	}
	if p.stopped() {
		if p.started = true; p.d.Ending != "" && p.cleaning == nil {
			p.clean()
		}
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, startPatience)
	defer cancel()
	if err := p.receive(ctx); err != nil {
		p.worker.Log.Warn("begin to receive", "job", p.spec.ID, "error", err)
		p.stopReceiving()
		p.rest = p.worker.Now().Add(time.Second)
		return
	}
	p.resumeEmitting()
	p.advance()
}

// startPatience is how long the broker may take to begin with the ports of a job.
const startPatience = 30 * time.Second

// receive begins to receive. When all ports are complete it needs no queue.
func (p *Part) receive(ctx context.Context) error {
	p.started = true
	queue := p.spec.Queue(p.worker.Replica)
	sub, err := p.worker.Broker.Consume(ctx, queue, p.worker.Commit.Prefetch, func(d broker.Delivery) {
		p.post(func() { p.deliver(d) })
	})
	switch {
	case errors.Is(err, broker.ErrNoQueue):
		if len(p.waiting()) > 0 {
			p.fail(p.lostQueue(err))
		}
	case err != nil:
		p.started = false
		return fmt.Errorf("job %s: consume %s: %w", p.spec.ID, queue, err)
	default:
		p.sub = sub
	}
	return nil
}

// needs reports whether something is to come yet by a port.
func (p *Part) needs(port int) bool {
	return p.phaseOf(port) == protocol.Receiving && !p.seen.Complete(port)
}
