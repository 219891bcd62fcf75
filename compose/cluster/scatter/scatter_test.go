package scatter

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const replicas = 3

// newScans returns the scans of goods, which is a build side, and of sales, which is
// its probe side.
func newScans(t *testing.T) (spec *protocol.Spec, goods, sales *Scan) {
	t.Helper()
	rt := &operators.Runtime{
		Budget: budget.New(0), Env: expr.NewEnv(),
		Scratch: segment.NewScratch(vfs.NewMem(), "/"),
	}
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
		Label: "test", Block: 1 << 16, TTL: time.Hour,
		Tables: []*columnar.Table{
			{Name: "goods", Columns: []columnar.TableColumn{
				{Name: "good", Header: "good", Format: columnar.FormatInt, Required: true},
				{Name: "name", Header: "name", Format: columnar.FormatText, Required: true},
			}},
			{Name: "sales", Columns: []columnar.TableColumn{
				{Name: "of", Header: "of", Format: columnar.FormatInt, Required: true},
				{Name: "price", Header: "price", Format: columnar.FormatInt, Required: true},
			}},
		},
		Queries: []*plan.Query{{Name: "q", Root: plan.From("goods").
			Join(plan.From("sales").Filter(expr.Ge(expr.Col("price"), expr.Int(10))), plan.On("good", "of")).
			Select("name", "price").Sort(plan.Asc("name"), plan.Asc("price"))}},
	}, "tester", replicas, broker.Classic, time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range spec.Plan.Nodes {
		if n.Scan == nil {
			continue
		}
		s, err := New(rt, spec, n.ID)
		if err != nil {
			t.Fatal(err)
		}
		if n.Scan.Table == "goods" {
			goods = s
		} else {
			sales = s
		}
	}
	t.Cleanup(func() {
		if err := errors.Join(goods.Close(), sales.Close(), rt.Scratch.Close()); err != nil {
			t.Error(err)
		}
	})
	return spec, goods, sales
}

// sold returns sales of goods 0 to n-1, at a price of their number.
func sold(s *Scan, n int) columnar.Rows {
	rows := columnar.NewRows(s.Schema())
	for i := range n {
		for _, c := range rows.Cols {
			c.AppendInt(int64(i))
		}
		rows.Len++
	}
	return rows
}

// arrived decodes messages, which must be of batch k, and returns the goods sold in
// each, by replica.
func arrived(t *testing.T, spec *protocol.Spec, k uint64, messages []broker.Message) [replicas][]int64 {
	t.Helper()
	var out [replicas][]int64
	var seen []int
	for _, m := range messages {
		e, body, err := envelope.Decode(m.Body)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != envelope.Data || e.ID != k || e.Job != spec.ID || m.Queue != spec.Queue(e.Replica) {
			t.Fatalf("%s in the queue %s", e, m.Queue)
		}
		seen = append(seen, e.Replica)
		if e.Rows == 0 {
			continue
		}
		schema := spec.Upstream(ledger.Port{Node: e.Node, Input: e.Input}).Schema
		rows, err := ipc.Decode(schema, body)
		if err != nil {
			t.Fatal(err)
		}
		out[e.Replica] = slices.Clone(rows.Cols[schema.Index("of")].Ints)
	}
	if !slices.Equal(seen, []int{0, 1, 2}) {
		t.Fatalf("messages for the replicas %v", seen)
	}
	return out
}

func TestEveryReceiverGetsOneMessage(t *testing.T) {
	spec, _, sales := newScans(t)
	for k, n := range []int{0, 11, 100} {
		messages, err := sales.Batch(t.Context(), 0, uint64(k), sold(sales, n))
		if err != nil {
			t.Fatal(err)
		}
		again, err := sales.Batch(t.Context(), 0, uint64(k), sold(sales, n))
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for r, goods := range arrived(t, spec, uint64(k), messages) {
			for i, h := range columnar.HashRows(nil, []*columnar.Vector{ints(goods)}, len(goods)) {
				if h%replicas != uint64(r) {
					t.Errorf("good %d came to replica %d", goods[i], r)
				}
			}
			if !bytes.Equal(messages[r].Body, again[r].Body) {
				t.Errorf("the message for replica %d is another one the second time", r)
			}
			got = append(got, goods...)
		}
		slices.Sort(got)
		var want []int64
		for i := 10; i < n; i++ { // those of a lower price are left out
			want = append(want, int64(i))
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d sales came %v", n, got)
		}
	}
}

func ints(values []int64) *columnar.Vector {
	v := columnar.NewVector(columnar.Int)
	for _, x := range values {
		v.AppendInt(x)
	}
	return v
}

// Keys leave out rows, and the messages are the same in everything else.
func TestKnownKeysLeaveRowsOut(t *testing.T) {
	spec, _, sales := newScans(t)
	keys := keyset.NewBuilder(budget.New(0))
	keys.Add(columnar.HashRows(nil, []*columnar.Vector{ints([]int64{5, 20, 30})}, 3))
	all, err := sales.Batch(t.Context(), 0, 7, sold(sales, 50))
	if err != nil {
		t.Fatal(err)
	}
	if err := sales.Know([]*keyset.Set{keys.Build()}); err != nil {
		t.Fatal(err)
	}
	some, err := sales.Batch(t.Context(), 0, 7, sold(sales, 50))
	if err != nil {
		t.Fatal(err)
	}
	var came []int64
	every := arrived(t, spec, 7, all)
	for r, goods := range arrived(t, spec, 7, some) {
		for _, g := range goods {
			if !slices.Contains(every[r], g) {
				t.Errorf("good %d comes to replica %d because keys are known", g, r)
			}
		}
		came = append(came, goods...)
	}
	if !slices.Contains(came, 20) || !slices.Contains(came, 30) || len(came) > 10 {
		t.Errorf("of 50 sales came %v", came)
	}
}

func TestEndsSayHowManyBatchesThereAre(t *testing.T) {
	spec, goods, _ := newScans(t)
	messages, err := goods.Ends(0, 12)
	if err != nil || len(messages) != replicas {
		t.Fatalf("%d messages, %v", len(messages), err)
	}
	for r, m := range messages {
		e, _, err := envelope.Decode(m.Body)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != envelope.End || e.ID != 12 || e.Replica != r || e.Sender != envelope.ScanSender(goods.node.ID, 0) || m.Queue != spec.Queue(r) {
			t.Errorf("%s in the queue %s", e, m.Queue)
		}
	}
}

func TestABatchUnderWayOutlivesTheScan(t *testing.T) {
	_, _, sales := newScans(t)
	c, err := sales.take()
	if err != nil {
		t.Fatal(err)
	}
	if err := sales.Close(); err != nil {
		t.Fatal(err)
	}
	if messages, err := c.run(t.Context(), sales.envelope(0, 0), sold(sales, 20)); err != nil || len(messages) != replicas {
		t.Errorf("%d messages, %v", len(messages), err)
	}
	if err := sales.put(c); err != nil || len(sales.idle) > 0 {
		t.Errorf("%d chains are kept, %v", len(sales.idle), err)
	}
	if _, err := sales.Batch(t.Context(), 0, 0, sold(sales, 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("after that: %v", err)
	}
}

func TestWhatABatchMayBecome(t *testing.T) {
	_, _, sales := newScans(t)
	rows := sold(sales, 20)
	for i := range rows.Cols {
		for v := rows.Cols[i]; v.Len < 1<<20; {
			v.AppendRange(v.Slice(10, 20), 0, 10)
		}
	}
	rows.Len = rows.Cols[0].Len
	if _, err := sales.Batch(t.Context(), 0, 0, rows); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d rows: %v", rows.Len, err)
	}
	if _, err := sales.Batch(t.Context(), 0, 0, sold(sales, 20)); err != nil {
		t.Errorf("the next batch: %v", err)
	}
}
