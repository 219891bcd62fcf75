package bench

import (
	"errors"
	"fmt"
	"io"

	"analyzer/columnar/vfs"
	"analyzer/shuffle/broker"
)

// MemorySlack is by how much the resident memory of a process may exceed its
// limit: the program itself, its stacks, and what the runtime needs to collect.
const MemorySlack = 48 << 20

// Config says what a sweep measures. What it sweeps over and Repeat have
// defaults; everything else is required unless it says otherwise.
type Config struct {
	Workloads []Workload
	// Transports, Replicas, Memory, Follow and Pages are swept over, each with each; see
	// Setting.
	// None means the one with its zero value, of transports InMemory.
	Transports []Transport
	Replicas   []int
	Memory     []int64 // bytes
	Follow     []Following
	Pages      []int       // of clusters alone
	Repeat     int         // counted runs of each cell; 0: 1
	Gateways   int         // of each cluster; 0: 1
	Queues     broker.Kind // of each cluster

	// Dir holds the files: one directory for each data set, or one data set's
	// files themselves. If it is empty, files are generated at each of Scales.
	Dir    string
	Scales []float64
	Seed   uint64

	Program string // version of the program, for the report
	// Command starts a process that calls Serve with its standard streams.
	Command []string
	FS      vfs.FS
	// SpillDir is where spill and generated files go, into a directory that is
	// removed in the end; "" is the system's.
	SpillDir string
	// Profiles are kinds of profiles. If there are any, each cell is run once more,
	// uncounted, and what each of its processes writes goes into a file that Create makes.
	Profiles []string
	Create   func(name string) (io.WriteCloser, error)
	// CheckMemory makes a peak over limit and MemorySlack a failure.
	CheckMemory bool
	// Progress, if set, is told what is about to be done, from any goroutine.
	Progress func(text string)

	clusters *clusters // of a sweep that has one
}

func (c Config) validate() error {
	var errs []error
	if len(c.Workloads) == 0 {
		errs = append(errs, errors.New("no workloads"))
	}
	if (c.Dir == "") == (len(c.Scales) == 0) {
		errs = append(errs, errors.New("either a directory or scales are needed"))
	}
	for _, t := range c.Transports {
		if t != InMemory && t != RabbitMQ {
			errs = append(errs, fmt.Errorf("no transport %q", t))
		}
	}
	for _, s := range c.Scales {
		if s <= 0 {
			errs = append(errs, fmt.Errorf("scale %v", s))
		}
	}
	if len(c.Command) == 0 || c.FS == nil {
		errs = append(errs, errors.New("no command or no file system"))
	}
	if len(c.Profiles) > 0 && c.Create == nil {
		errs = append(errs, errors.New("nowhere to write profiles to"))
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
	for _, f := range c.Follow {
		if _, err := f.every(); err != nil {
			errs = append(errs, err)
		}
	}
	for _, p := range c.Pages {
		if p < 0 {
			errs = append(errs, fmt.Errorf("%d pages", p))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// withDefaults fills in what may be left out.
func (c Config) withDefaults() Config {
	if len(c.Transports) == 0 {
		c.Transports = []Transport{InMemory}
	}
	if len(c.Replicas) == 0 {
		c.Replicas = []int{0}
	}
	if len(c.Memory) == 0 {
		c.Memory = []int64{0}
	}
	if len(c.Follow) == 0 {
		c.Follow = []Following{AtEnd}
	}
	if len(c.Pages) == 0 {
		c.Pages = []int{0}
	}
	c.Repeat, c.Gateways = max(c.Repeat, 1), max(c.Gateways, 1)
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	return c
}
