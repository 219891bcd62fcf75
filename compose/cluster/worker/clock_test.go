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
	m := w.machines[0].worker
	steps := 0
	for range 10000 {
		w.time = w.time.Add(j.spec.TTL / 10000 * 9 / 10)
		m.Tick()
		for m.Waiting(j.spec.ID) > 0 {
			m.Step(j.spec.ID)
			steps++
		}
	}
	if steps > 50 {
		t.Errorf("a part made %d steps in its time to live", steps)
	}
	w.until("it expires", func() bool {
		w.time = w.time.Add(j.spec.TTL / 100)
		return len(m.Jobs()) == 0
	})
}

// settle lets everything happen that is on its way.
func (w *world) settle() {
	for range int(time.Second / (20 * time.Millisecond)) {
		w.once()
	}
}
