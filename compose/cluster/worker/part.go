package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/ledger"
)

// Part is one replica's part of a job. Its methods are called from one goroutine
// at a time; other goroutines post steps to it.
type Part struct {
	worker *Worker
	post   func(func())
	ctx    context.Context // ends with Close, and a while after the worker is to end
	cancel context.CancelFunc
	spec   *protocol.Spec // without the columns of tables
	ports  []ledger.Port
	store  *segment.Store
	d      *durable
	seen   *ledger.Ledger // includes messages not committed yet

	sub       broker.Subscription // to the queue; nil while not receiving
	pending   []pendingPort       // messages not committed, by port
	unacked   []broker.Delivery
	held      int64     // bytes in pending
	since     time.Time // when the first of what awaits a commit came
	urgent    bool      // a stage became complete since the last commit
	emitters  []*emitter
	emitted   bool               // an emitter has finished since the last commit
	sent      []*segment.Segment // of emitters that have finished since, for the next commit to remove
	publisher *broker.Publisher
	keys      map[int][]byte // key hashes by join; nil: too many
	files     [][]entry      // of the first segments in d.Files, each in order
	cleaning  *cleaning
	sign      time.Time                 // of the last sign of life: a request or a message
	idle      time.Duration             // as last written by noteIdle
	ticked    time.Time                 // when expire last ran
	tries     map[uint64]int            // attempts at messages that cannot be taken in, by hash
	waited    map[int]time.Duration     // the longest time a message spent in the queue, by stage
	spilled   map[int]int64             // bytes, by stage
	nodes     map[int][]exec.NodeReport // of the stages that this process computed
	rest      time.Time                 // the part does not start before that
	started   bool
	closed    bool

	subscribed  atomic.Pointer[<-chan struct{}] // sub.Done; nil without sub
	client      atomic.Int64                    // when the job's client last gave a sign of life, Unix time in ns
	confirmed   atomic.Bool                     // the client has given a sign of life
	interrupted atomic.Bool                     // see Interrupt
	computing   atomic.Pointer[computation]     // the running one, or nil
}

// pendingPort collects messages until the next commit. They are logged as they came:
// joining their rows into one batch takes 1.5 times as long (BenchmarkLog,
// docs/decisions/2026-11-21-received-bodies.md).
type pendingPort struct {
	messages [][]byte
	numbers  []uint64 // of the messages, if the job is followed
	rows     int64
	batches  int64
}

// GroupCommit sets how many messages are made durable in one commit. Any values give the
// same answers. A stage that becomes complete is computed at once.
type GroupCommit struct {
	// Prefetch is how many unacknowledged messages the broker sends, 1 to
	// broker.MaxPrefetch. A commit is due at half as many, so that the broker can
	// go on sending meanwhile.
	Prefetch int
	Bytes    int64         // of pending messages at which a commit is due; 0: 4 MiB
	Interval time.Duration // after the first pending message at which a commit is due; 0: 200 ms
	// Merge is how many small segments at the end of a kept log are merged into one, and how
	// many appended files a commit holds before they are written as a segment. 0: 64.
	Merge int
}

func (g GroupCommit) withDefaults() GroupCommit {
	g.Bytes = cmp.Or(g.Bytes, 4<<20)
	g.Interval = cmp.Or(g.Interval, 200*time.Millisecond)
	g.Merge = cmp.Or(g.Merge, 64)
	return g
}

// due reports whether so many pending messages of so many bytes must be committed now,
// whatever Interval says.
func (g GroupCommit) due(messages int, bytes int64) bool {
	return bytes >= g.Bytes || messages >= max(1, g.Prefetch/2)
}

// openPart takes part in a job. For a cut, from is the excerpt to start with; otherwise it
// is nil. The part is durable when openPart returns. After an error nothing is left of it,
// unless the error wraps vfs.ErrUnsure.
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
		return nil, fmt.Errorf("open job %s: %w", spec.ID, err) // the next process deals with what is on disk
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open job %s: %w", spec.ID, err), p.takeBack())
	}
	return p, nil
}

// open makes the state durable first and declares the queue second, so that a process that
// finds the state knows which queue may exist.
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
	if err := p.worker.Broker.Declare(ctx, p.spec.OwnQueue(p.worker.Replica)); err != nil {
		return err
	}
	p.d.Opened = true
	return p.commit(segment.Change{})
}

// takeBack deletes what exists of a job whose opening failed: first the queue, since
// without the state nobody would know of it any more.
func (p *Part) takeBack() error {
	p.stopReceiving()
	err := p.deleteQueues(false)
	if p.store != nil {
		err = errors.Join(err, p.Close())
	}
	if err != nil {
		return err // the next process finds the state and retries
	}
	return p.removeState()
}

// recoverPart recovers a part from its state on disk, and posts the step that resumes it.
// It returns ErrNeverOpened if nobody was told that the job is open; the queue is then
// deleted, and the caller may delete the state. A non-empty cause is why the previous
// process died in the middle of a step of this job.
func (w *Worker) recoverPart(id protocol.JobID, cause string, post func(func())) (*Part, error) {
	// Without a manifest, the process died before it declared a queue. Opening the store
	// would write a manifest, for which the disk may have no room.
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
	p.confirmed.Store(!d.Unconfirmed)
	p.recallIdle()
	if !d.Opened {
		if err := errors.Join(p.deleteQueues(false), p.Close()); err != nil {
			return nil, err
		}
		return nil, ErrNeverOpened
	}
	if err := p.seen.UnmarshalBinary(d.Ledger); err != nil {
		return nil, errors.Join(unreadable(err), store.Close())
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

// accuse notes that a process has died of this job. After maxDeaths of them the job fails;
// before that it is retried after a pause.
func (p *Part) accuse(cause string) error {
	deaths := p.d.Suspect.Deaths + 1
	p.rest = p.worker.Now().Add(restAfter(deaths))
	if deaths >= maxDeaths && p.d.Failed == "" {
		p.d.Failed = fmt.Sprintf("worker %d has died of it %d times: %s", p.worker.Replica, deaths, cause)
		p.worker.Log.Error("the job failed", "job", p.spec.ID, "reason", p.d.Failed)
	}
	return p.worker.Room.spend(func() error {
		p.d.Suspect = suspect{deaths, cause} // set here, since a failed commit reverts it
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
	ctx, cancel := context.WithCancel(w.ctx)
	p := &Part{
		ctx: ctx, cancel: cancel, worker: w, post: post, spec: withoutColumns(spec), ports: spec.Ports(w.Replica),
		keys: make(map[int][]byte), tries: make(map[uint64]int), waited: make(map[int]time.Duration), spilled: make(map[int]int64), nodes: make(map[int][]exec.NodeReport), sign: w.Now(), ticked: w.Now(),
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

// withoutColumns returns a spec whose tables have names alone. A worker reads none, their columns
// take more memory than the plan, and thousands of jobs may be idle.
func withoutColumns(spec *protocol.Spec) *protocol.Spec {
	lean := *spec
	lean.Tables = make([]*columnar.Table, len(spec.Tables))
	for i, t := range spec.Tables {
		lean.Tables[i] = &columnar.Table{Name: t.Name}
	}
	return &lean
}

// start resumes the part from its state. It is a step like any other, so that a worker
// listens for requests before it computes.
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
	select {
	case p.worker.starting <- struct{}{}:
	case <-p.ctx.Done():
		return
	}
	err := p.receiveInTime()
	<-p.worker.starting
	if err != nil {
		p.worker.Log.Warn("begin to receive", "job", p.spec.ID, "error", err)
		p.stopReceiving()
		p.rest = p.worker.Now().Add(time.Second)
		return
	}
	p.resumeEmitting()
	p.advance()
}

// receiveInTime is receive within startPatience.
func (p *Part) receiveInTime() error {
	ctx, cancel := context.WithTimeout(p.ctx, startPatience)
	defer cancel()
	return p.receive(ctx)
}

// startPatience is how long the broker may take to start the subscription of a job.
const startPatience = 30 * time.Second

// receive subscribes to the queue. A missing queue is fine if all ports are complete.
func (p *Part) receive(ctx context.Context) error {
	p.started = true
	queue := p.spec.Queue(p.worker.Replica)
	sub, err := p.worker.Broker.Consume(ctx, queue, p.worker.Commit.Prefetch, func(d broker.Delivery) {
		p.post(func() { p.deliver(d) })
	})
	switch {
	case errors.Is(err, broker.ErrNoQueue):
		if len(p.waiting()) > 0 {
			p.failOf(p.lostQueue(err), protocol.Lost)
		}
	case err != nil:
		p.started = false
		return fmt.Errorf("job %s: consume %s: %w", p.spec.ID, queue, err)
	default:
		p.sub = sub
		done := sub.Done()
		p.subscribed.Store(&done)
	}
	return nil
}

// needs reports whether a port still waits for messages.
func (p *Part) needs(port int) bool {
	return p.phaseOf(port) == protocol.Receiving && !p.seen.Complete(port)
}
