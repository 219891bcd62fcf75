package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/flight"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators"
)

// Fetch says which answers are wanted.
type Fetch struct {
	Queries []string // nil: all, in the order of the job's queries
	// Waiting is told of the job while an answer is not there; it may be nil.
	Waiting func(query string, s *protocol.Status)
}

// Pauses between questions whether an answer is there.
const (
	firstAnswerPause = 10 * time.Millisecond
	lastAnswerPause  = 500 * time.Millisecond
)

// Fetch waits for the answers and hands them out one after the other, each as soon
// as it is there and those before it were handed out. They are the same batches
// that compose.Run makes of the same tables. It can be done again as long as the
// job lives.
//
// A job that failed or ended is an *Error with code JobFailed or JobEnded.
func (j *Job) Fetch(ctx context.Context, f Fetch, answers engine.Answers) error {
	for _, a := range j.Spec.Plan.Answers {
		if f.Queries != nil && !slices.Contains(f.Queries, a.Query) {
			continue
		}
		if err := j.await(ctx, a.Query, f.Waiting); err != nil {
			return fmt.Errorf("query %s: %w", a.Query, err)
		}
		if err := j.deliver(ctx, a.Query, j.Spec.Plan.Nodes[a.Node].Schema, answers); err != nil {
			return fmt.Errorf("query %s: %w", a.Query, err)
		}
	}
	return nil
}

// await waits until an answer is there.
func (j *Job) await(ctx context.Context, query string, waiting func(string, *protocol.Status)) error {
	for pause := firstAnswerPause; ; pause = min(2*pause, lastAnswerPause) {
		s, err := j.client.Status(ctx, j.Spec.ID)
		if err != nil {
			return err
		}
		if err := Ended(s); err != nil {
			return err
		}
		if slices.Contains(s.Answers, query) {
			return nil
		}
		if waiting != nil {
			waiting(query, s)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// Ended returns why there will be no further answers of a job, nil if there may be.
func Ended(s *protocol.Status) error {
	code, text := protocol.JobFailed, "it failed: "+s.Reason
	switch s.State {
	case protocol.Failing:
	case protocol.Ending:
		code, text = protocol.JobEnded, "it has ended: "+s.Reason
	default:
		return nil
	}
	return &Error{Op: "job " + s.Job.String(), Text: text, err: protocol.Errorf(code, "%s", text)}
}

// deliver hands out one answer.
func (j *Job) deliver(ctx context.Context, query string, schema columnar.Schema, answers engine.Answers) error {
	if err := answers.Begin(query, schema); err != nil {
		return err
	}
	p := &pager{schema: schema, arrow: schema.Arrow(), rows: columnar.NewRows(schema), answers: answers}
	if err := j.fetch(ctx, query, p); err != nil {
		return err
	}
	if err := p.flush(0); err != nil {
		return err
	}
	return answers.End()
}

// fetch streams the pages of an answer, from the first that is missing on
// whenever a connection breaks.
func (j *Job) fetch(ctx context.Context, query string, p *pager) error {
	page := uint64(0)
	var fault error // which no gateway mends
	err := j.client.again(ctx, "fetch the answer", func(g *gateway) (moved bool, err error) {
		ctx, cancel := context.WithCancel(protocol.WithToken(ctx, j.client.cfg.Token))
		defer cancel()
		ticket, err := json.Marshal(protocol.Ticket{Job: j.Spec.ID, Query: query, Page: int(page)})
		if err != nil {
			return false, err
		}
		get, err := g.flight.DoGet(ctx, &flight.Ticket{Ticket: ticket})
		if err != nil {
			return false, err
		}
		first := page
		for {
			d, err := get.Recv()
			if errors.Is(err, io.EOF) {
				return true, nil
			}
			if err != nil {
				return page > first, err
			}
			if isSchema(d) {
				if err := ipc.MatchSchema(d.DataHeader, p.schema); err != nil {
					fault = fmt.Errorf("the gateway's answer has other columns than the plan says: %w", err)
					return true, nil
				}
				continue
			}
			if fault = p.take(d, page); fault != nil {
				return true, nil
			}
			page++
		}
	})
	return errors.Join(err, fault)
}

// isSchema reports whether a message is the one that a stream begins with, which
// alone has no number.
func isSchema(d *flight.FlightData) bool { return len(d.AppMetadata) == 0 }

// pager cuts the rows of an answer into the pages that an embedded run has, however
// the cluster has cut them: formats that keep batches apart are the same bytes then.
type pager struct {
	schema  columnar.Schema
	arrow   *arrow.Schema
	rows    columnar.Rows // not handed out yet
	answers engine.Answers
}

// take takes a page that a gateway sent, which must be the one of that number.
func (p *pager) take(d *flight.FlightData, number uint64) error {
	got, err := protocol.DecodeNumber(d.AppMetadata)
	if err != nil {
		return err
	}
	if got != number {
		return fmt.Errorf("page %d came in place of %d", got, number)
	}
	b, err := ipc.DecodeParts(p.arrow, d.DataHeader, d.DataBody, memory.DefaultAllocator)
	if err != nil {
		return fmt.Errorf("page %d: %w", number, err)
	}
	defer b.Release()
	p.rows.AppendRange(columnar.View(p.schema, b), 0, int(b.NumRows()))
	return p.flush(operators.PageRows)
}

// flush hands out pages as long as there are at least so many rows, and any at
// all.
func (p *pager) flush(least int) error {
	at := 0
	for p.rows.Len-at >= max(least, 1) {
		page := p.rows.Slice(at, min(at+operators.PageRows, p.rows.Len))
		if err := p.answers.Write(page); err != nil {
			return err
		}
		at += page.Len
	}
	if at == 0 {
		return nil
	}
	rest := columnar.NewRows(p.schema)
	rest.AppendRange(p.rows, at, p.rows.Len)
	p.rows = rest
	return nil
}
