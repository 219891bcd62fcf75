package gateway

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/shuffle/broker"
)

func testRuntime(t testing.TB) *operators.Runtime {
	t.Helper()
	scratch := segment.NewScratch(vfs.NewMem(), "/")
	t.Cleanup(func() {
		if err := scratch.Close(); err != nil {
			t.Error(err)
		}
	})
	return &operators.Runtime{Budget: budget.New(0), Scratch: scratch, Env: expr.NewEnv()}
}

func testSpec(t testing.TB, r *protocol.OpenRequest) *protocol.Spec {
	t.Helper()
	spec, err := protocol.NewSpec(nil, *r, "ann", 2, broker.Classic, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestJobsUsedLastAreRemembered(t *testing.T) {
	j := newJobs(nil, Config{MaxJobs: 2}, discard())
	specs := make([]*protocol.Spec, 3)
	for i := range specs {
		specs[i] = testSpec(t, request())
	}
	known := make([]*knownJob, 3)
	for i := range 2 {
		known[i] = j.add(specs[i], 10)
	}
	if again := j.add(specs[0], 10); again != known[0] || j.size != 20 {
		t.Errorf("added twice: %d bytes", j.size)
	}
	known[2] = j.add(specs[2], 10)
	if j.lookUp(specs[1].ID) != nil || !known[1].gone {
		t.Error("the job used longest ago is remembered")
	}
	k := j.lookUp(specs[0].ID)
	if k != known[0] {
		t.Fatal("a job is forgotten")
	}
	j.forget(specs[0].ID)
	j.forget(specs[0].ID)
	if j.size != 10 || len(j.byID) != 1 {
		t.Errorf("%d jobs of %d bytes", len(j.byID), j.size)
	}
	j.close()
	if j.size != 0 || len(j.byID) != 0 {
		t.Errorf("%d jobs of %d bytes after the end", len(j.byID), j.size)
	}
}

// TestJobsThatNobodyUsesAreForgotten: another gateway may have been told of their end.
func TestJobsThatNobodyUsesAreForgotten(t *testing.T) {
	j := newJobs(nil, Config{MaxJobs: 100}, discard())
	var known []*knownJob
	for range 3 {
		known = append(known, j.add(testSpec(t, request()), 10))
	}
	for _, k := range known {
		k.used = k.used.Add(-2 * forgetAfter)
	}
	if j.lookUp(known[0].spec.ID) != known[0] {
		t.Fatal("a job is forgotten that somebody uses")
	}
	j.add(testSpec(t, request()), 10)
	if known[0].gone || !known[1].gone || !known[2].gone || j.size != 20 {
		t.Errorf("forgotten: %v, %v, %v; %d bytes are left", known[0].gone, known[1].gone, known[2].gone, j.size)
	}
	j.close()
}

// TestJobThatIsUploadedIsUsed: for a long time, a job may have no traffic but batches.
func TestJobThatIsUploadedIsUsed(t *testing.T) {
	c := startCluster(t, nil)
	spec := c.open(c.client(annToken), request())
	p := c.client(annToken).put(spec, scanOf(t, spec))
	j := c.gateway.jobs
	for id := range uint64(3) {
		p.send(p.batch(id, "1 tea"))
		if _, err := p.acked(); err != nil {
			t.Fatalf("batch %d: %v", id, err)
		}
		if id == 0 {
			j.mu.Lock()
			for _, k := range j.byID {
				k.used = time.Now().Add(-2 * forgetAfter)
			}
			j.mu.Unlock()
		} else {
			j.add(testSpec(t, request()), 10)
		}
	}
	if _, err := p.finish(); err != nil {
		t.Error(err)
	}
}

func TestManyBytesOfSpecsAreNotRemembered(t *testing.T) {
	j := newJobs(nil, Config{MaxJobs: 100}, discard())
	for range 10 {
		j.add(testSpec(t, request()), maxSpecs/4)
	}
	if len(j.byID) != 4 {
		t.Errorf("%d jobs are remembered", len(j.byID))
	}
	j.add(testSpec(t, request()), 2*maxSpecs) // one alone is
	if len(j.byID) != 1 {
		t.Errorf("%d jobs are remembered", len(j.byID))
	}
	j.close()
}

// A job that is forgotten while in use releases everything; its users are told to start
// over.
func TestAJobForgottenInUse(t *testing.T) {
	rt := testRuntime(t)
	k := newKnownJob(testSpec(t, request()), 0)
	node := scanOf(t, k.spec)
	s, err := k.scan(node, 0, rt)
	if err != nil {
		t.Fatal(err)
	}
	batch := func() error {
		_, err := s.Batch(t.Context(), 0, 0, salesOf(s.Schema(), "1 apples 2 pears"))
		return err
	}
	k.remember(0, []uint64{1, 2, 3}, false, rt.Budget)
	if rt.Budget.Used() == 0 {
		t.Fatal("nothing is held, so nothing can be given back")
	}
	if err := errors.Join(batch(), k.close()); err != nil {
		t.Fatal(err)
	}
	if err := batch(); protocol.CodeOf(asStatus(err)) != protocol.Trouble {
		t.Errorf("a batch of a job that is forgotten: %v", err)
	}
	k.remember(1, []uint64{1, 2, 3}, false, rt.Budget)
	if _, err := k.scan(node+1000, 0, rt); protocol.CodeOf(asStatus(err)) != protocol.Trouble {
		t.Errorf("a scan of a job that is forgotten: %v", err)
	}
	if used := rt.Budget.Used(); used != 0 {
		t.Errorf("%d bytes of the budget are used", used)
	}
}

// A job is run, shown and ended with the workers that it was opened for, also by gateways
// that run new jobs on fewer or more workers.
func TestJobsOfOtherNumbersOfWorkers(t *testing.T) {
	two := startCluster(t, nil)
	one := two.another(1)
	wide := two.open(two.client(annToken), request())
	narrow := one.open(one.client(annToken), request())
	if wide.Replicas != 2 || narrow.Replicas != 1 || two.workers[1].count(protocol.ActionOpen) != 1 {
		t.Fatalf("jobs of %d and %d workers", wide.Replicas, narrow.Replicas)
	}
	for _, c := range []*cluster{one, two} {
		ann := c.client(annToken)
		var list protocol.List
		if _, err := ann.act(protocol.ActionList, struct{}{}, &list); err != nil || len(list.Jobs) != 2 || len(list.Silent) != 0 {
			t.Fatalf("%+v, %v", list, err)
		}
		for _, spec := range []*protocol.Spec{wide, narrow} {
			var s protocol.Status
			if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, &s); err != nil {
				t.Fatal(err)
			}
			list.Jobs = append(list.Jobs, s)
		}
		for _, s := range list.Jobs {
			// Each worker that takes part has taken in one row.
			if s.State != protocol.Running || len(s.Silent) != 0 || s.Rows != int64(s.Replicas) {
				t.Errorf("by a gateway for %d workers: %+v", c.gateway.cfg.Replicas, s)
			}
		}
	}
	for c, spec := range map[*cluster]*protocol.Spec{one: wide, two: narrow} {
		if _, err := c.client(annToken).act(protocol.ActionEnd, protocol.JobEnd{Job: spec.ID, Reason: "enough"}, nil); err != nil {
			t.Error(err)
		}
	}
}

// Replica 0's spec defines the job, even if a gateway opens it again for another number of
// workers.
func TestOneJobOpenedForTwoNumbersOfWorkers(t *testing.T) {
	two := startCluster(t, nil)
	one := two.another(1)
	r := request()
	r.Job = protocol.NewJobID()
	first := two.open(two.client(annToken), r)
	second := one.open(one.client(annToken), r)
	if first.Replicas != 2 || second.Replicas != 2 || two.workers[1].count(protocol.ActionOpen) != 2 {
		t.Errorf("opened for %d and for %d workers", first.Replicas, second.Replicas)
	}
}

// A caller with a deadline of its own is told before the deadline which worker does not
// answer.
func TestSilentWorkerIsNamedInTime(t *testing.T) {
	c := startCluster(t, nil)
	c.workers[1].with(func() { c.workers[1].deaf = true })
	ann := c.client(annToken)
	ctx, cancel := context.WithTimeout(ann.ctx, time.Second)
	defer cancel()
	ann.ctx = ctx
	_, err := ann.act(protocol.ActionOpen, request(), nil)
	if protocol.CodeOf(err) != protocol.Trouble || !strings.Contains(err.Error(), "worker 1 does not answer") {
		t.Errorf("error %v", err)
	}
}
