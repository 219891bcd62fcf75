package protocol

import (
	"maps"
	"slices"
	"time"
)

// State is the state of a job.
type State string

// The states of a job. A job passes through them in this order, and may leave out
// Done and Failing.
const (
	Running State = "running"
	Done    State = "done" // nothing is left to compute
	Failing State = "failed"
	Ending  State = "ending"
)

// Phase is how far one replica is with a stage.
type Phase string

// The phases of a stage, in the order they are passed through.
const (
	Receiving Phase = "receiving" // its input is not complete, or not computed yet
	Computing Phase = "computing" // its input is complete; a worker that dies begins anew
	Emitting  Phase = "emitting"  // computed; its rows go to the next stages
	Emitted   Phase = "done"      // nothing is left to do
)

// Status is the state of a job: on one replica as a worker tells it, or over all
// replicas as a client is told it.
type Status struct {
	Job      JobID     `json:"job"`
	Owner    string    `json:"owner"`
	Label    string    `json:"label"`
	Replicas int       `json:"replicas"` // of the job
	Opened   time.Time `json:"opened"`
	// Expires is when the job ends if nobody asks for it until then. Replica 0
	// decides that.
	Expires time.Time `json:"expires"`
	// State is Running as long as one replica is, Failing or Ending as soon as
	// one is, and Done when all are.
	State State `json:"state"`
	// Open is set while files can be appended to the job's tables.
	Open   bool   `json:"open,omitempty"`
	Reason string `json:"reason,omitempty"` // why it failed or ends
	// Answers are the queries whose answers can be fetched.
	Answers []string `json:"answers,omitempty"`
	// Tables are what those held that were read to their ends, as far as replica 0 was told.
	Tables []TableRead `json:"tables,omitempty"`
	Stages []Stage     `json:"stages,omitempty"` // by number
	// Parts are the stages of each replica that answered; a list has none.
	Parts map[int][]Stage `json:"parts,omitempty"`
	// Waiting says, for people, what has not come.
	Waiting []string `json:"waiting,omitempty"`
	Rows    int64    `json:"rows"`  // taken in by workers, each outlet's counted
	Bytes   int64    `json:"bytes"` // likewise
	// Uploading is set while tables are not complete; Idle is for how long nothing came
	// of the job's client.
	Uploading bool          `json:"uploading,omitempty"`
	Idle      time.Duration `json:"idle,omitempty"`
	// Silent are the replicas that did not answer in time; what the others said
	// is in here.
	Silent []int `json:"silent,omitempty"`
}

// List is the result of list, newest job first.
type List struct {
	Jobs []Status `json:"jobs"`
	// Silent are the replicas that did not answer in time; jobs may be missing.
	Silent []int `json:"silent,omitempty"`
}

// Stage is how far a stage is over the replicas that run it and answered.
type Stage struct {
	Stage    int   `json:"stage"`
	Replicas int   `json:"replicas"`
	Batches  int64 `json:"batches"` // taken in
	Rows     int64 `json:"rows"`    // of them
	// Phases counts the replicas by what they are at.
	Phases map[Phase]int `json:"phases"`
	// Where it is computed: rows that are to be computed, those of them that are, and
	// the time since the first replica began.
	Todo int64         `json:"todo,omitempty"`
	Done int64         `json:"done,omitempty"`
	Took time.Duration `json:"took,omitempty"`
	// Since the worker's process began: bytes of state beyond the memory limit, and the
	// longest that a message lay in its queue.
	Spilled int64         `json:"spilled,omitempty"`
	Waited  time.Duration `json:"waited,omitempty"`
}

// StagesDone returns how many stages have nothing left to do.
func (s *Status) StagesDone() int {
	n := 0
	for _, stage := range s.Stages {
		if stage.Phases[Emitted] == stage.Replicas {
			n++
		}
	}
	return n
}

// MergeStatus makes one status of those of replicas, of which there is at least one.
// A job of which a replica is silent may be running there.
func MergeStatus(parts map[int]Status, silent []int) *Status {
	replicas := slices.Sorted(maps.Keys(parts))
	out := parts[replicas[0]] // of which Expires is right if replica 0 answered
	out.State, out.Reason, out.Rows, out.Bytes = Done, "", 0, 0
	out.Answers, out.Waiting, out.Stages, out.Silent = nil, nil, nil, silent
	out.Tables, out.Parts = parts[0].Tables, make(map[int][]Stage, len(parts))
	if len(silent) > 0 {
		out.State = Running
	}
	for _, replica := range replicas {
		p := parts[replica]
		if weight(p.State) > weight(out.State) || out.Reason == "" && p.State == out.State {
			out.State, out.Reason = p.State, p.Reason
		}
		out.Answers = append(out.Answers, p.Answers...)
		out.Waiting = append(out.Waiting, p.Waiting...)
		out.Rows += p.Rows
		out.Bytes += p.Bytes
		out.Uploading = out.Uploading || p.Uploading
		out.Open = out.Open || p.Open
		out.Idle = min(out.Idle, p.Idle)
		out.Parts[replica] = p.Stages
		for _, s := range p.Stages {
			out.addStage(s)
		}
	}
	slices.Sort(out.Answers)
	out.Answers = slices.Compact(out.Answers)
	slices.SortFunc(out.Stages, func(a, b Stage) int { return a.Stage - b.Stage })
	return &out
}

// weight orders states by which of them holds for the whole job when replicas
// differ.
func weight(s State) int { return slices.Index([]State{Done, Running, Failing, Ending}, s) }

func (s *Status) addStage(add Stage) {
	at := slices.IndexFunc(s.Stages, func(t Stage) bool { return t.Stage == add.Stage })
	if at < 0 {
		add.Phases = maps.Clone(add.Phases)
		s.Stages = append(s.Stages, add)
		return
	}
	t := &s.Stages[at]
	t.Replicas += add.Replicas
	t.Batches += add.Batches
	t.Rows += add.Rows
	t.Todo += add.Todo
	t.Done += add.Done
	t.Took = max(t.Took, add.Took)
	t.Spilled += add.Spilled
	t.Waited = max(t.Waited, add.Waited)
	for phase, n := range add.Phases {
		t.Phases[phase] += n
	}
}
