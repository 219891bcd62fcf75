package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	front "analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

func TestAnswersAreThoseOfARun(t *testing.T) {
	c := startCluster(t, 2)
	cl := c.client(annToken, c.all()...)
	for _, name := range []string{"movies", "steam", "books"} {
		t.Run(name, func(t *testing.T) {
			d := dataset(t, name)
			want := run(t, d)
			j, err := cl.Open(t.Context(), request(d))
			if err != nil {
				t.Fatal(err)
			}
			u, moments := upload(d), 0
			u.Progress = func(engine.Progress) { moments++ }
			report, err := j.Upload(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, report, d.Name)
			checkAnswers(t, j, want)
			checkAnswers(t, j, want) // as often as one likes
			checkStages(t, cl, j.Spec)

			again, err := cl.Job(t.Context(), j.Spec.ID)
			if err != nil {
				t.Fatal(err)
			}
			checkAnswers(t, again, want)
			if err := cl.End(t.Context(), j.Spec.ID, "done"); err != nil {
				t.Fatal(err)
			}
			err = j.Fetch(t.Context(), Fetch{}, discard{})
			if protocol.CodeOf(err) != protocol.JobEnded {
				t.Errorf("after its end the job says %v", err)
			}
		})
	}
}

// A gateway that has little memory takes fewer uploads at a time than a table has scans:
// those with nothing to send make room for the others.
func TestMoreScansThanAGatewayTakesUploads(t *testing.T) {
	c := startClusterOf(t, 1, func(_ *worker.Config, g *front.Config) { g.MaxStreams = 1 })
	d := dataset(t, "movies")
	j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	scans := 0
	for _, s := range j.Spec.Plan.Stages {
		scans = max(scans, len(j.Spec.Scans(s.ID)))
	}
	if scans < 2 {
		t.Errorf("%d scans of a table are too few", scans)
	}
	u := upload(d)
	u.Workers = 3
	if _, err := j.Upload(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, j, run(t, d))
}

// checkReport compares what an upload read with what a run of the same tables
// reads.
func checkReport(t *testing.T, got *engine.Report, name string) {
	t.Helper()
	want, err := embedded(t, dataset(t, name), discard{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want.Tables {
		at := slices.IndexFunc(got.Tables, func(g engine.TableReport) bool { return g.Table == w.Table })
		if at < 0 {
			t.Errorf("table %s was not read", w.Table)
			continue
		}
		g := got.Tables[at]
		if g.Stats.Rows != w.Stats.Rows || !slices.Equal(g.Stats.Rejected, w.Stats.Rejected) {
			t.Errorf("table %s: %d rows, rejected %v; a run has %d, %v", w.Table, g.Stats.Rows, g.Stats.Rejected, w.Stats.Rows, w.Stats.Rejected)
		}
	}
}

// checkStages awaits that every stage of a job whose answers are there is known to
// be done.
func checkStages(t *testing.T, cl *Client, spec *protocol.Spec) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		s, err := cl.Status(t.Context(), spec.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Stages) > 0 && s.StagesDone() == len(s.Stages) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of the stages are done: %+v", s.StagesDone(), s.Stages)
		}
	}
}

// deaf loses the first answer to an action, as if the gateway had died after it.
func deaf(lost *atomic.Bool) grpc.DialOption {
	return grpc.WithStreamInterceptor(func(
		ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, cc, method, opts...)
		if err == nil && strings.HasSuffix(method, "/DoAction") && !lost.Swap(true) {
			s = deafStream{s}
		}
		return s, err
	})
}

type deafStream struct{ grpc.ClientStream }

func (s deafStream) RecvMsg(m any) error {
	if err := s.ClientStream.RecvMsg(m); err != nil {
		return err
	}
	return status.Error(codes.Unavailable, "the gateway died")
}

func TestALostAnswerToOpenMakesNoSecondJob(t *testing.T) {
	c := startCluster(t, 2)
	var lost atomic.Bool
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: 20 * time.Second, Options: []grpc.DialOption{deaf(&lost)}})
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	j, err := cl.Open(t.Context(), request(dataset(t, "movies")))
	if err != nil || !lost.Load() {
		t.Fatalf("lost an answer: %v, opened: %v", lost.Load(), err)
	}
	l, err := cl.List(t.Context())
	if err != nil || len(l.Jobs) != 1 || l.Jobs[0].Job != j.Spec.ID {
		t.Errorf("there are the jobs %+v, one was opened: %v", l, err)
	}
}

// Several gateways open one job at once: it is one, the same for all who asked, and
// on all workers.
func TestAJobIsOpenedOnceUnderItsName(t *testing.T) {
	c := startCluster(t, 2)
	r := request(dataset(t, "movies"))
	r.Job = protocol.NewJobID()
	specs := make([]*protocol.Spec, 8)
	var g errgroup.Group
	for i := range specs {
		cl := c.client(annToken, c.all()[i%2])
		g.Go(func() error {
			j, err := cl.Open(t.Context(), r)
			if err == nil {
				specs[i] = j.Spec
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, s := range specs {
		if s.ID != r.Job || !s.Opened.Equal(specs[0].Opened) {
			t.Errorf("opened %s at %v and %s at %v", s.ID, s.Opened, specs[0].ID, specs[0].Opened)
		}
	}
	ann, bob := c.client(annToken, c.all()...), c.client(bobToken, c.all()...)
	other := r
	other.Label = "another"
	if _, err := ann.Open(t.Context(), other); protocol.CodeOf(err) != protocol.JobExists {
		t.Errorf("another request of the same name: %v", err)
	}
	if _, err := bob.Open(t.Context(), r); protocol.CodeOf(err) != protocol.NotOwner {
		t.Errorf("another client's job: %v", err)
	}
	if l, err := ann.List(t.Context()); err != nil || len(l.Jobs) != 1 || len(l.Silent) > 0 {
		t.Errorf("there are the jobs %+v: %v", l, err)
	}
	if err := ann.End(t.Context(), r.Job, "done"); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Open(t.Context(), r); protocol.CodeOf(err) != protocol.JobEnded {
		t.Errorf("opened after its end: %v", err)
	}
}

// A cell that fits no message is refused with its place, unless the plan has no need
// to send it to a worker.
func TestACellThatFitsNoMessage(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	fs := vfs.NewMem()
	put(t, fs, "/t.csv", "id,text\n1,a\n2,\"b\nb\"\n3,"+strings.Repeat("x", 9_000_000)+"\n4,d\n")
	table := &columnar.Table{Name: "t", Files: []string{"t.csv"}, Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt}, {Name: "text", Header: "text", Format: columnar.FormatText},
	}}
	upload := func(columns ...string) error {
		j, err := cl.Open(t.Context(), protocol.OpenRequest{
			Label: "t", Tables: []*columnar.Table{table}, Block: 4 << 20, TTL: time.Hour,
			Queries: []*plan.Query{{Name: "q1", Root: plan.From("t").Filter(expr.Ne(expr.Col("text"), expr.Str("d"))).Select(columns...)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = cl.End(t.Context(), j.Spec.ID, "done") }()
		_, err = j.Upload(t.Context(), Upload{Open: func(string) (vfs.File, error) { return fs.Open("/t.csv") }, MaxRejects: -1})
		return err
	}
	err := upload("id", "text")
	const want = `table t, line 5, column "text": a cell of 9000000 bytes; 8388536 are possible on a cluster`
	if protocol.CodeOf(err) != protocol.TooLarge || !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, not %s", err, want)
	}
	if err := upload("id"); err != nil {
		t.Errorf("no worker needs the cell, and it says %v", err)
	}
}

// Rows leave a stage in messages that hold them, and one that fits none fails its job: it
// says so, and others go on.
func TestARowThatFitsNoMessage(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	fs := vfs.NewMem()
	var text strings.Builder
	text.WriteString("text\n")
	for i := range 3 {
		text.WriteString(strings.Repeat("short\n", 1000) + strings.Repeat(string(rune('a'+i)), 2_900_000) + "\n")
	}
	put(t, fs, "/t.csv", text.String())
	table := &columnar.Table{Name: "t", Files: []string{"t.csv"}, Columns: []columnar.TableColumn{{Name: "text", Header: "text", Format: columnar.FormatText}}}
	open := func(string) (vfs.File, error) { return fs.Open("/t.csv") }
	answer := func(root *plan.Node) (*Job, error) {
		j, err := cl.Open(t.Context(), protocol.OpenRequest{
			Label: "t", Tables: []*columnar.Table{table}, Block: 4 << 20, TTL: time.Hour, Queries: []*plan.Query{{Name: "q1", Root: root}},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = j.Upload(t.Context(), Upload{Open: open, MaxRejects: -1})
		return j, errors.Join(err, j.Fetch(t.Context(), Fetch{}, discard{}))
	}
	_, err := answer(plan.From("t").Aggregate(nil, plan.Agg{Func: aggregate.StringAgg, Param: ",", Args: []string{"text"}, Name: "all"}))
	const want = "a row of 8718"
	if protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, not %s", err, want)
	}
	sorted := plan.From("t").Sort(plan.Asc("text"))
	j, err := answer(sorted)
	if err != nil {
		t.Fatal(err)
	}
	d := &datasets.Dataset{Source: datasets.Source{Tables: []*columnar.Table{table}, Queries: []*plan.Query{{Name: "q1", Root: sorted}}}}
	checkAnswers(t, j, written(t, func(out engine.Answers) error {
		p, err := physical.New(nil, d.Queries, d.TableMap())
		if err != nil {
			return err
		}
		_, err = engine.Run(t.Context(), engine.Options{
			Plan: p, Tables: d.TableMap(), Open: open, MaxRejects: -1, FS: vfs.NewMem(), SpillDir: "/",
		}, out)
		return err
	}))
}

func TestWhoMayDoWhat(t *testing.T) {
	c := startCluster(t, 1)
	ann, bob, nobody := c.client(annToken, c.all()...), c.client(bobToken, c.all()...), c.client("", c.all()...)
	d := dataset(t, "movies")
	j, err := ann.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	id := j.Spec.ID
	for what, f := range map[string]func(cl *Client) error{
		"describe": func(cl *Client) error { _, err := cl.Job(t.Context(), id); return err },
		"status":   func(cl *Client) error { _, err := cl.Status(t.Context(), id); return err },
		"end":      func(cl *Client) error { return cl.End(t.Context(), id, "") },
		"upload": func(cl *Client) error {
			_, err := (&Job{client: cl, Spec: j.Spec}).Upload(t.Context(), upload(d))
			return err
		},
		"fetch": func(cl *Client) error { return (&Job{client: cl, Spec: j.Spec}).Fetch(t.Context(), Fetch{}, discard{}) },
	} {
		if err := f(bob); protocol.CodeOf(err) != protocol.NotOwner {
			t.Errorf("%s by another client: %v", what, err)
		}
		if err := f(nobody); protocol.CodeOf(err) != protocol.NoToken {
			t.Errorf("%s by nobody: %v", what, err)
		}
	}
	if l, err := bob.List(t.Context()); err != nil || len(l.Jobs) != 0 {
		t.Errorf("another client sees %v, %v", l, err)
	}
	l, err := ann.List(t.Context())
	if err != nil || len(l.Jobs) != 1 || l.Jobs[0].Job != id || l.Jobs[0].State != protocol.Running {
		t.Errorf("the owner sees %v, %v", l, err)
	}
}

func TestJobThatIsCancelledElsewhere(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	if err := cl.End(t.Context(), j.Spec.ID, "somebody else did"); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Upload(t.Context(), upload(d)); protocol.CodeOf(err) != protocol.JobEnded && protocol.CodeOf(err) != protocol.JobFailed {
		t.Errorf("the upload ends with %v", err)
	}
}

func TestBadInputEndsTheUpload(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	u := upload(d)
	u.MaxRejects = 3
	var input *scan.InputError
	if _, err := j.Upload(t.Context(), u); !errors.As(err, &input) || input.Reason != scan.ReasonTooManyRejects {
		t.Errorf("the upload ends with %v", err)
	}
}

func TestRequestThatCannotBePlanned(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	r := request(d)
	r.Block = 1
	var refused *Error
	_, err := c.client(annToken, c.all()...).Open(t.Context(), r)
	if !errors.As(err, &refused) || protocol.CodeOf(err) != protocol.Refused || refused.Op != "open the job" {
		t.Errorf("opened: %v", err)
	}
}

// A request that no gateway takes is not tried again.
func TestRequestThatIsTooLarge(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	r := request(d)
	r.Label = strings.Repeat("x", protocol.MaxRequest)
	var refused *Error
	_, err := c.client(annToken, c.all()...).Open(t.Context(), r)
	if !errors.As(err, &refused) || protocol.CodeOf(err) != protocol.Refused || !strings.Contains(err.Error(), "open the job: its tables and queries take") {
		t.Errorf("opened: %v", err)
	}
}

// A plan that takes more memory than a worker has is refused by name before anything
// is uploaded, and nothing is left of it.
func TestAPlanThatTakesMoreMemoryThanThereIs(t *testing.T) {
	c := startClusterOf(t, 1, func(cfg *worker.Config, _ *front.Config) {
		if cfg.Replica == 1 {
			cfg.Memory = 600 << 10
		}
	})
	cl := c.client(annToken, c.all()...)
	r := request(dataset(t, "steam"))
	const want = "open the job: query q4 takes at least 655360 bytes for the state of stage 6, and worker 1 has 614400; " +
		"start the workers with --memory 1067KiB or more, or leave the query out"
	_, err := cl.Open(t.Context(), r)
	if protocol.CodeOf(err) != protocol.LittleMemory || err.Error() != want {
		t.Errorf("opened: %v\nnot: %s", err, want)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		l, err := cl.List(t.Context())
		if err == nil && len(l.Jobs) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("there are the jobs %+v: %v", l, err)
		}
	}
	r.Queries = r.Queries[:3]
	if _, err := cl.Open(t.Context(), r); err != nil {
		t.Errorf("the others: %v", err)
	}
}

func TestNoGateway(t *testing.T) {
	c := startCluster(t, 1)
	c.gateways[0].stop()
	told := 0
	cl, err := New(Config{Gateways: c.all(), Patience: 300 * time.Millisecond, Notice: func(string) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if _, err := cl.List(t.Context()); !errors.Is(err, ErrCutOff) {
		t.Errorf("listed: %v", err)
	}
	if told > 1 {
		t.Errorf("people were told %d times, want once at most", told)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	if _, err := cl.List(ctx); !errors.Is(err, why) {
		t.Errorf("interrupted: %v", err)
	}
}
