package bench

import (
	"errors"
	"fmt"

	"analyzer/columnar/vfs"
)

// MemorySlack is by how much the resident memory of a process may exceed its
// limit: the program itself, its stacks, and what the runtime needs to collect.
const MemorySlack = 48 << 20

// Config says what a sweep measures. The zero values of Replicas, Memory,
// Repeat and SpillDir have a meaning; everything else is required unless it
// says otherwise.
type Config struct {
	Workloads []Workload
	// Replicas and Memory are swept over, each with each. None means one run
	// with the default, which is 0 in either.
	Replicas []int
	Memory   []int64 // bytes
	Repeat   int     // counted runs of each point; 0: 1

	// Dir holds the files: one directory for each data set, or one data set's
	// files themselves. If it is empty, Scale and Seed say what to generate.
	Dir   string
	Scale float64
	Seed  uint64

	// Command starts a process that calls Serve with its standard streams.
	Command []string
	FS      vfs.FS
	// SpillDir is where spill and generated files go, into a directory that is
	// removed in the end; "" is the system's.
	SpillDir string
	// CheckMemory makes a peak over limit and MemorySlack a failure.
	CheckMemory bool
	// Progress, if set, is told what is about to be done.
	Progress func(text string)
}

func (c Config) validate() error {
	var errs []error
	if len(c.Workloads) == 0 {
		errs = append(errs, errors.New("no workloads"))
	}
	if (c.Dir == "") == (c.Scale == 0) {
		errs = append(errs, errors.New("either a directory or a scale is needed"))
	}
	if len(c.Command) == 0 || c.FS == nil {
		errs = append(errs, errors.New("no command or no file system"))
	}
	if c.Repeat < 0 {
		errs = append(errs, fmt.Errorf("%d repetitions", c.Repeat))
	}
	for _, r := range c.Replicas {
		if r < 0 {
			errs = append(errs, fmt.Errorf("%d replicas", r))
		}
	}
	for _, m := range c.Memory {
		if m < 0 {
			errs = append(errs, fmt.Errorf("%d bytes of memory", m))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// withDefaults fills in what may be left out.
func (c Config) withDefaults() Config {
	if len(c.Replicas) == 0 {
		c.Replicas = []int{0}
	}
	if len(c.Memory) == 0 {
		c.Memory = []int64{0}
	}
	c.Repeat = max(c.Repeat, 1)
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	return c
}
