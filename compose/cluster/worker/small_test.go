package worker

import (
	"maps"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/plan"
)

// A stage whose input may wait for a commit is computed before one, so that its rows are never logged.
// The answers are those of logged rows.
func TestSmallStagesAreNotLogged(t *testing.T) {
	logged := func(bytes int64) (times int) {
		w := newWorld(t, 2)
		m := w.machines[0]
		m.worker.Commit = GroupCommit{Prefetch: 1000, Bytes: bytes, Interval: time.Hour}
		j := newJob(w).open()
		j.status(0) // a sign of life, which is durable at once
		m.pass = func(point string) {
			if point == PointAppend {
				times++
			}
		}
		j.upload()
		j.exact()
		m.pass = nil
		j.finish()
		return times
	}
	if small, large := logged(1<<20), logged(1); small != 0 || large < 10 {
		t.Errorf("rows are logged %d times if a commit may wait for all of them, and %d times if for none; want 0, and 10 or more", small, large)
	}
}

// Requests are answered while a stage is computed, of the part's other stages too. That one of these was
// computed must be durable by then, also if several stages become complete by one delivery.
func TestWhatIsToldWhileComputingIsDurable(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	join := func(kind plan.JoinKind) *plan.Node {
		return plan.From("films").OuterJoin(kind, plan.From("votes"), plan.On("id", "film")).Sort(plan.Asc("id"))
	}
	j := newJobOf(w, &plan.Query{Name: "inner", Root: join(plan.Inner)}, &plan.Query{Name: "left", Root: join(plan.Left)}).open()
	computed := 0
	m.pass = func(point string) {
		if point != PointCompute {
			return
		}
		computed++
		p := m.part(j.spec.ID)
		d, _, err := decodeDurable(p.store.Payload(), 0)
		if err != nil || !maps.Equal(waiting(d), waiting(p.d)) {
			t.Errorf("at computation %d the stages are said to be %v; durable are %v, %v", computed, p.d.Stages, d.Stages, err)
		}
	}
	j.joined = make(map[string][]byte)
	for port := range j.spec.Ports(0) {
		j.endAt(port, 0)
	}
	for queue, body := range j.joined {
		w.publish(queue, body)
	}
	w.until("all stages are computed", func() bool { return len(waiting(m.part(j.spec.ID).d)) == 0 })
	if computed < 2 {
		t.Errorf("%d stages are computed; want 2 or more", computed)
	}
	m.pass = nil
	j.finish()
}

// waiting returns the stages that are not computed.
func waiting(d *durable) map[int]protocol.Phase {
	stages := maps.Clone(d.Stages)
	maps.DeleteFunc(stages, func(_ int, phase protocol.Phase) bool { return phase != protocol.Receiving })
	return stages
}
