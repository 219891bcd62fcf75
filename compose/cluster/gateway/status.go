package gateway

import (
	"context"
	"errors"
	"slices"

	"analyzer/compose/cluster/protocol"
)

// status asks all workers how far a job is.
func (g *Gateway) status(ctx context.Context, body []byte) (any, []byte, error) {
	var r protocol.JobRequest
	if err := parse(body, &r); err != nil {
		return nil, nil, err
	}
	k, err := g.jobs.find(ctx, r.Job, ownerOf(ctx))
	if err != nil {
		return nil, nil, err
	}
	defer g.jobs.release(k)
	s, err := g.statusOf(ctx, r.Job)
	switch protocol.CodeOf(err) {
	case protocol.JobEnded, protocol.NoJob:
		g.jobs.forget(r.Job)
	}
	return s, nil, err
}

// statusOf merges what the workers that answer in time say of a job. That it has
// ended on one of them holds for all.
func (g *Gateway) statusOf(ctx context.Context, id protocol.JobID) (*protocol.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Patience)
	defer cancel()
	answers := g.caller.askAll(ctx, g.caller.everybody(), protocol.Request{Action: protocol.ActionStatus, Job: id}, nil)
	var parts []protocol.JobStatus
	var silent []int
	var refused, failed error
	for _, a := range answers {
		switch {
		case a.err != nil:
			silent, failed = append(silent, a.replica), a.err
		case a.response.Code == protocol.JobEnded:
			return nil, refusal(id, a.response)
		case a.response.Code != "" || a.response.Status == nil:
			refused = refusal(id, a.response)
		default:
			parts = append(parts, *a.response.Status)
		}
	}
	switch {
	case len(parts) > 0:
		return merge(parts, silent), nil
	case refused != nil:
		return nil, refused
	}
	return nil, asStatus(failed)
}

// list asks all workers for their jobs.
func (g *Gateway) list(ctx context.Context, body []byte) (any, []byte, error) {
	if len(body) > 0 {
		if err := parse(body, &nothing{}); err != nil {
			return nil, nil, err
		}
	}
	owner := ownerOf(ctx)
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Patience)
	defer cancel()
	answers := g.caller.askAll(ctx, g.caller.everybody(), protocol.Request{Action: protocol.ActionList}, nil)
	out := &protocol.List{Jobs: []protocol.Status{}}
	parts := make(map[protocol.JobID][]protocol.JobStatus)
	var errs []error
	for _, a := range answers {
		if a.err != nil {
			out.Silent, errs = append(out.Silent, a.replica), append(errs, a.err)
			continue
		}
		for _, s := range a.response.Jobs {
			if s.Owner == owner {
				parts[s.ID] = append(parts[s.ID], s)
			}
		}
	}
	if len(out.Silent) == len(answers) {
		return nil, nil, asStatus(errors.Join(errs...))
	}
	for _, p := range parts {
		out.Jobs = append(out.Jobs, *merge(p, missing(p, g.cfg.Replicas)))
	}
	slices.SortFunc(out.Jobs, func(a, b protocol.Status) int {
		if c := b.Opened.Compare(a.Opened); c != 0 {
			return c
		}
		return slices.Compare(a.Job[:], b.Job[:])
	})
	return out, nil, nil
}

// missing returns the replicas that none of the parts is of.
func missing(parts []protocol.JobStatus, replicas int) []int {
	var out []int
	for r := range replicas {
		if !slices.ContainsFunc(parts, func(p protocol.JobStatus) bool { return p.Replica == r }) {
			out = append(out, r)
		}
	}
	return out
}

// merge makes one status of those of replicas, of which there is at least one.
func merge(parts []protocol.JobStatus, silent []int) *protocol.Status {
	first := parts[0]
	out := &protocol.Status{
		Job: first.ID, Owner: first.Owner, Label: first.Label, Replicas: first.Replicas, Opened: first.Opened,
		Expires: first.Expires, State: protocol.Done, Silent: silent,
	}
	if len(silent) > 0 {
		out.State = protocol.Running // who is silent may be
	}
	for _, p := range parts {
		if p.Replica == 0 {
			out.Expires = p.Expires // which decides it
		}
		if weight(p.State) > weight(out.State) || out.Reason == "" && p.State == out.State {
			out.State, out.Reason = p.State, p.Reason
		}
		out.Answers = append(out.Answers, p.Answers...)
		out.Waiting = append(out.Waiting, p.Waiting...)
		out.Rows += p.Rows
		out.Bytes += p.Bytes
		for _, s := range p.Stages {
			addStage(out, s)
		}
	}
	slices.Sort(out.Answers)
	out.Answers = slices.Compact(out.Answers)
	slices.SortFunc(out.Stages, func(a, b protocol.Stage) int { return a.Stage - b.Stage })
	return out
}

// weight orders states by which of them holds for the whole job when replicas
// differ.
func weight(s protocol.State) int {
	return slices.Index([]protocol.State{protocol.Done, protocol.Running, protocol.Failing, protocol.Ending}, s)
}

func addStage(out *protocol.Status, s protocol.StageStatus) {
	at := slices.IndexFunc(out.Stages, func(t protocol.Stage) bool { return t.Stage == s.Stage })
	if at < 0 {
		at = len(out.Stages)
		out.Stages = append(out.Stages, protocol.Stage{Stage: s.Stage, Phases: make(map[string]int)})
	}
	t := &out.Stages[at]
	t.Replicas++
	t.Batches += s.Batch
	t.Phases[s.Phase]++
}

// explain makes of an error that ended an upload what the client is told. If a
// queue is gone so is the job, and the workers know why.
func (g *Gateway) explain(ctx context.Context, id protocol.JobID, err error) error {
	var gone *noQueueError
	if !errors.As(err, &gone) {
		return asStatus(err)
	}
	g.jobs.forget(id)
	s, why := g.statusOf(ctx, id)
	switch {
	case why != nil && protocol.CodeOf(why) != "":
		return why
	case why == nil && s.Reason != "":
		return lost(id, s.Reason)
	}
	return lost(id, gone.Error()+"; submit the job again")
}
