package bench

import (
	"context"
	"errors"
	"fmt"
)

// Run measures every workload at every point of a sweep. Each workload runs
// once uncounted, which fills the page cache, and then at all points in turn,
// as often as the sweep repeats, so that a slow moment of the machine is shared
// by all of them.
//
// What the report finds fault with is not an error of Run; see Report.Err. When
// ctx ends, the process that is running is stopped. Errors wrap ErrNoFile where
// files are missing.
func Run(ctx context.Context, c Config) (r *Report, err error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	scratch, err := c.FS.MkdirTemp(c.SpillDir, "analyzer-bench-*")
	if err != nil {
		return nil, fmt.Errorf("bench: make a directory for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, c.FS.RemoveAll(scratch)) }()
	dir := c.Dir
	if dir == "" {
		if dir, err = c.generate(ctx, scratch); err != nil {
			return nil, err
		}
	}
	r = &Report{Machine: thisMachine(), Data: c.data(), CheckMemory: c.CheckMemory}
	for _, w := range c.Workloads {
		if _, err := w.find(c.FS, dir); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
	}
	for _, w := range c.Workloads {
		points, err := c.sweep(ctx, w, Task{Workload: w.Name, Dir: dir, SpillDir: scratch})
		if err != nil {
			return nil, fmt.Errorf("bench: workload %s: %w", w.Name, err)
		}
		r.Workloads = append(r.Workloads, Result{Name: w.Name, Title: w.Title, Points: points})
	}
	return r, nil
}

// sweep measures one workload at all points.
func (c Config) sweep(ctx context.Context, w Workload, t Task) ([]Point, error) {
	var points []Point
	for _, m := range c.Memory {
		for _, r := range c.Replicas {
			points = append(points, Point{Replicas: r, Memory: m})
		}
	}
	c.Progress(fmt.Sprintf("%s: a run to warm up", w.Name))
	if _, err := c.measure(ctx, t, points[0]); err != nil {
		return nil, err
	}
	for n := range c.Repeat {
		for i := range points {
			p := &points[i]
			c.Progress(fmt.Sprintf("%s: %s, run %d of %d", w.Name, p, n+1, c.Repeat))
			s, err := c.measure(ctx, t, *p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			p.Samples = append(p.Samples, s)
		}
	}
	return points, nil
}

func (c Config) measure(ctx context.Context, t Task, p Point) (Sample, error) {
	t.Replicas, t.Memory = p.Replicas, p.Memory
	return launch(ctx, c.Command, t)
}

// generate writes the data sets that the workloads read below dir.
func (c Config) generate(ctx context.Context, dir string) (string, error) {
	done := make(map[string]bool)
	for _, w := range c.Workloads {
		if done[w.Dataset.Name] {
			continue
		}
		done[w.Dataset.Name] = true
		c.Progress(fmt.Sprintf("generating %s", w.Dataset.Name))
		if err := generateInto(ctx, c.FS, dir, w.Dataset, c.Scale, c.Seed); err != nil {
			return "", fmt.Errorf("bench: generate %s: %w", w.Dataset.Name, err)
		}
	}
	return dir, nil
}

func (c Config) data() Data {
	if c.Dir != "" {
		return Data{Dir: c.Dir}
	}
	return Data{Scale: c.Scale, Seed: c.Seed}
}
