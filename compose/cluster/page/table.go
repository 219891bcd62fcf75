package page

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// Table says how far the upload of a table is.
type Table struct {
	Table string `json:"table"`
	// Offset is how many bytes of the file have arrived: where to resume.
	Offset   int64 `json:"offset"`
	Complete bool  `json:"complete"`
	// Read is what the file held, once it is complete; nil if it had been appended before.
	Read *protocol.TableRead `json:"read,omitempty"`
	// Grown holds the totals of all files appended to a table of an open job. Half says that
	// a file was appended in part.
	Grown *client.Grown `json:"grown,omitempty"`
	Half  bool          `json:"half,omitempty"`
}

// progress sends how far an upload is.
func (p *Page) progress(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	out, err := p.tableNow(r, j)
	if err != nil {
		return err
	}
	return writeTable(w, http.StatusOK, out)
}

// writeTable sends how far a table is, also in a header for callers that do not read the
// body.
func writeTable(w http.ResponseWriter, status int, t *Table) error {
	w.Header().Set("Upload-Offset", strconv.FormatInt(t.Offset, 10))
	return writeJSON(w, status, t)
}

// aboutTable returns a handler of requests about a table that the job reads.
func (p *Page) aboutTable(serve jobHandler) handler {
	return p.about(func(w http.ResponseWriter, r *http.Request, j *client.Job) error {
		name := r.PathValue("table")
		if tables := j.Spec.Plan.Tables(); !slices.Contains(tables, name) {
			return protocol.Errorf(protocol.Refused, "job %s reads no table %q; it reads %q", j.Spec.ID, name, tables)
		}
		if j.Spec.Cut != nil {
			return protocol.Errorf(protocol.Refused, "job %s answers for a part of another, and takes no tables", j.Spec.ID)
		}
		return serve(w, r, j)
	})
}

// tableNow returns how far a table is.
func (p *Page) tableNow(r *http.Request, j *client.Job) (*Table, error) {
	name := r.PathValue("table")
	out := &Table{Table: name}
	if u := p.uploads.find(keyOf(r, j)); u != nil {
		select {
		case <-u.done:
			return u.result()
		default:
			out.Offset = u.at.Load()
			return out, nil
		}
	}
	if j.Spec.Open {
		return grown(r.Context(), j, out)
	}
	s, err := p.client.Status(r.Context(), j.Spec.ID)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(s.Tables, func(t protocol.TableRead) bool { return t.Table == name }); i >= 0 {
		out.Complete, out.Read = true, &s.Tables[i]
		return out, nil
	}
	from, err := p.note(r, j)
	out.Offset = from.Offset
	return out, err
}

// grown adds the totals of a table of an open job.
func grown(ctx context.Context, j *client.Job, out *Table) (*Table, error) {
	journal, err := j.Journal(ctx)
	if err != nil {
		return nil, err
	}
	g := journal.Grown()[out.Table]
	out.Grown, out.Half = &g, journal.HalfSent(out.Table)
	return out, nil
}
