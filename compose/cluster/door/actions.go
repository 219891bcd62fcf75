package door

import (
	"time"

	"analyzer/compose/cluster/control"
	"analyzer/compose/cluster/job"
)

// The types of actions.
const (
	ActionOpen     = "open"
	ActionDescribe = "describe"
	ActionStatus   = "status"
	ActionList     = "list"
	ActionKeys     = "keys"
	ActionEndTable = "endtable"
	ActionEnd      = "end"
)

// Opened is the result of open.
type Opened struct {
	Job  job.ID    `json:"job"`
	Spec *job.Spec `json:"spec"`
}

// JobRequest asks about one job.
type JobRequest struct {
	Job job.ID `json:"job"`
}

// KeysRequest asks for the key hashes of a join's build side.
type KeysRequest struct {
	Job  job.ID `json:"job"`
	Node int    `json:"node"` // of the plan, the join
}

// Keys says what is known of a build side.
type Keys struct {
	// Ready is set when the build side is complete on every replica, and so the
	// scans of the next phase may begin.
	Ready bool `json:"ready"`
	// TooMany is set when there is no filter by keys, and there will be none.
	TooMany bool `json:"tooMany,omitempty"`
	// Count is how many hashes follow as the second result.
	Count int `json:"count,omitempty"`
}

// TableEnd says how many batches the table of a scan has: those numbered 0 to
// Batches-1.
type TableEnd struct {
	Job     job.ID `json:"job"`
	Node    int    `json:"node"` // of the plan, the scan
	Batches uint64 `json:"batches"`
}

// JobEnd ends a job. The reason is for people, up to MaxReason bytes.
type JobEnd struct {
	Job    job.ID `json:"job"`
	Reason string `json:"reason,omitempty"`
}

// Put is the command of an upload.
type Put struct {
	Job  job.ID `json:"job"`
	Node int    `json:"node"` // of the plan, the scan
}

// Ticket asks for an answer from one of its pages on.
type Ticket struct {
	Job   job.ID `json:"job"`
	Query string `json:"query"`
	Page  int    `json:"page,omitempty"` // the first to send, from 0
}

// List is the result of list, newest job first.
type List struct {
	Jobs []Status `json:"jobs"`
	// Silent are the replicas that did not answer in time; jobs may be missing.
	Silent []int `json:"silent,omitempty"`
}

// Status is the state of a job over all replicas.
type Status struct {
	Job      job.ID    `json:"job"`
	Owner    string    `json:"owner"`
	Label    string    `json:"label"`
	Replicas int       `json:"replicas"`
	Opened   time.Time `json:"opened"`
	// Expires is when the job ends if nobody asks for it until then.
	Expires time.Time `json:"expires"`
	// State is Running as long as one replica is, Failing or Ending as soon as
	// one is, and Done when all are.
	State  control.State `json:"state"`
	Reason string        `json:"reason,omitempty"` // why it failed or ends
	// Answers are the queries whose answers can be fetched.
	Answers []string `json:"answers,omitempty"`
	Stages  []Stage  `json:"stages,omitempty"`
	// Waiting says, for people, what has not come.
	Waiting []string `json:"waiting,omitempty"`
	Rows    int64    `json:"rows"`  // taken in by workers, each outlet's counted
	Bytes   int64    `json:"bytes"` // likewise
	// Silent are the replicas that did not answer in time; what the others said
	// is in here.
	Silent []int `json:"silent,omitempty"`
}

// Stage is how far a stage is over all replicas that run it.
type Stage struct {
	Stage    int   `json:"stage"`
	Replicas int   `json:"replicas"` // that answered
	Batches  int64 `json:"batches"`  // taken in
	// Phases counts the replicas by what they are at.
	Phases map[string]int `json:"phases"`
}
