package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

// Fetch says which answers are wanted.
type Fetch struct {
	Queries []string // nil: all, in the order of the job's queries
	// AsReady hands out each answer as soon as it is ready, instead of in the order of the
	// queries.
	AsReady bool
	// Onlooker says that the caller is not the job's client: that it fetches answers is no
	// sign of life of the client.
	Onlooker bool
	// Waiting is called while no answer can be handed out, with the job's status and the
	// first query whose answer is still missing ("": none, and the upload goes on). It may be
	// nil.
	Waiting func(query string, s *protocol.Status)
}

// Pauses between checks whether an answer is ready.
const (
	firstAnswerPause = 10 * time.Millisecond
	lastAnswerPause  = 500 * time.Millisecond
)

// Run uploads the tables and fetches the answers at the same time: it hands out each answer
// as soon as it is ready, in the order of the queries unless f.AsReady. See Upload and Fetch.
// A job that fails ends the upload.
func (j *Job) Run(ctx context.Context, u Upload, f Fetch, answers engine.Answers) (report *engine.Report, err error) {
	j = j.upload()
	g, ctx := errgroup.WithContext(ctx)
	uploaded := make(chan struct{})
	g.Go(func() (err error) {
		if report, err = j.Upload(ctx, u); err == nil {
			close(uploaded)
		}
		return err
	})
	g.Go(func() error { return j.fetchAll(ctx, f, answers, uploaded, true) })
	err = g.Wait()
	return report, err
}

// Fetch waits for answers and hands out each as soon as it is ready and, unless f.AsReady,
// those before it have been handed out. They have the same rows that engine.Run makes of the
// same tables, in batches of other sizes. Fetch can be called again as long as the job lives.
//
// A job that failed or ended is an *Error with code JobFailed or JobEnded. If a worker is
// silent for the client's patience, the error wraps ErrCutOff; if none is and yet the job
// does not advance for as long, it wraps ErrLost.
func (j *Job) Fetch(ctx context.Context, f Fetch, answers engine.Answers) error {
	uploaded := make(chan struct{})
	close(uploaded)
	return j.fetchAll(ctx, f, answers, uploaded, false)
}

// fetchAll fetches answers until it has all of them and the upload is complete. mine says that this process
// uploads; otherwise another uploader may continue at any time.
func (j *Job) fetchAll(ctx context.Context, f Fetch, answers engine.Answers, uploaded <-chan struct{}, mine bool) error {
	w := &fetching{Fetch: f, job: j, uploaded: uploaded, mine: mine, heard: time.Now(), pause: firstAnswerPause}
	w.left = columnar.Only(j.Spec.Plan.Answers, func(a physical.Answer) bool { return f.Queries == nil || slices.Contains(f.Queries, a.Query) })
	for len(w.left) > 0 || w.uploaded != nil {
		s, err := j.statusFor(ctx, f.Onlooker)
		if err == nil {
			err = Ended(s)
		}
		if err != nil {
			return err
		}
		if at := w.ready(s); at >= 0 {
			err = w.handOut(ctx, at, answers)
		} else {
			err = w.rest(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fetching is how far fetchAll is.
type fetching struct {
	Fetch
	job      *Job
	left     []physical.Answer // that were not handed out
	uploaded <-chan struct{}   // is closed when the upload is complete; nil: that was seen
	mine     bool              // this process uploads
	heard    time.Time         // when no worker was silent
	still    standstill
	pause    time.Duration // before the next look
}

// ready returns which of the answers left is to be handed out now, -1 if none is.
func (w *fetching) ready(s *protocol.Status) int {
	at := slices.IndexFunc(w.left, func(a physical.Answer) bool { return slices.Contains(s.Answers, a.Query) })
	if at > 0 && !w.AsReady {
		return -1
	}
	return at
}

// handOut hands out an answer. Others may follow soon.
func (w *fetching) handOut(ctx context.Context, at int, answers engine.Answers) error {
	a := w.left[at]
	t := protocol.Ticket{Job: w.job.Spec.ID, Query: a.Query, Onlooker: w.Onlooker}
	if err := w.job.deliver(ctx, t, w.job.Spec.Plan.Nodes[a.Node].Schema, answers); err != nil {
		return fmt.Errorf("query %s: %w", a.Query, err)
	}
	w.left, w.pause = slices.Delete(w.left, at, at+1), firstAnswerPause
	return nil
}

// rest pauses before the next look, unless the client's patience has run out.
func (w *fetching) rest(ctx context.Context, s *protocol.Status) error {
	if err := w.patient(s); err != nil {
		return err
	}
	if w.Waiting != nil {
		query := ""
		if len(w.left) > 0 {
			query = w.left[0].Query
		}
		w.Waiting(query, s)
	}
	select {
	case <-w.uploaded:
		w.uploaded, w.pause = nil, firstAnswerPause
	case <-time.After(w.pause):
		w.pause = min(2*w.pause, lastAnswerPause)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// patient returns an error if workers have been silent, or the job has stood still, for too long. That counts
// from the end of the upload on, which can proceed without them.
func (w *fetching) patient(s *protocol.Status) error {
	if len(s.Silent) == 0 || w.uploaded != nil {
		w.heard = time.Now()
	}
	if tried := time.Since(w.heard); tried > w.job.client.patience() {
		return fmt.Errorf("%w for %v: workers %v do not answer", ErrStuck, tried.Round(100*time.Millisecond), s.Silent)
	}
	if w.uploaded != nil || !w.mine && s.Uploading {
		return nil
	}
	return w.still.after(w.pause, w.job.client.patience(), s)
}

// Ended returns why a job will give no further answers, or nil if it may give some.
func Ended(s *protocol.Status) error {
	code, text := protocol.JobFailed, "it failed: "+s.Reason
	switch s.State {
	case protocol.Failing:
	case protocol.Ending:
		code, text = protocol.JobEnded, "it has ended: "+s.Reason
	default:
		return nil
	}
	return &Error{Op: "job " + s.Job.String(), Text: text, err: &protocol.Error{Code: code, Cause: s.Cause, Text: text}}
}

// deliver hands out one answer.
func (j *Job) deliver(ctx context.Context, t protocol.Ticket, schema columnar.Schema, answers engine.Answers) error {
	if err := answers.Begin(t.Query, schema); err != nil {
		return err
	}
	if err := j.fetch(ctx, t, schema, answers); err != nil {
		return err
	}
	return answers.End()
}

// fetch streams the pages of an answer. When a connection breaks, it resumes at the first
// missing page.
func (j *Job) fetch(ctx context.Context, t protocol.Ticket, schema columnar.Schema, answers engine.Answers) error {
	next := uint64(0)
	var fault error // an error that no other gateway would mend
	err := j.client.again(ctx, "fetch the answer", j.uploading, func(g *gateway) (moved bool, err error) {
		ctx, cancel := context.WithCancel(protocol.WithToken(ctx, j.client.cfg.Token))
		defer cancel()
		t.Page = int(next)
		ticket, err := json.Marshal(t)
		if err != nil {
			return false, err
		}
		get, err := g.flight.DoGet(ctx, &flight.Ticket{Ticket: ticket})
		if err != nil {
			return false, err
		}
		first := next
		for {
			d, err := get.Recv()
			if errors.Is(err, io.EOF) {
				return true, nil
			}
			if err != nil {
				return next > first, err
			}
			if isSchema(d) {
				if err := ipc.MatchSchema(d.DataHeader, schema); err != nil {
					fault = fmt.Errorf("the gateway's answer has other columns than the plan says: %w", err)
					return true, nil
				}
				continue
			}
			rows, err := page(schema, d, next)
			if err == nil && rows.Len > 0 {
				err = answers.Write(rows)
			}
			if fault = err; fault != nil {
				return true, nil
			}
			next++
		}
	})
	return errors.Join(err, fault)
}

// isSchema reports whether a message is the first one of a stream, the only one without a
// number.
func isSchema(d *flight.FlightData) bool { return len(d.AppMetadata) == 0 }

// page decodes a page that a gateway sent, and checks that it has the given number.
func page(schema columnar.Schema, d *flight.FlightData, number uint64) (columnar.Rows, error) {
	got, err := protocol.DecodeNumber(d.AppMetadata)
	if err != nil {
		return columnar.Rows{}, err
	}
	if got != number {
		return columnar.Rows{}, fmt.Errorf("page %d came in place of %d", got, number)
	}
	rows, err := ipc.DecodeParts(schema, d.DataHeader, d.DataBody)
	if err != nil {
		err = fmt.Errorf("page %d: %w", number, err)
	}
	return rows, err
}
