package bench

import (
	"io"

	"analyzer/columnar/vfs"
	"analyzer/shuffle/broker"
)

// MemorySlack is by how much a process's resident memory, without the pages of its program, may
// exceed its limit. It is for stacks, and what the garbage collector needs.
const MemorySlack = 24 << 20

// Config says what a sweep measures. Everything is required unless it says otherwise.
type Config struct {
	Workloads []Workload
	// The sweep covers all combinations of Transports, Replicas, Memory, Follow and Pages; see
	// Setting.
	Transports []Transport
	Replicas   []int
	Memory     []int64 // bytes
	Follow     []Following
	Pages      []int       // only for clusters
	Repeat     int         // counted runs of each cell
	Gateways   int         // of each cluster
	Queues     broker.Kind // of each cluster
	// MachineCores makes each replica of a cluster a machine: a worker and a gateway that have so many
	// cores together. Gateways, of which there are as many, read the files. 0: all share all cores, and
	// the client reads.
	MachineCores float64

	// Dir holds the files: one directory per data set, or the files of a single data set.
	// If Dir is empty, files are generated at each of Scales.
	Dir    string
	Scales []float64
	Seed   uint64

	Program string // version of the program, for the report
	// Command starts a process that calls Serve with its standard streams.
	Command []string
	FS      vfs.FS
	// SpillDir is the parent of a temporary directory for spill and generated files; "": the
	// system's.
	SpillDir string
	// Profiles are kinds of profiles. If there are any, each cell runs once more,
	// uncounted, and the profiles of each of its processes go into files that Create makes.
	Profiles []string
	Create   func(name string) (io.WriteCloser, error)
	// CheckMemory makes a peak above the limit, the program and MemorySlack an error of Report.Excess.
	CheckMemory bool
	// Progress is told what the sweep does next. It may be called from any goroutine.
	Progress func(text string)

	clusters *clusters // nil unless the sweep measures clusters
}
