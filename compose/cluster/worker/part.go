package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/ledger"
)

// Deps is what a worker and its parts work with. Crash, of the Config, is told of each
// named point that is passed; see Points.
type Deps struct {
	Config
	Broker  broker.Broker
	Runtime *operators.Runtime // its Scratch is not used: each computation has its own
	FS      vfs.FS
	Log     *slog.Logger
	Now     func() time.Time
	Metrics *Metrics
	// Fatal is told of an error after which the process must not go on.
	Fatal      func(error)
	Tombstones *Tombstones
	Room       *reserve // for what ends jobs
	// Knobs break what makes answers exact, for tests that must notice.
	Knobs Knobs
	// Gone is told when the part is no more.
	Gone func(id protocol.JobID, reason string)
}

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
	deps   Deps
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

// What GroupCommit is where nothing else is said.
const (
	usualCommitBytes    = 4 << 20
	usualCommitInterval = 200 * time.Millisecond
	usualMerge          = 64
)

func (g GroupCommit) withDefaults() GroupCommit {
	g.Bytes, g.Interval = cmp.Or(g.Bytes, usualCommitBytes), cmp.Or(g.Interval, usualCommitInterval)
	g.Merge = cmp.Or(g.Merge, usualMerge)
	return g
}

// due reports whether messages of so many bytes are to be committed, however short a
// time they have waited.
func (g GroupCommit) due(messages int, bytes int64) bool {
	return bytes >= g.Bytes || messages >= max(1, g.Prefetch/2)
}

// OpenPart takes part in a job. It is durable when OpenPart returns; after an
// error nothing is left of it, unless that wraps vfs.ErrUnsure.
func OpenPart(ctx context.Context, spec *protocol.Spec, deps Deps, post func(func())) (*Part, error) {
	return openPart(ctx, spec, deps, post, func(*Part) (change segment.Change, err error) { return change, nil })
}

// openPart is OpenPart for a part that does not begin empty: fill makes segments of its
// store, which come to be with it.
func openPart(ctx context.Context, spec *protocol.Spec, deps Deps, post func(func()), fill func(*Part) (segment.Change, error)) (*Part, error) {
	p, err := newPart(spec, deps, post)
	if err != nil {
		return nil, err
	}
	if p.d, err = newDurable(spec, len(p.ports)); err != nil {
		return nil, err
	}
	for _, stage := range spec.Stages(deps.Replica) {
		p.d.Stages[stage] = protocol.Receiving
	}
	if err = p.open(ctx, fill); err == nil {
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
func (p *Part) open(ctx context.Context, fill func(*Part) (segment.Change, error)) (err error) {
	if p.store, err = openStore(p.deps, p.spec.ID); err != nil {
		return err
	}
	change, err := fill(p)
	if err != nil {
		return err
	}
	if err := p.commit(change); err != nil {
		return err
	}
	// The store has synced its directory, not the one that holds it.
	if err := p.deps.FS.SyncDir(p.deps.jobs()); err != nil {
		return fmt.Errorf("sync the state directory: %w", vfs.Unsure(err))
	}
	if err := p.deps.Broker.Declare(ctx, p.spec.OwnQueue(p.deps.Replica)); err != nil {
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

// RecoverPart takes up a job whose state is in dir, and goes on with it by steps that
// it posts. It returns ErrNeverOpened if nobody was told that the job is open; its
// queues are deleted then, and what is in dir can be. If there is a cause, it is
// what the process before this one died of in the midst of a step of this job.
func RecoverPart(ctx context.Context, id protocol.JobID, deps Deps, cause string, post func(func())) (*Part, error) {
	// Whoever died before the first manifest had not made a queue; and for a new
	// manifest there may be no room.
	if there, err := segment.Exists(deps.FS, filepath.Join(deps.jobs(), id.String())); err != nil || !there {
		return nil, errors.Join(err, ErrNeverOpened)
	}
	store, err := openStore(deps, id)
	if err != nil {
		return nil, err
	}
	d, spec, err := decodeDurable(store.Payload(), deps.Replica)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p, err := newPart(spec, deps, post)
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
	if !deps.Knobs.VolatileLedger {
		if err := p.seen.UnmarshalBinary(d.Ledger); err != nil {
			return nil, errors.Join(unreadable(err), store.Close())
		}
	}
	if cause != "" {
		if err := p.accuse(cause); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	if !deps.Now().Before(p.rest) {
		p.post(p.start)
	}
	return p, nil
}

// accuse notes that a process has died of this job. After some, the job fails;
// before, it is tried again after a pause.
func (p *Part) accuse(cause string) error {
	deaths := p.d.Suspect.Deaths + 1
	p.rest = p.deps.Now().Add(restAfter(deaths))
	if deaths >= maxDeaths && p.d.Failed == "" {
		p.d.Failed = fmt.Sprintf("worker %d has died of it %d times: %s", p.deps.Replica, deaths, cause)
		p.deps.Log.Error("the job failed", "job", p.spec.ID, "reason", p.d.Failed)
	}
	return p.deps.Room.spend(func() error {
		p.d.Suspect = suspect{deaths, cause} // which a commit that fails takes back
		return p.commit(segment.Change{})
	})
}

func openStore(deps Deps, id protocol.JobID) (*segment.Store, error) {
	dir := filepath.Join(deps.jobs(), id.String())
	if err := deps.FS.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("job %s: make its state directory: %w", id, err)
	}
	return segment.OpenStore(deps.FS, dir)
}

func newPart(spec *protocol.Spec, deps Deps, post func(func())) (*Part, error) {
	deps.Commit = deps.Commit.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Part{
		ctx: ctx, cancel: cancel, deps: deps, post: post, spec: spec, ports: spec.Ports(deps.Replica),
		keys: make(map[int][]byte), tries: make(map[uint64]int), waited: make(map[int]time.Duration), spilled: make(map[int]int64), sign: deps.Now(), ticked: deps.Now(),
	}
	p.publisher = broker.NewPublisher(deps.Broker, 0, broker.Watch{})
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
	if p.d.Ending != "" {
		p.started = true
		if p.cleaning == nil {
			p.clean()
		}
		return
	}
	if p.stopped() {
		p.started = true
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, startPatience)
	defer cancel()
	if err := p.receive(ctx); err != nil {
		p.deps.Log.Warn("begin to receive", "job", p.spec.ID, "error", err)
		p.stopReceiving()
		p.rest = p.deps.Now().Add(time.Second)
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
	queue := p.spec.Queue(p.deps.Replica)
	sub, err := p.deps.Broker.Consume(ctx, queue, p.deps.Commit.Prefetch, func(d broker.Delivery) {
		p.post(func() { p.deliver(d) })
	})
	switch {
	case errors.Is(err, broker.ErrNoQueue):
		if p.needsAny() {
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

// needsAny reports whether something is to come yet.
func (p *Part) needsAny() bool {
	for i := range p.ports {
		if p.needs(i) {
			return true
		}
	}
	return false
}
