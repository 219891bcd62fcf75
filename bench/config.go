package bench

import (
	"io"

	"analyzer/columnar/vfs"
	"analyzer/shuffle/broker"
)

// MemorySlack is by how much the resident memory of a process may exceed its
// limit: the program itself, its stacks, and what the runtime needs to collect.
const MemorySlack = 48 << 20

// Config says what a sweep measures. Everything is required unless it says otherwise.
type Config struct {
	Workloads []Workload
	// Transports, Replicas, Memory, Follow and Pages are swept over, each with each; see
	// Setting.
	Transports []Transport
	Replicas   []int
	Memory     []int64 // bytes
	Follow     []Following
	Pages      []int       // of clusters alone
	Repeat     int         // counted runs of each cell
	Gateways   int         // of each cluster
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
	// Progress is told what is about to be done, from any goroutine.
	Progress func(text string)

	clusters *clusters // of a sweep that has one
}
