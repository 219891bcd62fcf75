package gateway

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
)

// fed is an inlet of a test, with what it acknowledged.
type fed struct {
	*Inlet
	schema columnar.Schema

	mu    sync.Mutex
	acked []uint64
}

// inlet opens an inlet for a job's only scan, as a reader does for ann.
func (c *cluster) inlet(ctx context.Context, spec *protocol.Spec) *fed {
	c.Helper()
	schema, err := protocol.UploadSchema(spec, scanOf(c, spec))
	if err != nil {
		c.Fatal(err)
	}
	f := &fed{schema: schema}
	f.Inlet, err = c.gateway.Inlet(c.by(ctx, annToken), protocol.Put{Job: spec.ID, Node: scanOf(c, spec)}, func(k uint64) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.acked = append(f.acked, k)
	})
	if err != nil {
		c.Fatal(err)
	}
	return f
}

// by returns the context of a call that shows a token.
func (c *cluster) by(ctx context.Context, token string) context.Context {
	c.Helper()
	ctx, err := c.gateway.cfg.Tokens.Admit(ctx, []string{protocol.BearerPrefix + token})
	if err != nil {
		c.Fatal(err)
	}
	return ctx
}

func (f *fed) sales(k uint64, text string) error { return f.Put(k, salesOf(f.schema, text)) }

// What is read in a gateway makes the messages that a client's upload makes of it.
func TestInletMakesTheMessagesOfAnUpload(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	batches := []string{"1 tea 2 tea 1 air 3 salt", "", "9 air", "1 salt 4 tea 5 air"}
	in := c.inlet(t.Context(), spec)
	for k, rows := range batches {
		if err := in.sales(uint64(k), rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(in.acked)
	if !slices.Equal(in.acked, []uint64{0, 1, 2, 3}) {
		t.Errorf("acknowledged: %v", in.acked)
	}
	p := ann.put(spec, scanOf(t, spec))
	for k, rows := range batches {
		p.send(p.batch(uint64(k), rows))
	}
	if _, err := p.finish(); err != nil {
		t.Fatal(err)
	}
	for _, w := range c.workers {
		waitFor(t, "the messages", func() bool { return len(w.ids(envelope.Data)) == 2*len(batches) })
		slices.SortStableFunc(w.data, func(a, b received) int { return int(a.envelope.ID) - int(b.envelope.ID) })
		for i := 0; i < len(w.data); i += 2 {
			if a, b := w.data[i], w.data[i+1]; !bytes.Equal(a.body, b.body) || a.envelope != b.envelope {
				t.Errorf("worker %d has different messages of batch %d", w.replica, a.envelope.ID)
			}
		}
	}
}

// Small batches go together, as one message for each worker. Those that fill messages do not wait for others.
func TestInletGathers(t *testing.T) {
	for _, s := range []struct {
		name     string
		rows     string
		batches  int
		messages int64
	}{
		{name: "small", rows: "1 tea 2 tea 3 salt", batches: gatheredBatches, messages: 1},
		{name: "two flights", rows: "1 tea", batches: 2 * gatheredBatches, messages: 2},
		{name: "large", rows: "1 " + incompressible(3*gatheredBytes), batches: 3, messages: 3},
	} {
		t.Run(s.name, func(t *testing.T) {
			c := startCluster(t, nil)
			r := request()
			r.Queries[0].Root = allRowsOfSales()
			in := c.inlet(t.Context(), c.open(c.client(annToken), r))
			for k := range s.batches {
				if err := in.sales(uint64(k), s.rows); err != nil {
					t.Fatal(err)
				}
				if k%gatheredBatches == gatheredBatches-1 { // others would go with those that are under way
					waitFor(t, "what was gathered", func() bool { return c.metrics.Acked.Load() == int64(k+1) })
				}
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			if n := c.metrics.Messages.Load(); n != s.messages || len(in.acked) != s.batches {
				t.Errorf("%d messages, not %d; %d batches were acknowledged", n, s.messages, len(in.acked))
			}
			if held := c.metrics.Held.Load(); held != 0 {
				t.Errorf("%d bytes are held", held)
			}
		})
	}
}

// Batches that are gathered do not hold what the next one, or another inlet, waits for.
func TestInletGathersWhileThereIsRoom(t *testing.T) {
	c := startCluster(t, nil)
	in := c.inlet(t.Context(), c.open(c.client(annToken), request()))
	if err := in.sales(0, "1 tea"); err != nil {
		t.Fatal(err)
	}
	held := c.metrics.Held.Load()
	if c.gateway.credit.exchange(0, c.gateway.credit.limit); held == 0 {
		t.Fatal("the batch is not held")
	}
	ended := make(chan error)
	go func() { ended <- in.sales(1, "2 tea") }()
	waitFor(t, "the first batch", func() bool { return c.metrics.Acked.Load() == 1 })
	c.gateway.credit.release(c.gateway.credit.limit)
	if err := errors.Join(<-ended, in.Close()); err != nil || len(in.acked) != 2 || c.metrics.Held.Load() != 0 {
		t.Errorf("%d batches are acknowledged, %d bytes held: %v", len(in.acked), c.metrics.Held.Load(), err)
	}
}

// incompressible returns a word of so many letters that hardly repeat.
func incompressible(n int) string {
	word := make([]byte, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range word {
		word[i] = byte('a' + rng.IntN(26))
	}
	return string(word)
}

// A gateway may forget a job while it reads for it.
func TestInletOfAForgottenJob(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	in := c.inlet(t.Context(), spec)
	for k := range uint64(3) {
		if err := in.sales(k, "1 tea"); err != nil {
			t.Fatal(err)
		}
		c.gateway.jobs.forget(spec.ID)
	}
	if err := in.Close(); err != nil || len(in.acked) != 3 {
		t.Errorf("%d batches are acknowledged: %v", len(in.acked), err)
	}
}

func TestInletIsForTheOwnerOfTheJob(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	for _, put := range []protocol.Put{{Job: spec.ID, Node: scanOf(t, spec)}, {Job: protocol.JobID{}}} {
		if _, err := c.gateway.Inlet(c.by(t.Context(), bobToken), put, nil); protocol.CodeOf(err) == "" {
			t.Errorf("bob's inlet of job %v: %v", put.Job, err)
		}
	}
}

func TestInletOfALostQueue(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	in := c.inlet(t.Context(), spec)
	if err := c.workers[0].broker.Delete(t.Context(), spec.Queue(0)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.sales(0, "1 tea"), in.Close()); protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), "submit the job again") {
		t.Errorf("told %v", err)
	}
	if err := in.sales(1, "1 tea"); err == nil {
		t.Error("it goes on")
	}
}

func TestInletRefusesABatchThatFitsNoMessage(t *testing.T) {
	c := startCluster(t, nil)
	r := request()
	r.Queries[0].Root = allRowsOfSales()
	spec := c.open(c.client(annToken), r)
	in := c.inlet(t.Context(), spec)
	err := in.sales(1, "1 "+strings.Repeat("x", 9<<20))
	if protocol.CodeOf(err) != protocol.TooLarge || !strings.Contains(err.Error(), "batch 1") || !strings.Contains(err.Error(), "--block-size") {
		t.Errorf("told %v", err)
	}
	if err := in.Close(); protocol.CodeOf(err) != protocol.TooLarge {
		t.Errorf("at the end: %v", err)
	}
}

// While the broker takes nothing, an inlet takes a window of batches, and waits. It ends with its context.
func TestInletEndsWithItsContext(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("nobody wants it")
	in := c.inlet(ctx, spec)
	c.server.Block(true)
	defer c.server.Block(false)
	ended := make(chan error)
	go func() {
		var k uint64
		for ; in.sales(k, "1 tea") == nil; k++ {
		}
		if k > inletWindow {
			ended <- errors.New("more batches than the window")
			return
		}
		ended <- in.Close()
	}()
	time.Sleep(50 * time.Millisecond)
	if len(in.acked) > 0 {
		t.Errorf("acknowledged: %v", in.acked)
	}
	cancel(why)
	if err := <-ended; !errors.Is(err, why) {
		t.Errorf("it ended with %v", err)
	}
}
