package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"analyzer/columnar/budget"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
	"analyzer/operators/query/plan"
)

// Request asks for a job: queries of a built-in data set, or statements over declared tables.
type Request struct {
	// Job is the caller's own name for the job: 32 random hexadecimal digits. A repeated
	// request then opens the same job. It may be left out.
	Job protocol.JobID `json:"job,omitzero"`

	Dataset string            `json:"dataset,omitempty"`
	Queries []string          `json:"queries,omitempty"` // of the data set; none: all
	Params  datasets.Settings `json:"params,omitempty"`

	Tables string            `json:"tables,omitempty"` // CREATE TABLE statements
	SQL    map[string]string `json:"sql,omitempty"`    // statements by query name

	Follow bool `json:"follow,omitempty"` // keep what is uploaded, so that cuts can be made
	Open   bool `json:"open,omitempty"`   // files can be appended until the job is closed

	TTL   string `json:"ttl,omitempty"`   // such as 24h
	Block int    `json:"block,omitempty"` // bytes of a table per batch
}

const (
	usualTTL = 24 * time.Hour
	// usualBlock is smaller than what clients read at a time, since the gateway holds the
	// blocks of all uploads at once.
	usualBlock = 1 << 20
)

// decode reads a request. Its errors say which field is not as openapi.yaml has it.
func decode(from io.Reader) (asked Request, err error) {
	d := json.NewDecoder(from)
	d.DisallowUnknownFields()
	err = d.Decode(&asked)
	odd, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return asked, nil
		}
		err = errors.New("something stands behind the object")
	case errors.Is(err, io.EOF):
		err = errors.New("an object is needed, as in openapi.yaml, and there is nothing")
	case ok && odd.Field == "":
		err = fmt.Errorf("an object is needed, as in openapi.yaml, and this is of type %s", odd.Value)
	case ok:
		err = fmt.Errorf("the field %q has a value of another type than openapi.yaml says: %s", odd.Field, odd.Value)
	}
	return asked, err
}

// open opens a job.
func (p *Page) open(w http.ResponseWriter, r *http.Request) error {
	asked, err := decode(http.MaxBytesReader(w, r.Body, protocol.MaxRequest))
	if err != nil {
		return protocol.Errorf(protocol.Refused, "read the request: %v", err)
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	request, err := p.forGateway(r.Context(), &asked)
	if err != nil {
		return protocol.Errorf(protocol.Refused, "%v", err)
	}
	j, err := p.client.Open(r.Context(), request)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/jobs/"+j.Spec.ID.String())
	return writeJSON(w, http.StatusCreated, describe(j.Spec))
}

// forGateway turns a request into one to the gateway, while few others are.
func (p *Page) forGateway(ctx context.Context, asked *Request) (protocol.OpenRequest, error) {
	if err := p.planning.Acquire(ctx, 1); err != nil {
		return protocol.OpenRequest{}, fmt.Errorf("wait until other requests are planned: %w", err)
	}
	defer p.planning.Release(1)
	return asked.forGateway(budget.NewWork(ctx, p.cfg.Memory/protocol.MaxPlanning))
}

func (asked *Request) forGateway(work *budget.Work) (r protocol.OpenRequest, err error) {
	src, err := asked.source(work)
	if err != nil {
		return r, err
	}
	r = protocol.OpenRequest{Job: asked.Job, Label: src.Name, Tables: src.Tables, Block: usualBlock, TTL: usualTTL, Follow: asked.Follow || asked.Open, Open: asked.Open}
	if r.Queries, err = src.Select(asked.Queries...); err != nil {
		return r, err
	}
	if err := asked.Params.Check(r.Queries); err != nil {
		return r, err
	}
	if asked.TTL != "" {
		if r.TTL, err = time.ParseDuration(asked.TTL); err != nil {
			return r, fmt.Errorf("ttl: %w", err)
		}
	}
	if asked.Block != 0 {
		r.Block = asked.Block
	}
	if r.Block > usualBlock {
		return r, fmt.Errorf("blocks of %d bytes; up to %d are possible here", r.Block, usualBlock)
	}
	return r, nil
}

// source returns the tables and queries that the request asks for.
func (asked *Request) source(work *budget.Work) (*datasets.Source, error) {
	switch {
	case asked.Dataset != "" && len(asked.SQL) == 0 && asked.Tables == "":
		d, err := catalog.Find(asked.Dataset, asked.Params)
		if err != nil {
			return nil, err
		}
		return &d.Source, nil
	case asked.Dataset == "" && len(asked.SQL) > 0:
		return asked.declared(work)
	}
	return nil, errors.New(`name a dataset, or give tables and statements: {"dataset": "movies"}, or {"tables": "CREATE TABLE t (a INTEGER) FROM 't.csv'", "sql": {"q1": "SELECT …"}}`)
}

// declared reads the request's statements as if they were a data set's directory on disk.
func (asked *Request) declared(work *budget.Work) (*datasets.Source, error) {
	const dir = "sql"
	files := vfs.NewMem()
	texts := map[string]string{directory.Tables: asked.Tables}
	for name, text := range asked.SQL {
		if name == "" || name != filepath.Base(name) || !plan.Printable(name, maxName) {
			return nil, fmt.Errorf("%q cannot be the name of a query", name)
		}
		texts[name+".sql"] = text
	}
	if err := files.MkdirAll(dir); err != nil {
		return nil, err
	}
	for name, text := range texts {
		if err := vfs.Replace(files, filepath.Join(dir, name), []byte(text)); err != nil {
			return nil, err
		}
	}
	return directory.Load(work, files, dir, asked.Params)
}

const maxName = 64 // bytes
