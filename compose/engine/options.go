package engine

import (
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// Options says which plan an embedded run answers, from which files, and within which
// bounds.
type Options struct {
	Plan   *physical.Plan
	Tables plan.Tables
	// Open opens the file of a table; it is called once per reading of the table,
	// and only for tables that the plan reads.
	Open func(table string) (vfs.File, error)
	// Files returns the files of a table that has several, and nil for one whose only file Open
	// opens. It may be nil.
	Files func(table string) *scan.Files

	Replicas   int    // tasks per stage, and scan workers up to the number of cores; 0: cores
	Memory     int64  // bytes that the whole process tries to stay within; 0: half of the machine's
	FS         vfs.FS // where spill goes
	SpillDir   string // the run makes a directory of its own below it; "": the system's
	BlockSize  int    // bytes of a table per batch; 0: 512 KiB, less if Memory is small
	MaxRejects int64  // most rejected rows of a scan before the run fails; negative: no bound
	// MaxRejectShare bounds the share of a table's rows that may be rejected: if it is
	// exceeded, the run fails before any answer; 0: no bound.
	MaxRejectShare float64

	// Watch returns the watcher of a table that is read, nil for none. It may be nil.
	Watch func(table string) Watcher

	// Early lets the answer begin before all tables were read if there is only one query.
	// If Run fails, the caller must discard what was written.
	Early bool

	// Reject is called with rejected rows in file order, Progress with how far the reading
	// is, Read with what all tables held, before the first answer unless that is Early. All
	// may be nil. Progress is called from one goroutine at a time.
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

// RowsTo is a function that takes rows, which it borrows, as Answers; nil discards them.
type RowsTo func(columnar.Rows) error

// Begin does nothing.
func (RowsTo) Begin(string, columnar.Schema) error { return nil }

// Write calls the function.
func (to RowsTo) Write(rows columnar.Rows) error {
	if to == nil {
		return nil
	}
	return to(rows)
}

// End does nothing.
func (RowsTo) End() error { return nil }

// Report says what a run did.
type Report struct {
	Tables     []TableReport `json:"tables"`
	Rows       int64         `json:"rows"`       // read, over all readings
	Bytes      int64         `json:"bytes"`      // of input files
	Spilled    int64         `json:"spilled"`    // bytes written to the spill directory
	SpillFiles int           `json:"spillFiles"` // that hold them
	Nodes      []NodeReport  `json:"nodes,omitempty"`

	at map[string]int // by name: the place among Tables
}

// TableReport says what one table held, counted once however often it was read.
type TableReport struct {
	Table string     `json:"table"`
	Scans int        `json:"scans"` // how often it was read
	Stats scan.Stats `json:"stats"`
	// Stopped means that reading stopped early, since the answers needed no more of the table.
	Stopped bool `json:"stopped,omitempty"`
}

// NodeReport says what one operator of the physical plan did, over all
// replicas; see physical.Plan for the nodes.
type NodeReport = exec.NodeReport
