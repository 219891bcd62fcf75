package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// Request takes one request. It acknowledges the request before serving it, so that a part
// at work for long does not delay requests to others. A sender that needs the effect
// repeats the request until it sees the effect.
func (w *Worker) Request(ctx context.Context, d broker.Delivery) {
	defer func() {
		if err := d.Ack(); err != nil && !errors.Is(err, broker.ErrStale) {
			w.Log.Warn("acknowledge a request", "error", err)
		}
	}()
	r, err := protocol.DecodeRequest(d.Body)
	if err != nil {
		w.Log.Warn("a request cannot be read", "error", err)
		return
	}
	switch r.Action {
	case protocol.ActionList:
		w.running.Go(func() { w.reply(r, w.list(r)) })
		return
	case protocol.ActionOpen:
		// A broker may bring back a request that opened the job on a disk that has since been
		// replaced. The job's messages were acknowledged then, and are lost. Whoever opens the
		// job now repeats the request.
		if !d.Redelivered || w.member(r.Job) != nil {
			w.open(ctx, r)
		}
		return
	case protocol.ActionClaim:
		w.claimed(r)
		return
	case protocol.ActionStatus, protocol.ActionDescribe, protocol.ActionKeys, protocol.ActionPage, protocol.ActionReach, protocol.ActionRead, protocol.ActionNote,
		protocol.ActionEnd, protocol.ActionClean, protocol.ActionCleaned, protocol.ActionOrphan:
	default: // otherwise the sender would hear that there is no such job
		w.refuse(r, protocol.Refused, fmt.Sprintf("it does not know the request %q: it runs another version of the program", r.Action))
		return
	}
	m := w.member(r.Job)
	if m == nil {
		w.absent(r)
		return
	}
	if w.served(m, r) {
		return
	}
	if r.Action == protocol.ActionEnd || r.Action == protocol.ActionClean {
		m.interrupt()
	}
	m.do(func(p *Part) {
		switch r.Action {
		case protocol.ActionClean:
			if p.Forget(r.Reason, r.All); p.closed {
				w.reply(r, new(protocol.Response))
			}
		case protocol.ActionCleaned:
			p.Cleaned(r.From)
		case protocol.ActionOrphan: // no orphan: replica 0 will end the job everywhere
			p.passOn(r.From)
		default:
			w.reply(r, p.Serve(r))
		}
	})
}

// open takes part in a new job.
func (w *Worker) open(ctx context.Context, r *protocol.Request) {
	if why, aside := w.isAside(r.Job); aside {
		w.refuse(r, protocol.JobFailed, why)
		return
	}
	if owner, reason, ended := w.Tombstones.Ended(r.Job); ended {
		w.reply(r, &protocol.Response{Code: protocol.JobEnded, Error: reason, Owner: owner})
		return
	}
	spec, err := protocol.DecodeSpec(r.Spec)
	if err == nil && (spec.ID != r.Job || spec.Replicas <= w.Replica) {
		err = fmt.Errorf("worker %d has no part in job %s, which %d workers take part in", w.Replica, spec.ID, spec.Replicas)
	}
	if err != nil {
		w.refuse(r, protocol.Refused, err.Error())
		return
	}
	if spec.Cut != nil {
		w.beginCut(ctx, r, spec)
		return
	}
	w.begin(ctx, r, spec, nil)
}

// begin takes part in a job. The first step of the new part opens it and answers the
// request. For a cut, from is the excerpt to start with, which begin closes. If there is a
// part already, that one answers.
func (w *Worker) begin(ctx context.Context, r *protocol.Request, spec *protocol.Spec, from *excerpt) {
	if why := w.full(spec); why != "" && w.member(spec.ID) == nil {
		from.close()
		w.refuse(r, protocol.TooMany, why)
		return
	}
	m := w.newMember(spec.ID)
	m.owner, m.cut = spec.Owner, spec.Cut != nil
	m.box.post(func() {
		p, err := w.openPart(ctx, spec, from, m.box.post)
		from.close()
		if err == nil {
			m.part.Store(p)
			w.reply(r, &protocol.Response{Data: r.Spec, Memory: w.Memory})
			return
		}
		w.drop(spec.ID)
		if errors.Is(err, vfs.ErrUnsure) {
			w.die(err) // without an answer: the sender asks the next process
			return
		}
		w.refuse(r, protocol.Trouble, w.tellable(err))
	})
	there, added := w.add(spec.ID, m)
	if added {
		return
	}
	from.close()
	if there != nil && !w.served(there, r) {
		there.do(func(p *Part) { w.reply(r, p.Serve(r)) })
	}
}

// served answers a request to a part that is computing, and reports whether it could. A
// step of the part would answer too late.
func (w *Worker) served(m *member, r *protocol.Request) bool {
	c := m.computing()
	if c == nil {
		return false
	}
	out := c.serve(r)
	if out != nil {
		w.reply(r, out)
	}
	return out != nil
}

// absent answers a request about a job that is not here.
func (w *Worker) absent(r *protocol.Request) {
	owner, reason, ended := w.Tombstones.Ended(r.Job)
	switch r.Action {
	case protocol.ActionClean:
		w.tell(w.ctx, 0, &protocol.Request{Action: protocol.ActionCleaned, Job: r.Job, From: w.Replica})
		w.reply(r, new(protocol.Response))
		return
	case protocol.ActionCleaned:
		return
	case protocol.ActionOrphan:
		w.adopt(r, reason)
		return
	}
	out := &protocol.Response{Code: protocol.NoJob, Error: "there is no job " + r.Job.String()}
	why, aside := w.isAside(r.Job)
	switch {
	case ended && (owner != "" || r.Action != protocol.ActionEnd):
		out.Code, out.Error, out.Owner = protocol.JobEnded, reason, owner
	case r.Action == protocol.ActionEnd && w.Replica == 0:
		// The job was never opened here, or its state was lost. It must not be opened from
		// now on: the sender makes the other replicas forget it.
		if err := w.Tombstones.Add(r.Job, "", r.Reason); err != nil {
			out.Code, out.Error = protocol.Trouble, w.tellable(err)
		}
	case aside:
		out.Code, out.Error = protocol.JobFailed, fmt.Sprintf("worker %d: %s; submit the job again", w.Replica, why)
	}
	w.reply(r, out)
}

// adopt ends a job that another replica has but this one, replica 0, has not: it
// was never opened here, or has ended. From now on it cannot be opened here.
func (w *Worker) adopt(r *protocol.Request, reason string) {
	if w.Replica != 0 {
		return
	}
	if reason == "" {
		reason = "expired: it was never opened on all workers"
	}
	if err := w.Tombstones.Add(r.Job, "", reason); err != nil {
		w.Log.Warn("end a job of another replica", "job", r.Job, "error", err)
		return // the other replica asks again
	}
	w.tell(w.ctx, r.From, &protocol.Request{Action: protocol.ActionClean, Job: r.Job, Reason: reason, All: true})
}

// mostListed is how many jobs an answer to a list has at most, so that it fits into a message.
const mostListed = 500

// list tells of the jobs of an owner that follow the one in the request, in the order of their
// numbers. It leaves out parts that do not answer within a second.
func (w *Worker) list(r *protocol.Request) *protocol.Response {
	out := &protocol.Response{Partial: w.untaken.Load() > 0}
	members, more := w.owned(r.Owner, r.Job)
	out.More = more
	statuses := make(chan protocol.Status, len(members))
	for _, m := range members {
		if c := m.computing(); c != nil {
			statuses <- c.now().Brief()
			continue
		}
		p := m.part.Load()
		tell := func() { statuses <- p.brief() }
		if !m.box.peek(tell) {
			m.box.post(tell)
		}
	}
	patience := time.After(time.Second)
	for range members {
		select {
		case s := <-statuses:
			out.Jobs = append(out.Jobs, s)
		case <-patience:
			return out
		}
	}
	return out
}

// Jobs returns the jobs of an owner that are open here and follow a job, sorted.
func (w *Worker) Jobs(owner string, after protocol.JobID) (ids []protocol.JobID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, m := range w.parts {
		if m.owner == owner && m.part.Load() != nil && bytes.Compare(id[:], after[:]) > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b protocol.JobID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// owned returns the first parts of an owner's jobs that follow a job, and whether there are more.
func (w *Worker) owned(owner string, after protocol.JobID) (members []*member, more bool) {
	ids := w.Jobs(owner, after)
	if more = len(ids) > mostListed; more {
		ids = ids[:mostListed]
	}
	for _, id := range ids {
		if m := w.member(id); m != nil {
			members = append(members, m)
		}
	}
	return members, more
}

func (w *Worker) refuse(r *protocol.Request, code protocol.Code, why string) {
	w.reply(r, &protocol.Response{Code: code, Error: why})
}

func (w *Worker) reply(r *protocol.Request, out *protocol.Response) {
	if r.ReplyTo == "" {
		return
	}
	out.ID, out.Replica, out.Speaks = r.ID, w.Replica, protocol.Version
	body, err := protocol.EncodeResponse(out)
	if err == nil {
		err = w.Broker.Publish(w.ctx, r.ReplyTo, body, func(error) {})
	}
	if err != nil {
		w.Log.Warn("answer a request", "request", r.Action, "error", err)
	}
}

// tell sends a request without waiting for an answer. The caller repeats it if it matters.
func (w *Worker) tell(ctx context.Context, replica int, r *protocol.Request) {
	body, err := protocol.EncodeRequest(r)
	if err == nil {
		err = w.Broker.Publish(ctx, protocol.ControlQueue(replica), body, func(error) {})
	}
	if err != nil {
		w.Log.Warn("tell a replica", "replica", replica, "request", r.Action, "error", err)
	}
}
