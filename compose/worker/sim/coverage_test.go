package sim_test

import (
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/worker"
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

// A seed is the same run each time, or a failing one could not be repeated.
func TestASeedIsOneRun(t *testing.T) {
	for s := range uint64(30) {
		cfg := configure(s + 1)
		first := (&scenarios{known: make(map[[2]uint64]scenario)}).traced(t, cfg)
		again := (&scenarios{known: make(map[[2]uint64]scenario)}).traced(t, cfg)
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

// Processes die at every point and before every kind of operation that changes the
// disk, requests come at every point, and whatever else is to happen does.
func TestEverythingHappens(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of seeds until everything has happened")
	}
	want := []string{
		"dies at no point", "loses what is not on disk", "cannot start", "goes through both gateways", "is filtered", "dies half way",
		"the broker restarts", "the broker loses", "submit the job again", "is lost", "is stopped", "cancels", "vanishes", "the job failed", "the failure is not durable",
		"reason=cancelled", "reason=done", "expired: nobody asked", "expired: it was never opened on all workers",
		"an error after which it must not go on",
	}
	disk := []string{worker.PointFsync, worker.PointManifest, worker.PointRename, worker.PointDirectorySync}
	for _, point := range worker.Points() {
		if !slices.Contains(disk, point) {
			want = append(want, "dies at "+point+"\n", "hears a request at "+point+"\n")
		}
	}
	for _, op := range []vfs.Kind{vfs.OpCreate, vfs.OpWrite, vfs.OpSync, vfs.OpRename, vfs.OpSyncDir, vfs.OpRemove, vfs.OpRemoveAll, vfs.OpMkdirAll} {
		want = append(want, "dies at "+op.String()+"\n")
	}
	jobs := &scenarios{known: make(map[[2]uint64]scenario)}
	for s := range uint64(3000) {
		notes := strings.Join(jobs.traced(t, configure(s+1)), "\n") + "\n"
		want = slices.DeleteFunc(want, func(w string) bool { return strings.Contains(notes, w) })
		if len(want) == 0 {
			t.Logf("in %d seeds", s+1)
			return
		}
	}
	t.Errorf("never happened: %q", want)
}
