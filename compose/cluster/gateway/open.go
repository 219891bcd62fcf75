package gateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar/budget"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/compose/engine"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
)

// open plans a job and makes every worker take part. Each worker declares the queue that
// it reads before it answers, so a queue has an owner from the start: a gateway that dies
// in the middle leaks none.
func (g *Gateway) open(ctx context.Context, body []byte) (any, error) {
	var r protocol.OpenRequest
	if err := parse(body, &r); err != nil {
		return nil, err
	}
	if err := checkRequest(&r); err != nil {
		return nil, refused("%v", err)
	}
	if r.Sources != nil {
		if g.cfg.Reader == nil {
			return nil, errNoSources
		}
		if err := g.cfg.Reader.Check(ctx, r.Sources); err != nil {
			return nil, err
		}
	}
	version, err := g.version(ctx)
	if err != nil {
		return nil, asStatus(err)
	}
	if err := protocol.CheckTables(version, r.Tables); err != nil {
		return nil, refused("%v", err)
	}
	sources := protocol.Whole(r.Sources)
	if r.Sources != nil && protocol.InRanges(version) {
		if sources, err = g.cfg.Reader.Cut(ctx, &r); err != nil {
			return nil, err
		}
	}
	spec, text, err := g.plan(ctx, r, sources, version)
	switch {
	case ctx.Err() != nil:
		return nil, status.FromContextError(ctx.Err()).Err()
	case err != nil:
		return nil, refused("%v", err)
	}
	opened, err := g.enlist(ctx, spec, text)
	if err != nil {
		// A client that named the job itself retries where that may help. Of what is one
		// job too many there is nothing.
		if code := protocol.CodeOf(err); code != protocol.TooMany && (r.Job == (protocol.JobID{}) || slices.Contains([]protocol.Code{protocol.Refused, protocol.LittleMemory, protocol.JobFailed}, code)) {
			g.undo(spec.ID, err)
		}
		return nil, err
	}
	g.cfg.Crash(PointOpened)
	g.jobs.add(opened, len(text))
	g.log.Info("job opened", "job", opened.ID, "client", opened.Owner, "label", opened.Label, "version", opened.Version)
	return protocol.Opened{Job: opened.ID, Spec: opened}, nil
}

// plan makes the spec of a job that reads the request's sources as these, and checks that all its operators can be made. A panic of
// the planner over a client's queries becomes a refusal of these queries.
func (g *Gateway) plan(ctx context.Context, r protocol.OpenRequest, sources map[string]protocol.Source, version int) (spec *protocol.Spec, text []byte, err error) {
	defer g.rescue("plan", func(error) { err = errors.New("the queries cannot be planned") })
	if err := g.planning.Acquire(ctx, 1); err != nil {
		return nil, nil, fmt.Errorf("wait until other requests are planned: %w", err)
	}
	defer g.planning.Release(1)
	if spec, err = protocol.NewSpec(budget.NewWork(ctx, g.cfg.Memory/protocol.MaxPlanning), r, OwnerOf(ctx), g.cfg.Replicas, g.cfg.Queues, time.Now().UTC()); err != nil {
		return nil, nil, err
	}
	spec.Version, spec.Sources = version, sources // what one gateway finds of them, another may not
	if text, err = spec.Encode(); err != nil {
		return nil, nil, err
	}
	if err := checkSpec(spec); err != nil {
		return nil, nil, err
	}
	return spec, text, g.rehearse(spec)
}

// rehearse makes and closes the operators of every stage, so that a plan whose operators
// do not fit their inputs is refused before anything is uploaded.
func (g *Gateway) rehearse(spec *protocol.Spec) error {
	for _, stage := range spec.Plan.Stages {
		if stage.Table == "" {
			l, err := exec.New(g.rt, spec.Plan, stage, func(int) ([]exec.Outlet, error) { return nil, nil })
			if err != nil {
				return err
			}
			if err := l.Close(); err != nil {
				return err
			}
			continue
		}
		for _, n := range spec.Scans(stage.ID) {
			s, err := scatter.New(g.rt, spec, n.ID)
			if err != nil {
				return err
			}
			if err := s.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// enlist makes every worker take part, and returns the spec that they have agreed on.
// Replica 0 goes first: the spec that it holds defines the job, and the others get that
// spec. So several gateways can open one job, at once or one after the other, even if they
// disagree on how many workers take part.
func (g *Gateway) enlist(ctx context.Context, spec *protocol.Spec, text []byte) (*protocol.Spec, error) {
	r := protocol.Request{Action: protocol.ActionOpen, Job: spec.ID, Spec: text}
	first, err := g.caller.ask(ctx, 0, r)
	if err != nil {
		return nil, asStatus(err)
	}
	if err := notEnlisted(spec, first); err != nil {
		return nil, err
	}
	opened, err := readSpec(spec.ID, first.Data)
	switch {
	case err != nil:
		return nil, err
	case opened.Owner != spec.Owner:
		return nil, notOwner(spec.ID)
	case opened.Request != spec.Request:
		return nil, protocol.Errorf(protocol.JobExists, "job %s was opened for something else; give this one another name", spec.ID)
	}
	r.Spec = first.Data
	if err := checkMemory(opened.Plan, 0, first.Memory); err != nil {
		return nil, err
	}
	for _, a := range g.caller.askAll(ctx, protocol.FirstReplicas(opened.Replicas)[1:], r, nil) {
		if a.err != nil {
			return nil, asStatus(a.err)
		}
		if err := errors.Join(notEnlisted(spec, a.response), checkMemory(opened.Plan, a.replica, a.response.Memory)); err != nil {
			return nil, err
		}
	}
	return opened, nil
}

// cut opens a job that answers for the batches uploaded to another job so far.
func (g *Gateway) cut(ctx context.Context, k *knownJob, r *protocol.CutRequest) (any, error) {
	if r.As == (protocol.JobID{}) {
		return nil, refused("a cut of job %s without a name", r.Job)
	}
	if !k.spec.Follow {
		return nil, refused("job %s is not followed: its uploads are not kept", r.Job)
	}
	var reached []map[int]uint64
	for _, a := range g.caller.askAll(ctx, protocol.FirstReplicas(k.spec.Replicas), protocol.Request{Action: protocol.ActionReach, Job: r.Job}, nil) {
		if a.err != nil {
			return nil, asStatus(a.err)
		}
		if err := bereaved(r.Job, a.response); err != nil {
			return nil, err
		}
		reached = append(reached, a.response.Reach)
	}
	spec, err := k.spec.NewCut(r.As, reached, time.Now().UTC())
	if err != nil {
		return nil, refused("%v", err)
	}
	if table := spec.Lacks(r.Tables); table != "" {
		return nil, protocol.Errorf(protocol.NotReady, "%d batches of table %s have come to all workers, not %d", spec.CutTables()[table], table, r.Tables[table])
	}
	text, err := spec.Encode()
	if err != nil {
		return nil, refused("%v", err)
	}
	opened, err := g.enlist(ctx, spec, text)
	if err != nil {
		return nil, err
	}
	c := g.jobs.add(opened, len(text))
	// No worker computes, and sends to others, before it has these ends. By now all
	// workers have opened the cut.
	for scan, batches := range opened.Cut.Batches {
		if _, err := g.endTable(ctx, c, &protocol.TableEnd{Job: opened.ID, Node: scan, Batches: batches}); err != nil {
			return nil, err
		}
	}
	return protocol.Opened{Job: opened.ID, Spec: opened}, nil
}

// checkMemory refuses a plan that needs more memory than a worker has for operators. has
// is from the worker's answer; 0 means no limit.
func checkMemory(p *physical.Plan, replica int, has int64) error {
	for _, stage := range p.Stages {
		if needs := exec.LeastMemory(p, stage); has > 0 && needs > has && stage.Table == "" {
			return protocol.Errorf(protocol.LittleMemory,
				"query %s takes at least %d bytes for the state of stage %d, and worker %d has %d; start the workers with --memory %dKiB or more, or leave the query out",
				strings.Join(p.QueriesOf(stage.ID), ", "), needs, stage.ID, replica, has, engine.MemoryFor(needs)>>10+1)
		}
	}
	return nil
}

// notEnlisted is like refusal, for a request to take part. A worker that answers that
// there is no such job, or with a code that is unknown here, runs another version.
func notEnlisted(spec *protocol.Spec, r *protocol.Response) error {
	if r.Owner != "" && r.Owner != spec.Owner {
		return notOwner(spec.ID)
	}
	if r.Code == protocol.NoJob || r.Code != "" && r.Code.GRPC() == codes.Unknown {
		return refused("worker %d runs another version of the program: it does not know how to open a job; let all processes of the cluster run the same", r.Replica)
	}
	return refusal(spec.ID, r)
}

// undo ends a job that could not be opened on all workers. If replica 0 does not have it,
// no other worker does. If the request gets lost, the job ends when it expires.
func (g *Gateway) undo(id protocol.JobID, why error) {
	ctx, cancel := context.WithTimeout(context.Background(), g.cfg.Patience)
	defer cancel()
	reason := "it could not be opened: " + status.Convert(why).Message()
	if _, err := g.caller.ask(ctx, 0, protocol.Request{Action: protocol.ActionEnd, Job: id, Reason: reason}); err != nil {
		g.log.Warn("take back a job", "job", id, "error", err)
	}
}
