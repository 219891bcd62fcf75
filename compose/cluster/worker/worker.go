package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/process"
	"analyzer/shuffle/broker"
)

// Config configures a worker.
type Config struct {
	Cluster  string // the cluster's name; "": none
	Replica  int
	State    string // directory, of one worker at a time
	SpillDir string // directory of scratch files; "": one below State
	Memory   int64  // bytes that operators' state may take
	Commit   GroupCommit
	Bounds   Bounds
	Queues   broker.Kind
	Remember time.Duration // how long tombstones are kept
	Reserve  int64         // bytes of disk reserved for ending jobs
	Quota    int64         // bytes of disk that one job may take for its logs and its output; 0: no limit
	// OpenQuota replaces a Quota of 0 for open jobs, since such a job grows for as long
	// as somebody appends to it.
	OpenQuota int64
	// TellCrash makes the Go runtime write to a file why it ends the process, if it
	// does; nil: it does not.
	TellCrash func(path string) error
	Crash     func(point string)
}

// Worker is one replica of a cluster. It calls Config.Crash at each failpoint that it
// passes; see Points.
type Worker struct {
	Config
	Broker  broker.Broker
	Runtime *operators.Runtime // without Scratch: each computation has its own
	FS      vfs.FS
	Log     *slog.Logger
	Now     func() time.Time
	// Go has the steps of a job's part run, one after the other: next runs one, and reports whether there
	// are more. It is not called again before there are none.
	Go         func(job protocol.JobID, next func() (more bool))
	Metrics    *Metrics
	Tombstones *Tombstones
	Room       *reserve // disk space for ending jobs

	self   identity
	claims claim
	blame  *blame
	ctx    context.Context // of what steps ask of the broker; see outlive
	// taking holds one for each part that reads its state, starting one for each that asks for
	// its subscription.
	taking, starting chan struct{}

	untaken atomic.Int64  // parts not yet taken up
	stir    chan struct{} // holds one when a part has become due soon
	fatal   chan error

	mu      sync.Mutex
	parts   map[protocol.JobID]*member
	aside   map[protocol.JobID]string // why jobs were set aside
	soon    map[*member]bool          // due before all are looked at
	looked  time.Time                 // when all were looked at
	closed  bool                      // no parts are added any more
	running sync.WaitGroup            // goroutines: steps, and slow answers
}

// member is a part and the mailbox that runs its steps. The first step opens the part or takes
// it up.
type member struct {
	part   atomic.Pointer[Part] // set by the first step; nil if that failed
	box    *mailbox
	owner  string       // guarded by Worker.mu; "" before a part is taken up
	cut    bool         // likewise
	due    atomic.Int64 // when it gets a Tick, Unix time in ns
	awaits atomic.Bool  // see Part.awaits
}

// newMember returns a member without a part. A panic in one of its steps fails only its
// job, which is set aside if it was not open yet.
func (w *Worker) newMember(id protocol.JobID) *member {
	m := &member{}
	m.box = newMailbox(func(step func()) {
		w.blame.alone(id, w.Now(), func() {
			defer func() {
				if fault := recover(); fault != nil {
					w.Log.Error("a fault of the program", "job", id, "fault", fault, "stack", string(debug.Stack()))
					if p := m.part.Load(); p != nil {
						p.faulty(fmt.Errorf("a fault of the program, which the log of worker %d describes: %v", w.Replica, fault))
					} else {
						w.forsake(id, fault)
					}
				}
			}()
			step()
		})
		w.stepped(m)
	})
	return m
}

// forsake gives up a job after a panic in its first step.
func (w *Worker) forsake(id protocol.JobID, fault any) {
	if err := w.setAside(id, fmt.Errorf("a fault of the program: %v", fault)); err != nil {
		w.Log.Warn("give up a job", "error", err)
	}
	w.drop(id)
}

// do posts a step of the part. Without a part the step does nothing.
func (m *member) do(step func(*Part)) {
	m.box.post(func() {
		if p := m.part.Load(); p != nil {
			step(p)
		}
	})
}

// computing returns the part's running computation, or nil.
func (m *member) computing() *computation {
	if p := m.part.Load(); p != nil {
		return p.computing.Load()
	}
	return nil
}

// interrupt ends the part's computation, because the next step makes its result
// useless.
func (m *member) interrupt() {
	if p := m.part.Load(); p != nil {
		p.Interrupt()
	}
}

// New returns a worker that is not running yet. metrics may be nil.
func New(cfg Config, b broker.Broker, fs vfs.FS, log *slog.Logger, metrics *Metrics) *Worker {
	if cfg.Crash == nil {
		cfg.Crash = func(string) {}
	}
	if metrics == nil {
		metrics = new(Metrics)
	}
	cfg.Commit, cfg.Bounds = cfg.Commit.withDefaults(), cfg.Bounds.withDefaults()
	w := &Worker{
		Config: cfg, Broker: b, FS: fs, Log: log, Metrics: metrics, Now: time.Now,
		Runtime: &operators.Runtime{Budget: budget.New(cfg.Memory), Env: expr.NewEnv()},
		ctx:     context.Background(), claims: newClaim(cfg), taking: make(chan struct{}, mostTaking), starting: make(chan struct{}, mostStarting), stir: make(chan struct{}, 1), fatal: make(chan error, 1),
		aside: make(map[protocol.JobID]string), parts: make(map[protocol.JobID]*member), soon: make(map[*member]bool),
	}
	w.Go = func(_ protocol.JobID, next func() (more bool)) {
		w.running.Go(func() {
			for next() {
			}
		})
	}
	return w
}

// Run takes part in jobs until the context ends. The next Run on the same state resumes
// from the last commits.
func (w *Worker) Run(ctx context.Context) (err error) {
	if err := w.MakeState(); err != nil {
		return err
	}
	lock, err := vfs.Lock(ctx, filepath.Join(w.State, "lock"))
	if err != nil {
		return fmt.Errorf("take the state directory %s: %w", w.State, err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := w.Broker.Ready(ctx); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	var release func()
	w.ctx, release = outlive(ctx, lastPatience)
	defer release()
	defer w.close()
	defer end()
	if err := w.Recover(ctx); err != nil {
		return err
	}
	return w.serve(ctx, end)
}

// lastPatience is how long a worker that ends goes on to wait for the broker. A broker that is
// away or blocked may answer in hours. Nothing is lost by not waiting: what was not sent is
// frozen, and what was not answered is asked again.
const lastPatience = 2 * time.Second

// outlive returns a context that ends a while after another one, or with end.
func outlive(ctx context.Context, by time.Duration) (after context.Context, end func()) {
	after, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-ctx.Done():
			_ = process.Sleep(after, by) // an error means that after has ended
			cancel()
		case <-after.Done():
		}
	})
	return after, func() {
		cancel()
		watching.Wait()
	}
}

// jobs is the directory of all jobs.
func (c Config) jobs() string { return filepath.Join(c.State, jobsName) }

const jobsName = "jobs"

// HasJobs reports whether the worker whose state directory this is takes part in a job.
// The directory need not exist.
func HasJobs(files vfs.FS, state string) (bool, error) {
	jobs, err := files.List(Config{State: state}.jobs())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("look for jobs in %s: %w", state, err)
	}
	return len(jobs) > 0, err
}

// MakeState makes the state directory.
func (w *Worker) MakeState() error {
	if err := vfs.MakeState(w.FS, w.State, jobsName); err != nil {
		return fmt.Errorf("make the state directory: %w", err)
	}
	if err := errors.Join(w.FS.SyncDir(w.State), w.FS.SyncDir(filepath.Dir(w.State))); err != nil {
		return fmt.Errorf("sync the state directory: %w", err)
	}
	return nil
}

// scratch is the directory below which parts spill.
func (c Config) scratch() string { return cmp.Or(c.SpillDir, filepath.Join(c.State, "spill")) }

// makeScratch finds out early if parts cannot spill. It also removes what killed processes
// have left there.
func (w *Worker) makeScratch() error {
	var err error
	if w.SpillDir == "" {
		err = errors.Join(w.FS.RemoveAll(w.scratch()), w.FS.MkdirAll(w.scratch()))
	}
	if err == nil {
		var dir string
		if dir, err = w.FS.MkdirTemp(w.scratch(), segment.ScratchPattern); err == nil {
			err = w.FS.RemoveAll(dir)
		}
	}
	if err != nil {
		return fmt.Errorf("make the directory for what does not fit into memory: %w", err)
	}
	return nil
}

// absolute is the canonical path of the state directory.
func (c Config) absolute() string {
	state, err := filepath.Abs(c.State)
	if err != nil {
		return c.State
	}
	return state
}

// Recover finds the jobs in the state directory, and has each resumed by the first step of
// its part. So a worker with thousands of jobs listens at once, and whoever asks for a job
// waits for that one only.
func (w *Worker) Recover(ctx context.Context) (err error) {
	if err := w.identify(); err != nil {
		return err
	}
	if err := w.inquire(); err != nil {
		return err
	}
	if err := w.makeScratch(); err != nil {
		return err
	}
	w.Room = newReserve(w)
	if w.Tombstones, err = OpenTombstones(w.FS, filepath.Join(w.State, "ended"), w.Remember, w.Room, w.Now); err != nil {
		return err
	}
	dir := w.jobs()
	// A crash must not bring back what an earlier process has removed.
	if err := w.FS.SyncDir(dir); err != nil {
		return fmt.Errorf("sync the state directory: %w", err)
	}
	if err := w.findAside(); err != nil {
		return err
	}
	names, err := w.FS.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		id, err := protocol.ParseJobID(name)
		if err != nil {
			w.Log.Warn("this is not the state of a job", "path", filepath.Join(dir, name))
			continue
		}
		if _, _, ended := w.Tombstones.Ended(id); ended {
			// The queue is normally gone already. It is not if a tombstone that was swept has
			// come back, as it can when clocks are wrong.
			err := w.Broker.Delete(ctx, (&protocol.Spec{ID: id}).Queue(w.Replica))
			if err = errors.Join(err, segment.Remove(w.FS, filepath.Join(dir, name))); err != nil {
				return fmt.Errorf("remove what is left of job %s: %w", id, err)
			}
			continue
		}
		m := w.newMember(id)
		w.untaken.Add(1)
		m.box.post(func() { w.takeUp(id, m) })
		w.add(id, m)
	}
	return nil
}

// inquire finds out why the previous process died, and arranges for the next process to
// find out the same about this one.
func (w *Worker) inquire() (err error) {
	if w.blame, err = inquire(w.FS, w.State, w.Now()); err != nil {
		return err
	}
	if w.blame.cause != "" {
		w.Log.Error("the worker before this one died of its own fault; one step is made at a time",
			"cause", w.blame.cause, "job", w.blame.job, "see", filepath.Join(w.State, lastCrash), "for", careful)
	}
	if w.TellCrash == nil {
		return nil
	}
	return w.TellCrash(filepath.Join(w.State, crashName))
}

// mostTaking is how many parts read their state at once after a start of the worker, and
// mostStarting how many ask the broker for their subscriptions at once. If thousands asked, each
// would have the patience of one for the time that all of them take: those that gave up would ask
// again, behind all others.
const (
	mostTaking   = 8
	mostStarting = 32
)

// takeUp recovers a part from disk. If nobody was told that the job is open, or its state
// cannot be read, the worker has no part of it from then on.
func (w *Worker) takeUp(id protocol.JobID, m *member) {
	defer w.untaken.Add(-1)
	w.taking <- struct{}{}
	defer func() { <-w.taking }()
	if w.closing() {
		return
	}
	cause := ""
	if w.blame.job == id.String() {
		cause = w.blame.cause
	}
	p, err := w.recoverPart(id, cause, m.box.post)
	if err == nil {
		w.mu.Lock()
		m.owner, m.cut = p.spec.Owner, p.spec.Cut != nil
		w.mu.Unlock()
		m.part.Store(p)
		return
	}
	switch {
	case errors.Is(err, ErrNeverOpened):
		err = segment.Remove(w.FS, filepath.Join(w.jobs(), id.String()))
	case isUnreadable(err):
		err = w.setAside(id, err)
	}
	if err != nil {
		w.die(fmt.Errorf("recover job %s: %w", id, err))
		return
	}
	w.drop(id)
}

// Fatal yields an error after which this process must not continue.
func (w *Worker) Fatal() <-chan error { return w.fatal }

// die ends Run with an error after which this process must not continue.
func (w *Worker) die(err error) {
	select {
	case w.fatal <- err:
	default:
	}
}

// add lets the steps of a part run. If the job has a part already, add does nothing
// and returns that one. It also does nothing if the worker is closing, or if the job has
// ended: opening a cut waits for the job that is cut, and the cut may end meanwhile.
// Whoever asked then learns of the end by asking again.
func (w *Worker) add(id protocol.JobID, m *member) (there *member, added bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _, ended := w.Tombstones.Ended(id)
	if there := w.parts[id]; there != nil || w.closed || ended {
		return there, false
	}
	w.parts[id] = m
	w.Metrics.Jobs.Store(int64(len(w.parts)))
	m.box.open(func(next func() (more bool)) { w.Go(id, next) })
	return m, true
}

// drop forgets a part. One of the part's steps calls it.
func (w *Worker) drop(id protocol.JobID) {
	w.mu.Lock()
	m := w.parts[id]
	delete(w.parts, id)
	delete(w.soon, m)
	w.Metrics.Jobs.Store(int64(len(w.parts)))
	w.mu.Unlock()
	if m != nil {
		m.box.stop()
	}
}

// gone notes that this replica has forgotten a job. One of the part's steps calls it.
func (w *Worker) gone(id protocol.JobID, reason string) {
	w.Log.Info("job ended", "job", id, "reason", reason)
	w.drop(id)
	if w.Replica != 0 {
		w.tell(w.ctx, 0, &protocol.Request{Action: protocol.ActionCleaned, Job: id, From: w.Replica})
	}
}

func (w *Worker) member(id protocol.JobID) *member {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.parts[id]
}

// closing reports whether the worker ends.
func (w *Worker) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

func (w *Worker) members() []*member {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]*member, 0, len(w.parts))
	for _, m := range w.parts {
		out = append(out, m)
	}
	return out
}

// serve takes requests until the context ends. It ends the context itself after an error.
func (w *Worker) serve(ctx context.Context, end context.CancelFunc) error {
	sub, err := w.Listen(ctx, func(d broker.Delivery) { w.Request(ctx, d) })
	if err != nil {
		return err
	}
	defer sub.Cancel()
	defer end()
	w.running.Go(func() {
		if err := w.claim(ctx); err != nil && ctx.Err() == nil {
			w.die(fmt.Errorf("say who the worker is: %w", err))
		}
	})
	w.running.Go(func() { w.measure(ctx) })
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for again := tickEvery; ; {
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.Fatal():
			return err
		case <-sub.Done():
			return fmt.Errorf("the control queue ended: %w", sub.Err())
		case <-w.stir:
			if again > tickEvery {
				again = tickEvery
				tick.Reset(again)
			}
		case <-tick.C:
			again = w.Tick()
			tick.Reset(again)
		}
	}
}

const (
	measureEvery = time.Second
	// measureShare bounds the share of time spent on asking the broker for queue depths to
	// one in measureShare, since many jobs have many queues.
	measureShare = 10
)

// measure measures the depth of this worker's queues until the context ends.
func (w *Worker) measure(ctx context.Context) {
	for {
		began := time.Now()
		waiting, err := w.Broker.Depth(ctx, w.awaiting()...)
		if err == nil {
			w.Metrics.Waiting.Store(int64(waiting))
		} else {
			w.Log.Debug("ask how much waits", "error", err)
		}
		if process.Sleep(ctx, max(measureEvery, measureShare*time.Since(began))) != nil {
			return
		}
	}
}

// awaiting returns the queues in which messages may be waiting.
func (w *Worker) awaiting() (queues []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.parts {
		if !m.awaits.Load() && m.box.waiting() == 0 {
			continue
		}
		if p := m.part.Load(); p != nil {
			queues = append(queues, p.spec.Queue(w.Replica))
		}
	}
	return queues
}

// Listen subscribes to the requests of gateways and of other workers.
func (w *Worker) Listen(ctx context.Context, handle func(broker.Delivery)) (broker.Subscription, error) {
	queue := protocol.ControlQueue(w.Replica)
	if err := w.Broker.Declare(ctx, broker.Queue{Name: queue, Kind: w.Queues, SingleActive: true}); err != nil {
		return nil, err
	}
	return w.Broker.Consume(ctx, queue, 16, handle)
}

func (w *Worker) sweep() {
	w.Room.keep()
	if err := w.Tombstones.Sweep(); err != nil {
		w.Log.Warn("forget ended jobs", "error", err)
	}
}

// close ends all parts; their state stays on disk.
func (w *Worker) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	for _, m := range w.members() {
		m.do(func(p *Part) {
			p.flush()
			if err := p.Close(); err != nil {
				w.Log.Warn("close a job", "error", err)
			}
		})
		m.interrupt()
		m.box.end()
	}
	w.running.Wait()
}
