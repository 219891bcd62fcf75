package gateway

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/flight"
	arrowipc "github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/membroker"
)

// counts adds up what the workers were sent of a query that counts by shop, and
// checks that every shop came to one worker.
func (c *cluster) counts(spec *protocol.Spec) map[int64]int64 {
	c.Helper()
	out, at := make(map[int64]int64), make(map[int64]int)
	for _, w := range c.workers {
		w.mu.Lock()
		data := slices.Clone(w.data)
		w.mu.Unlock()
		for _, m := range data {
			if m.envelope.Kind != envelope.Data {
				continue
			}
			schema := spec.Plan.Nodes[spec.Plan.Nodes[m.envelope.Node].Inputs[m.envelope.Input].Node].Schema
			rows, err := ipc.Decode(schema, m.body)
			if err != nil {
				c.Fatal(err)
			}
			for i := range rows.Len {
				shop := rows.Cols[0].Ints[i]
				out[shop] += rows.Cols[1].Ints[i]
				if r, ok := at[shop]; ok && r != w.replica {
					c.Errorf("shop %d came to workers %d and %d", shop, r, w.replica)
				}
				at[shop] = w.replica
			}
		}
	}
	return out
}

// ids returns the ids of what a worker was sent, ascending.
func (w *fakeWorker) ids(kind envelope.Kind) []uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []uint64
	for _, m := range w.data {
		if m.envelope.Kind == kind {
			out = append(out, m.envelope.ID)
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryBatchReachesEveryWorkerOnce(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(2, "1 tea 2 tea 1 air 3 salt"))
	p.send(p.batch(0, ""))
	p.send(p.batch(1, "1 salt 4 air 5 air"))
	p.send(p.batch(3, "9 air"))
	acks, err := p.finish()
	slices.Sort(acks)
	if err != nil || !slices.Equal(acks, []uint64{0, 1, 2, 3}) {
		t.Fatalf("answers %v, %v", acks, err)
	}
	if _, err := ann.act(protocol.ActionEndTable, protocol.TableEnd{Job: spec.ID, Node: scanOf(t, spec), Batches: 4}, nil); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the messages", func() bool {
		return len(c.workers[0].ids(envelope.End)) == 1 && len(c.workers[1].ids(envelope.End)) == 1 &&
			len(c.workers[0].ids(envelope.Data)) == 4 && len(c.workers[1].ids(envelope.Data)) == 4
	})
	for _, w := range c.workers {
		if ids := w.ids(envelope.Data); !slices.Equal(ids, []uint64{0, 1, 2, 3}) {
			t.Errorf("worker %d has messages %v", w.replica, ids)
		}
		if n := w.ids(envelope.End); n[0] != 4 {
			t.Errorf("worker %d was told of %d batches", w.replica, n[0])
		}
	}
	if got := fmt.Sprint(c.counts(spec)); got != "map[1:2 2:1 3:1]" {
		t.Errorf("counts %s", got)
	}
}

// A batch is a function of its rows: sent again, to another gateway or in another
// order, it makes the same bytes.
func TestABatchMakesTheSameBytesAgain(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	for range 2 {
		p := ann.put(spec, scanOf(t, spec))
		p.send(p.batch(7, "1 tea 2 tea 3 salt 4 tea 1 salt"))
		if _, err := p.finish(); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "the messages", func() bool {
		return len(c.workers[0].ids(envelope.Data)) == 2 && len(c.workers[1].ids(envelope.Data)) == 2
	})
	for _, w := range c.workers {
		if !bytes.Equal(w.data[0].body, w.data[1].body) || w.data[0].envelope != w.data[1].envelope {
			t.Errorf("worker %d has different messages of one batch", w.replica)
		}
	}
}

// Clients whose Arrow encoding differs from ours are understood.
func TestAnyFlightClientCanUpload(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	schema := arrow.NewSchema([]arrow.Field{ // as of someone who knows nothing of our metadata
		{Name: "shop", Type: arrow.PrimitiveTypes.Int64}, {Name: "good", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 99, 2}, []bool{true, false, true})
	b.Field(1).(*array.StringBuilder).AppendValues([]string{"tea", "tea", "not this"}, []bool{true, true, false})
	rec := b.NewRecord()
	defer rec.Release()

	stream := ann.rawPut()
	if err := stream.Send(&flight.FlightData{FlightDescriptor: command(protocol.Put{Job: spec.ID, Node: scanOf(t, spec)})}); err != nil {
		t.Fatal(err)
	}
	w := flight.NewRecordWriter(stream, arrowipc.WithSchema(schema))
	if err := w.WriteWithAppMetadata(rec, protocol.EncodeNumber(0)); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteMetadata(protocol.EncodeNumber(1)); err != nil { // a batch without rows
		t.Fatal(err)
	}
	p := &put{client: ann, stream: stream}
	if acks, err := p.finish(); err != nil || len(acks) != 2 {
		t.Fatalf("answers %v, %v", acks, err)
	}
	waitFor(t, "the messages", func() bool {
		return len(c.workers[0].ids(envelope.Data)) == 2 && len(c.workers[1].ids(envelope.Data)) == 2
	})
	// A null shop is a group of its own; its slot says nothing. A null good is
	// neither air nor anything else.
	if got := fmt.Sprint(c.counts(spec)); got != "map[0:1 1:1]" {
		t.Errorf("counts %s", got)
	}
}

// Small batches of an upload go together, as one message for each worker, and one that no other follows goes on too.
func TestAnUploadGathers(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	for k := range uint64(uploadBatches + 1) {
		p.send(p.batch(k, "1 tea 2 tea 3 salt"))
	}
	for range uploadBatches + 1 {
		if _, err := p.acked(); err != nil {
			t.Fatal(err)
		}
	}
	// A slow machine may have waited long enough for a batch before it had the next one.
	if n, most := c.metrics.Messages.Load(), int64(len(c.workers)*uploadBatches/2); n > most {
		t.Errorf("%d messages, want at most %d", n, most)
	}
	if acks, err := p.finish(); err != nil || len(acks) != 0 {
		t.Errorf("more answers %v, %v", acks, err)
	}
}

func TestWhatTheBrokerDoesNotConfirmIsPublishedAgain(t *testing.T) {
	c := startClusterOn(t, membroker.New(membroker.Config{Seed: 3, Refuse: 0.3}), nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	// Batches that wait together are published as one message, of which a slow machine makes
	// few, and the broker may refuse none of them. One that waits for no other is one more.
	batches := 0
	for ; batches < 12 || c.metrics.Republished.Load() == 0 && batches < 1000; batches++ {
		p.send(p.batch(uint64(batches), fmt.Sprintf("%d tea", batches)))
		if k, err := p.acked(); err != nil || k != uint64(batches) {
			t.Fatalf("answer %d, %v to batch %d", k, err, batches)
		}
	}
	if acks, err := p.finish(); err != nil || len(acks) != 0 {
		t.Fatalf("more answers %v, %v", acks, err)
	}
	if c.metrics.Republished.Load() == 0 {
		t.Error("nothing was published again")
	}
	waitFor(t, "all ids", func() bool {
		return len(slices.Compact(c.workers[0].ids(envelope.Data))) == batches && len(slices.Compact(c.workers[1].ids(envelope.Data))) == batches
	})
}

func TestNothingIsAnsweredBeforeTheBrokerHasIt(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.server.Block(true)
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	answered := make(chan error, 1)
	go func() { _, err := p.acked(); answered <- err }()
	waitFor(t, "the batch", func() bool { return c.metrics.Messages.Load() == 2 })
	select {
	case err := <-answered:
		t.Fatalf("answered while the broker took nothing: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	c.server.Block(false)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	if acks, err := p.finish(); err != nil || len(acks) != 0 {
		t.Errorf("more answers %v, %v", acks, err)
	}
}

// While the broker takes nothing, what the gateway holds for clients stays below
// its limit, however much they send.
func TestABlockedBrokerDoesNotMakeTheGatewayGrow(t *testing.T) {
	const limit = protocol.MaxBatch
	c := startCluster(t, func(cfg *Config) { cfg.Memory = limit })
	ann := c.client(annToken)
	r := request()
	r.Queries[0].Root = allRowsOfSales()
	spec := c.open(ann, r)
	c.server.Block(true)
	large := strings.Repeat("x", 2<<20)
	var puts []*put
	for range 4 {
		p := ann.put(spec, scanOf(t, spec))
		puts = append(puts, p)
		go func() {
			for k := range uint64(4) {
				for _, d := range parts(p.batch(k, "1 "+large), protocol.MaxMessage/2) {
					if p.stream.Send(d) != nil {
						return
					}
				}
			}
			p.stream.CloseSend()
		}()
	}
	waitFor(t, "a full gateway", func() bool { return c.metrics.Held.Load() > limit/2 })
	for range 50 {
		if held := c.metrics.Held.Load(); held > limit {
			t.Fatalf("%d bytes are held, %d are the limit", held, limit)
		}
		time.Sleep(time.Millisecond)
	}
	c.server.Block(false)
	for _, p := range puts {
		for range 4 {
			if _, err := p.acked(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The gateway stops reading from a client that keeps sending while its batches are
// unconfirmed; other clients do not notice.
func TestAClientThatDoesNotWaitHoldsUpItselfAlone(t *testing.T) {
	c := startCluster(t, nil)
	ann, bob := c.client(annToken), c.client(bobToken)
	spec := c.open(ann, request())
	for range 3 {
		p := ann.put(spec, scanOf(t, spec))
		go func() {
			for k := uint64(0); p.stream.Send(p.batch(k, "1 tea")) == nil; k++ {
			}
		}()
	}
	other := c.open(bob, request())
	p := bob.put(other, scanOf(t, other))
	for k := range uint64(50) {
		p.send(p.batch(k, "2 tea"))
		if got, err := p.acked(); err != nil || got != k {
			t.Fatalf("answer %d, %v", got, err)
		}
	}
}

func TestAJobThatHasEndedIsToldWhy(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	if _, err := p.acked(); err != nil {
		t.Fatal(err)
	}
	for _, w := range c.workers {
		w.end(spec, "expired: nobody asked")
	}
	p.send(p.batch(1, "1 tea"))
	_, err := p.finish()
	if protocol.CodeOf(err) != protocol.JobEnded || status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "expired: nobody asked") {
		t.Errorf("told %v", err)
	}
	// It is not remembered either.
	p = ann.put(spec, scanOf(t, spec))
	if _, err := p.finish(); protocol.CodeOf(err) != protocol.JobEnded {
		t.Errorf("a new upload is told %v", err)
	}
}

func TestAQueueThatIsLostFailsTheUpload(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	if err := c.workers[0].broker.Delete(context.Background(), spec.Queue(0)); err != nil {
		t.Fatal(err)
	}
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	_, err := p.finish()
	if protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), "submit the job again") {
		t.Errorf("told %v", err)
	}
	_, err = ann.act(protocol.ActionEndTable, protocol.TableEnd{Job: spec.ID, Node: scanOf(t, spec), Batches: 1}, nil)
	if protocol.CodeOf(err) != protocol.JobFailed {
		t.Errorf("the end of the table is told %v", err)
	}
	// What the workers know of it goes before.
	c.workers[1].with(func() {
		c.workers[1].answer = func(r *protocol.Request) *protocol.Response {
			if r.Action != protocol.ActionStatus {
				return nil
			}
			return &protocol.Response{Status: &protocol.Status{Job: spec.ID, State: protocol.Failing, Reason: "the disk is full"}}
		}
	})
	p = ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	if _, err := p.finish(); protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("told %v", err)
	}
}

func TestABatchThatFitsNoMessageIsRefused(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	r := request()
	r.Queries[0].Root = allRowsOfSales()
	spec := c.open(ann, r)
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	for _, d := range parts(p.batch(1, "1 "+strings.Repeat("x", 9<<20)), protocol.MaxMessage/2) {
		p.send(d)
	}
	_, err := p.finish()
	if protocol.CodeOf(err) != protocol.TooLarge || status.Code(err) != codes.ResourceExhausted ||
		!strings.Contains(err.Error(), "batch 1") || !strings.Contains(err.Error(), "--block-size") {
		t.Errorf("told %v", err)
	}
}

func TestAnUploadThatSendsNothingIsEnded(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Idle = 30 * time.Millisecond })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	for _, p := range []*put{ann.put(spec, scanOf(t, spec)), {client: ann, stream: ann.rawPut()}} {
		if _, err := p.acked(); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "nothing came") {
			t.Errorf("told %v", err)
		}
	}
}

func TestOnlySoManyUploads(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.MaxStreams = 4 })
	ann, bob := c.client(annToken), c.client(bobToken)
	spec, other := c.open(ann, request()), c.open(bob, request())
	first := ann.put(spec, scanOf(t, spec))
	ann.put(spec, scanOf(t, spec))
	waitFor(t, "two uploads", func() bool { return c.metrics.Streams.Load() == 2 })
	if _, err := ann.put(spec, scanOf(t, spec)).finish(); status.Code(err) != codes.Unavailable {
		t.Errorf("a third upload of a client is told %v", err)
	}
	bob.put(other, scanOf(t, other))
	bob.put(other, scanOf(t, other))
	waitFor(t, "four uploads", func() bool { return c.metrics.Streams.Load() == 4 })
	if _, err := first.finish(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "room", func() bool { return c.metrics.Streams.Load() == 3 })
	if _, err := bob.put(other, scanOf(t, other)).finish(); status.Code(err) != codes.Unavailable {
		t.Errorf("a third upload of the other client is told %v", err)
	}
	if _, err := ann.put(spec, scanOf(t, spec)).finish(); err != nil {
		t.Error(err)
	}
}

func TestPointsArePassed(t *testing.T) {
	var mu sync.Mutex
	passed := make(map[string]int)
	c := startCluster(t, func(cfg *Config) {
		cfg.Crash = func(point string) {
			mu.Lock()
			defer mu.Unlock()
			passed[point]++
		}
	})
	ann := c.client(annToken)
	c.open(ann, request())
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(0, "1 tea"))
	if _, err := p.acked(); err != nil {
		t.Fatal(err)
	}
	p.send(p.batch(1, "1 tea"))
	if _, err := p.finish(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, point := range Points() {
		// Of two messages for each batch, one is followed by another.
		if passed[point] != 2 {
			t.Errorf("%s was passed %d times, want 2", point, passed[point])
		}
	}
}
