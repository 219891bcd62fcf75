package page

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"analyzer/columnar"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// formats returns the formats of answers, with their media types.
func formats() map[answers.Format]string {
	all := make(map[answers.Format]string)
	for _, f := range []answers.Format{answers.CSV, answers.TSV, answers.JSON, answers.Markdown, answers.Arrow, answers.Parquet} {
		all[f] = f.Media()
	}
	return all
}

// answer sends the answer to a query in a format, complete or only its first rows.
func (p *Page) answer(w http.ResponseWriter, r *http.Request, j *client.Job) (err error) {
	format, err := answers.ParseFormat(cmp.Or(r.FormValue("format"), string(answers.JSON)))
	kind, there := formats()[format]
	if err != nil || !there {
		return protocol.Errorf(protocol.Refused, "there is no format %q here; there are csv, tsv, json, markdown, arrow and parquet", r.FormValue("format"))
	}
	most, err := strconv.ParseInt(cmp.Or(r.FormValue("rows"), "-1"), 10, 64)
	if err != nil || most < 0 && r.FormValue("rows") != "" {
		return protocol.Errorf(protocol.Refused, "rows=%q is no number of rows; without it, all rows are sent", r.FormValue("rows"))
	}
	query := r.PathValue("query")
	if err := p.answered(r, j, query); err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", attachment(query+format.Extension()))
	out, err := answers.NewStream(w, answers.Options{Format: format, Queries: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Discard()) }()
	err = j.Fetch(r.Context(), client.Fetch{Queries: []string{query}, Onlooker: true}, &firstRows{out, most})
	if errors.Is(err, errEnough) {
		err = out.End()
	}
	if err == nil {
		err = out.Finish()
	}
	return err
}

// attachment is the value of Content-Disposition for a file of a name, which may hold quotes.
func attachment(name string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}

// answered returns an error unless the answer to a query is ready.
func (p *Page) answered(r *http.Request, j *client.Job, query string) error {
	if _, _, err := j.Spec.AnswerNode(query); err != nil {
		return protocol.Errorf(protocol.Refused, "%v", err)
	}
	s, err := p.client.Status(r.Context(), j.Spec.ID)
	switch {
	case err != nil:
		return err
	case slices.Contains(s.Answers, query):
		return nil
	case client.Ended(s) != nil:
		return client.Ended(s)
	case s.Open:
		return protocol.Errorf(protocol.NotReady, "the job stays open: POST to its cut for a job that answers for what has come, or to its close for the last answers")
	}
	return protocol.Errorf(protocol.NotReady, "the answer to %s is not there yet", query)
}

// firstRows passes on the first rows of an answer; all of them if left is negative.
type firstRows struct {
	answers.Set
	left int64
}

var errEnough = errors.New("no more rows were asked for")

// Write passes on rows until left runs out.
func (f *firstRows) Write(rows columnar.Rows) error {
	if f.left < 0 {
		return f.Set.Write(rows)
	}
	n := int(min(f.left, int64(rows.Len)))
	if err := f.Set.Write(rows.Slice(0, n)); err != nil {
		return err
	}
	if f.left -= int64(n); f.left == 0 {
		return errEnough
	}
	return nil
}
