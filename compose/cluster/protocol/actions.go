package protocol

import (
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar/scan"
	"analyzer/operators/plan"
)

// Action is what is asked of a gateway or of a worker.
type Action string

// The actions. All but List and Open speak of one job. The constants are
// untyped, since Flight's actions have a string.
const (
	ActionOpen     = "open"     // take part in a new job; answered once that is durable
	ActionDescribe = "describe" // the job's spec
	ActionStatus   = "status"   // how far the job is
	ActionList     = "list"     // the jobs there are
	ActionKeys     = "keys"     // the key hashes of a join's build side
	ActionEnd      = "end"      // end the job everywhere; of workers, replica 0 is asked

	// ActionEndTable is asked of gateways only: the table of a scan is complete.
	ActionEndTable = "endtable"
	// ActionCut is asked of gateways only: make a job of what has come of another.
	ActionCut = "cut"

	// ActionNote reads or writes the note that a job keeps of a table; of workers,
	// replica 0 is asked.
	ActionNote = "note"

	// Workers only are asked these.
	ActionPage  = "page"  // one page of an answer
	ActionRead  = "read"  // keep what a table held, to tell whoever asks; of replica 0, no answer
	ActionReach = "reach" // how many batches of each scan have come, with no gap
	ActionClean = "clean" // forget the job; from replica 0
	// ActionCleaned says to replica 0 that replica From has forgotten the job.
	ActionCleaned = "cleaned"
	// ActionOrphan asks replica 0 to end a job of replica From, should it not know it.
	ActionOrphan = "orphan"
	// ActionClaim says to whoever takes requests to replica From that this is its worker.
	ActionClaim = "claim"
)

// Opened is the result of open.
type Opened struct {
	Job  JobID `json:"job"`
	Spec *Spec `json:"spec"`
}

// JobRequest asks about one job. Who only looks on says so: it is no sign that the
// job's client is there.
type JobRequest struct {
	Job      JobID `json:"job"`
	Onlooker bool  `json:"onlooker,omitempty"`
}

// KeysRequest asks for the key hashes of a join's build side.
type KeysRequest struct {
	Job  JobID `json:"job"`
	Node int   `json:"node"` // of the plan, the join
}

// Keys says what is known of a build side.
type Keys struct {
	// Ready is set when the build side is complete on every replica, and so the
	// scans of the next phase may begin.
	Ready bool `json:"ready"`
	// TooMany is set when there is no filter by keys, and there will be none.
	TooMany bool `json:"tooMany,omitempty"`
	// Count is how many hashes follow as the second result.
	Count  int      `json:"count,omitempty"`
	Hashes []uint64 `json:"-"` // these
}

// TableEnd says how many batches the table of a scan has: those numbered 0 to
// Batches-1.
type TableEnd struct {
	Job     JobID  `json:"job"`
	Node    int    `json:"node"` // of the plan, the scan
	Batches uint64 `json:"batches"`
	// Read is what the client has found in the table; it may be nil.
	Read *TableRead `json:"read,omitempty"`
}

// TableRead is what a table held, as its reader says: for people to look at.
type TableRead struct {
	Table    string       `json:"table"`
	Rows     int64        `json:"rows"` // valid ones
	Rejected []scan.Count `json:"rejected,omitempty"`
	Warnings []scan.Count `json:"warnings,omitempty"`
}

// Keepable reports whether what a client says of a table of a job is something that it
// may have others keep.
func (r *TableRead) Keepable(spec *Spec) bool {
	if spec.Table(r.Table) == nil || max(len(r.Rejected), len(r.Warnings)) > MaxCounts {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(r.Rejected, r.Warnings), func(c scan.Count) bool {
		return !plan.Printable(c.What, MaxReason) || !plan.Printable(c.Column, MaxReason)
	})
}

// Note is what a job keeps of a table for those who upload it: where to go on. What it
// says is theirs alone to know.
type Note struct {
	Table   string `json:"table"`
	Version uint64 `json:"version"` // how often it was written; 0: there is none
	Text    []byte `json:"text,omitempty"`
}

// NoteRequest reads the note of a table, if it has no text, or writes it in place of the
// one of the version before its own; if there is another one by then, that stays. The
// result is the note that there is.
type NoteRequest struct {
	Job JobID `json:"job"`
	Note
}

// PrintableReason makes of a text what can be the reason of a JobEnd.
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
	Job  JobID `json:"job"`
	Node int   `json:"node"` // of the plan, the scan
}

// Ticket asks for an answer from one of its pages on.
type Ticket struct {
	Job   JobID  `json:"job"`
	Query string `json:"query"`
	Page  int    `json:"page,omitempty"` // the first to send, from 0
}
