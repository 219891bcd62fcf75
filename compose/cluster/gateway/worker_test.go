package gateway

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// fakeWorker answers requests as a worker would, and keeps what it is sent.
type fakeWorker struct {
	replica int
	broker  broker.Broker

	mu    sync.Mutex
	specs map[protocol.JobID]*protocol.Spec
	ended map[protocol.JobID]string
	seen  []protocol.Action
	data  []received
	// answer, if set, answers before the worker does; nil for no answer of its own.
	answer func(*protocol.Request) *protocol.Response
	deaf   bool           // to requests
	speaks int            // of the protocol
	state  protocol.State // of its jobs
	subs   []broker.Subscription
}

// received is a message of a data queue.
type received struct {
	envelope envelope.Envelope
	body     []byte
}

func startWorker(t *testing.T, b broker.Broker, replica int) *fakeWorker {
	t.Helper()
	w := &fakeWorker{replica: replica, broker: b, state: protocol.Running, speaks: protocol.Version, specs: make(map[protocol.JobID]*protocol.Spec), ended: make(map[protocol.JobID]string)}
	ctx := context.Background()
	if err := b.Declare(ctx, broker.Queue{Name: protocol.ControlQueue(replica), SingleActive: true}); err != nil {
		t.Fatal(err)
	}
	sub, err := b.Consume(ctx, protocol.ControlQueue(replica), 16, w.request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		sub.Cancel()
		w.mu.Lock()
		subs := w.subs
		w.mu.Unlock()
		for _, s := range subs {
			s.Cancel()
		}
	})
	return w
}

// with changes the worker under its lock.
func (w *fakeWorker) with(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

func (w *fakeWorker) request(d broker.Delivery) {
	defer d.Ack()
	r, err := protocol.DecodeRequest(d.Body)
	if err != nil {
		panic(err)
	}
	w.mu.Lock()
	deaf, answer := w.deaf, w.answer
	w.seen = append(w.seen, r.Action)
	w.mu.Unlock()
	if deaf {
		return
	}
	var out *protocol.Response
	if answer != nil {
		out = answer(r)
	}
	if out == nil {
		out = w.serve(r)
	}
	out.ID, out.Replica, out.Speaks = r.ID, w.replica, w.speaks
	if r.ReplyTo == "" {
		return
	}
	body, err := protocol.EncodeResponse(out)
	if err != nil {
		panic(err)
	}
	w.broker.Publish(context.Background(), r.ReplyTo, body, func(error) {})
}

func (w *fakeWorker) serve(r *protocol.Request) *protocol.Response {
	out := &protocol.Response{}
	if r.Action == protocol.ActionOpen {
		return w.open(r)
	}
	w.mu.Lock()
	spec, reason := w.specs[r.Job], w.ended[r.Job]
	w.mu.Unlock()
	if spec == nil && r.Action != protocol.ActionList {
		out.Code, out.Error = protocol.NoJob, "no job"
		if reason != "" {
			out.Code, out.Error = protocol.JobEnded, reason
		}
		return out
	}
	switch r.Action {
	case protocol.ActionDescribe:
		out.Data, _ = spec.Encode()
	case protocol.ActionStatus:
		s := w.status(spec)
		out.Status = &s
	case protocol.ActionList:
		w.with(func() { w.list(r, out) })
	case protocol.ActionEnd, protocol.ActionClean:
		w.end(spec, r.Reason)
	}
	return out
}

func (w *fakeWorker) status(spec *protocol.Spec) protocol.Status {
	return protocol.Status{
		Job: spec.ID, Owner: spec.Owner, Label: spec.Label, Replicas: spec.Replicas,
		Opened: spec.Opened, Expires: spec.Opened.Add(spec.TTL), State: w.state, Rows: 1,
	}
}

func (w *fakeWorker) open(r *protocol.Request) *protocol.Response {
	spec, err := protocol.DecodeSpec(r.Spec)
	if err != nil {
		return &protocol.Response{Code: protocol.Refused, Error: err.Error()}
	}
	ctx := context.Background()
	if err := w.broker.Declare(ctx, spec.OwnQueue(w.replica)); err != nil {
		return &protocol.Response{Code: protocol.Trouble, Error: err.Error()}
	}
	w.with(func() {
		if w.specs[spec.ID] == nil {
			w.specs[spec.ID] = spec
		}
		spec = w.specs[spec.ID]
	})
	text, err := spec.Encode()
	if err != nil {
		panic(err)
	}
	return &protocol.Response{Data: text}
}

// listen takes all that comes to the worker's queue of a job, if it takes part.
func (w *fakeWorker) listen(t *testing.T, spec *protocol.Spec) {
	t.Helper()
	if w.replica >= spec.Replicas {
		return
	}
	sub, err := w.broker.Consume(context.Background(), spec.Queue(w.replica), 100, func(d broker.Delivery) {
		for message, rest := envelope.Cut(d.Body); message != nil; message, rest = envelope.Cut(rest) {
			e, body, err := envelope.Decode(message)
			if err != nil {
				panic(err)
			}
			w.with(func() { w.data = append(w.data, received{e, body}) })
		}
		d.Ack()
	})
	if err != nil {
		t.Fatal(err)
	}
	w.with(func() { w.subs = append(w.subs, sub) })
}

func (w *fakeWorker) end(spec *protocol.Spec, reason string) {
	w.with(func() {
		delete(w.specs, spec.ID)
		w.ended[spec.ID] = reason
	})
	if err := w.broker.Delete(context.Background(), spec.Queue(w.replica)); err != nil {
		panic(err)
	}
}

// count returns how often a type of request came.
func (w *fakeWorker) count(what protocol.Action) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, s := range w.seen {
		if s == what {
			n++
		}
	}
	return n
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// list tells of one job at a time.
func (w *fakeWorker) list(r *protocol.Request, out *protocol.Response) {
	for _, id := range slices.SortedFunc(maps.Keys(w.specs), func(a, b protocol.JobID) int { return bytes.Compare(a[:], b[:]) }) {
		switch {
		case w.specs[id].Owner != r.Owner || bytes.Compare(id[:], r.Job[:]) <= 0:
		case len(out.Jobs) > 0:
			out.More = true
		default:
			out.Jobs = append(out.Jobs, w.status(w.specs[id]))
		}
	}
}
