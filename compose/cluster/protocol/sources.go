package protocol

import (
	"errors"
	"fmt"
	"maps"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/operators/query/plan"
)

// Fingerprint tells whether a file has changed, as version control does: by its size, its
// modification time, and a hash of sampled pages or what its keeper calls its version.
type Fingerprint struct {
	Size    int64  `json:"size"`              // bytes, as stored
	Written int64  `json:"written,omitempty"` // Unix time in ns; 0 where the file does not say
	Sample  string `json:"sample"`            // xxhash64 in hex, or a version
}

// Source is what gateways read of a table for a job: it is fixed when the job is opened, so that any
// gateway makes the same batches of it. A file that has become another one fails the job.
type Source struct {
	SourceFile
	Files *SourceFiles `json:"files,omitempty"` // those of a table that has several, instead of a file
	// Ends are the blocks before which the ranges end in which the file is read, the last of which is behind the
	// file; nil: it is read as a whole. The gateway that opens the job finds them.
	Ends []int64 `json:"ends,omitempty"`
	// Ranged means in jobs of versions before ending that the file can be read from any block on.
	Ranged bool `json:"ranged,omitempty"`
	// Splits is in how many splits the table is read at most; 0: as many as may be.
	Splits int `json:"splits,omitempty"`
}

// SourceFile is a file that gateways read.
type SourceFile struct {
	Name string `json:"name"` // a full path on the machines of gateways, or the name of a remote file
	Fingerprint
}

// Whole returns sources, by table, of which no file is read in ranges.
func Whole(sources map[string]Source) map[string]Source {
	whole := maps.Clone(sources)
	for table, s := range whole {
		if s.Files == nil {
			s.Ends, s.Ranged, s.Splits = nil, false, 1
			whole[table] = s
		}
	}
	return whole
}

// All returns the files of a source, in the order of the rows of the table.
func (s Source) All() []SourceFile {
	if s.Files == nil {
		return []SourceFile{s.SourceFile}
	}
	files := make([]SourceFile, len(s.Files.All))
	for i, f := range s.Files.All {
		files[i] = f.SourceFile
	}
	return files
}

// BindRequest asks a gateway which files below its sources a request reads. Of a statement it
// also asks for the plan, with the types of columns, for which the gateway may read the files.
type BindRequest struct {
	At    string            `json:"at"`              // where relative names begin
	Files map[string]string `json:"files,omitempty"` // by table: files that were named for single tables

	// Tables are those of a data set that are read. They have names of files that are looked for
	// in At.
	Tables []*columnar.Table `json:"tables,omitempty"`

	Statement  string            `json:"statement,omitempty"`
	Before     []string          `json:"before,omitempty"` // statements that define what it reads
	Params     map[string]string `json:"params,omitempty"`
	Iterations int               `json:"iterations,omitempty"` // of recursive queries; 0: the default
	LargeSums  bool              `json:"largeSums,omitempty"`  // sums of BIGINTs are HUGEINTs
	// LargeResults says that calculations with DECIMALs have more digits.
	LargeResults bool `json:"largeResults,omitempty"`

	// Readers is how many gateways the client has read at a time.
	Readers int `json:"readers,omitempty"`
}

// Bound is the answer to a BindRequest. Tables and Queries are those of a statement.
type Bound struct {
	Sources map[string]Source `json:"sources"` // by table
	Tables  []*columnar.Table `json:"tables,omitempty"`
	Queries []*plan.Query     `json:"queries,omitempty"`
	// Notices are what a person should know of the files.
	Notices []Notice `json:"notices,omitempty"`
	// AllRows means that no row may be rejected.
	AllRows bool `json:"allRows,omitempty"`
}

// Notice is something that a person should know of a file.
type Notice struct {
	Text string `json:"text"`
	Loss bool   `json:"loss,omitempty"` // columns of the file are left out
}

// FeedRequest asks a gateway to read a split of a job's sources and to upload it, for as long as the
// call lasts. It may be sent again, to any gateway: batches count once.
type FeedRequest struct {
	Job JobID `json:"job"`
	Unit
	MaxRejects     int64   `json:"maxRejects"` // as for an upload
	MaxRejectShare float64 `json:"maxRejectShare,omitempty"`
	Rejects        bool    `json:"rejects,omitempty"` // rejected rows are wanted
	// Before is what precedes a range of a file, if the client knows it.
	Before *csv.Edge `json:"before,omitempty"`
}

// News is one result of a call that may take long. The last one has Bound, Fed or Fault.
type News struct {
	Progress *engine.Progress `json:"progress,omitempty"`
	Rejected *Rejected        `json:"rejected,omitempty"`
	Bound    *Bound           `json:"bound,omitempty"`
	Fed      *engine.Report   `json:"fed,omitempty"`
	Passage  *csv.Passage     `json:"passage,omitempty"` // with Fed, of a range of a file
	Fault    *Fault           `json:"fault,omitempty"`
}

// Rejected is a rejected row. Those of a file come in its order.
type Rejected struct {
	scan.Reject
	Record []byte `json:"record"`
}

// Fault is an error in what was asked for or in a file, as the caller would have found it.
type Fault struct {
	Kind fault.Kind `json:"kind,omitempty"`
	Hint string     `json:"hint,omitempty"`
	Text string     `json:"text,omitempty"`
	// Input is set if a file is at fault. Rejects says that its cause is scan.ErrTooManyRejects.
	Input   *InputError `json:"input,omitempty"`
	Rejects bool        `json:"rejects,omitempty"`
}

// InputError is a scan.InputError without its cause.
type InputError struct {
	File   string `json:"file"`
	Line   int64  `json:"line,omitempty"`
	Column string `json:"column,omitempty"`
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// Err returns the error that a Fault describes.
func (f *Fault) Err() error {
	if f.Input == nil {
		return &fault.Error{Kind: f.Kind, Hint: f.Hint, Err: errors.New(f.Text)}
	}
	err := &scan.InputError{File: f.Input.File, Line: f.Input.Line, Column: f.Input.Column, Reason: f.Input.Reason, Detail: f.Input.Detail, Hint: f.Input.Hint}
	if f.Rejects {
		err.Err = scan.ErrTooManyRejects
	}
	return err
}

// FaultOf returns an error in what was asked for or in a file as the caller gets it; nil if it is
// another one.
func FaultOf(err error) *Fault {
	f := new(Fault)
	if input, ok := errors.AsType[*scan.InputError](err); ok {
		f.Input, f.Rejects = &InputError{File: input.File, Line: input.Line, Column: input.Column, Reason: input.Reason, Detail: input.Detail, Hint: input.Hint}, errors.Is(err, scan.ErrTooManyRejects)
		if input.Err != nil && !f.Rejects {
			f.Input.Detail = fmt.Sprintf("%s: %v", input.Detail, input.Err)
		}
		return f
	}
	if known, ok := errors.AsType[*fault.Error](err); ok && CodeOf(err) == "" {
		f.Kind, f.Hint, f.Text = known.Kind, known.Hint, known.Error()
		return f
	}
	return nil
}
