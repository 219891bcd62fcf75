package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/protocol"
)

const (
	jobEvery  = 500 * time.Millisecond
	listEvery = time.Second
	// aliveEvery is how often a watcher without news gets a sign of life, which also finds
	// out whether the watcher is still there.
	aliveEvery = 10 * time.Second
)

// events is a stream of server-sent events to one watcher.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    map[string][]byte // last value sent, by name of the event
	spoke   time.Time
}

// watch begins a stream of events and calls look repeatedly, at once and then at intervals of
// every, until look returns errOver or the watcher leaves. Other errors are sent as events,
// unless nothing has been sent yet.
func (p *Page) watch(w http.ResponseWriter, r *http.Request, every time.Duration, look func(ctx context.Context, e *events) error) error {
	owner := protocol.Anyone
	if p.cfg.Owner != nil {
		owner = p.cfg.Owner(r.Context())
	}
	if err := p.watchers.Take(owner, 1); err != nil {
		return err
	}
	defer p.watchers.Give(owner, 1)
	w.Header().Set("Content-Type", "text/event-stream")
	e := &events{w: w, control: http.NewResponseController(w), last: make(map[string][]byte)}
	for {
		err := look(r.Context(), e)
		if errors.Is(err, errOver) || r.Context().Err() != nil {
			return nil
		}
		if err != nil && len(e.last) == 0 {
			return err // no event was sent: answer with an error
		}
		if err != nil {
			_, f := failureOf(err)
			err = e.send("trouble", f)
		} else {
			err = e.alive()
		}
		if err != nil {
			return nil //nolint:nilerr // who watched is gone
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-p.stop.Done():
			return nil
		case <-time.After(every):
		}
	}
}

var errOver = errors.New("there will be no more events")

// send sends an event, unless the last one of its name had the same value.
func (e *events) send(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if bytes.Equal(e.last[name], text) {
		return nil
	}
	e.last[name] = text
	return e.write("event: %s\ndata: %s\n\n", name, text)
}

// alive sends a sign of life if nothing was sent for aliveEvery.
func (e *events) alive() error {
	if time.Since(e.spoke) < aliveEvery {
		return nil
	}
	return e.write(":\n\n")
}

func (e *events) write(format string, a ...any) error {
	e.spoke = time.Now()
	if _, err := fmt.Fprintf(e.w, format, a...); err != nil {
		return err
	}
	return e.control.Flush()
}

// watchJob sends a “job” event whenever the job has changed, and at its end a “gone” event
// with the reason.
func (p *Page) watchJob(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	about := describe(j.Spec)
	return p.watch(w, r, jobEvery, func(ctx context.Context, e *events) error {
		now, err := p.look(ctx, about)
		switch code := protocol.CodeOf(err); {
		case err == nil:
			now.Status.Expires = now.Status.Expires.Truncate(time.Minute) // it moves each time the status is read
			return e.send("job", now)
		case (code == protocol.JobEnded || code == protocol.NoJob) && len(e.last) > 0:
			_, f := failureOf(err)
			return errors.Join(e.send("gone", f), errOver)
		}
		return err
	})
}

// watchAll sends the caller's jobs (“jobs”) and the cluster's nodes (“nodes”).
func (p *Page) watchAll(w http.ResponseWriter, r *http.Request) error {
	return p.watch(w, r, listEvery, func(ctx context.Context, e *events) error {
		list, err := p.client.List(ctx)
		if err != nil {
			return err
		}
		for i := range list.Jobs {
			list.Jobs[i].Expires = list.Jobs[i].Expires.Truncate(time.Minute)
		}
		if err := e.send("jobs", list); err != nil {
			return err
		}
		return e.send("nodes", p.report(ctx, list))
	})
}

// report returns the cluster's nodes and their load. All watchers share one report.
func (p *Page) report(ctx context.Context, list *protocol.List) load.Report {
	if p.cfg.Load == nil {
		return p.hearsay(list)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.looked) > listEvery {
		if report := p.cfg.Load(ctx); ctx.Err() == nil {
			p.nodes, p.looked = report, time.Now()
		}
	}
	return p.nodes
}

// hearsay is the report of a gateway that knows only which workers answer.
func (p *Page) hearsay(list *protocol.List) load.Report {
	var out load.Report
	for i := range p.cfg.Workers {
		n := membership.Node{Name: fmt.Sprintf("worker-%d", i), Role: membership.Worker, State: membership.Running}
		if slices.Contains(list.Silent, i) {
			n.State, n.Why = membership.Silent, "it does not answer"
		}
		out.Nodes = append(out.Nodes, n)
	}
	return out
}
