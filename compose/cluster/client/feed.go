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

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

// Bind asks the gateways which files below their sources a request reads and, of a statement, for
// its plan.
//
// What is wrong with the statement or a file is the error that a session or a scan has.
func (c *Client) Bind(ctx context.Context, r protocol.BindRequest) (*protocol.Bound, error) {
	var bound *protocol.Bound
	err := c.hear(ctx, "have a gateway find the files", func() (any, string) { return r, protocol.ActionBind }, func(n *protocol.News) (moved, last bool, err error) {
		bound = n.Bound
		return false, bound != nil, nil
	})
	if err == nil {
		err = checkSources(bound.Sources)
	}
	return bound, err
}

func checkSources(sources map[string]protocol.Source) error {
	for table, s := range sources {
		all := s.All()
		if len(all) == 0 || slices.ContainsFunc(all, func(f protocol.SourceFile) bool { return f.Name == "" }) {
			return fmt.Errorf("the gateway names no file for table %s", table)
		}
	}
	return nil
}

// feed has gateways read the sources of the job, one after the other if they die: each begins with
// the tables that are not complete, and workers drop the batches that they have.
func (j *Job) feed(ctx context.Context, o Upload) (*engine.Report, error) {
	f := feeding{Upload: o, job: j, rejected: make(map[string]int64)}
	for _, n := range j.Spec.Plan.Nodes {
		if n.Scan != nil && o.Journal.ended(n.ID) {
			f.ended = append(f.ended, n.ID)
		}
	}
	f.tables = o.Journal.tables()
	err := j.client.hear(ctx, "have a gateway read the files", f.request, f.hear)
	report := f.report
	if report == nil {
		report = new(engine.Report)
	}
	for _, t := range report.Tables {
		f.tables = slices.DeleteFunc(f.tables, func(before engine.TableReport) bool { return before.Table == t.Table })
	}
	report.Tables = append(f.tables, report.Tables...)
	return report, err
}

// feeding is what a client knows of gateways that read for it.
type feeding struct {
	Upload
	job    *Job
	ended  []int
	tables []engine.TableReport // of those scans
	report *engine.Report

	// rejected counts the rejected rows of each file that were passed on, and come those that the
	// gateway of this call has sent: the next one sends them again.
	rejected, come map[string]int64
	best           int64 // the most bytes that a gateway has read in one call
	idle           int   // calls since anybody has read more
}

func (f *feeding) request() (any, string) {
	f.come = make(map[string]int64)
	f.idle++
	return protocol.FeedRequest{
		Job: f.job.Spec.ID, Ended: f.ended, MaxRejects: f.MaxRejects, MaxRejectShare: f.MaxRejectShare, Rejects: f.Reject != nil,
	}, protocol.ActionFeed
}

// mostIdle is how many gateways may give up one after the other without having read anything new.
const mostIdle = 10

func (f *feeding) hear(n *protocol.News) (moved, last bool, err error) {
	switch {
	case n.Progress != nil:
		if n.Progress.Bytes > f.best {
			f.best, f.idle = n.Progress.Bytes, 0
		}
		if f.Progress != nil {
			f.Progress(*n.Progress)
		}
	case n.Rejected != nil && f.Reject != nil:
		r := n.Rejected.Reject
		r.Record = n.Rejected.Record
		if f.come[r.File]++; f.come[r.File] > f.rejected[r.File] {
			f.rejected[r.File]++
			err = f.Reject(r)
		}
	case n.Ended != nil:
		f.idle = 0
		f.ended = append(f.ended, n.Ended.Scans...)
		if !slices.ContainsFunc(f.tables, func(t engine.TableReport) bool { return t.Table == n.Ended.Table.Table }) {
			f.tables = append(f.tables, n.Ended.Table)
		}
		f.Journal.end(n.Ended.Scans, n.Ended.Table)
	case n.Fed != nil:
		f.report, last = n.Fed, true
	}
	return f.idle < mostIdle, last, err
}

// hear asks one gateway after the other for an action that may take long, and passes on its news
// until one of them is the last. What request returns is asked for anew at each gateway.
func (c *Client) hear(ctx context.Context, op string, request func() (any, string), tell func(*protocol.News) (moved, last bool, err error)) error {
	var own error // of the caller, or in what it asked for
	err := c.again(ctx, op, true, func(g *gateway) (moved bool, err error) {
		asked, action := request()
		body, err := json.Marshal(asked)
		if err != nil {
			own = err
			return true, nil
		}
		if len(body) > protocol.MaxRequest {
			own = fmt.Errorf("%s: a request of %d bytes; %d are possible", op, len(body), protocol.MaxRequest)
			return true, nil
		}
		ctx, cancel := context.WithCancel(protocol.WithToken(ctx, c.cfg.Token))
		defer cancel()
		silent := time.AfterFunc(actionPatience, cancel)
		defer silent.Stop()
		stream, err := g.flight.DoAction(ctx, &flight.Action{Type: action, Body: body})
		if err != nil {
			return false, err
		}
		for {
			r, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				err = errEnded
			}
			if err != nil {
				return moved, err
			}
			silent.Reset(actionPatience)
			c.met.Store(true)
			n := new(protocol.News)
			if own = json.Unmarshal(r.Body, n); own != nil {
				own = fmt.Errorf("%s: read what gateway %s says: %w", op, g.addr, own)
				return true, nil
			}
			if n.Fault != nil {
				own = n.Fault.Err()
				return true, nil
			}
			var last bool
			if moved, last, own = tell(n); last || own != nil {
				return true, nil
			}
		}
	})
	return errors.Join(err, own)
}

// PartName is the name of file i of a table that has several, which no table has.
func PartName(table string, i int) string { return fmt.Sprintf("%s/%d", table, i) }

// SourceJournal returns a journal in memory for whoever reads the sources of the job: it refuses
// files that are not the ones that the job was opened for. ended are scans that are complete.
func (j *Job) SourceJournal(ended []int) (*Journal, error) {
	journal, err := NewJournal(vfs.NewMem(), "/", j.Spec, nil, func(error) {})
	if err != nil {
		return nil, err
	}
	journal.change(func(e *entry) {
		for table, s := range j.Spec.Sources {
			if s.Files == nil {
				e.Begun[table], e.Files[table] = true, s.Fingerprint
				continue
			}
			for i, f := range s.Files.All {
				part := PartName(table, i)
				e.Begun[part], e.Files[part] = true, f.Fingerprint
			}
		}
		for _, scan := range ended {
			e.Ended[scan] = true
		}
	})
	return journal, nil
}
