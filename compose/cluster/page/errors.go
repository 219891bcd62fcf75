package page

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"analyzer/columnar/scan"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// Failure is what a caller is told in place of what was asked for.
type Failure struct {
	Code  protocol.Code `json:"code,omitempty"` // for programs; "" where no code fits
	Error string        `json:"error"`          // what is wrong
	Next  string        `json:"next"`           // what to do
}

// failureOf says what an error means to a caller.
func failureOf(err error) (status int, f Failure) {
	f = Failure{Code: protocol.CodeOf(err), Error: err.Error()}
	if refused, ok := errors.AsType[*client.Error](err); ok {
		f.Error = refused.Text
	}
	if f.Code == "" && (errors.Is(err, client.ErrCutOff) || errors.Is(err, context.DeadlineExceeded)) {
		f.Code = protocol.Trouble
	}
	if errors.Is(err, client.ErrOvertaken) {
		f.Code = protocol.Busy
	}
	if status = statuses()[f.Code]; status == 0 {
		status = http.StatusInternalServerError
	}
	f.Next = next(f.Code)
	_, elsewhere := errors.AsType[*offsetError](err)
	switch {
	case elsewhere:
		return http.StatusRequestedRangeNotSatisfiable, Failure{Code: protocol.Refused, Error: err.Error(), Next: "GET the table's address, which says how much of it has come."}
	case errors.Is(err, client.ErrHalfSent):
		return http.StatusConflict, Failure{Code: protocol.Refused, Error: err.Error(), Next: "Wait, if somebody appends it just now; or append the same file again."}
	case errors.Is(err, client.ErrClosing):
		return http.StatusConflict, Failure{Code: protocol.Refused, Error: err.Error(), Next: "Fetch its answers, and open another job for what is new."}
	case scan.IsInput(err):
		return http.StatusUnprocessableEntity, Failure{Code: protocol.Refused, Error: err.Error(), Next: "Mend the file, and send it again; if the job was ended, open another."}
	}
	return status, f
}

// statuses are those of HTTP that go with the codes.
func statuses() map[protocol.Code]int {
	return map[protocol.Code]int{
		protocol.NoJob: http.StatusNotFound, protocol.NotOwner: http.StatusForbidden, protocol.NoToken: http.StatusUnauthorized,
		protocol.JobExists: http.StatusConflict, protocol.JobEnded: http.StatusGone, protocol.JobFailed: http.StatusConflict,
		protocol.NotReady: http.StatusConflict, protocol.LittleMemory: http.StatusInsufficientStorage,
		protocol.TooLarge: http.StatusRequestEntityTooLarge, protocol.BadBatch: http.StatusBadRequest,
		protocol.Refused: http.StatusBadRequest, protocol.Trouble: http.StatusServiceUnavailable, protocol.Busy: http.StatusServiceUnavailable,
	}
}

// next says what to do about an error.
func next(code protocol.Code) string {
	switch code {
	case protocol.NoToken:
		return "Show a token of the gateway's token file, as “Authorization: Bearer …”."
	case protocol.NoJob, protocol.NotOwner:
		return "Look at the list of your jobs."
	case protocol.JobEnded:
		return "Submit the job again."
	case protocol.JobFailed:
		return "Mend what it says, and submit the job again."
	case protocol.NotReady:
		return "Ask again later: the job's state says which answers are there."
	case protocol.LittleMemory:
		return "Start the workers with a larger --memory, or leave queries out."
	case protocol.TooLarge:
		return "Submit the job again with smaller blocks."
	case protocol.Trouble:
		return "Look after the workers and the broker if it does not pass by itself; jobs go on when they are back."
	case protocol.Busy:
		return "Try again in a moment."
	}
	return "Do what the message says, or report it."
}

// refuse tells the caller of an error. If the answer has begun the connection is cut, so
// that nobody takes what came for all of it.
func (p *Page) refuse(w *caller, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody listens
	}
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
	_ = json.NewEncoder(w).Encode(f) // who asked may be gone
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // who asked may be gone
	return nil
}
