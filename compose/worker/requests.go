package worker

import (
	"context"
	"time"

	"analyzer/compose/control"
	"analyzer/compose/job"
	"analyzer/shuffle/broker"
)

// request takes one request. It is acknowledged when what it asks for is durable
// or nobody has to be sure of it.
func (w *Worker) request(ctx context.Context, d broker.Delivery) {
	r, err := control.DecodeRequest(d.Body)
	if err != nil {
		w.log.Warn("a request cannot be read", "error", err)
		d.Ack()
		return
	}
	switch r.Type {
	case control.List:
		w.reply(r, w.list(r))
		d.Ack()
		return
	case control.Open:
		w.reply(r, w.open(ctx, r))
		d.Ack()
		return
	}
	m := w.member(r.Job)
	if m == nil {
		w.absent(r)
		d.Ack()
		return
	}
	m.box.post(func() {
		switch r.Type {
		case control.Clean:
			m.part.Forget(r.Reason)
		case control.Cleaned:
			m.part.Cleaned(r.From)
		default:
			w.reply(r, m.part.Serve(r))
		}
		d.Ack()
	})
}

// open takes part in a new job.
func (w *Worker) open(ctx context.Context, r *control.Request) *control.Response {
	out := &control.Response{ID: r.ID, Replica: w.cfg.Replica}
	if reason, ended := w.stones.Ended(r.Job); ended {
		out.Code, out.Error = control.Ended, reason
		return out
	}
	if w.member(r.Job) != nil {
		return out
	}
	spec, err := job.Decode(r.Spec)
	switch {
	case err != nil:
		out.Code, out.Error = control.Refused, err.Error()
	case spec.ID != r.Job || spec.Replicas != w.cfg.Replicas:
		out.Code, out.Error = control.Refused, "the job is for another cluster: it has another number of workers"
	default:
		err := w.startPart(spec.ID, func(post func(func())) (*Part, error) { return OpenPart(ctx, spec, w.deps(), post) })
		if err != nil {
			out.Code, out.Error = control.Trouble, err.Error()
		}
	}
	return out
}

// absent answers a request about a job that is not here.
func (w *Worker) absent(r *control.Request) {
	switch r.Type {
	case control.Clean:
		w.send(control.Queue(0), &control.Request{Type: control.Cleaned, Job: r.Job, From: w.cfg.Replica})
		return
	case control.Cleaned:
		return
	}
	out := &control.Response{ID: r.ID, Replica: w.cfg.Replica, Code: control.NoJob, Error: "there is no job " + r.Job.String()}
	if reason, ended := w.stones.Ended(r.Job); ended {
		out.Code, out.Error = control.Ended, reason
	}
	w.reply(r, out)
}

// list asks every part for its status; one that is at work for long is left out.
func (w *Worker) list(r *control.Request) *control.Response {
	out := &control.Response{ID: r.ID, Replica: w.cfg.Replica}
	members := w.members()
	statuses := make(chan control.JobStatus, len(members))
	for _, m := range members {
		m.box.post(func() { statuses <- m.part.Status() })
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

func (w *Worker) reply(r *control.Request, out *control.Response) {
	if r.ReplyTo == "" {
		return
	}
	body, err := control.EncodeResponse(out)
	if err == nil {
		err = w.broker.Publish(context.Background(), r.ReplyTo, body, func(error) {})
	}
	if err != nil {
		w.log.Warn("answer a request", "request", r.Type, "error", err)
	}
}

// send sends a request that its receiver is asked for again if it gets lost.
func (w *Worker) send(queue string, r *control.Request) {
	body, err := control.EncodeRequest(r)
	if err == nil {
		err = w.broker.Publish(context.Background(), queue, body, func(error) {})
	}
	if err != nil {
		w.log.Warn("send a request", "request", r.Type, "error", err)
	}
}
