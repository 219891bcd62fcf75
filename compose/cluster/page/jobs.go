package page

import (
	"context"
	"net/http"
	"slices"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/physical"
)

// Job is what is fixed about a job, as callers see it, and how far the job is.
type Job struct {
	Job      protocol.JobID    `json:"job"`
	Label    string            `json:"label"`
	Follow   bool              `json:"follow,omitempty"` // it is followed: cuts of it can be made
	Open     bool              `json:"open,omitempty"`   // its tables go on until it is closed
	Cut      map[string]uint64 `json:"cut,omitempty"`    // of a cut: how many first blocks of each table it covers
	CutOf    *protocol.JobID   `json:"cutOf,omitempty"`
	Tables   []string          `json:"tables"` // that the job reads, in the order of upload that sends least
	Stages   []Stage           `json:"stages"`
	Answers  []Answer          `json:"answers"`
	Status   *protocol.Status  `json:"status"`
	Failure  *Failure          `json:"failure,omitempty"` // why there will be no further answers
	Replicas int               `json:"replicas"`
}

// Stage is a part of a job's plan: operators with no exchange between them.
type Stage struct {
	Stage     int      `json:"stage"`
	Table     string   `json:"table,omitempty"` // the table that gateways read for it; "": workers compute the stage
	Where     string   `json:"where"`           // who runs it, in words
	Operators []string `json:"operators"`       // what it does, in words
	From      []int    `json:"from,omitempty"`  // stages that send it rows
	Answers   []string `json:"answers,omitempty"`
}

// Answer names one query of a job.
type Answer struct {
	Query string `json:"query"`
	Title string `json:"title,omitempty"`
}

// list sends the caller's jobs.
func (p *Page) list(w http.ResponseWriter, r *http.Request) error {
	list, err := p.client.List(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, list)
}

// show sends one job.
func (p *Page) show(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	out, err := p.look(r.Context(), describe(j.Spec))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// jobHandler handles a request about one job.
type jobHandler func(w http.ResponseWriter, r *http.Request, j *client.Job) error

// about returns a handler that looks up the job of a request and calls serve.
func (p *Page) about(serve jobHandler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := protocol.ParseJobID(r.PathValue("job"))
		if err != nil {
			return protocol.Errorf(protocol.NoJob, "%v", err)
		}
		j, err := p.client.Job(r.Context(), id)
		if err != nil {
			return err
		}
		return serve(w, r, j)
	}
}

// look adds the current status to what is fixed about a job.
func (p *Page) look(ctx context.Context, about *Job) (*Job, error) {
	status, err := p.client.Status(ctx, about.Job)
	if err != nil {
		return nil, err
	}
	out := *about
	out.Status = status
	if err := client.Ended(status); err != nil {
		_, f := failureOf(err)
		out.Failure = &f
	}
	return &out, nil
}

// describe returns what is fixed about a job.
func describe(spec *protocol.Spec) *Job {
	out := &Job{Job: spec.ID, Label: spec.Label, Follow: spec.Follow, Open: spec.Open, Replicas: spec.Replicas, Tables: spec.Plan.Tables()}
	if spec.Cut != nil {
		out.Cut, out.CutOf = spec.CutTables(), &spec.Cut.Of
	}
	titles := make(map[string]string)
	if d, err := catalog.Find(spec.Label, nil); err == nil {
		for _, q := range d.Queries {
			titles[q.Name] = q.Title
		}
	}
	for _, a := range spec.Plan.Answers {
		out.Answers = append(out.Answers, Answer{a.Query, titles[a.Query]})
	}
	for _, s := range spec.Plan.Stages {
		out.Stages = append(out.Stages, describeStage(spec.Plan, s))
	}
	return out
}

func describeStage(plan *physical.Plan, s *physical.Stage) Stage {
	out := Stage{Stage: s.ID, Table: s.Table, Where: s.Where()}
	for _, id := range s.Nodes {
		n := plan.Nodes[id]
		out.Operators = append(out.Operators, n.Describe(plan))
		for _, in := range n.Inputs {
			if from := plan.Nodes[in.Node].Stage; from != s.ID && !slices.Contains(out.From, from) {
				out.From = append(out.From, from)
			}
		}
		for _, a := range plan.Answers {
			if a.Node == id {
				out.Answers = append(out.Answers, a.Query)
			}
		}
	}
	return out
}

// cut opens a job that answers for what has been uploaded to another. For an open job, that
// includes at least all files that are complete.
func (p *Page) cut(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	sent, err := filesSent(r.Context(), j)
	if err != nil {
		return err
	}
	cut, err := j.Cut(r.Context(), sent)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/jobs/"+cut.Spec.ID.String())
	return writeJSON(w, http.StatusCreated, describe(cut.Spec))
}

// filesSent returns, by table, how many batches the complete files of an open job have; nil
// if the job is not open.
func filesSent(ctx context.Context, j *client.Job) (map[string]uint64, error) {
	if !j.Spec.Open {
		return nil, nil
	}
	journal, err := j.Journal(ctx)
	if err != nil {
		return nil, err
	}
	return journal.Sent(), nil
}

// end ends a job.
func (p *Page) end(w http.ResponseWriter, r *http.Request) error {
	id, err := protocol.ParseJobID(r.PathValue("job"))
	if err != nil {
		return protocol.Errorf(protocol.NoJob, "%v", err)
	}
	if err := p.client.End(r.Context(), id, "cancelled"); err != nil {
		return err
	}
	p.uploads.drop(id)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
