package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/envelope"
)

func TestAnOpenedJobIsKnownToAllWorkers(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	if spec.Owner != "ann" || spec.Replicas != 2 || spec.Label != "sales" {
		t.Errorf("opened %+v", spec)
	}
	for _, w := range c.workers {
		if w.specs[spec.ID] == nil || w.count(protocol.ActionOpen) != 1 {
			t.Errorf("worker %d does not know the job, or was asked %d times", w.replica, w.count(protocol.ActionOpen))
		}
	}
	for _, w := range c.workers {
		w.with(func() { w.seen = nil })
	}
	var described protocol.Spec
	if _, err := ann.act(protocol.ActionDescribe, protocol.JobRequest{Job: spec.ID}, &described); err != nil || !reflect.DeepEqual(&described, spec) {
		t.Errorf("described as %+v, %v", described, err)
	}
	if n := c.workers[0].count(protocol.ActionDescribe); n != 0 {
		t.Errorf("the worker was asked %d times for what the gateway knew", n)
	}
}

// A gateway that did not open a job asks the workers what it is; one is enough.
func TestAJobOfAnotherGatewayIsKnown(t *testing.T) {
	for _, deaf := range []int{0, 1} {
		c := startCluster(t, nil)
		ann := c.client(annToken)
		spec := c.open(ann, request())
		c.gateway.jobs.forget(spec.ID)
		c.workers[deaf].with(func() { c.workers[deaf].deaf = true })
		var described protocol.Spec
		if _, err := ann.act(protocol.ActionDescribe, protocol.JobRequest{Job: spec.ID}, &described); err != nil || described.ID != spec.ID {
			t.Errorf("described as %+v, %v", described, err)
		}
		c.gateway.jobs.forget(spec.ID)
		p := ann.put(spec, scanOf(t, spec))
		p.send(p.batch(0, "1 tea"))
		if acks, err := p.finish(); err != nil || len(acks) != 1 {
			t.Errorf("answers %v, %v", acks, err)
		}
	}
}

func TestAJobThatNotAllWorkersTakeIsTakenBack(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	for refusing, w := range c.workers {
		w.with(func() {
			w.answer = func(r *protocol.Request) *protocol.Response {
				if r.Action != protocol.ActionOpen {
					return nil
				}
				return &protocol.Response{Code: protocol.Trouble, Error: "the disk is full"}
			}
		})
		_, err := ann.act(protocol.ActionOpen, request(), nil)
		if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("worker %d refuses: %v", refusing, err)
		}
		other := c.workers[1-refusing]
		if refusing == 0 && other.count(protocol.ActionOpen) > 0 {
			t.Error("worker 1 was asked to open a job that worker 0 has refused")
		}
		waitFor(t, "the end of the job elsewhere", func() bool {
			return (refusing == 0 || other.count(protocol.ActionEnd) > 0) && len(other.specs) == 0
		})
		w.with(func() { w.answer = nil })
	}
}

func TestOpeningWaitsForASilentWorker(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Timeout = 3 * time.Second })
	ann := c.client(annToken)
	c.workers[1].with(func() { c.workers[1].deaf = true })
	_, err := ann.act(protocol.ActionOpen, request(), nil)
	if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "worker 1") {
		t.Errorf("told %v", err)
	}
	waitFor(t, "the end of the job", func() bool { return len(c.workers[0].specs) == 0 })
}

func TestRequestsToOpenAreBounded(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	deep := plan.From("sales")
	for range 100 {
		deep = deep.Filter(expr.Bool(true))
	}
	deepExpr := expr.Bool(true)
	for range expr.MostDepth {
		deepExpr = expr.Not(deepExpr)
	}
	for name, change := range map[string]func(*protocol.OpenRequest){
		"no query":          func(r *protocol.OpenRequest) { r.Queries = nil },
		"a query is null":   func(r *protocol.OpenRequest) { r.Queries[0] = nil },
		"no root":           func(r *protocol.OpenRequest) { r.Queries[0].Root = nil },
		"a node is null":    func(r *protocol.OpenRequest) { r.Queries[0].Root.Inputs[0] = nil },
		"no inputs":         func(r *protocol.OpenRequest) { r.Queries[0].Root.Inputs = nil },
		"a table is null":   func(r *protocol.OpenRequest) { r.Tables[0] = nil },
		"no table":          func(r *protocol.OpenRequest) { r.Tables = nil },
		"two tables":        func(r *protocol.OpenRequest) { r.Tables = append(r.Tables, r.Tables[0]) },
		"two queries":       func(r *protocol.OpenRequest) { r.Queries = append(r.Queries, r.Queries[0]) },
		"a query's path":    func(r *protocol.OpenRequest) { r.Queries[0].Name = "../../etc/passwd" },
		"a hidden name":     func(r *protocol.OpenRequest) { r.Queries[0].Name = ".ssh" },
		"a table's path":    func(r *protocol.OpenRequest) { r.Tables[0].Name = "a/b"; r.Queries[0].Root = plan.From("a/b") },
		"a label":           func(r *protocol.OpenRequest) { r.Label = "a\x1b[2Jb" },
		"a long label":      func(r *protocol.OpenRequest) { r.Label = strings.Repeat("x", 101) },
		"no time to live":   func(r *protocol.OpenRequest) { r.TTL = 0 },
		"a long life":       func(r *protocol.OpenRequest) { r.TTL = 1 << 62 },
		"no block":          func(r *protocol.OpenRequest) { r.Block = 0 },
		"a large block":     func(r *protocol.OpenRequest) { r.Block = 1 << 40 },
		"many nodes":        func(r *protocol.OpenRequest) { r.Queries[0].Root = deep },
		"a deep expression": func(r *protocol.OpenRequest) { r.Queries[0].Root = plan.From("sales").Filter(deepExpr) },
		"an odd operation":  func(r *protocol.OpenRequest) { r.Queries[0].Root.Op = "drop" },
		"a missing column":  func(r *protocol.OpenRequest) { r.Queries[0].Root = plan.From("sales").Select("nothing") },
		"a null expression": func(r *protocol.OpenRequest) {
			r.Queries[0].Root = &plan.Node{Op: plan.Project, Exprs: []plan.Named{{Name: "a"}}, Inputs: []*plan.Node{plan.From("sales")}}
		},
		"many columns": func(r *protocol.OpenRequest) { r.Tables[0].Columns = make([]columnar.TableColumn, 5000) },
	} {
		r := clone(t, request())
		change(r)
		_, err := ann.act(protocol.ActionOpen, r, nil)
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: told %v", name, err)
		}
	}
	for _, body := range []string{"", "{", "[]", "null", `{"unknown":1}`, `{"queries":[{"root":{"op":"scan"}}],"ttl":60000000000}{}`, strings.Repeat("[", 20000)} {
		if _, err := ann.actBytes(protocol.ActionOpen, []byte(body), nil); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%.20q: told %v", body, err)
		}
	}
	if n := c.workers[0].count(protocol.ActionOpen); n != 0 {
		t.Errorf("a worker was asked to open %d of these jobs", n)
	}
}

// clone copies a request, so that it can be changed.
func clone(t *testing.T, r *protocol.OpenRequest) *protocol.OpenRequest {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out := new(protocol.OpenRequest)
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestStatusOfAJobWithASilentWorker(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.workers[1].with(func() { c.workers[1].deaf = true })
	var s protocol.Status
	if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, &s); err != nil {
		t.Fatal(err)
	}
	if s.State != protocol.Running || !slices.Equal(s.Silent, []int{1}) || s.Rows != 1 {
		t.Errorf("status %+v", s)
	}
	// However often it is asked, one request waits for the worker.
	for range 3 {
		if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.workers[1].count(protocol.ActionStatus); n != 1 {
		t.Errorf("the silent worker was asked %d times", n)
	}
	c.workers[0].with(func() { c.workers[0].deaf = true })
	if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("with all of them silent: %v", err)
	}
}

func TestListHoldsTheCallersJobs(t *testing.T) {
	c := startCluster(t, nil)
	ann, bob := c.client(annToken), c.client(bobToken)
	first, second := c.open(ann, request()), c.open(ann, request())
	c.open(bob, request())
	for _, w := range c.workers {
		w.with(func() { w.specs[first.ID].Opened = second.Opened.Add(-time.Minute) })
	}
	var l protocol.List
	if _, err := ann.act(protocol.ActionList, struct{}{}, &l); err != nil {
		t.Fatal(err)
	}
	if len(l.Jobs) != 2 || l.Jobs[0].Job != second.ID || l.Jobs[1].Job != first.ID || l.Jobs[0].Rows != 2 || l.Silent != nil {
		t.Errorf("list %+v", l)
	}
	if _, err := ann.actBytes(protocol.ActionList, nil, &l); err != nil {
		t.Errorf("without a body: %v", err)
	}
	c.workers[1].with(func() { c.workers[1].deaf = true })
	if _, err := ann.act(protocol.ActionList, struct{}{}, &l); err != nil || !slices.Equal(l.Silent, []int{1}) || len(l.Jobs) != 2 {
		t.Errorf("with a silent worker: %+v, %v", l, err)
	}
}

func TestEndIsDoneOnce(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	for range 2 {
		if _, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID, Reason: "done"}, nil); err != nil {
			t.Fatal(err)
		}
		if c.workers[1].specs[spec.ID] != nil { // which the first replica sees to
			c.workers[1].end(spec, "done")
		}
	}
	if c.workers[0].ended[spec.ID] != "done" || c.workers[0].count(protocol.ActionEnd) != 1 {
		t.Errorf("ended as %q, asked %d times", c.workers[0].ended[spec.ID], c.workers[0].count(protocol.ActionEnd))
	}
	if _, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: protocol.NewJobID()}, nil); protocol.CodeOf(err) != protocol.NoJob {
		t.Errorf("the end of no job: %v", err)
	}
	for _, reason := range []string{strings.Repeat("x", 2000), "a\x1b[2J"} {
		if _, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID, Reason: reason}, nil); status.Code(err) != codes.InvalidArgument {
			t.Errorf("reason %.10q: %v", reason, err)
		}
	}
}

// joined asks for the sales of the shops that sell gold.
func joined() *protocol.OpenRequest {
	r := request()
	gold := plan.From("sales").Filter(expr.Eq(expr.Col("good"), expr.Str("gold"))).Project(plan.As("of", expr.Col("shop")))
	r.Queries[0].Root = gold.Join(plan.From("sales").Select("shop", "good"), plan.On("of", "shop")).
		Aggregate([]string{"of", "good"}, plan.Agg{Func: plan.Count, Name: "n"}).Sort(plan.Asc("of"))
	return r
}

// probeOf returns the scan of a job that has key filters, and its join.
func probeOf(t *testing.T, spec *protocol.Spec) (scan, join int) {
	t.Helper()
	for _, n := range spec.Plan.Nodes {
		if n.Scan != nil && len(n.Scan.Filters) == 1 {
			return n.ID, n.Scan.Filters[0].Join
		}
	}
	t.Fatalf("no scan has a filter:\n%v", spec.Plan)
	return 0, 0
}

func TestKeysAreThoseOfAllReplicas(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, joined())
	scan, join := probeOf(t, spec)
	answers := []*protocol.Response{{}, {}}
	for r, w := range c.workers {
		w.with(func() {
			w.answer = func(q *protocol.Request) *protocol.Response {
				if q.Action != protocol.ActionKeys {
					return nil
				}
				if q.Node != join {
					return &protocol.Response{Code: protocol.Refused, Error: "not this one"}
				}
				out := *answers[r]
				return &out
			}
		})
	}
	ask := func() (protocol.Keys, []uint64) {
		var keys protocol.Keys
		data, err := ann.act(protocol.ActionKeys, protocol.KeysRequest{Job: spec.ID, Node: join}, &keys)
		if err != nil {
			t.Fatal(err)
		}
		hashes, err := protocol.DecodeKeys(data)
		if err != nil {
			t.Fatal(err)
		}
		return keys, hashes
	}
	if keys, hashes := ask(); keys.Ready || keys.TooMany || keys.Count > 0 || len(hashes) > 0 {
		t.Errorf("not ready: %+v, %v", keys, hashes)
	}
	answers[0] = &protocol.Response{Ready: true, Data: protocol.EncodeKeys([]uint64{9})}
	if keys, hashes := ask(); keys.Ready || len(hashes) > 0 {
		t.Errorf("one is ready: %+v, %v", keys, hashes)
	}

	// Until then the gateway sends everything on; from then on what may be joined.
	rows := "1 tea 2 tea 3 tea 4 tea 5 tea"
	upload := func(k uint64) int {
		t.Helper()
		p := ann.put(spec, scan)
		p.send(p.batch(k, rows))
		if _, err := p.finish(); err != nil {
			t.Fatal(err)
		}
		sent := func() (n, messages int) {
			for _, w := range c.workers {
				w.with(func() {
					for _, m := range w.data {
						if m.envelope.Sender == envelope.ScanSender(scan, 0) && m.envelope.ID == k {
							n, messages = n+m.envelope.Rows, messages+1
						}
					}
				})
			}
			return n, messages
		}
		waitFor(t, "the batch", func() bool { _, messages := sent(); return messages == 2 })
		n, _ := sent()
		return n
	}
	if n := upload(0); n != 5 {
		t.Errorf("%d rows travelled on without a filter, want 5", n)
	}
	shops := columnar.NewVector(columnar.Int)
	shops.AppendInt(2)
	shops.AppendInt(4)
	keep := columnar.HashRows(nil, []*columnar.Vector{shops}, 2)
	answers[0] = &protocol.Response{Ready: true, Data: protocol.EncodeKeys(keep[:1])}
	answers[1] = &protocol.Response{Ready: true, Data: protocol.EncodeKeys(keep)}
	keys, hashes := ask()
	slices.Sort(keep)
	if !keys.Ready || keys.TooMany || keys.Count != 2 || !slices.Equal(hashes, keep) {
		t.Errorf("ready: %+v, %v, want %v", keys, hashes, keep)
	}
	if n := upload(1); n != 2 {
		t.Errorf("%d rows travelled on through the filter, want 2", n)
	}
	answers[1] = &protocol.Response{Ready: true, TooMany: true}
	if keys, hashes := ask(); !keys.Ready || !keys.TooMany || len(hashes) > 0 {
		t.Errorf("too many: %+v, %v", keys, hashes)
	}
	many := make([]uint64, protocol.MaxKeys+1)
	for i := range many {
		many[i] = uint64(i)
	}
	answers[1] = &protocol.Response{Ready: true, Data: protocol.EncodeKeys(many)}
	if keys, hashes := ask(); !keys.Ready || !keys.TooMany || len(hashes) > 0 {
		t.Errorf("more than a set holds: %+v, %d keys", keys, len(hashes))
	}
	if _, err := ann.act(protocol.ActionKeys, protocol.KeysRequest{Job: spec.ID, Node: scan}, nil); status.Code(err) != codes.InvalidArgument {
		t.Errorf("the keys of a scan: %v", err)
	}
}

func TestActionsAreListed(t *testing.T) {
	c := startCluster(t, nil)
	stream, err := c.client(annToken).flight.ListActions(c.client(annToken).ctx, &flight.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for {
		a, err := stream.Recv()
		if err != nil {
			break
		}
		names = append(names, a.Type)
	}
	if fmt.Sprint(names) != "[open describe status list keys endtable note cut end bind feed]" {
		t.Errorf("actions %v", names)
	}
	if _, err := c.client(annToken).act("drop", struct{}{}, nil); status.Code(err) != codes.InvalidArgument {
		t.Errorf("an unknown action: %v", err)
	}
}

// TestPlanningEndsWithItsCall has a call end before its queries are planned.
func TestPlanningEndsWithItsCall(t *testing.T) {
	c := startCluster(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.gateway.plan(ctx, *request(), nil, protocol.Version); !errors.Is(err, context.Canceled) {
		t.Errorf("the call has ended, and the error is %v", err)
	}
}
