// Package engine runs a plan: it puts scans, pipelines and exchanges together.
//
// Run runs it embedded, in one process: it reads the tables with all cores, moves rows
// between stages through queues in memory and collects the answers. A pipeline is one
// replica's run of one stage; either a scan or queues drive it.
package engine

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/shuffle"
)

// Readings says how often a run reads each table.
func Readings(o Options) map[string]int {
	times := make(map[string]int)
	for _, s := range scanStages(o.Plan) {
		if t := o.Tables[s.Table]; times[s.Table] == 0 && t != nil && len(t.Key) > 0 {
			times[s.Table] = DuplicateReadings
		}
		times[s.Table]++
	}
	return times
}

// Run runs a plan in this process. It returns once all answers have been received; on an
// error it has stopped everything it started, and leaves no files behind.
//
// Errors of the input files are *scan.InputError.
func Run(ctx context.Context, o Options, answers Answers) (*Report, error) {
	e := newEmbedded(o, newRuntime(o), 0, answers)
	err := errors.Join(e.run(ctx), e.close())
	return e.report(), err
}

func newRuntime(o Options) *operators.Runtime {
	return &operators.Runtime{
		Budget:  budget.New(operatorBytesOf(o)),
		Scratch: segment.NewScratch(o.FS, o.SpillDir),
		Env:     expr.NewEnv(),
		Threads: threads(o),
	}
}

// threads returns how many goroutines read a table, or run one call of an operator: one per
// core, but no more than there are replicas.
func threads(o Options) int {
	if n := runtime.GOMAXPROCS(0); o.Replicas <= 0 || n < o.Replicas {
		return n
	}
	return o.Replicas
}

// embedded is a run of a plan in one process.
type embedded struct {
	opts     Options
	plan     *physical.Plan
	rt       *operators.Runtime
	replicas int
	scanners int                            // goroutines that read a table
	ports    map[int][]exec.Port            // by node: the inputs that read it through an exchange
	queues   map[exec.Port][]*shuffle.Queue // by replica
	feeds    map[exec.Port]*feed            // inputs with a feed instead of queues
	fed      map[int]*exec.Pipeline         // by stage: the pipelines of feeds
	handed   map[exec.Port]*handover        // inputs with a handover instead of queues
	outboxes int                            // of all pipelines, at most
	to       Answers
	answers  map[int]*collector // by node
	ready    chan struct{}      // closed when answers may begin
	builds   *builds
	tables   *Reading
	repeated *Duplicates
	cutter   *cutter // nil unless the run is followed

	mu     sync.Mutex
	nodes  []NodeReport
	failed []*exec.Pipeline // stay open until the run ends
}

// newEmbedded prepares a run. scanners is how many goroutines read a table; 0: threads.
func newEmbedded(o Options, rt *operators.Runtime, scanners int, to Answers) *embedded {
	if o.Replicas <= 0 {
		o.Replicas = runtime.GOMAXPROCS(0)
	}
	if scanners == 0 {
		scanners = threads(o)
	}
	e := &embedded{
		opts: o, plan: o.Plan, handed: make(map[exec.Port]*handover), rt: rt, replicas: o.Replicas, scanners: scanners,
		ports: make(map[int][]exec.Port), queues: make(map[exec.Port][]*shuffle.Queue),
		feeds: make(map[exec.Port]*feed), fed: make(map[int]*exec.Pipeline),
		to: to, answers: make(map[int]*collector), ready: make(chan struct{}),
		nodes: make([]NodeReport, len(o.Plan.Nodes)),
	}
	for i := range e.nodes {
		e.nodes[i].Node = i
	}
	e.builds = newBuilds(e)
	e.tables = e.reader()
	e.makeExchanges()
	e.makeCollectors()
	return e
}

func (e *embedded) pipelines(s *physical.Stage) int {
	switch {
	case s.Table != "":
		return e.scanners
	case s.Single:
		return 1
	}
	return e.replicas
}

// makeExchanges makes the exchange in front of each input that has one: a feed for rows in
// order, a handover, or a queue for each replica.
func (e *embedded) makeExchanges() {
	for _, n := range e.plan.Nodes {
		for i, in := range n.Inputs {
			if in.Exchange == nil {
				continue
			}
			port, from := exec.Port{Node: n.ID, Input: i}, e.plan.Nodes[in.Node]
			senders := e.pipelines(e.plan.Stages[from.Stage])
			e.ports[from.ID] = append(e.ports[from.ID], port)
			e.outboxes += senders
			switch in.Exchange.Kind {
			case physical.InOrder:
				e.feeds[port] = &feed{port: port, turns: scan.NewTurns()}
			case physical.HandedOver:
				e.handed[port] = &handover{from: from.ID, groups: aggregate.NewHanded(e.rt.Budget, senders), senders: senders, done: make(chan struct{})}
			default:
				for range e.pipelines(e.plan.Stages[n.Stage]) {
					e.queues[port] = append(e.queues[port], shuffle.NewQueue(senders, e.spool(from.Schema, e.rt.Budget, "exchange")))
				}
			}
		}
	}
}

// outlets returns where one pipeline sends the rows of a node beyond its stage: to the
// inputs that read it through an exchange, and to the answer.
func (e *embedded) outlets(node int) (out []exec.Outlet, err error) {
	for _, port := range e.ports[node] {
		to, err := e.outlet(port)
		if err != nil {
			return nil, err
		}
		out = append(out, to)
	}
	if c := e.answers[node]; c != nil {
		out = append(out, c)
	}
	return out, nil
}

// outlet returns the sender to an input behind an exchange: its feed or handover if it has
// one, otherwise an outbox to its queues.
func (e *embedded) outlet(port exec.Port) (exec.Outlet, error) {
	if f := e.feeds[port]; f != nil {
		return f, nil
	}
	if h := e.handed[port]; h != nil {
		return h, nil
	}
	in := e.plan.Nodes[port.Node].Inputs[port.Input]
	schema := e.plan.Nodes[in.Node].Schema
	keys, err := schema.Positions(in.Exchange.Keys)
	if err != nil {
		return nil, err
	}
	qs := e.queues[port]
	receivers := columnar.Each(qs, func(q *shuffle.Queue) shuffle.Receiver { return q })
	box := shuffle.NewOutbox(schema, keys, receivers)
	box.Hold(max(e.rt.Budget.Limit()/outboxShare/int64(e.outboxes), leastOutboxBytes))
	return box, nil
}

// run reads the tables phase by phase, and hands out the answers.
func (e *embedded) run(ctx context.Context) (err error) {
	if e.repeated, err = FindDuplicates(ctx, e.opts); err != nil {
		return err
	}
	e.tables.Duplicates = e.repeated.Tables
	// Without a limit, the system need not be asked once more how much there is.
	_, restore := LimitMemory(cmp.Or(e.opts.Memory, MemoryFor(e.rt.Budget.Limit())))
	defer restore()
	return e.compute(ctx, e.readTables)
}

// compute starts a task for every pipeline that queues drive, calls send to send the rows of
// the scans, and delivers the answers.
func (e *embedded) compute(ctx context.Context, send func(context.Context) error) error {
	if err := e.openFeeds(); err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	for _, s := range e.plan.Stages {
		if s.Table != "" || e.fed[s.ID] != nil {
			continue
		}
		for r := range e.pipelines(s) {
			g.Go(func() error { return e.task(gctx, s, r) })
		}
	}
	g.Go(func() error { return send(gctx) })
	if err := g.Wait(); err != nil {
		return err
	}
	return e.deliver(ctx)
}

// readTables reads the tables. It lets answers begin only after opts.Read has been told what
// the tables held, unless answers may come early.
func (e *embedded) readTables(ctx context.Context) error {
	if e.opts.Early {
		close(e.ready)
	}
	err := e.tables.Run(ctx)
	if err == nil && e.opts.Read != nil {
		err = e.opts.Read(e.tables.Report())
	}
	if err == nil && !e.opts.Early {
		close(e.ready)
	}
	return err
}

// task runs one replica of a stage that queues drive.
func (e *embedded) task(ctx context.Context, s *physical.Stage, replica int) (err error) {
	l, err := e.newPipeline(s, e.outlets)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			e.leave(l)
			return
		}
		err = e.closePipeline(l)
	}()
	for _, in := range l.Ports() {
		if err := e.feed(ctx, l, in, replica); err != nil {
			return err
		}
		if err := l.Finish(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// feed pushes all rows of an input into a pipeline, or has it take over groups.
func (e *embedded) feed(ctx context.Context, l *exec.Pipeline, in exec.Port, replica int) error {
	if h := e.handed[in]; h != nil {
		l.Aggregation(in.Node).TakeOver(h.groups)
		return wait(ctx, h.done)
	}
	return e.queues[in][replica].Each(ctx, func(rows columnar.Rows) error { return l.Push(ctx, in, rows) })
}

func (e *embedded) newPipeline(s *physical.Stage, outlets func(node int) ([]exec.Outlet, error)) (*exec.Pipeline, error) {
	l, err := exec.New(e.rt, e.plan, s, outlets)
	if err != nil {
		return nil, err
	}
	l.OnBuilt(e.builds.built)
	for _, h := range e.handed {
		if e.plan.Nodes[h.from].Stage == s.ID {
			l.Aggregation(h.from).HandOver(h.groups)
		}
	}
	return l, nil
}

// leave keeps a failed pipeline open until the end of the run: scan workers may be about to
// probe its build sides.
func (e *embedded) leave(l *exec.Pipeline) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed = append(e.failed, l)
}

// closePipeline adds the pipeline's counts to the report and closes it.
func (e *embedded) closePipeline(l *exec.Pipeline) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range l.Reports() {
		e.nodes[r.Node].Add(r)
	}
	return l.Close()
}

// reader reads the tables for the pipelines of scan stages.
func (e *embedded) reader() *Reading {
	o := e.opts
	return &Reading{
		Plan: e.plan, Open: o.Open, Files: o.Files, Workers: e.scanners,
		Table: func(name string) *columnar.Table { return o.Tables[name] },
		Scan: scan.Options{
			CSV:          csv.Options{BlockSize: o.BlockBytes()},
			LimitRejects: o.MaxRejects >= 0, MaxRejects: o.MaxRejects, OnReject: o.Reject,
		},
		MaxRejectShare: o.MaxRejectShare,
		// A bound on rejected rows, and their receiver, are about the whole table.
		StopEarly: o.MaxRejects < 0 && o.Reject == nil, Watch: o.Watch,
		Keys: e.builds.keys, NewWorker: e.newScanWorker, Ended: e.endFile, Read: e.endFeeds,
		Progress: o.Progress, Spilled: func() int64 { return e.rt.Scratch.Stats().Bytes },
	}
}

func (e *embedded) report() *Report {
	r, spilled := e.tables.Report(), e.rt.Scratch.Stats()
	r.Spilled, r.SpillFiles, r.Nodes = spilled.Bytes, spilled.Files, e.nodes
	return r
}

// close closes everything that the run has left open.
func (e *embedded) close() error {
	err := errors.Join(e.end(), e.repeated.Close())
	if e.cutter != nil {
		err = errors.Join(err, e.cutter.close())
	}
	return errors.Join(err, e.rt.Scratch.Close())
}

// end closes the pipelines, exchanges and answers.
func (e *embedded) end() (err error) {
	for _, l := range e.failed {
		err = errors.Join(err, e.closePipeline(l))
	}
	for _, qs := range e.queues {
		for _, q := range qs {
			err = errors.Join(err, q.Close())
		}
	}
	for _, c := range e.answers {
		err = errors.Join(err, c.rows.Close())
	}
	for _, h := range e.handed {
		err = errors.Join(err, h.groups.Close())
	}
	for _, l := range e.fed {
		err = errors.Join(err, e.closePipeline(l))
	}
	e.builds.close()
	return err
}

// wait waits until a channel is closed, or returns the cause of the context's end.
func wait(ctx context.Context, happened <-chan struct{}) error {
	select {
	case <-happened:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
