package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/columnar/budget"
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

// Fatal yields an error after which this process must not continue.
func (w *Worker) Fatal() <-chan error { return w.fatal }

// die ends Run with an error after which this process must not continue.
func (w *Worker) die(err error) {
	select {
	case w.fatal <- err:
	default:
	}
}

// closing reports whether the worker ends.
func (w *Worker) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
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
