package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// status asks a job's workers for its status.
func (g *Gateway) status(ctx context.Context, k *knownJob, r *protocol.JobRequest) (any, error) {
	return g.statusOf(ctx, *r, k.spec)
}

// statusOf merges a job's status from the workers that answer in time. If the job has
// ended on one of them, it has ended on all.
func (g *Gateway) statusOf(ctx context.Context, r protocol.JobRequest, spec *protocol.Spec) (*protocol.Status, error) {
	id := r.Job
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Patience)
	defer cancel()
	answers := g.caller.askAll(ctx, protocol.FirstReplicas(spec.Replicas), protocol.Request{Action: protocol.ActionStatus, Job: id, Onlooker: r.Onlooker, Nodes: r.Nodes}, nil)
	parts := make(map[int]protocol.Status)
	var silent, without []int
	var refused, failed error
	for _, a := range answers {
		switch {
		case a.err != nil:
			silent, failed = append(silent, a.replica), a.err
		case a.response.Code == protocol.JobEnded:
			return nil, refusal(id, a.response)
		case a.response.Code != "" || a.response.Status == nil:
			refused, without = refusal(id, a.response), append(without, a.replica)
		default:
			parts[a.replica] = *a.response.Status
		}
	}
	switch {
	case len(parts) > 0 && len(without) > 0:
		return bereft(parts, silent, without, refused, spec), nil
	case len(parts) > 0:
		return protocol.MergeStatus(parts, silent), nil
	case refused != nil:
		return nil, refused
	}
	return nil, asStatus(failed)
}

// bereft returns the status of a job that some answering workers have no part of: it has
// failed, unless all its answers are there, or it is being opened, or ended.
func bereft(parts map[int]protocol.Status, silent, without []int, why error, spec *protocol.Spec) *protocol.Status {
	s := protocol.MergeStatus(parts, silent)
	whole := len(s.Answers) == len(spec.Plan.Answers)
	switch {
	case s.State == protocol.Failing || s.State == protocol.Ending || whole:
	case s.State == protocol.Opening:
		s = protocol.MergeStatus(parts, append(silent, without...))
	case protocol.CodeOf(why) == protocol.JobFailed:
		s.State, s.Reason, s.Cause = protocol.Failing, status.Convert(why).Message(), protocol.CauseOf(why)
	default:
		s.State, s.Reason, s.Cause = protocol.Failing, lostPart(without...), protocol.Lost
	}
	return s
}

// bereaved is like refusal, for a job that was opened on all workers: a worker that does
// not know the job has lost its part.
func bereaved(id protocol.JobID, r *protocol.Response) error {
	if r.Code == protocol.NoJob {
		return lost(id, lostPart(r.Replica), protocol.Lost)
	}
	return refusal(id, r)
}

// lostPart returns the reason why a job failed whose parts on some workers are lost.
func lostPart(replicas ...int) string {
	return fmt.Sprintf("worker %s has lost its part of the job; submit the job again", numbers(replicas))
}

// numbers returns numbers separated by commas.
func numbers(n []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ", ")
}

// list asks the workers that take part in new jobs for their jobs. For a job with missing
// parts it then asks all of that job's workers, some of which may no longer take part in
// new jobs.
func (g *Gateway) list(ctx context.Context, body []byte) (any, error) {
	if len(body) > 0 {
		if err := parse(body, &nothing{}); err != nil {
			return nil, err
		}
	}
	owner := OwnerOf(ctx)
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Patience)
	defer cancel()
	out := &protocol.List{Jobs: []protocol.Status{}}
	parts := make(map[protocol.JobID]map[int]protocol.Status) // by replica
	var errs []error
	answers := g.listAll(ctx, owner)
	for replica, a := range answers {
		if a.err != nil {
			errs = append(errs, a.err)
		}
		if a.err != nil || a.partial {
			out.Silent = append(out.Silent, replica)
		}
		for _, s := range a.jobs {
			if parts[s.Job] == nil {
				parts[s.Job] = make(map[int]protocol.Status)
			}
			parts[s.Job][replica] = s
		}
	}
	if len(errs) == len(answers) {
		return nil, asStatus(errors.Join(errs...))
	}
	for id, p := range parts {
		absent := missing(p)
		s := protocol.MergeStatus(p, absent)
		if slices.ContainsFunc(absent, func(r int) bool { return !slices.Contains(out.Silent, r) }) {
			s = g.lookCloser(ctx, id, owner, s)
		}
		out.Jobs = append(out.Jobs, s.Brief())
	}
	slices.SortFunc(out.Jobs, func(a, b protocol.Status) int {
		if c := b.Opened.Compare(a.Opened); c != 0 {
			return c
		}
		return slices.Compare(a.Job[:], b.Job[:])
	})
	return out, nil
}

// listed is what a worker tells of an owner's jobs.
type listed struct {
	jobs    []protocol.Status
	partial bool // there may be more
	err     error
}

// listAll asks the workers that take part in new jobs for an owner's jobs.
func (g *Gateway) listAll(ctx context.Context, owner string) []listed {
	out := make([]listed, g.cfg.Replicas)
	var all sync.WaitGroup
	for replica := range out {
		all.Go(func() { out[replica] = g.listOf(ctx, replica, owner) })
	}
	all.Wait()
	return out
}

// listOf asks a worker for an owner's jobs, of which there may be more than fit into an answer.
func (g *Gateway) listOf(ctx context.Context, replica int, owner string) (out listed) {
	r := protocol.Request{Action: protocol.ActionList, Owner: owner}
	for {
		a, err := g.caller.ask(ctx, replica, r)
		if err != nil {
			return listed{err: err}
		}
		out.jobs, out.partial = append(out.jobs, a.Jobs...), out.partial || a.Partial
		if !a.More || len(a.Jobs) == 0 {
			return out
		}
		r.Job = slices.MaxFunc(a.Jobs, func(x, y protocol.Status) int { return bytes.Compare(x.Job[:], y.Job[:]) }).Job
	}
}

// lookCloser asks all workers of a job for its status, after a worker has answered without
// a part of it. If that fails, it returns otherwise.
func (g *Gateway) lookCloser(ctx context.Context, id protocol.JobID, owner string, otherwise *protocol.Status) *protocol.Status {
	k, err := g.jobs.find(ctx, id, owner)
	if err != nil {
		return otherwise
	}
	if s, err := g.statusOf(ctx, protocol.JobRequest{Job: id, Onlooker: true}, k.spec); err == nil {
		return s
	}
	return otherwise
}

// missing returns the replicas of a job that have no entry in parts.
func missing(parts map[int]protocol.Status) (out []int) {
	replicas := 0
	for _, p := range parts {
		replicas = p.Replicas
	}
	for r := range replicas {
		if _, there := parts[r]; !there {
			out = append(out, r)
		}
	}
	return out
}

// explain turns an error that ended an upload into the error for the client. If a queue is
// gone, so is the job, and explain asks the workers why.
func (g *Gateway) explain(ctx context.Context, id protocol.JobID, err error) error {
	if !errors.Is(err, broker.ErrNoQueue) {
		late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, broker.ErrUnconfirmed)
		if s := g.broker.State(); late && s.Blocked() {
			return blocked(s)
		}
		return asStatus(err)
	}
	k, why := g.jobs.find(ctx, id, OwnerOf(ctx))
	g.jobs.forget(id)
	if why == nil {
		var s *protocol.Status
		if s, why = g.statusOf(ctx, protocol.JobRequest{Job: id, Onlooker: true}, k.spec); why == nil && s.Reason != "" {
			return lost(id, s.Reason, s.Cause)
		}
	}
	if protocol.CodeOf(why) != "" {
		return why
	}
	return lost(id, "the broker has lost a queue of it: "+err.Error()+"; submit the job again", protocol.Lost)
}
