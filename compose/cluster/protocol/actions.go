package protocol

import (
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar/scan"
	"analyzer/operators/query/plan"
)

// Action is a type of request to a gateway or to a worker.
type Action string

// The actions. All but List and Claim are about one job; Open makes it. The constants are
// untyped, since the type of a Flight action is a string.
const (
	ActionOpen     = "open"     // take part in a new job; answered once that is durable
	ActionDescribe = "describe" // the job's spec
	ActionStatus   = "status"   // how far the job is
	ActionList     = "list"     // the jobs there are
	ActionKeys     = "keys"     // the key hashes of a join's build side
	ActionEnd      = "end"      // end the job everywhere; among workers, replica 0 takes it

	// ActionEndTable, of gateways only, says that the table of a scan is complete.
	ActionEndTable = "endtable"
	// ActionCut, of gateways only, makes a job of the batches that another has received.
	ActionCut = "cut"

	// ActionBind, of gateways only, finds files below their sources, and plans statements.
	ActionBind = "bind"
	// ActionFeed, of gateways only, reads the sources of a job as long as the call lasts.
	ActionFeed = "feed"

	// ActionNote reads or writes the note that a job keeps of a table; among workers,
	// replica 0 takes it.
	ActionNote = "note"

	// The others are for workers only.
	ActionPage  = "page"  // one page of an answer
	ActionRead  = "read"  // keep a TableRead for the job's status; to replica 0, no answer
	ActionReach = "reach" // how many batches of each scan have come, without a gap
	ActionClean = "clean" // forget the job; from replica 0
	// ActionCleaned tells replica 0 that replica From has forgotten the job.
	ActionCleaned = "cleaned"
	// ActionOrphan asks replica 0 to end a job of replica From if replica 0 does not know it.
	ActionOrphan = "orphan"
	// ActionClaim tells the process that takes requests to replica From that the sender is
	// that replica's worker.
	ActionClaim = "claim"
)

// Opened is the result of open.
type Opened struct {
	Job  JobID `json:"job"`
	Spec *Spec `json:"spec"`
}

// JobRequest asks about one job. An onlooker's request is no sign of life of the job's
// client.
type JobRequest struct {
	Job      JobID `json:"job"`
	Onlooker bool  `json:"onlooker,omitempty"`
	Nodes    bool  `json:"nodes,omitempty"` // status: fill in Stage.Nodes
}

// KeysRequest asks for the key hashes of a join's build side.
type KeysRequest struct {
	Job  JobID `json:"job"`
	Node int   `json:"node"` // the join's, in the plan
}

// Keys is what is known of a build side's keys.
type Keys struct {
	// Ready is set when the build side is complete on every replica, so that the
	// scans of the next phase may begin.
	Ready bool `json:"ready"`
	// TooMany is set when there is no filter by keys, now or later.
	TooMany bool `json:"tooMany,omitempty"`
	// Count is how many hashes follow as the second result.
	Count  int      `json:"count,omitempty"`
	Hashes []uint64 `json:"-"` // the second result
}

// TableEnd says how many batches a split of the table of a scan has: those numbered 0 to
// Batches-1.
type TableEnd struct {
	Job     JobID  `json:"job"`
	Node    int    `json:"node"` // the scan's, in the plan
	Split   int    `json:"split,omitempty"`
	Batches uint64 `json:"batches"`
	// Read is what the client found in the split; it may be nil.
	Read *TableRead `json:"read,omitempty"`
}

// TableRead summarizes what a client found in a split of a table, for people; in a status, in all of it.
type TableRead struct {
	Table    string       `json:"table"`
	Split    int          `json:"split,omitempty"`
	Rows     int64        `json:"rows"` // valid ones
	Rejected []scan.Count `json:"rejected,omitempty"`
	Warnings []scan.Count `json:"warnings,omitempty"`
}

// OfTables adds up what was found in splits of tables, by table. splits stays as it is.
func OfTables(splits []TableRead) (tables []TableRead) {
	of := make(map[string][]scan.Stats)
	for _, p := range splits {
		if of[p.Table] == nil {
			tables = append(tables, TableRead{Table: p.Table})
		}
		of[p.Table] = append(of[p.Table], scan.Stats{Progress: scan.Progress{Rows: p.Rows}, Rejected: p.Rejected, Warnings: p.Warnings})
	}
	for i := range tables {
		t := &tables[i]
		all := scan.Sum(of[t.Table])
		t.Rows, t.Rejected, t.Warnings = all.Rows, all.Rejected[:min(len(all.Rejected), MaxCounts)], all.Warnings[:min(len(all.Warnings), MaxCounts)]
	}
	return tables
}

// Keepable reports whether a client's TableRead is valid for the job, so that workers may
// keep it.
func (r *TableRead) Keepable(spec *Spec) bool {
	if spec.Table(r.Table) == nil || r.Split < 0 || r.Split >= len(spec.Splits(r.Table)) || max(len(r.Rejected), len(r.Warnings)) > MaxCounts {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(r.Rejected, r.Warnings), func(c scan.Count) bool {
		return !plan.Printable(c.What, MaxReason) || !plan.Printable(c.Column, MaxReason)
	})
}

// Note is a text that a job keeps for the clients that upload a table: where to continue.
// Its meaning is up to them.
type Note struct {
	Table   string `json:"table"`
	Version uint64 `json:"version"` // how often the note was written; 0: there is none
	Text    []byte `json:"text,omitempty"`
	// File is a hash of a table and of what identifies a file of it; nil: none. The job
	// remembers, as long as it lives, every file that a note was written with.
	File []byte `json:"file,omitempty"`
	// Known says, in a result, that the job remembers File.
	Known bool `json:"known,omitempty"`
}

// NoteRequest reads the note of a table, if it has no text, or replaces it by
// compare-and-swap: the write succeeds only if the current note's version is one less than
// the request's. A file that the request names is remembered with the write, or not at all.
// The result is the current note, and what is known of the file.
type NoteRequest struct {
	Job JobID `json:"job"`
	Note
}

// Keepable reports whether a job can keep the note.
func (n *Note) Keepable(spec *Spec) bool {
	return spec.Table(n.Table) != nil && len(n.Text) <= MaxNote && (n.File == nil || len(n.File) == FileBytes)
}

// PrintableReason turns a text into a valid reason for a JobEnd.
func PrintableReason(text string) string {
	text = strings.Join(strings.FieldsFunc(text, unicode.IsControl), " ")
	return strings.ToValidUTF8(text[:min(len(text), MaxReason)], "")
}

// JobEnd ends a job. The reason is for people, up to MaxReason bytes.
type JobEnd struct {
	Job    JobID  `json:"job"`
	Reason string `json:"reason,omitempty"`
}

// Put is the command of an upload.
type Put struct {
	Job   JobID `json:"job"`
	Node  int   `json:"node"`            // the scan's, in the plan
	Split int   `json:"split,omitempty"` // of the scan's table
}

// Ticket asks for an answer, from a page on.
type Ticket struct {
	Job   JobID  `json:"job"`
	Query string `json:"query"`
	Page  int    `json:"page,omitempty"` // the first to send, from 0
	// Onlooker is that of JobRequest.
	Onlooker bool `json:"onlooker,omitempty"`
}
