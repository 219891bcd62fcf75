package sim_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"analyzer/compose/cluster/sim"
)

// traced simulates a seed and returns what happened.
func (s *scenarios) traced(t *testing.T, cfg config) []string {
	t.Helper()
	var notes []string
	cfg.Trace = func(note string) { notes = append(notes, note) }
	if err := s.simulate(t, cfg); err != nil {
		t.Fatal(err)
	}
	return notes
}

// A seed gives the same run each time, so that a failing run can be repeated.
func TestASeedIsOneRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it is left out with -short")
	}
	for s := range uint64(30) {
		cfg := configure(s + 1)
		first := (&scenarios{known: make(map[[3]uint64]scenario)}).traced(t, cfg)
		again := (&scenarios{known: make(map[[3]uint64]scenario)}).traced(t, cfg)
		if !slices.Equal(first, again) {
			for i := range min(len(first), len(again)) {
				if first[i] != again[i] {
					t.Fatalf("seed %d: note %d is %q, and then %q", s+1, i, first[i], again[i])
				}
			}
			t.Fatalf("seed %d: %d notes, and then %d", s+1, len(first), len(again))
		}
	}
}

// coverage is the set of events that no seed has shown yet. The goroutines of all seeds
// share it.
type coverage struct {
	mu   sync.Mutex
	want []string
}

// newCoverage returns all events to be seen: the death of a process at every failpoint
// and before every kind of operation that changes the disk, a request at every
// failpoint, and some more.
func newCoverage() *coverage {
	want := []string{
		"dies at no point", "loses what is not on disk", "cannot start", "goes through both gateways", "is filtered", "dies half way",
		"the broker restarts", "the broker loses", "submit the job again", "is lost", "is stopped", "cancels", "vanishes", "gives its opening up", "a late request", "has not gone on with it", "the job failed", "the failure is not durable",
		"reason=cancelled", "reason=done", "expired: nobody asked",
		"an error after which it must not go on",
		"a cut of job", "is given up", "appends\n", "appends the same again",
	}
	for _, point := range sim.Points() {
		want = append(want, "dies at "+point+"\n", "hears a request at "+point+"\n")
	}
	for _, op := range sim.Operations() {
		want = append(want, "dies at "+op+"\n")
	}
	return &coverage{want: want}
}

// left returns the events not yet seen.
func (c *coverage) left() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.want)
}

// see takes the notes of a seed.
func (c *coverage) see(notes string) {
	happened := func(w string) bool { return strings.Contains(notes, w) }
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = slices.DeleteFunc(c.want, happened)
}
