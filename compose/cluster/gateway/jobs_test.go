package gateway

import (
	"errors"
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
	spec, err := protocol.NewSpec(*r, "ann", 2, broker.Classic, time.Now())
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
	if j.size != 10 || j.order.Len() != 1 {
		t.Errorf("%d jobs of %d bytes", j.order.Len(), j.size)
	}
	j.close()
	if j.size != 0 || len(j.byID) != 0 {
		t.Errorf("%d jobs of %d bytes after the end", len(j.byID), j.size)
	}
}

func TestManyBytesOfSpecsAreNotRemembered(t *testing.T) {
	j := newJobs(nil, Config{MaxJobs: 100}, discard())
	for range 10 {
		j.add(testSpec(t, request()), maxSpecs/4)
	}
	if j.order.Len() != 4 {
		t.Errorf("%d jobs are remembered", j.order.Len())
	}
	j.add(testSpec(t, request()), 2*maxSpecs) // one alone is
	if j.order.Len() != 1 {
		t.Errorf("%d jobs are remembered", j.order.Len())
	}
	j.close()
}

// A job that is forgotten while it is used gives everything back; who is at it is told
// to begin anew.
func TestAJobForgottenInUse(t *testing.T) {
	rt := testRuntime(t)
	k := newKnownJob(testSpec(t, request()), 0)
	node := scanOf(t, k.spec)
	s, err := k.scan(node, rt)
	if err != nil {
		t.Fatal(err)
	}
	batch := func() error {
		_, err := s.Batch(t.Context(), 0, salesOf(s.schema, "1 apples 2 pears"))
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
	if _, err := k.scan(node+1000, rt); protocol.CodeOf(asStatus(err)) != protocol.Trouble {
		t.Errorf("a scan of a job that is forgotten: %v", err)
	}
	if used := rt.Budget.Used(); used != 0 {
		t.Errorf("%d bytes of the budget are used", used)
	}
}
