package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/sync/errgroup"

	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/process"
)

// actionPatience bounds one attempt of an action, so that the client leaves a hanging gateway
// for another one. It is longer than gateways take to give up on workers. A client with less
// patience allows as much as it has, but at least leastPatience, which a healthy but busy
// gateway may need. No attempt outlasts the patience with the action, unless an upload waits.
const (
	actionPatience = 60 * time.Second
	leastPatience  = 10 * time.Second
)

// openingEnd bounds the attempt to end a job whose opening was given up.
const openingEnd = 2 * time.Second

// act calls an action at a gateway and decodes its first result from JSON, unless result is
// nil. It returns the second result as it is.
func (c *Client) act(ctx context.Context, op, action string, request, result any) (data []byte, err error) {
	return c.actFor(ctx, false, op, action, request, result)
}

// act is Client.act for the job, which waits as its upload does if it is part of one.
func (j *Job) act(ctx context.Context, op, action string, request, result any) (data []byte, err error) {
	return j.client.actFor(ctx, j.uploading, op, action, request, result)
}

func (c *Client) actFor(ctx context.Context, uploading bool, op, action string, request, result any) (data []byte, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if len(body) > protocol.MaxRequest { // no gateway would take it, now or later
		return nil, refusal(op, "", protocol.Errorf(protocol.Refused,
			"its tables and queries take %d bytes as a request, and %d are possible; name fewer columns, or ask fewer queries at a time", len(body), protocol.MaxRequest))
	}
	var results [][]byte
	patience := max(leastPatience, cmp.Or(c.cfg.Patience, DefaultPatience))
	end := time.Now().Add(patience)
	err = c.again(ctx, op, uploading, func(g *gateway) (bool, error) {
		attempt := min(patience, actionPatience)
		if !uploading {
			attempt = min(attempt, time.Until(end))
		}
		ctx, cancel := context.WithTimeout(protocol.Speaking(protocol.WithToken(ctx, c.cfg.Token)), attempt)
		defer cancel()
		results, err = actAt(ctx, g, &flight.Action{Type: action, Body: body})
		return false, err
	})
	if err != nil {
		return nil, err
	}
	if len(results) == 0 || len(results) > 2 {
		return nil, fmt.Errorf("%s: %d results; this gateway speaks another language", op, len(results))
	}
	if result != nil {
		if err := json.Unmarshal(results[0], result); err != nil {
			return nil, fmt.Errorf("%s: read the result: %w", op, err)
		}
	}
	if len(results) == 2 {
		data = results[1]
	}
	return data, nil
}

func actAt(ctx context.Context, g *gateway, a *flight.Action) (results [][]byte, err error) {
	stream, err := g.flight.DoAction(ctx, a)
	if err != nil {
		return nil, err
	}
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return results, nil
		}
		if err != nil {
			return nil, err
		}
		results = append(results, r.Body)
	}
}

// Open opens a job. It sets r.Job if the caller did not, so that there is one job however
// often the request is retried. If the opening is given up while a gateway can still be
// reached, Open ends the job; otherwise the workers do so after a minute, since nobody has
// confirmed it.
func (c *Client) Open(ctx context.Context, r protocol.OpenRequest) (*Job, error) {
	if r.Job == (protocol.JobID{}) {
		r.Job = protocol.NewJobID()
	}
	j, err := c.open(ctx, r)
	if err != nil && (ctx.Err() != nil || errors.Is(err, ErrCutOff) && c.met.Load()) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openingEnd)
		defer cancel()
		_ = c.End(ctx, r.Job, "its opening was given up")
	}
	return j, err
}

func (c *Client) open(ctx context.Context, r protocol.OpenRequest) (*Job, error) {
	const op = "open the job"
	var opened protocol.Opened
	if _, err := c.act(ctx, op, protocol.ActionOpen, r, &opened); err != nil {
		return nil, err
	}
	j, err := c.checked(op, opened.Job, opened.Spec)
	if err == nil {
		err = j.confirm(ctx)
	}
	return j, err
}

// confirm lets replica 0 know that the client knows of the job, which is only being opened
// before that. It takes a request for the status, since that is answered at any time.
func (j *Job) confirm(ctx context.Context) error {
	began := time.Now()
	for {
		s, err := j.status(ctx)
		if err != nil || !slices.Contains(s.Silent, 0) {
			return err
		}
		if tried := time.Since(began); tried > j.client.patience() {
			return fmt.Errorf("%w for %v: worker 0 does not answer", ErrStuck, tried.Round(100*time.Millisecond))
		}
		if err := process.Sleep(ctx, lastAnswerPause); err != nil {
			return err
		}
	}
}

// Note returns the note that the job keeps of a table for its uploaders, and whether the job
// remembers a file, which may be nil. The note has version 0 if there is none.
func (j *Job) Note(ctx context.Context, table string, file []byte) (n protocol.Note, err error) {
	_, err = j.act(ctx, "read the note of table "+table, protocol.ActionNote, protocol.NoteRequest{Job: j.Spec.ID, Note: protocol.Note{Table: table, File: file}}, &n)
	return n, err
}

// Keep replaces the note of a table that has the version before n's, and makes the job
// remember n's file. It fails with ErrOvertaken if somebody else has written the note since
// the caller read it.
func (j *Job) Keep(ctx context.Context, n protocol.Note) error {
	var now protocol.Note
	if _, err := j.act(ctx, "write the note of table "+n.Table, protocol.ActionNote, protocol.NoteRequest{Job: j.Spec.ID, Note: n}, &now); err != nil {
		return err
	}
	if now.Version != n.Version || !bytes.Equal(now.Text, n.Text) || now.Known != (n.File != nil) {
		return ErrOvertaken
	}
	return nil
}

// Cut opens a job that answers for what has been uploaded to this one so far, which must be a
// followed job (protocol.OpenRequest). The Spec of the new job says what it covers. Cut waits
// until the given number of batches of each table, all of them acknowledged, has arrived;
// nil: it does not wait. The caller fetches the answers and ends the cut.
//
// A job that failed or ended is an *Error with code JobFailed or JobEnded. If no batch
// arrives for the client's patience, the error wraps ErrLost.
func (j *Job) Cut(ctx context.Context, tables map[string]uint64) (*Job, error) {
	var opened protocol.Opened
	op := "make a cut of job " + j.Spec.ID.String()
	request := protocol.CutRequest{Job: j.Spec.ID, As: protocol.NewJobID(), Tables: tables}
	var still standstill
	for pause := firstAnswerPause; ; pause = min(2*pause, lastAnswerPause) {
		_, err := j.act(ctx, op, protocol.ActionCut, request, &opened)
		if err == nil {
			break
		}
		if protocol.CodeOf(err) == protocol.NotReady {
			err = still.wait(ctx, j, pause)
		}
		if err != nil {
			return nil, err
		}
	}
	cut, err := j.client.checked(op, opened.Job, opened.Spec)
	if err == nil && (cut.Spec.Cut == nil || cut.Spec.Cut.Of != j.Spec.ID) {
		err = fmt.Errorf("%s: the gateway described another job", op)
	}
	if err == nil {
		err = cut.confirm(ctx)
	}
	return cut, err
}

// Job looks up a job that was opened before.
func (c *Client) Job(ctx context.Context, id protocol.JobID) (*Job, error) {
	spec := new(protocol.Spec)
	op := "look up job " + id.String()
	if _, err := c.act(ctx, op, protocol.ActionDescribe, protocol.JobRequest{Job: id}, spec); err != nil {
		return nil, err
	}
	return c.checked(op, id, spec)
}

// JobOf returns a job whose spec, which a gateway has checked, the caller holds already.
func (c *Client) JobOf(spec *protocol.Spec) *Job { return &Job{client: c, Spec: spec} }

func (c *Client) checked(op string, id protocol.JobID, spec *protocol.Spec) (*Job, error) {
	if spec == nil || spec.ID != id {
		return nil, fmt.Errorf("%s: the gateway described another job", op)
	}
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return c.JobOf(spec), nil
}

// Status returns how far a job is, for an onlooker: it does not count as a sign of life from
// the job's client.
func (c *Client) Status(ctx context.Context, id protocol.JobID) (*protocol.Status, error) {
	return (&Job{client: c, Spec: &protocol.Spec{ID: id}}).statusFor(ctx, true)
}

// status returns how far the job is, for its own client.
func (j *Job) status(ctx context.Context) (*protocol.Status, error) { return j.statusFor(ctx, false) }

func (j *Job) statusFor(ctx context.Context, onlooker bool) (*protocol.Status, error) {
	return j.ask(ctx, protocol.JobRequest{Job: j.Spec.ID, Onlooker: onlooker})
}

// Did returns what the job's operators did, over all replicas. It lacks those in stages that a worker
// computed before it was started again, and of those that gateways run it has how many rows they
// sent to workers.
func (j *Job) Did(ctx context.Context) ([]exec.NodeReport, error) {
	s, err := j.ask(ctx, protocol.JobRequest{Job: j.Spec.ID, Nodes: true})
	if err != nil {
		return nil, err
	}
	return s.Did(), nil
}

func (j *Job) ask(ctx context.Context, r protocol.JobRequest) (*protocol.Status, error) {
	s := new(protocol.Status)
	_, err := j.act(ctx, "ask for the state of job "+r.Job.String(), protocol.ActionStatus, r, s)
	return s, err
}

// List returns the caller's jobs.
func (c *Client) List(ctx context.Context) (*protocol.List, error) {
	l := new(protocol.List)
	_, err := c.act(ctx, "list the jobs", protocol.ActionList, struct{}{}, l)
	return l, err
}

// Ready returns nil if a gateway and all workers answer; otherwise the error says who does
// not.
func (c *Client) Ready(ctx context.Context) error {
	list, err := c.List(ctx)
	if err == nil && len(list.Silent) > 0 {
		err = fmt.Errorf("workers %v do not answer", list.Silent)
	}
	return err
}

// Fetched is the reason for ending a job whose answers were all fetched.
const Fetched = "done: the answers were fetched"

// End ends a job in any state. Its answers go with it.
func (c *Client) End(ctx context.Context, id protocol.JobID, reason string) error {
	_, err := c.act(ctx, "end job "+id.String(), protocol.ActionEnd, protocol.JobEnd{Job: id, Reason: reason}, nil)
	return err
}

// Job is a job as its client sees it.
type Job struct {
	client    *Client
	Spec      *protocol.Spec // read only
	uploading bool           // its calls are part of an upload, which waits while gateways are busy
}

// upload returns the job for the calls of an upload.
func (j *Job) upload() *Job { return &Job{j.client, j.Spec, true} }

// keys asks once for the key hashes of a join's build side.
func (j *Job) keys(ctx context.Context, join int) (keys protocol.Keys, hashes []uint64, err error) {
	op := fmt.Sprintf("ask for the keys of join %d", join)
	data, err := j.act(ctx, op, protocol.ActionKeys, protocol.KeysRequest{Job: j.Spec.ID, Node: join}, &keys)
	if err != nil {
		return keys, nil, err
	}
	if hashes, err = protocol.DecodeKeys(data); err == nil && len(hashes) != keys.Count {
		err = fmt.Errorf("%d hashes of %d", len(hashes), keys.Count)
	}
	if err != nil {
		return keys, nil, fmt.Errorf("%s: %w", op, err)
	}
	return keys, hashes, nil
}

// endsAtOnce is how many scans are ended at a time: what a gateway tells a worker meanwhile goes as one message.
const endsAtOnce = 64

// endTables tells the cluster how many batches the tables of scans have, or splits of them.
func (j *Job) endTables(ctx context.Context, ends []protocol.TableEnd) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(endsAtOnce)
	for _, e := range ends {
		g.Go(func() error { return j.endTable(ctx, e) })
	}
	return g.Wait()
}

func (j *Job) endTable(ctx context.Context, e protocol.TableEnd) error {
	e.Job = j.Spec.ID
	op := fmt.Sprintf("end table %s", j.Spec.Plan.Nodes[e.Node].Scan.Table)
	_, err := j.act(ctx, op, protocol.ActionEndTable, e, nil)
	return err
}
