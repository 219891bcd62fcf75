package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
	"analyzer/shuffle/membroker"
)

// world is the workers of one cluster, run step by step, with disks and a broker in
// memory, and a client that asks them as a gateway does.
type world struct {
	t        *testing.T
	broker   *membroker.Server
	gateway  *membroker.Client
	machines []*machine
	time     time.Time
	asked    uint64
	answers  map[uint64]*protocol.Response
}

// machine is a disk and the worker that runs on it, if one does.
type machine struct {
	w       *world
	replica int
	disk    *vfs.Mem
	state   string
	quota   int64
	bytes   int64 // of a commit; 0: as usual
	// pass is told of each point; it may call die. op is told of each operation on
	// the disk.
	pass func(point string)
	op   func(vfs.Op) error

	outside bool // its worker runs by itself

	client *membroker.Client
	worker *Worker // nil: it does not run
	inbox  []broker.Delivery
	steps  map[protocol.JobID]func() (more bool)
	dead   bool
	deaths int
}

func newWorld(t *testing.T, replicas int) *world {
	w := &world{t: t, broker: membroker.New(membroker.Config{Seed: 1}), time: time.Unix(1e9, 0), answers: make(map[uint64]*protocol.Response)}
	w.gateway = w.broker.Connect(nil)
	if err := w.gateway.Declare(t.Context(), broker.Queue{Name: "replies", Exclusive: true}); err != nil {
		t.Fatal(err)
	}
	_, err := w.gateway.Consume(t.Context(), "replies", 64, func(d broker.Delivery) {
		r, err := protocol.DecodeResponse(d.Body)
		if err != nil {
			t.Error(err)
			return
		}
		w.answers[r.ID] = r
		_ = d.Ack()
	})
	if err != nil {
		t.Fatal(err)
	}
	for r := range replicas {
		w.machines = append(w.machines, &machine{w: w, replica: r, disk: vfs.NewMem(), state: "/state"})
	}
	for _, m := range w.machines {
		m.start()
	}
	return w
}

func (m *machine) config() Config {
	return Config{
		Replica: m.replica, State: m.state, SpillDir: "/spill", Commit: GroupCommit{Prefetch: 8, Bytes: m.bytes, Merge: 3}, Remember: time.Hour, Reserve: 4 << 10, OpenQuota: m.quota,
		Crash: func(point string) {
			if m.pass != nil && !m.dead {
				m.pass(point)
			}
		},
	}
}

// begin starts a worker, or says why there is none.
func (m *machine) begin() error {
	m.dead, m.client, m.inbox, m.steps = false, m.w.broker.Connect(nil), nil, make(map[protocol.JobID]func() (more bool))
	if err := m.disk.MkdirAll("/spill"); err != nil {
		return err
	}
	fs := vfstest.Inject(m.disk, func(op vfs.Op) error {
		if m.dead {
			return errors.New("the process is dead")
		}
		if m.op != nil {
			return m.op(op)
		}
		return nil
	})
	var err error
	m.alive(func() {
		m.worker = New(m.config(), m.client, fs, slog.New(slog.DiscardHandler), nil)
		m.worker.Now = func() time.Time { return m.w.time }
		m.worker.Go = func(id protocol.JobID, next func() (more bool)) { m.steps[id] = next }
		if err = errors.Join(m.worker.MakeState(), m.worker.Recover(context.Background())); err == nil {
			_, err = m.worker.Listen(context.Background(), func(d broker.Delivery) { m.inbox = append(m.inbox, d) })
		}
	})
	if err != nil {
		m.worker = nil
		m.client.Kill()
	}
	return err
}

// start starts a worker.
func (m *machine) start() {
	m.w.t.Helper()
	if err := m.begin(); err != nil {
		m.w.t.Fatalf("start worker %d: %v", m.replica, err)
	}
}

// alive runs f in the process, which f may kill.
func (m *machine) alive(f func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	<-ended
	if m.dead {
		m.deaths++
		m.kill()
	}
}

// die ends the process from within: nothing that it is doing goes on.
func (m *machine) die() {
	m.dead = true
	runtime.Goexit()
}

// hear takes the requests that have come.
func (m *machine) hear() {
	for len(m.inbox) > 0 {
		d := m.inbox[0]
		m.inbox = m.inbox[1:]
		m.worker.Request(context.Background(), d)
	}
}

// run runs the next step of a job, if there is one.
func (m *machine) run(id protocol.JobID) {
	next := m.steps[id]
	if next == nil {
		return
	}
	if delete(m.steps, id); next() {
		m.steps[id] = next
	}
}

// jobs returns the jobs that have a part, open or not.
func (m *machine) jobs() []protocol.JobID {
	return slices.SortedFunc(maps.Keys(m.worker.parts), func(a, b protocol.JobID) int { return bytes.Compare(a[:], b[:]) })
}

// part returns the part of a job; nil: it is not open.
func (m *machine) part(id protocol.JobID) *Part {
	if m.worker == nil || m.worker.parts[id] == nil {
		return nil
	}
	return m.worker.parts[id].part.Load()
}

// kill ends the process from outside; it stays away until start.
func (m *machine) kill() {
	m.dead, m.worker = true, nil
	m.client.Kill()
}

// step lets one thing happen in the process; one that was killed is started again.
func (m *machine) step() {
	if m.outside {
		time.Sleep(time.Millisecond)
		return
	}
	if m.worker == nil {
		m.start()
		return
	}
	m.alive(func() {
		m.hear()
		for _, id := range m.jobs() {
			m.run(id)
		}
		m.worker.Tick()
	})
	if m.worker != nil && len(m.worker.Fatal()) > 0 {
		m.kill()
	}
}

// until lets things happen until done, at most for a while.
func (w *world) until(what string, done func() bool) {
	w.t.Helper()
	for range 5000 {
		if done() {
			return
		}
		w.once()
	}
	w.t.Fatalf("it never came to this: %s", what)
}

// once lets a few things happen.
func (w *world) once() {
	w.broker.Step()
	w.broker.Step()
	for _, m := range w.machines {
		m.step()
	}
	w.time = w.time.Add(20 * time.Millisecond)
}

// ask asks a replica until it answers.
func (w *world) ask(replica int, r protocol.Request) *protocol.Response {
	w.t.Helper()
	w.asked++
	r.ID, r.ReplyTo = w.asked, "replies"
	body, err := protocol.EncodeRequest(&r)
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	w.until(fmt.Sprintf("worker %d answers %s", replica, r.Action), func() bool {
		if n%200 == 0 {
			w.publish(protocol.ControlQueue(replica), body)
		}
		n++
		return w.answers[r.ID] != nil
	})
	return w.answers[r.ID]
}

// tell sends a request whose answer nobody waits for.
func (w *world) tell(replica int, r protocol.Request) {
	w.t.Helper()
	body, err := protocol.EncodeRequest(&r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.publish(protocol.ControlQueue(replica), body)
}

func (w *world) publish(queue string, body []byte) {
	w.t.Helper()
	err := w.gateway.Publish(w.t.Context(), queue, body, func(err error) {
		if err != nil && !errors.Is(err, broker.ErrUnconfirmed) {
			w.t.Logf("publish to %s: %v", queue, err)
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// testJob is a join of films and votes, sorted on one replica: the join's stage takes the
// rows of the tables, and sends its output to another stage.
type testJob struct {
	w      *world
	spec   *protocol.Spec
	joined map[string][]byte // by queue, messages that are not published alone; nil: all are
}

const (
	filmCount = 40
	voteCount = 120
	perBatch  = 10 // rows
)

func newJob(w *world) *testJob {
	w.t.Helper()
	root := plan.From("films").Join(plan.From("votes"), plan.On("id", "film")).Sort(plan.Asc("id"), plan.Asc("score"))
	return newJobOf(w, &plan.Query{Name: "q", Root: root})
}

// newJobOf returns a job of other queries over the same tables.
func newJobOf(w *world, queries ...*plan.Query) *testJob {
	w.t.Helper()
	films := &columnar.Table{Name: "films", Files: []string{"films.csv"}, Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
		{Name: "title", Header: "title", Format: columnar.FormatText, Required: true},
	}}
	votes := &columnar.Table{Name: "votes", Files: []string{"votes.csv"}, Columns: []columnar.TableColumn{
		{Name: "film", Header: "film", Format: columnar.FormatInt, Required: true},
		{Name: "score", Header: "score", Format: columnar.FormatInt, Required: true},
	}}
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
		Label: "films", Tables: []*columnar.Table{films, votes}, Queries: queries,
		Block: 1 << 10, TTL: time.Hour,
	}, "tester", len(w.machines), broker.Classic, w.time)
	if err != nil {
		w.t.Fatal(err)
	}
	return &testJob{w: w, spec: spec}
}

// open opens the job on all replicas.
func (j *testJob) open() *testJob {
	j.w.t.Helper()
	for r := range j.w.machines {
		if out := j.w.ask(r, j.opening()); out.Code != "" {
			j.w.t.Fatalf("open on %d: %s %s", r, out.Code, out.Error)
		}
	}
	return j
}

// opening returns the request to take part in the job.
func (j *testJob) opening() protocol.Request {
	j.w.t.Helper()
	text, err := j.spec.Encode()
	if err != nil {
		j.w.t.Fatal(err)
	}
	return protocol.Request{Action: protocol.ActionOpen, Job: j.spec.ID, Spec: text}
}

// film and vote are what the tables hold.
func film(i int) (id int64, title string)  { return int64(i), fmt.Sprintf("film number %d", i) }
func vote(i int) (film int64, score int64) { return int64(i % (filmCount + 5)), int64(i % 7) }
func batches(n int) int                    { return (n + perBatch - 1) / perBatch }

// upload publishes all messages of both tables, each to every replica; rows go to
// the replica of their number.
func (j *testJob) upload() *testJob {
	for input, rows := range []int{filmCount, voteCount} {
		for b := range batches(rows) {
			j.send(input, b)
		}
		j.end(input)
	}
	return j
}

func (j *testJob) send(input, batch int) {
	for r := range j.w.machines {
		j.publish(input, r, batch)
	}
}

// join returns the port of a table on a replica.
func (j *testJob) join(input, replica int) ledger.Port { return j.spec.Ports(replica)[input] }

// publish publishes the rows of a batch that a replica gets.
func (j *testJob) publish(input, replica, batch int) {
	j.w.t.Helper()
	port := j.join(input, replica)
	schema := j.spec.Upstream(port).Schema
	rows := columnar.NewRows(schema)
	for i := batch * perBatch; i < (batch+1)*perBatch; i++ {
		switch {
		case input == 0 && i < filmCount && i%len(j.w.machines) == replica:
			id, title := film(i)
			rows.Cols[0].AppendInt(id)
			rows.Cols[1].AppendBytes([]byte(title))
			rows.Len++
		case input == 1 && i < voteCount && int(int64(i%(filmCount+5)))%len(j.w.machines) == replica:
			of, score := vote(i)
			rows.Cols[0].AppendInt(of)
			rows.Cols[1].AppendInt(score)
			rows.Len++
		}
	}
	j.publishRows(port, replica, batch, rows)
}

// publishRows publishes rows as those of a batch that a replica gets.
func (j *testJob) publishRows(port ledger.Port, replica, batch int, rows columnar.Rows) {
	j.w.t.Helper()
	e := j.envelope(port, replica)
	e.Kind, e.ID, e.Rows = envelope.Data, uint64(batch), rows.Len
	var body []byte
	if rows.Len > 0 {
		var err error
		if body, err = ipc.Append(nil, j.spec.Upstream(port).Schema, rows); err != nil {
			j.w.t.Fatal(err)
		}
	}
	j.put(e, body)
}

func (j *testJob) envelope(port ledger.Port, replica int) envelope.Envelope {
	return envelope.Envelope{Job: j.spec.ID, Node: port.Node, Input: port.Input, Replica: replica, Sender: port.Senders[0]}
}

func (j *testJob) put(e envelope.Envelope, body []byte) {
	j.w.t.Helper()
	message, err := envelope.Append(nil, e, body)
	if err != nil {
		j.w.t.Fatal(err)
	}
	queue := j.spec.Queue(e.Replica)
	if j.joined != nil {
		j.joined[queue] = append(j.joined[queue], message...)
		return
	}
	j.w.publish(queue, message)
}

// end says how many batches a table has.
func (j *testJob) end(input int) { j.endAt(input, batches([]int{filmCount, voteCount}[input])) }

func (j *testJob) endAt(input, batches int) {
	for r := range j.w.machines {
		e := j.envelope(j.join(input, r), r)
		e.Kind, e.ID = envelope.End, uint64(batches)
		j.put(e, nil)
	}
}

func (j *testJob) status(replica int) *protocol.Response {
	return j.w.ask(replica, protocol.Request{Action: protocol.ActionStatus, Job: j.spec.ID})
}

// healthy fails the test if the job has failed anywhere.
func (j *testJob) healthy() {
	j.w.t.Helper()
	for r := range j.w.machines {
		if out := j.status(r); out.Code != "" || out.Status.Reason != "" {
			j.w.t.Fatalf("worker %d says %s %s %+v", r, out.Code, out.Error, out.Status)
		}
	}
}

// answer returns the rows of the answer once they are there.
func (j *testJob) answer() (rows []string) {
	j.w.t.Helper()
	_, replica, err := j.spec.AnswerNode("q")
	if err != nil {
		j.w.t.Fatal(err)
	}
	for page, pages := 0, 1; page < pages; {
		out := j.w.ask(replica, protocol.Request{Action: protocol.ActionPage, Job: j.spec.ID, Query: "q", Page: page})
		switch {
		case out.Code != "":
			j.w.t.Fatalf("page %d: %s %s", page, out.Code, out.Error)
		case !out.Ready:
			j.healthy()
			continue
		}
		if pages = out.Pages; page < pages {
			rows = append(rows, j.read(out.Data)...)
		}
		page++
	}
	return rows
}

func (j *testJob) read(page []byte) (rows []string) {
	node, _, _ := j.spec.AnswerNode("q")
	schema := j.spec.Plan.Nodes[node].Schema
	v, err := ipc.Decode(schema, page)
	if err != nil {
		j.w.t.Fatal(err)
	}
	for i := range v.Len {
		rows = append(rows, fmt.Sprintf("%d|%s|%d", v.Cols[0].Ints[i], v.Cols[1].Bytes(i), v.Cols[2].Ints[i]))
	}
	return rows
}

// want is the answer as it has to be, over the first votes.
func want(votes int) (rows []string) {
	for f := range filmCount {
		var scores []int64
		for i := range votes {
			if of, score := vote(i); of == int64(f) {
				scores = append(scores, score)
			}
		}
		slices.Sort(scores)
		_, title := film(f)
		for _, s := range scores {
			rows = append(rows, fmt.Sprintf("%d|%s|%d", f, title, s))
		}
	}
	return rows
}

// exact fails the test unless the answer is what it has to be.
func (j *testJob) exact() {
	j.w.t.Helper()
	j.exactOf(voteCount)
}

// exactOf is exact for a job that has the first votes alone.
func (j *testJob) exactOf(votes int) {
	j.w.t.Helper()
	if got, want := j.answer(), want(votes); !slices.Equal(got, want) {
		j.w.t.Errorf("answer\n%q\nwant\n%q", got, want)
	}
}

// finish ends the job and others, and nothing may be left of them.
func (j *testJob) finish(others ...*testJob) {
	j.w.t.Helper()
	for _, o := range append(others, j) {
		o.cancel()
	}
	j.w.nothing()
}

func (j *testJob) cancel() {
	j.w.t.Helper()
	if out := j.w.ask(0, protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID, Reason: "done"}); out.Code != "" {
		j.w.t.Fatalf("end: %s %s", out.Code, out.Error)
	}
}

// nothing waits until no worker has a job, and fails the test if anything is left.
func (w *world) nothing() {
	w.t.Helper()
	w.until("no job is left", func() bool {
		return !slices.ContainsFunc(w.machines, func(m *machine) bool { return m.worker == nil || len(m.jobs()) > 0 })
	})
	for _, m := range w.machines {
		if names, err := m.disk.List(m.state + "/jobs"); err != nil || len(names) > 0 {
			w.t.Errorf("worker %d still has %q, %v", m.replica, names, err)
		}
	}
	for _, name := range w.broker.Queues() {
		if name != "replies" && len(name) > len("analyzer.control.")+4 {
			w.t.Errorf("the queue %s is left", name)
		}
	}
}
