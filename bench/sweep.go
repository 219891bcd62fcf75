// Package bench measures runs of workloads over replica counts and memory
// limits.
//
// A Workload is plans over tables, such as a data set's queries; some workloads
// exist only because their state is several times the memory they are given. Each
// run of a sweep is a Task in a process of its own, so that peak memory is that of
// the run alone, and its time includes everything from start to exit. The process
// hashes the answers: they must be the same bytes with any number of replicas and
// any limit, and a Report says whether they were.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"analyzer/datasets/generate"
)

// Sweep measures every workload in every cell. At each scale a workload first runs once
// uncounted, to fill the page cache. Then all its cells run in turn, Config.Repeat times, so
// that a slow moment of the machine affects all of them.
//
// Faults that the report finds are not errors of Sweep; see Report.Err. When ctx
// ends, the running process is stopped. Errors wrap ErrNoFile if files are missing, and
// ErrNoMachines if machines cannot be emulated.
func Sweep(ctx context.Context, c Config) (_ *Report, err error) {
	scratch, err := c.FS.MkdirTemp(c.SpillDir, "analyzer-bench-*")
	if err != nil {
		return nil, fmt.Errorf("bench: make a directory for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, c.FS.RemoveAll(scratch)) }()
	r := &Report{
		Format: Format, Began: time.Now().UTC().Truncate(time.Second), Machine: ThisMachine(), Program: c.Program,
		Data: Data{Dir: c.Dir, Scales: c.Scales, Seed: c.Seed}, CheckMemory: c.CheckMemory,
	}
	for _, w := range c.Workloads {
		r.Workloads = append(r.Workloads, Result{Name: w.Name, Title: w.Title})
	}
	if slices.Contains(c.Transports, RabbitMQ) {
		c.clusters, r.Gateways, r.Queues = &clusters{config: c}, c.Gateways, c.Queues.String()
		if c.MachineCores > 0 {
			r.Gateways, r.MachineCores = 0, c.MachineCores
			if err := tryMachine(c.MachineCores); err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
		}
		defer func() {
			r.Broker = c.clusters.version
			err = errors.Join(err, c.clusters.close())
		}()
	}
	if c.Dir != "" {
		return r, c.over(ctx, r, 0, c.Dir, scratch)
	}
	for _, scale := range c.Scales {
		dir := filepath.Join(scratch, fmt.Sprint(scale))
		if err := c.generate(ctx, dir, scale); err != nil {
			return nil, err
		}
		if err := c.over(ctx, r, scale, dir, scratch); err != nil {
			return nil, err
		}
		if err := c.FS.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
	}
	return r, nil
}

// over measures all workloads over the files of one directory.
func (c Config) over(ctx context.Context, r *Report, scale float64, dir, scratch string) error {
	for _, w := range c.Workloads {
		if _, err := w.find(c.FS, dir); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	for i, w := range c.Workloads {
		cells, err := c.measure(ctx, w.Name, scale, Task{Workload: w.Name, Dir: dir, SpillDir: scratch})
		if err != nil {
			return fmt.Errorf("bench: workload %s: %w", w.Name, err)
		}
		r.Workloads[i].Cells = append(r.Workloads[i].Cells, cells...)
		if w.Name != w.Dataset.Name {
			continue
		}
		c.Progress(fmt.Sprintf("%s: reading alone", w.Name))
		floor, err := c.floor(ctx, &w, scale, dir)
		if err != nil {
			return fmt.Errorf("bench: workload %s: %w", w.Name, err)
		}
		r.Floors = append(r.Floors, floor)
	}
	return nil
}

// measure measures one workload in all cells.
func (c Config) measure(ctx context.Context, name string, scale float64, t Task) ([]Cell, error) {
	cells := c.cells(scale)
	c.Progress(fmt.Sprintf("%s: a run to warm up", name))
	if _, err := c.run(ctx, t, cells[0].Setting); err != nil {
		return nil, err
	}
	for n := range c.Repeat {
		for i := range cells {
			cell := &cells[i]
			c.Progress(fmt.Sprintf("%s: %s, run %d of %d", name, cell.Setting, n+1, c.Repeat))
			r, err := c.run(ctx, t, cell.Setting)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cell.Setting, err)
			}
			cell.Runs = append(cell.Runs, r)
		}
	}
	if len(c.Profiles) == 0 {
		return cells, nil
	}
	for _, cell := range cells {
		c.Progress(fmt.Sprintf("%s: %s, with profiles", name, cell.Setting))
		if err := c.profile(ctx, t, cell.Setting); err != nil {
			return nil, fmt.Errorf("%s: %w", cell.Setting, err)
		}
	}
	return cells, nil
}

// cells returns the cells of one scale, without runs. Pages vary only in a cluster.
func (c Config) cells(scale float64) []Cell {
	var all []Cell
	for _, transport := range c.Transports {
		for _, memory := range c.Memory {
			for _, replicas := range c.Replicas {
				s := Setting{Scale: scale, Transport: transport, Memory: memory, Replicas: replicas}
				for _, s.Follow = range c.Follow {
					if transport == InMemory {
						all = append(all, Cell{Setting: s})
						continue
					}
					for _, s.Pages = range c.Pages {
						all = append(all, Cell{Setting: s})
					}
				}
			}
		}
	}
	return all
}

func (c Config) run(ctx context.Context, t Task, s Setting) (Run, error) {
	t.Setting = s
	if s.Transport == RabbitMQ {
		return c.clusters.run(ctx, t)
	}
	return launch(ctx, c.Command, t)
}

// generate writes the data sets that the workloads read below dir.
func (c Config) generate(ctx context.Context, dir string, scale float64) error {
	done := make(map[string]bool)
	for _, w := range c.Workloads {
		if done[w.Dataset.Name] {
			continue
		}
		done[w.Dataset.Name] = true
		c.Progress(fmt.Sprintf("generating %s%s", w.Dataset.Name, atScale(scale)))
		into := filepath.Join(dir, w.Dataset.Name)
		err := c.FS.MkdirAll(into)
		if err == nil {
			err = w.Dataset.Generate(ctx, generate.Options{
				Scale: scale, Seed: c.Seed,
				Create: func(name string) (io.WriteCloser, error) { return c.FS.Create(filepath.Join(into, name)) },
			})
		}
		if err != nil {
			return fmt.Errorf("bench: generate %s: %w", w.Dataset.Name, err)
		}
	}
	return nil
}
