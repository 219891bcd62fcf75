package page

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// Failure is the error that a caller gets instead of the result.
type Failure struct {
	Code  protocol.Code `json:"code,omitempty"` // for programs; "" where no code fits
	Error string        `json:"error"`          // what is wrong
	Next  string        `json:"next"`           // what to do
}

// failureOf turns an error into a status and a Failure for the caller.
func failureOf(err error) (status int, f Failure) {
	f = Failure{Code: protocol.CodeOf(err), Error: vfs.Tellable(err, "")}
	if refused, ok := errors.AsType[*client.Error](err); ok {
		f.Error = refused.Text
	}
	_, offset := errors.AsType[*offsetError](err)
	address, misdirected := errors.AsType[*addressError](err)
	var m meaning
	switch {
	case misdirected:
		m = meaning{address.status(), "Look for the address in docs/openapi.yaml."}
	case offset:
		m = meaning{http.StatusRequestedRangeNotSatisfiable, "GET the table's address, which says how much of it has come."}
	case errors.Is(err, client.ErrHalfSent):
		m = meaning{http.StatusConflict, "Wait, if somebody appends it just now; or append the same file again."}
	case errors.Is(err, client.ErrClosing):
		m = meaning{http.StatusConflict, "Fetch its answers, and open another job for what is new."}
	case scan.IsInput(err):
		m = meaning{http.StatusUnprocessableEntity, "Mend the file, and send it again; if the job was ended, open another."}
	case errors.Is(err, client.ErrOvertaken):
		f.Code = protocol.Busy
	case f.Code == "" && (errors.Is(err, client.ErrCutOff) || errors.Is(err, context.DeadlineExceeded)):
		f.Code = protocol.Trouble
	}
	if m.status > 0 {
		f.Code, f.Error = protocol.Refused, err.Error()
	} else if m = meanings()[f.Code]; m.status == 0 {
		m.status = http.StatusInternalServerError
	}
	f.Next = cmp.Or(m.next, "Do what the message says, or report it.")
	return m.status, f
}

// meaning is what an error means in terms of HTTP.
type meaning struct {
	status int
	next   string // what to do; "": the message says it
}

// meanings returns the meaning of each code.
func meanings() map[protocol.Code]meaning {
	look := "Look at the list of your jobs."
	return map[protocol.Code]meaning{
		protocol.NoToken:      {http.StatusUnauthorized, "Show a token of the gateway's token file, as “Authorization: Bearer …”."},
		protocol.NoJob:        {http.StatusNotFound, look},
		protocol.NotOwner:     {http.StatusForbidden, look},
		protocol.JobExists:    {http.StatusConflict, ""},
		protocol.JobEnded:     {http.StatusGone, "Submit the job again."},
		protocol.JobFailed:    {http.StatusConflict, "Mend what it says, and submit the job again."},
		protocol.NotReady:     {http.StatusConflict, "Ask again later: the job's state says which answers are there."},
		protocol.LittleMemory: {http.StatusInsufficientStorage, "Start the workers with a larger --memory, or leave queries out."},
		protocol.TooMany:      {http.StatusTooManyRequests, "Look at the list of your jobs, and end those that are not needed."},
		protocol.TooLarge:     {http.StatusRequestEntityTooLarge, "Submit the job again with smaller blocks."},
		protocol.BadBatch:     {http.StatusBadRequest, ""},
		protocol.Refused:      {http.StatusBadRequest, ""},
		protocol.Trouble:      {http.StatusServiceUnavailable, "Look after the workers and the broker if it does not pass by itself; jobs go on when they are back."},
		protocol.Busy:         {http.StatusServiceUnavailable, "Try again in a moment."},
	}
}

// refuse tells the caller of an error. If part of the answer has been written already, it
// cuts the connection, so that nobody takes that part for all of it.
//
// It also answers a caller that seems to have gone, since one that has only ended its side of
// the connection would take the silence for success.
func (p *Page) refuse(w *caller, r *http.Request, err error) {
	p.cfg.Log.Debug("refused", "request", r.Method+" "+r.URL.Path, "error", err)
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	status, f := failureOf(err)
	h := w.Header()
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	h.Del("Content-Disposition")
	h.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(f) // the caller may be gone
}

// writeJSON sends a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // the caller may be gone
	return nil
}
