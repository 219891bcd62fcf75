package worker

import (
	"testing"
	"time"
)

// An open job without anything to do makes no steps, but for a few in its time to live.
func TestIdlePartsAreLeftAlone(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	j.send(0, 0)
	w.settle()
	m := w.machines[0]
	steps := 0
	for range 10000 {
		w.time = w.time.Add(j.spec.TTL / 10000 * 9 / 10)
		m.worker.Tick()
		for m.steps[j.spec.ID] != nil {
			m.run(j.spec.ID)
			steps++
		}
	}
	if steps > 50 {
		t.Errorf("a part made %d steps in its time to live", steps)
	}
	w.until("it expires", func() bool {
		w.time = w.time.Add(j.spec.TTL / 100)
		return len(m.jobs()) == 0
	})
}

// A part that was due soon, and is not any more, is not looked at all the time.
func TestPartsThatBecomeDueLater(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open() // which a client has to confirm soon
	worker := w.machines[0].worker
	if w.settle(); len(worker.soon) == 0 {
		t.Error("a job that is being opened is not due soon")
	}
	j.healthy()
	w.settle()
	if worker.Tick(); len(worker.soon) > 0 {
		t.Error("an idle job is due soon")
	}
}

// settle lets everything happen that is on its way.
func (w *world) settle() {
	for range int(time.Second / (20 * time.Millisecond)) {
		w.once()
	}
}
