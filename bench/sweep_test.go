package bench

import (
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
	c.Scale, c.Seed = 0.001, 1
	c.Replicas, c.Memory, c.Repeat, c.CheckMemory = []int{1, 3}, []int64{64 << 20, 0}, 2, true
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	if len(r.Workloads) != len(workloads) {
		t.Fatalf("%d workloads were measured of %d", len(r.Workloads), len(workloads))
	}
	for _, w := range r.Workloads {
		if len(w.Points) != 4 || w.Runs() != 8 {
			t.Errorf("%s: %d runs at %d points, want 8 at 4", w.Name, w.Runs(), len(w.Points))
		}
		for _, p := range w.Points {
			for _, s := range p.Samples {
				if s.Wall <= 0 || s.CPU <= 0 || s.Rows <= 0 || s.Bytes <= 0 || s.Peak < 1<<20 || len(s.Answers) != 64 {
					t.Errorf("%s with %s: implausible %+v", w.Name, p, s)
				}
			}
		}
	}
	if left := entries(t, c.SpillDir); len(left) > 0 {
		t.Errorf("%s were left behind", left)
	}
}

func TestSweepSpills(t *testing.T) {
	c := sweepAs(t, "serve", "groups", "selfjoin", "listagg")
	c.Scale, c.Memory = 0.02, []int64{1 << 20, 1 << 30}
	if testing.Short() {
		c.Scale = 0.01
	}
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	for _, w := range r.Workloads {
		small, large := w.Points[0].Spilled().Median, w.Points[1].Spilled().Median
		if w.Name != "listagg" && small == 0 {
			t.Errorf("%s in 1 MiB spilled nothing", w.Name)
		}
		if large != 0 {
			t.Errorf("%s in 1 GiB spilled %d bytes", w.Name, large)
		}
	}
}

func TestDifferentAnswersFail(t *testing.T) {
	c := sweepAs(t, "differ", "groups")
	c.Dir, c.Repeat = writeRatings(t, "userId,movieId,rating,timestamp\n"), 2
	c.Memory, c.CheckMemory = []int64{64 << 20}, true
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	err = r.Err()
	for _, want := range []string{"2 different answers", "the peak of 200 MiB"} {
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
		_, err := Run(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "groups") {
			t.Errorf("%s: error %v, want one with %q", tt.role, err, tt.want)
		}
		if left := entries(t, c.SpillDir); len(left) > 0 {
			t.Errorf("%s: %s were left behind", tt.role, left)
		}
	}
	c := sweepAs(t, "serve", "groups")
	c.Dir, c.Command = writeRatings(t, "userId,movieId,rating,timestamp\n"), []string{filepath.Join(t.TempDir(), "nothing")}
	if _, err := Run(t.Context(), c); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: error %v", err)
	}
}

func TestMissingFiles(t *testing.T) {
	for name, dir := range map[string]string{"no directory": "nowhere", "empty": t.TempDir()} {
		c := sweepAs(t, "serve", "movies")
		c.Dir = dir
		if _, err := Run(t.Context(), c); !errors.Is(err, ErrNoFile) {
			t.Errorf("%s: error %v, want %v", name, err, ErrNoFile)
		}
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	for _, tt := range []struct {
		spoil func(*Config)
		want  string
	}{
		{func(c *Config) { c.Workloads = nil }, "no workloads"},
		{func(c *Config) { c.Scale = 1 }, "either a directory or a scale"},
		{func(c *Config) { c.Dir = "" }, "either a directory or a scale"},
		{func(c *Config) { c.Command = nil }, "no command"},
		{func(c *Config) { c.Repeat = -1 }, "-1 repetitions"},
		{func(c *Config) { c.Replicas = []int{1, -1} }, "-1 replicas"},
		{func(c *Config) { c.Memory = []int64{-1} }, "-1 bytes"},
	} {
		c := sweepAs(t, "serve", "groups")
		c.Dir = "somewhere"
		tt.spoil(&c)
		if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want one with %q", err, tt.want)
		}
	}
}
