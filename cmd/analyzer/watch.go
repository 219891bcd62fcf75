package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/columnar/size"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/process"
)

// goneAfter is how long a client may be silent before it counts as gone. A client that is
// there asks several times a second.
const goneAfter = 15 * time.Second

// gone reports whether a running job has lost its client.
func gone(s *protocol.Status) bool {
	return !s.Open && s.Idle >= goneAfter && (s.State == protocol.Running || s.State == protocol.Done)
}

// goOn says what to do with a job that has lost its client.
func goOn(s *protocol.Status) string {
	if s.Uploading {
		return fmt.Sprintf("The client of job %s has gone. Where it was submitted, it goes on with: analyzer submit --resume %s\n"+
			"If it was opened over HTTP, send the rest of its tables so; analyzer jobs cancel %s ends it.", s.Job, s.Job, s.Job)
	}
	return fmt.Sprintf("All tables are there. Next: analyzer jobs results %s", s.Job)
}

// howFar says in words how far a job is.
func howFar(s *protocol.Status) string {
	text := fmt.Sprintf("%d of %d stages  %s taken in", s.StagesDone(), len(s.Stages), size.Plural(s.Rows, "row"))
	for _, stage := range s.Stages {
		if stage.Todo > 0 {
			text += fmt.Sprintf("  stage %d%s", stage.Stage, computed(stage))
		}
	}
	for _, replica := range s.Silent {
		text += fmt.Sprintf("  worker %d is silent", replica)
	}
	if gone(s) && s.Uploading {
		text += "  its client has gone for " + s.Idle.Round(time.Second).String()
	}
	return text
}

// computed says how many rows of a stage are computed; "" if it is not under way.
func computed(s protocol.Stage) string {
	if s.Todo == 0 {
		return ""
	}
	rate := int64(float64(s.Done) / max(s.Took, time.Millisecond).Seconds())
	return fmt.Sprintf(": %s of %s computed, %s/s", size.Count(s.Done), size.Plural(s.Todo, "row"), size.Count(rate))
}

// watchJob shows how far a job is until it ends: the named job, or the newest that runs.
func (p *jobs) watchJob(ctx context.Context, job string) error {
	find := p.newestRunning
	if job != "" {
		find = func(ctx context.Context) (protocol.JobID, error) { return p.find(ctx, job) }
	}
	id, err := find(ctx)
	if err != nil {
		return err
	}
	if id == (protocol.JobID{}) {
		p.notef("No job is running.")
		return nil
	}
	return p.watch(ctx, id)
}

// newestRunning returns the newest running job; the zero ID if there is none.
func (p *jobs) newestRunning(ctx context.Context) (id protocol.JobID, err error) {
	list, err := p.client.List(ctx)
	if err != nil {
		return id, err
	}
	for _, s := range list.Jobs {
		if s.State == protocol.Running {
			return s.Job, nil
		}
	}
	return id, nil
}

const watchPeriod = 500 * time.Millisecond

// watch repaints a line on a terminal; elsewhere it writes a line whenever something has
// changed.
func (p *jobs) watch(ctx context.Context, id protocol.JobID) error {
	p.tellf("Job %s", id)
	shown := ""
	for {
		s, err := p.client.Status(ctx, id)
		if protocol.CodeOf(err) == protocol.JobEnded && strings.HasSuffix(err.Error(), client.Fetched) {
			p.tellf("It is done, and its answers were fetched.")
			return nil
		}
		if err == nil {
			err = client.Ended(s)
		}
		if ctx.Err() != nil {
			return fault.Interruption("The job goes on.", errors.New("no longer watched"))
		}
		if err != nil {
			return err
		}
		text := howFar(s)
		if p.inJSON {
			line, err := json.Marshal(s)
			if err != nil {
				return err
			}
			text = string(line)
		}
		if p.width > 0 && p.progress != nil && !p.inJSON {
			p.progress.Show(progress.State{What: text})
		} else if text != shown {
			shown = text
			if err := p.printf("%s\n", text); err != nil {
				return err
			}
		}
		if s.State == protocol.Done {
			p.progress.Clear()
			p.tellf("It is done. Next: analyzer jobs results %s", id)
			return nil
		}
		_ = process.Sleep(ctx, watchPeriod)
	}
}
