package gateway

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/membroker"
)

// lose makes a worker forget a job, as if its disk were gone.
func (c *cluster) lose(spec *protocol.Spec, replica int) {
	w := c.workers[replica]
	w.with(func() { delete(w.specs, spec.ID) })
}

// An onlooker and the client may ask the same at once; each is heard.
func TestAnOnlookerDoesNotHideTheClient(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	w := c.workers[0]
	w.with(func() { w.deaf = true })
	ctx, cancel := context.WithTimeout(t.Context(), firstRetry/2)
	defer cancel()
	var both sync.WaitGroup
	for _, onlooker := range []bool{true, false, false} {
		both.Go(func() {
			_, _ = c.gateway.caller.ask(ctx, 0, protocol.Request{Action: protocol.ActionStatus, Job: spec.ID, Onlooker: onlooker})
		})
	}
	both.Wait()
	if asked := w.count(protocol.ActionStatus); asked != 2 {
		t.Errorf("worker 0 has got %d requests", asked)
	}
}

// A job that one worker has opened, and another not yet, is being opened until the client has
// confirmed it, and is not called lost.
func TestAJobThatIsBeingOpened(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.workers[0].with(func() { c.workers[0].state = protocol.Opening })
	c.lose(spec, 1)
	s, list := new(protocol.Status), new(protocol.List)
	if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID, Onlooker: true}, s); err != nil || s.State != protocol.Opening || s.Reason != "" {
		t.Errorf("status: %+v, %v", s, err)
	}
	if _, err := ann.act(protocol.ActionList, struct{}{}, list); err != nil || len(list.Jobs) != 1 || list.Jobs[0].State != protocol.Opening {
		t.Errorf("list: %+v, %v", list, err)
	}
}

// An opening that its client gave up is not carried out later.
func TestAnOpeningThatIsGivenUp(t *testing.T) {
	c := startCluster(t, nil)
	w, ann := c.workers[0], c.client(annToken)
	c.open(ann, request()) // so that it is known what the workers speak
	w.with(func() { w.deaf, w.seen = true, nil })
	var cancel context.CancelFunc
	ann.ctx, cancel = context.WithTimeout(ann.ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := ann.act(protocol.ActionOpen, request(), nil); err == nil {
		t.Fatal("it is open")
	}
	asked := w.count(protocol.ActionOpen)
	time.Sleep(firstRetry)
	if again := w.count(protocol.ActionOpen); asked == 0 || again > asked {
		t.Errorf("worker 0 was asked %d times, and then %d times", asked, again)
	}
}

func TestAJobThatAWorkerHasLostHasFailed(t *testing.T) {
	for replica, reason := range []string{"worker 0 has lost its part", "worker 1 has lost its part"} {
		c := startCluster(t, nil)
		ann := c.client(annToken)
		spec := c.open(ann, joined())
		c.lose(spec, replica)
		s, list := new(protocol.Status), new(protocol.List)
		if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, s); err != nil || s.State != protocol.Failing || !strings.Contains(s.Reason, reason) {
			t.Errorf("status: %+v, %v", s, err)
		}
		if _, err := ann.act(protocol.ActionList, struct{}{}, list); err != nil || len(list.Jobs) != 1 || list.Jobs[0].State != protocol.Failing {
			t.Errorf("list: %+v, %v", list, err)
		}
		_, join := probeOf(t, spec)
		if _, err := ann.act(protocol.ActionKeys, protocol.KeysRequest{Job: spec.ID, Node: join}, nil); protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), reason) {
			t.Errorf("keys: %v", err)
		}
	}
}

// A worker that answers a request to open a job with an error that makes no sense there,
// whatever the code, is of another version.
func TestAWorkerOfAnotherVersion(t *testing.T) {
	for of, code := range []protocol.Code{protocol.NoJob, "unknown-job"} {
		c := startCluster(t, nil)
		c.workers[of].with(func() {
			c.workers[of].answer = func(r *protocol.Request) *protocol.Response {
				return &protocol.Response{Code: code, Error: "there is no job " + r.Job.String()}
			}
		})
		_, err := c.client(annToken).act(protocol.ActionOpen, request(), nil)
		if protocol.CodeOf(err) != protocol.Refused || !strings.Contains(err.Error(), fmt.Sprintf("worker %d runs another version", of)) {
			t.Errorf("open: %v", err)
		}
	}
}

// A job without a part on worker 0 is ended on the others, and the error names the workers
// that could not be reached.
func TestEndWithoutWorker0(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Patience = 200 * time.Millisecond })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.lose(spec, 0)
	c.workers[1].with(func() {
		c.workers[1].answer = func(r *protocol.Request) *protocol.Response {
			if r.Action == protocol.ActionClean {
				return &protocol.Response{Code: protocol.Trouble, Error: "busy"}
			}
			return nil
		}
	})
	_, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID, Reason: "cancelled"}, nil)
	if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "but on worker 1") {
		t.Errorf("with worker 1 busy: %v", err)
	}
	c.workers[1].with(func() { c.workers[1].answer = nil })
	if _, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID, Reason: "cancelled"}, nil); err != nil {
		t.Error(err)
	}
	if left := c.workers[1].ended[spec.ID]; left != "cancelled" {
		t.Errorf("worker 1 has not ended it: %q", left)
	}
}

// Only the owner of a job is told why it has ended.
func TestWhyAJobHasEndedIsItsOwnersBusiness(t *testing.T) {
	c := startCluster(t, nil)
	id := protocol.NewJobID()
	for _, w := range c.workers {
		w.with(func() {
			w.answer = func(r *protocol.Request) *protocol.Response {
				if r.Job != id {
					return nil
				}
				return &protocol.Response{Code: protocol.JobEnded, Error: "secret", Owner: "ann"}
			}
		})
	}
	if _, err := c.client(annToken).act(protocol.ActionStatus, protocol.JobRequest{Job: id}, nil); protocol.CodeOf(err) != protocol.JobEnded || !strings.Contains(err.Error(), "secret") {
		t.Errorf("its owner is told %v", err)
	}
	if _, err := c.client(bobToken).act(protocol.ActionStatus, protocol.JobRequest{Job: id}, nil); protocol.CodeOf(err) != protocol.NotOwner || strings.Contains(err.Error(), "secret") {
		t.Errorf("another client is told %v", err)
	}
}

// A job that fails while it is opened is ended by the gateway that hears of it when the
// client retries. The client is told, and need not end the job. Another client can
// neither end it nor learn why it failed.
func TestAJobThatFailsAsItIsOpened(t *testing.T) {
	for failing := range 2 {
		c := startCluster(t, nil)
		named := request()
		named.Job = protocol.NewJobID()
		spec := c.open(c.client(annToken), named)
		c.workers[failing].with(func() {
			c.workers[failing].answer = func(r *protocol.Request) *protocol.Response {
				if r.Action != protocol.ActionOpen {
					return nil
				}
				return &protocol.Response{Code: protocol.JobFailed, Error: "secret", Owner: spec.Owner}
			}
		})
		if _, err := c.client(bobToken).act(protocol.ActionOpen, named, nil); protocol.CodeOf(err) != protocol.NotOwner || strings.Contains(err.Error(), "secret") {
			t.Errorf("another client is told %v", err)
		}
		if c.workers[0].count(protocol.ActionEnd) > 0 {
			t.Error("another client has ended the job")
		}
		if _, err := c.client(annToken).act(protocol.ActionOpen, named, nil); protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), "secret") {
			t.Errorf("its owner is told %v", err)
		}
		waitFor(t, "the end of the job", func() bool { return len(c.workers[0].specs) == 0 })
	}
}

// While the broker is blocked, clients are told so, and not that the cluster is away;
// afterwards everything continues.
func TestABlockedBrokerIsNamed(t *testing.T) {
	server := membroker.New(membroker.Config{Seed: 1})
	c := startClusterOn(t, server, func(cfg *Config) { cfg.Timeout = time.Minute })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	server.Block(true)
	began := time.Now()
	for action, r := range map[string]any{
		protocol.ActionOpen: request(), protocol.ActionStatus: protocol.JobRequest{Job: spec.ID}, protocol.ActionList: struct{}{},
	} {
		if _, err := ann.act(action, r, nil); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "the broker is blocked") {
			t.Errorf("%s: %v", action, err)
		}
	}
	if took := time.Since(began); took > 45*time.Second {
		t.Errorf("that took %v", took)
	}
	server.Block(false)
	if _, err := ann.act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID}, nil); err != nil {
		t.Error(err)
	}
}

// While the broker is blocked, the end of a table is put off, however long that takes. It
// is no reason to give up.
func TestTheEndOfATableWaitsForABlockedBroker(t *testing.T) {
	server := membroker.New(membroker.Config{Seed: 1})
	c := startClusterOn(t, server, func(cfg *Config) { cfg.Timeout = 3 * time.Second })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	end := protocol.TableEnd{Job: spec.ID, Node: scanOf(t, spec), Batches: 0}
	server.Block(true)
	if _, err := ann.act(protocol.ActionEndTable, end, nil); protocol.CodeOf(err) != protocol.Busy || !strings.Contains(err.Error(), "memory alarm") {
		t.Errorf("while the broker is blocked: %v", err)
	}
	server.Block(false)
	if _, err := ann.act(protocol.ActionEndTable, end, nil); err != nil {
		t.Errorf("when it has room again: %v", err)
	}
}
