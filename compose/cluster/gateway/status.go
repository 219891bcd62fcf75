package gateway

import (
	"context"
	"errors"
	"slices"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
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
	parts := make(map[int]protocol.Status)
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
			parts[a.replica] = *a.response.Status
		}
	}
	switch {
	case len(parts) > 0:
		return protocol.MergeStatus(parts, silent), nil
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
	parts := make(map[protocol.JobID]map[int]protocol.Status) // by replica
	var errs []error
	for _, a := range answers {
		if a.err != nil {
			out.Silent, errs = append(out.Silent, a.replica), append(errs, a.err)
			continue
		}
		for _, s := range a.response.Jobs {
			if s.Owner != owner {
				continue
			}
			if parts[s.Job] == nil {
				parts[s.Job] = make(map[int]protocol.Status)
			}
			parts[s.Job][a.replica] = s
		}
	}
	if len(out.Silent) == len(answers) {
		return nil, nil, asStatus(errors.Join(errs...))
	}
	for _, p := range parts {
		out.Jobs = append(out.Jobs, *protocol.MergeStatus(p, missing(p, g.cfg.Replicas)))
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
func missing(parts map[int]protocol.Status, replicas int) []int {
	var out []int
	for r := range replicas {
		if _, there := parts[r]; !there {
			out = append(out, r)
		}
	}
	return out
}

// explain makes of an error that ended an upload what the client is told. If a
// queue is gone so is the job, and the workers know why.
func (g *Gateway) explain(ctx context.Context, id protocol.JobID, err error) error {
	if !errors.Is(err, broker.ErrNoQueue) {
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
	return lost(id, "the broker has lost a queue of it: "+err.Error()+"; submit the job again")
}
