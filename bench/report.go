package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Report is what a sweep measured.
type Report struct {
	Machine     string   `json:"machine"`
	Data        Data     `json:"data"`
	CheckMemory bool     `json:"checkMemory"`
	Workloads   []Result `json:"workloads"`
}

// Data says what was read: the files of a directory, or generated ones.
type Data struct {
	Dir   string  `json:"dir,omitempty"`
	Scale float64 `json:"scale,omitempty"`
	Seed  uint64  `json:"seed,omitempty"`
}

// Result is what was measured of one workload.
type Result struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	Points []Point `json:"points"`
}

// Point is one setting of a sweep with the runs that were made with it.
type Point struct {
	Replicas int      `json:"replicas"` // 0: one per core
	Memory   int64    `json:"memory"`   // bytes; 0: half of the machine's
	Samples  []Sample `json:"samples"`
}

// Sample is one run, a process from start to exit.
type Sample struct {
	Wall    time.Duration `json:"wallNanos"`
	CPU     time.Duration `json:"cpuNanos"` // user and system, over all cores
	Peak    int64         `json:"peak"`     // resident bytes; 0: the system does not say
	Spilled int64         `json:"spilled"`  // bytes written to the spill directory
	Rows    int64         `json:"rows"`     // read, over all scans
	Bytes   int64         `json:"bytes"`    // of input files, over all scans
	Answers string        `json:"answers"`  // SHA-256 of the answers as JSON
}

// Err returns an error for each workload whose answers are not the same bytes
// in all runs and, if the sweep was to check it, for each point with a run that
// took more memory than its limit and MemorySlack.
func (r *Report) Err() error {
	var errs []error
	for _, w := range r.Workloads {
		if n := len(w.Answers()); n > 1 {
			errs = append(errs, fmt.Errorf("%s: the runs gave %d different answers", w.Name, n))
		}
		for _, p := range w.Points {
			if r.CheckMemory && p.Excess() > MemorySlack {
				errs = append(errs, fmt.Errorf("%s with %s: the peak of %s MiB is more than the limit and %d MiB",
					w.Name, p, mib(p.Peak().Max), MemorySlack>>20))
			}
		}
	}
	return errors.Join(errs...)
}

// Answers returns the different hashes of the workload's answers. There is one
// unless something is broken.
func (w *Result) Answers() []string {
	var all []string
	for _, p := range w.Points {
		for _, s := range p.Samples {
			if !slices.Contains(all, s.Answers) {
				all = append(all, s.Answers)
			}
		}
	}
	return all
}

// Runs returns how many runs were counted.
func (w *Result) Runs() int {
	n := 0
	for _, p := range w.Points {
		n += len(p.Samples)
	}
	return n
}

// String says what the point's runs were given.
func (p Point) String() string {
	return fmt.Sprintf("replicas %s, memory %s", p.replicas(), p.memory())
}

func (p Point) replicas() string {
	if p.Replicas == 0 {
		return "default"
	}
	return fmt.Sprint(p.Replicas)
}

func (p Point) memory() string {
	if p.Memory == 0 {
		return "default"
	}
	return mib(p.Memory) + " MiB"
}

// Wall returns the spread of times from start to exit.
func (p Point) Wall() Spread[time.Duration] {
	return spreadOf(p.Samples, func(s Sample) time.Duration { return s.Wall })
}

// CPU returns the spread of processor times.
func (p Point) CPU() Spread[time.Duration] {
	return spreadOf(p.Samples, func(s Sample) time.Duration { return s.CPU })
}

// Peak returns the spread of peak memory in bytes.
func (p Point) Peak() Spread[int64] {
	return spreadOf(p.Samples, func(s Sample) int64 { return s.Peak })
}

// Spilled returns the spread of bytes spilled.
func (p Point) Spilled() Spread[int64] {
	return spreadOf(p.Samples, func(s Sample) int64 { return s.Spilled })
}

// BytesPerSecond returns the spread of input read per second.
func (p Point) BytesPerSecond() Spread[float64] {
	return spreadOf(p.Samples, func(s Sample) float64 { return float64(s.Bytes) / s.Wall.Seconds() })
}

// RowsPerSecond returns the spread of rows read per second.
func (p Point) RowsPerSecond() Spread[float64] {
	return spreadOf(p.Samples, func(s Sample) float64 { return float64(s.Rows) / s.Wall.Seconds() })
}

// Excess returns by how many bytes the highest peak is over the limit. Without
// a limit there is none.
func (p Point) Excess() int64 {
	if p.Memory == 0 {
		return 0
	}
	return max(p.Peak().Max-p.Memory, 0)
}
