package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSweepOverGeneratedData(t *testing.T) {
	workloads := WorkloadNames()
	if testing.Short() {
		workloads = []string{"movies", "listagg"}
	}
	c := sweepAs(t, "serve", workloads...)
	c.Scales, c.Seed = []float64{0.0005, 0.001}, 1
	// The race detector alone takes some 50 MiB.
	c.Replicas, c.Memory, c.Repeat, c.CheckMemory = []int{1, 3}, []int64{128 << 20}, 2, true
	r, err := Sweep(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Err(), r.Excess()); err != nil {
		t.Error(err)
	}
	if len(r.Workloads) != len(workloads) {
		t.Fatalf("%d workloads were measured of %d", len(r.Workloads), len(workloads))
	}
	for _, w := range r.Workloads {
		if len(w.Cells) != 4 {
			t.Errorf("%s: %d cells, want 4", w.Name, len(w.Cells))
		}
		for _, cell := range w.Cells {
			if len(cell.Runs) != 2 {
				t.Errorf("%s with %s: %d runs, want 2", w.Name, cell.Setting, len(cell.Runs))
			}
			for _, run := range cell.Runs {
				if run.Wall <= 0 || run.CPU <= 0 || run.Rows <= 0 || run.Bytes <= 0 || run.Peak < 1<<20 || len(run.Answers) != 64 || len(run.Stages) < 2 {
					t.Errorf("%s with %s: implausible %+v", w.Name, cell.Setting, run)
				}
			}
		}
	}
	for _, f := range r.Floors {
		if f.Bytes <= 0 || f.Read <= 0 || f.Index <= 0 {
			t.Errorf("implausible %+v", f)
		}
	}
	if len(r.Floors) == 0 {
		t.Error("no floor was measured")
	}
	if left := entries(t, c.SpillDir); len(left) > 0 {
		t.Errorf("%s were left behind", left)
	}
}

// TestSweepOfClustersThatFails checks that failures before a cluster is up are reported.
func TestSweepOfClustersThatFails(t *testing.T) {
	c := sweepAs(t, "serve", "groups")
	c.Scales, c.Transports = []float64{0.001}, []Transport{RabbitMQ}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if r, err := Sweep(ctx, c); r != nil || !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
		t.Errorf("report %v, error %v", r, err)
	}
}

func TestSweepSpills(t *testing.T) {
	c := sweepAs(t, "serve", "groups", "selfjoin", "listagg")
	c.Scales, c.Memory = []float64{0.02}, []int64{1 << 20, 1 << 30}
	if testing.Short() {
		c.Scales = []float64{0.01}
	}
	r, err := Sweep(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	for _, w := range r.Workloads {
		small, large := w.Cells[0].MedianRun(), w.Cells[1].MedianRun()
		if w.Name != "listagg" && (small.Spilled == 0 || small.SpillFiles == 0) {
			t.Errorf("%s in 1 MiB spilled nothing", w.Name)
		}
		if large.Spilled != 0 || large.SpillFiles != 0 {
			t.Errorf("%s in 1 GiB spilled %d bytes", w.Name, large.Spilled)
		}
	}
}

func TestDifferentAnswersFail(t *testing.T) {
	c := sweepAs(t, "differ", "groups")
	c.Dir, c.Repeat = writeRatings(t, "userId,movieId,rating,timestamp\n"), 2
	c.Memory, c.CheckMemory = []int64{64 << 20}, true
	r, err := Sweep(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(r.Err(), r.Excess())
	for _, want := range []string{"2 different answers", "a peak is 136 MiB over the limit"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestProcessesThatFail(t *testing.T) {
	for _, tt := range []struct{ role, want string }{
		{"fail", "the disk is on fire"},
		{"babble", "read what process"},
	} {
		c := sweepAs(t, tt.role, "groups")
		c.Dir = writeRatings(t, "userId,movieId,rating,timestamp\n")
		_, err := Sweep(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "groups") {
			t.Errorf("%s: error %v, want one with %q", tt.role, err, tt.want)
		}
		if left := entries(t, c.SpillDir); len(left) > 0 {
			t.Errorf("%s: %s were left behind", tt.role, left)
		}
	}
	c := sweepAs(t, "serve", "groups")
	c.Dir, c.Command = writeRatings(t, "userId,movieId,rating,timestamp\n"), []string{filepath.Join(t.TempDir(), "nothing")}
	if _, err := Sweep(t.Context(), c); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: error %v", err)
	}
}

func TestMissingFiles(t *testing.T) {
	for name, dir := range map[string]string{"no directory": "nowhere", "empty": t.TempDir()} {
		c := sweepAs(t, "serve", "movies")
		c.Dir = dir
		if _, err := Sweep(t.Context(), c); !errors.Is(err, ErrNoFile) {
			t.Errorf("%s: error %v, want %v", name, err, ErrNoFile)
		}
	}
}
