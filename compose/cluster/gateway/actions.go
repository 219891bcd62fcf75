package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"

	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/plan"
)

// action is one type of action: its description and its handler. The result is sent as
// JSON. The hashes of protocol.Keys follow it as a second result, not as JSON. An action without a
// handler takes long, and has a protocol.News for each result: see read.
type action struct {
	name, about string
	do          handler
}

type handler func(g *Gateway, ctx context.Context, body []byte) (result any, err error)

func actions() []action {
	return []action{
		{protocol.ActionOpen, "plan a job and have every worker take part", (*Gateway).open},
		{protocol.ActionDescribe, "what is fixed of a job", onJob(func(r *protocol.JobRequest) protocol.JobID { return r.Job }, (*Gateway).describe)},
		{protocol.ActionStatus, "how far a job is", onJob(func(r *protocol.JobRequest) protocol.JobID { return r.Job }, (*Gateway).status)},
		{protocol.ActionList, "the caller's jobs", (*Gateway).list},
		{protocol.ActionKeys, "key hashes of a join's build side", onJob(func(r *protocol.KeysRequest) protocol.JobID { return r.Job }, (*Gateway).keys)},
		{protocol.ActionEndTable, "how many batches a table has", onJob(func(r *protocol.TableEnd) protocol.JobID { return r.Job }, (*Gateway).endTable)},
		{protocol.ActionNote, "what a job keeps of a table for those who upload it", onJob(func(r *protocol.NoteRequest) protocol.JobID { return r.Job }, (*Gateway).note)},
		{protocol.ActionCut, "make a job of what has been uploaded to another", onJob(func(r *protocol.CutRequest) protocol.JobID { return r.Job }, (*Gateway).cut)},
		{protocol.ActionEnd, "end a job", (*Gateway).end},
		{protocol.ActionBind, "find files below the gateway's sources, and plan a statement", nil},
		{protocol.ActionFeed, "read the files of a job as long as the call lasts", nil},
	}
}

// ListActions sends the supported types of actions.
func (g *Gateway) ListActions(_ *flight.Empty, stream flight.FlightService_ListActionsServer) error {
	for _, a := range actions() {
		if err := stream.Send(&flight.ActionType{Type: a.name, Description: a.about}); err != nil {
			return err
		}
	}
	return nil
}

// DoAction runs one action.
func (g *Gateway) DoAction(request *flight.Action, stream flight.FlightService_DoActionServer) error {
	g.metrics.Actions.Add(1)
	for _, a := range actions() {
		if a.name != request.Type {
			continue
		}
		if len(request.Body) > protocol.MaxRequest {
			return refused("%s: a request of %d bytes; %d are possible", a.name, len(request.Body), protocol.MaxRequest)
		}
		if a.do == nil {
			return g.read(stream, request)
		}
		timeout := g.cfg.Timeout
		if end, ok := stream.Context().Deadline(); ok {
			timeout = min(timeout, time.Until(end)*9/10) // leaves time to report the error
		}
		ctx, cancel := context.WithTimeout(stream.Context(), timeout)
		defer cancel()
		result, err := a.do(g, ctx, request.Body)
		if err != nil {
			return err
		}
		return sendResult(stream, result)
	}
	return refused("there is no action %q", request.Type)
}

func sendResult(stream flight.FlightService_DoActionServer, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("write a result: %w", err)
	}
	err = stream.Send(&flight.Result{Body: text})
	if keys, are := result.(*protocol.Keys); err == nil && are && keys.Count > 0 {
		err = stream.Send(&flight.Result{Body: protocol.EncodeKeys(keys.Hashes)})
	}
	return err
}

// parse decodes the body of an action. Unknown fields are errors.
func parse(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		err = errors.New("bytes after the request")
	}
	if err != nil {
		return refused("read the request: %v", err)
	}
	return nil
}

// nothing is the result of actions that have none.
type nothing struct{}

// onJob makes a handler of a function on a job. The job must be the caller's. If the
// function finds that the job is gone, the gateway forgets it.
func onJob[R any](id func(*R) protocol.JobID, do func(*Gateway, context.Context, *knownJob, *R) (any, error)) handler {
	return func(g *Gateway, ctx context.Context, body []byte) (result any, err error) {
		r := new(R)
		if err := parse(body, r); err != nil {
			return nil, err
		}
		k, err := g.jobs.find(ctx, id(r), OwnerOf(ctx))
		if err == nil {
			result, err = do(g, ctx, k, r)
		}
		switch protocol.CodeOf(err) {
		case protocol.JobEnded, protocol.NoJob:
			g.jobs.forget(id(r))
		}
		return result, err
	}
}

func (g *Gateway) describe(_ context.Context, k *knownJob, _ *protocol.JobRequest) (any, error) {
	return k.spec, nil
}

func (g *Gateway) keys(ctx context.Context, k *knownJob, r *protocol.KeysRequest) (any, error) {
	if r.Node < 0 || r.Node >= len(k.spec.Plan.Nodes) || k.spec.Plan.Nodes[r.Node].Join == nil {
		return nil, refused("node %d of job %s is no join", r.Node, r.Job)
	}
	return g.buildKeys(ctx, k, r.Node)
}

// note reads or writes a note.
func (g *Gateway) note(ctx context.Context, k *knownJob, r *protocol.NoteRequest) (any, error) {
	if !r.Keepable(k.spec) {
		return nil, refused("a note of table %q of job %s, of %d bytes, with a file of %d; %d and %d are possible",
			r.Table, r.Job, len(r.Text), len(r.File), protocol.MaxNote, protocol.FileBytes)
	}
	response, err := g.caller.ask(ctx, 0, protocol.Request{Action: protocol.ActionNote, Job: r.Job, Note: &r.Note})
	if err == nil {
		err = refusal(r.Job, response)
	}
	if err == nil && response.Note == nil {
		err = protocol.Errorf(protocol.Trouble, "worker 0 answers with no note; try again")
	}
	if err != nil {
		return nil, g.explain(ctx, r.Job, err)
	}
	return response.Note, nil
}

// end ends a job. Ending a job that has already ended is no error.
func (g *Gateway) end(ctx context.Context, body []byte) (any, error) {
	var r protocol.JobEnd
	if err := parse(body, &r); err != nil {
		return nil, err
	}
	if !plan.Printable(r.Reason, protocol.MaxReason) {
		return nil, refused("a reason that is not printable, or longer than %d bytes", protocol.MaxReason)
	}
	k, err := g.jobs.find(ctx, r.Job, OwnerOf(ctx))
	if protocol.CodeOf(err) == protocol.JobEnded {
		return nothing{}, nil
	}
	if err != nil {
		return nil, err
	}
	response, err := g.caller.ask(ctx, 0, protocol.Request{Action: protocol.ActionEnd, Job: r.Job, Reason: r.Reason})
	if err != nil {
		return nil, err
	}
	err = refusal(r.Job, response)
	switch protocol.CodeOf(err) {
	case protocol.JobEnded:
		err = nil
	case protocol.NoJob:
		err = g.endWithout0(ctx, k.spec, r.Reason)
	}
	if err == nil {
		g.jobs.forget(r.Job)
	}
	return nothing{}, err
}

// endWithout0 ends a job on all other replicas when replica 0, which normally ends jobs,
// has no part of it. The error says which replicas failed. It also deletes the queues,
// since no worker may know of them any more.
func (g *Gateway) endWithout0(ctx context.Context, spec *protocol.Spec, reason string) error {
	id := spec.ID
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Patience)
	defer cancel()
	var left []int
	var why error
	request := protocol.Request{Action: protocol.ActionClean, Job: id, Reason: reason, All: true}
	for _, a := range g.caller.askAll(ctx, protocol.FirstReplicas(spec.Replicas)[1:], request, nil) {
		if a.err == nil {
			a.err = refusal(id, a.response)
		}
		if a.err != nil {
			left, why = append(left, a.replica), a.err
		}
	}
	if len(left) > 0 {
		return protocol.Errorf(protocol.Trouble, "job %s is ended but on worker %s, which may have a part of it yet (%v); try again", id, numbers(left), why)
	}
	return asStatus(g.broker.Delete(ctx, spec.QueueNames()...))
}
