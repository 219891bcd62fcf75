// Package protocol defines the messages between the processes of a cluster, each in
// one place. It only describes and converts: everything in it is a function of its
// arguments.
//
//   - A job: Spec holds everything that is fixed when a job is opened. All processes
//     compute the same stages, queues, senders and receivers from it.
//   - Clients and gateways speak Arrow Flight
//     (https://arrow.apache.org/docs/format/Flight.html), as
//     docs/protocol.md describes it with examples, which tests hold to the code; any
//     Flight client that keeps to it can take part.
//   - Gateways and workers send Requests to a worker's control queue, and Responses
//     to the sender's queue. A request is answered at least once and may arrive
//     twice; every request is idempotent. The end of a job must not get lost, so
//     replica 0, which decides it, repeats it until all replicas have confirmed.
package protocol

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// JobID identifies a job: 128 random bits, written as 32 lower-case hex digits. No
// other text is a JobID, so it is safe as part of a path or of a queue's name.
type JobID = envelope.JobID

// NewJobID returns a new JobID.
func NewJobID() JobID {
	var id JobID
	rand.Read(id[:]) // never fails
	return id
}

// ParseJobID reads a JobID as String writes it.
func ParseJobID(text string) (JobID, error) { return envelope.ParseJobID(text) }

// Spec is everything about a job that is fixed when it is opened.
type Spec struct {
	ID       JobID             `json:"id"`
	Request  string            `json:"request"` // fingerprint of the OpenRequest
	Version  int               `json:"version"`
	Owner    string            `json:"owner"`    // name of the client's token
	Label    string            `json:"label"`    // for people: the data set
	Replicas int               `json:"replicas"` // of workers
	Queues   broker.Kind       `json:"queues"`
	Block    int               `json:"block"` // bytes of a table per batch
	Opened   time.Time         `json:"opened"`
	TTL      time.Duration     `json:"ttl"` // after the last sign of life
	Tables   []*columnar.Table `json:"tables"`
	Plan     *physical.Plan    `json:"plan"`
	// Follow makes workers keep the uploaded rows until the job ends, so that cuts can be
	// made of it.
	Follow bool `json:"follow,omitempty"`
	// Open marks a followed job whose tables grow by appended files, until its client closes
	// the job by ending the tables. Its time to live counts from the last sign of its
	// client; requests of onlookers do not extend it.
	Open bool `json:"open,omitempty"`
	Cut  *Cut `json:"cut,omitempty"`
	// Sources are the files, by table, that gateways read for the job; nil: its client uploads.
	Sources map[string]Source `json:"sources,omitempty"`
}

// The bounds of a spec. Specs from outside are checked against them.
const (
	MaxReplicas = 256
	MaxBlock    = 64 << 20
	MaxSpec     = 4 << 20 // bytes of JSON
	MaxTTL      = 30 * 24 * time.Hour
)

// MaxPlanning is how many requests a gateway plans at a time, which share its memory.
const MaxPlanning = 2

// OpenRequest is what a client asks to have run. The gateway plans it.
type OpenRequest struct {
	// Job is the client's own name for the job, drawn at random (NewJobID). Opening it
	// again opens the same job, so a client that got no answer can retry, here or at
	// another gateway. Without it every request makes a new job.
	Job     JobID             `json:"job,omitzero"`
	Label   string            `json:"label"`
	Tables  []*columnar.Table `json:"tables"`
	Queries []*plan.Query     `json:"queries"`
	Block   int               `json:"block"`
	TTL     time.Duration     `json:"ttl"`
	Follow  bool              `json:"follow,omitempty"` // see Spec
	Open    bool              `json:"open,omitempty"`   // likewise
	Sources map[string]Source `json:"sources,omitempty"`
}

// NewSpec plans a request.
func NewSpec(work *budget.Work, r OpenRequest, owner string, replicas int, queues broker.Kind, now time.Time) (*Spec, error) {
	tables, queries := plan.TablesOf(r.Tables), make([]*plan.Query, len(r.Queries))
	for i, q := range r.Queries {
		better := *q
		var err error
		if better.Root, err = rules.Optimize(work, q.Root, tables); err != nil {
			return nil, fmt.Errorf("query %s: %w", q.Name, err)
		}
		queries[i] = &better
	}
	p, err := physical.NewDistributed(work, queries, tables)
	if err != nil {
		return nil, err
	}
	if r.Follow {
		p = p.ForCuts()
	}
	asked, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if r.Job == (JobID{}) {
		r.Job = NewJobID()
	}
	s := &Spec{
		ID: r.Job, Request: fmt.Sprintf("%x", sha256.Sum256(asked)), Version: Version, Owner: owner, Label: r.Label, Replicas: replicas, Queues: queues,
		Block: r.Block, Opened: now, TTL: r.TTL, Tables: r.Tables, Plan: p,
		Follow: r.Follow, Open: r.Open, Sources: r.Sources,
	}
	return s, s.Validate()
}

// Validate reports what is wrong with a spec.
func (s *Spec) Validate() error {
	if err := checkVersion(s.ID, s.Version); err != nil {
		return err
	}
	var errs []error
	if s.Replicas < 1 || s.Replicas > MaxReplicas {
		errs = append(errs, fmt.Errorf("%d replicas; 1 to %d are possible", s.Replicas, MaxReplicas))
	}
	if s.Block < 1<<10 || s.Block > MaxBlock {
		errs = append(errs, fmt.Errorf("blocks of %d bytes; 1 KiB to 64 MiB are possible", s.Block))
	}
	if s.TTL <= 0 || s.TTL > MaxTTL {
		errs = append(errs, fmt.Errorf("a time to live of %v; more than nothing and up to %v is possible", s.TTL, MaxTTL))
	}
	if s.Plan == nil || len(s.Plan.Answers) == 0 {
		errs = append(errs, errors.New("no query"))
	} else if err := s.Plan.ValidateDistributed(); err != nil {
		errs = append(errs, err)
	} else if s.Cut != nil {
		errs = append(errs, s.Cut.validate(s))
	}
	if s.Follow && s.Sources != nil {
		errs = append(errs, errors.New("it is followed or stays open, and gateways read its files; a client has to upload them"))
	}
	if err := checkSources(s.Sources, s.Table); err != nil {
		errs = append(errs, err)
	}
	if s.Open && !s.Follow {
		errs = append(errs, errors.New("it stays open and is not followed"))
	}
	if s.Open && s.readsPositions() {
		errs = append(errs, errors.New("it stays open, and what it asks depends on the order of rows in one file"))
	}
	for _, t := range s.Tables {
		if s.Open && len(t.Key) > 0 {
			errs = append(errs, fmt.Errorf("it stays open, and table %s has a key, which is compared within one file", t.Name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("job %s: %w", s.ID, err)
	}
	return nil
}

// readsPositions reports whether a scan reads the positions of rows in their file.
func (s *Spec) readsPositions() bool {
	if s.Plan == nil {
		return false
	}
	for _, n := range s.Plan.Nodes {
		if n.Scan == nil || s.Table(n.Scan.Table) == nil {
			continue
		}
		read := exec.ScanColumns(s.Table(n.Scan.Table), []*physical.Scan{n.Scan})
		if slices.ContainsFunc(s.Table(n.Scan.Table).Columns, func(c columnar.TableColumn) bool {
			return c.Place() && slices.Contains(read, c.Name)
		}) {
			return true
		}
	}
	return false
}

// Encode writes a spec as JSON.
func (s *Spec) Encode() ([]byte, error) {
	text, err := json.Marshal(s)
	if err == nil && len(text) > MaxSpec {
		err = fmt.Errorf("a plan of %d bytes; %d are possible", len(text), MaxSpec)
	}
	return text, err
}

// DecodeSpec reads and validates a spec.
func DecodeSpec(text []byte) (*Spec, error) {
	s := new(Spec)
	if len(text) > MaxSpec {
		return nil, fmt.Errorf("read a job: %d bytes; %d are possible", len(text), MaxSpec)
	}
	var of struct {
		ID      JobID `json:"id"`
		Version int   `json:"version"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("read a job: %w", err)
	}
	// The other fields of another version may have another meaning, or not decode here.
	if err := checkVersion(of.ID, of.Version); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("read a job: %w", err)
	}
	return s, s.Validate()
}

// Table returns a table of the job.
func (s *Spec) Table(name string) *columnar.Table {
	for _, t := range s.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}
