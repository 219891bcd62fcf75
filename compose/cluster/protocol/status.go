package protocol

import (
	"maps"
	"slices"
	"time"

	"analyzer/operators/exec"
)

// State is the state of a job.
type State string

// The states of a job. A job passes through them in this order, and may skip
// all but Running and Ending.
const (
	// Opening is the state until replica 0 has heard from the job's client since the job was
	// opened. If it does not within a minute, it ends the job.
	Opening State = "opening"
	Running State = "running"
	Done    State = "done" // nothing is left to compute
	Failing State = "failed"
	Ending  State = "ending"
)

// Phase is the progress of one replica in a stage.
type Phase string

// The phases of a stage, in order.
const (
	Receiving Phase = "receiving" // its input is incomplete, or not computed yet
	Computing Phase = "computing" // its input is complete; a worker that dies starts over
	Emitting  Phase = "emitting"  // computed; its rows are going to the next stages
	Emitted   Phase = "done"      // nothing is left to do
)

// Status is the state of a job: on one replica in a worker's answer, or over all
// replicas in an answer to a client.
type Status struct {
	Job      JobID     `json:"job"`
	Owner    string    `json:"owner"`
	Label    string    `json:"label"`
	Replicas int       `json:"replicas"` // of the job
	Opened   time.Time `json:"opened"`
	// Expires is when the job ends if it has no sign of life until then. Replica 0
	// decides that.
	Expires time.Time `json:"expires"`
	// State is Running as long as one replica is, Failing or Ending as soon as
	// one is, Done when all are, and Opening if replica 0 says so.
	State State `json:"state"`
	// Open is set while files can be appended to the job's tables.
	Open   bool   `json:"open,omitempty"`
	Reason string `json:"reason,omitempty"` // why it failed or ends
	Cause  Cause  `json:"cause,omitempty"`  // of a failure
	// Answers are the queries whose answers can be fetched.
	Answers []string `json:"answers,omitempty"`
	// Tables summarizes the splits of tables that were read to their ends, as far as replica 0 knows.
	Tables []TableRead `json:"tables,omitempty"`
	Stages []Stage     `json:"stages,omitempty"` // by number
	// Parts are the stages of each replica that answered.
	Parts map[int][]Stage `json:"parts,omitempty"`
	// Waiting says, for people, which messages have not come.
	Waiting []string `json:"waiting,omitempty"`
	Rows    int64    `json:"rows"`  // taken in by workers; rows of several outlets count for each
	Bytes   int64    `json:"bytes"` // likewise
	// Uploading is set while tables are incomplete; Idle is how long nothing has come
	// from the job's client.
	Uploading bool          `json:"uploading,omitempty"`
	Idle      time.Duration `json:"idle,omitempty"`
	// Silent are the replicas that did not answer in time. The status is that of the
	// others.
	Silent []int `json:"silent,omitempty"`
}

// List is the result of ActionList, newest job first.
type List struct {
	Jobs []Status `json:"jobs"` // without Tables, Parts and Waiting
	// Silent are the replicas that did not answer in time, or have not taken up all jobs since
	// they were started; jobs may be missing.
	Silent []int `json:"silent,omitempty"`
}

// Stage is the progress of a stage over the replicas that run it and have answered.
type Stage struct {
	Stage    int   `json:"stage"`
	Replicas int   `json:"replicas"`
	Batches  int64 `json:"batches"` // taken in
	Rows     int64 `json:"rows"`    // in these batches
	// Phases counts the replicas by phase.
	Phases map[Phase]int `json:"phases"`
	// While the stage is computed: rows to compute in all, rows computed so far, and
	// the time since the first replica began.
	Todo int64         `json:"todo,omitempty"`
	Done int64         `json:"done,omitempty"`
	Took time.Duration `json:"took,omitempty"`
	// Since the worker's process began: bytes spilled, and the longest time that a
	// message waited in its queue.
	Spilled int64         `json:"spilled,omitempty"`
	Waited  time.Duration `json:"waited,omitempty"`
	// Nodes is, if it was asked for, what the operators of the stage did on those replicas whose
	// process computed it, of which there are Told. It begins with the nodes of scan stages whose
	// rows came in; nobody counts what else gateways did.
	Nodes []exec.NodeReport `json:"nodes,omitempty"`
	Told  int               `json:"told,omitempty"`
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

// Brief returns what a list tells of a job.
func (s Status) Brief() Status {
	s.Tables, s.Parts, s.Waiting = nil, nil, nil
	return s
}

// MergeStatus merges the statuses of replicas, of which there must be at least one.
// If a replica is silent, the job counts as running there.
func MergeStatus(parts map[int]Status, silent []int) *Status {
	replicas := slices.Sorted(maps.Keys(parts))
	out := parts[replicas[0]] // its Expires is right if replica 0 answered
	out.State, out.Reason, out.Cause, out.Rows, out.Bytes = Done, "", "", 0, 0
	out.Answers, out.Waiting, out.Stages, out.Silent = nil, nil, nil, silent
	out.Tables, out.Parts = parts[0].Tables, make(map[int][]Stage, len(parts))
	if len(silent) > 0 {
		out.State = Running
	}
	for _, replica := range replicas {
		p := parts[replica]
		if weight(p.State) > weight(out.State) || out.Reason == "" && p.State == out.State {
			out.State, out.Reason, out.Cause = p.State, p.Reason, p.Cause
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

// weight orders states: when replicas differ, the one with the largest weight holds for
// the whole job.
func weight(s State) int { return slices.Index([]State{Done, Running, Opening, Failing, Ending}, s) }

func (s *Status) addStage(add Stage) {
	at := slices.IndexFunc(s.Stages, func(t Stage) bool { return t.Stage == add.Stage })
	if at < 0 {
		add.Phases, add.Nodes = maps.Clone(add.Phases), slices.Clone(add.Nodes)
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
	t.Told += add.Told
	for _, n := range add.Nodes {
		t.addNode(n)
	}
	for phase, n := range add.Phases {
		t.Phases[phase] += n
	}
}

func (s *Stage) addNode(add exec.NodeReport) {
	at := slices.IndexFunc(s.Nodes, func(n exec.NodeReport) bool { return n.Node == add.Node })
	if at < 0 {
		s.Nodes = append(s.Nodes, add)
		return
	}
	s.Nodes[at].Add(add)
}

// Did returns what the operators of the job did, by node, of the stages of which all replicas tell.
func (s *Status) Did() []exec.NodeReport {
	var all Stage
	for _, stage := range s.Stages {
		if stage.Told < stage.Replicas {
			continue
		}
		for _, n := range stage.Nodes {
			all.addNode(n)
		}
	}
	return all.Nodes
}
