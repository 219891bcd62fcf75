package engine

import (
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/operators/exec"
	"analyzer/operators/plan"
	"analyzer/operators/planner"
)

// Options says what an embedded run answers, from which files, and within which
// bounds.
type Options struct {
	Plan   *planner.Plan // of NewPlan
	Tables plan.Tables
	// Open opens the file of a table; it is called once per scan of the table,
	// and only for tables that the plan reads.
	Open func(table string) (vfs.File, error)

	Replicas   int    // tasks per stage, and scan workers up to the number of cores; 0: cores
	Memory     int64  // bytes the whole process is to stay near; 0: half of the machine's
	FS         vfs.FS // where spill goes
	SpillDir   string // a directory of its own is made below; "": the system's
	BlockSize  int    // bytes of a table per batch; 0: 512 KiB, and less where Memory is little
	MaxRejects int64  // rejected rows of a scan that end the run; negative: no bound
	// MaxRejectShare is the share of a table's rows beyond which rejected ones
	// end the run before any answer; 0: no bound.
	MaxRejectShare float64

	// Watch returns what watches a table while it is read, nil if nobody does. It may
	// be nil.
	Watch func(table string) Watcher

	// Early lets the answer to the only query begin before all tables were read: it does
	// not count, and is taken back, when Run fails.
	Early bool

	// Reject is told of rejected rows in file order, Progress of what was read,
	// Read of what all tables held, before the first answer unless that is Early. All may be nil. Progress is
	// called from one goroutine at a time.
	Reject   func(scan.Reject) error
	Progress func(Progress)
	Read     func(*Report) error
}

// Answers receives the answers, one query after the other in the order of
// the queries of the plan. Calls come one at a time.
type Answers interface {
	// Begin starts a query's answer with its columns.
	Begin(query string, columns columnar.Schema) error
	// Write adds rows, which it borrows.
	Write(rows columnar.Rows) error
	// End completes the answer begun last.
	End() error
}

// Report says what a run did.
type Report struct {
	Tables     []TableReport `json:"tables"`
	Rows       int64         `json:"rows"`       // read, over all scans
	Bytes      int64         `json:"bytes"`      // of input files
	Spilled    int64         `json:"spilled"`    // bytes written to the spill directory
	SpillFiles int           `json:"spillFiles"` // that hold them
	Nodes      []NodeReport  `json:"nodes,omitempty"`
}

// TableReport says what one table held, once however often it was scanned.
type TableReport struct {
	Table string     `json:"table"`
	Scans int        `json:"scans"`
	Stats scan.Stats `json:"stats"`
	// Stopped means that the answers needed no more of it than was read.
	Stopped bool `json:"stopped,omitempty"`
}

// NodeReport says what one operator of the physical plan did, over all
// replicas; see planner.Plan for the nodes.
type NodeReport = exec.NodeReport
