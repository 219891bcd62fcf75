package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// upload is one table being uploaded.
type upload struct {
	table  string
	owner  string
	pipe   *io.PipeWriter
	sends  sync.Mutex // held by the request that sends
	failed bool       // the last request has failed; guarded by sends
	late   *time.Timer
	open   bool          // it is an append to an open job
	slow   time.Duration // how long a request may take to send one piece of its body
	end    context.CancelFunc

	at   atomic.Int64   // how many bytes have arrived: where to resume
	sum  *xxhash.Digest // of the bytes so far; guarded by sends
	done chan struct{}  // closed when read and err are set
	read *protocol.TableRead
	err  error
}

var (
	errAbandoned = errors.New("nobody has gone on with it")
	errThrough   = errors.New("no more of it is read")
)

// result returns the outcome of an upload that is done.
func (u *upload) result() (*Table, error) {
	if u.err != nil {
		return nil, u.err
	}
	return &Table{Table: u.table, Offset: u.at.Load(), Complete: true, Read: u.read}, nil
}

// upload receives part of a table's file, or all of it.
func (p *Page) upload(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	part, err := parsePart(r)
	if err != nil {
		return err
	}
	if !j.Spec.Open { // whose tables are never complete
		if now, err := p.tableNow(r, j); err == nil && now.Complete {
			return writeTable(w, http.StatusOK, now) // sent again by a client that did not get the answer
		}
	}
	key := keyOf(r, j)
	u := p.uploads.find(key)
	if u == nil {
		var from note
		if from, err = p.note(r, j); err == nil {
			u, err = p.uploads.begin(r.Context(), key, j.Spec, from, part.size)
		}
	}
	if err != nil {
		return err
	}
	if !u.sends.TryLock() {
		return protocol.Errorf(protocol.Busy, "another request is sending this table")
	}
	defer u.sends.Unlock()
	u.late.Stop()
	defer u.late.Reset(idle)
	err = u.take(w, r, part)
	if u.failed = err != nil; err != nil {
		return err
	}
	if !part.last {
		return writeTable(w, http.StatusAccepted, &Table{Table: u.table, Offset: u.at.Load()})
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	_ = u.pipe.Close() // io.EOF
	select {
	case <-u.done:
	case <-r.Context().Done():
		return nil // the upload goes on; a later request gets the result
	}
	out, err := u.result()
	if err != nil {
		return err
	}
	if out.Read == nil {
		return writeTable(w, http.StatusOK, out)
	}
	return writeTable(w, http.StatusCreated, out)
}

// take reads a part and writes it to the pipe. Bytes that had arrived before are compared and
// skipped.
func (u *upload) take(w http.ResponseWriter, r *http.Request, part part) error {
	have := u.at.Load()
	again := xxhash.New()
	switch {
	case part.from == have:
	case part.from == 0:
	default:
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", have))
		return &offsetError{have}
	}
	control := http.NewResponseController(w)
	buffer := make([]byte, piece)
	for at := part.from; ; {
		if err := control.SetReadDeadline(time.Now().Add(u.slow)); err != nil {
			return err
		}
		n, err := r.Body.Read(buffer)
		b := buffer[:n]
		if at < have { // all of the old bytes are compared before anything is added
			old := b[:min(int64(n), have-at)]
			_, _ = again.Write(old) // it never fails
			if at+int64(len(old)) == have && again.Sum64() != u.sum.Sum64() {
				return u.another("its first %d bytes are not those that came before", have)
			}
			b = b[len(old):]
		}
		if err := u.write(b); err != nil {
			return err
		}
		at += int64(n)
		switch {
		case errors.Is(err, io.EOF) && at < have:
			return u.another("it ends after %d bytes; before, there were %d", at, have)
		case errors.Is(err, io.EOF) && part.to >= 0 && at != part.to:
			return protocol.Errorf(protocol.Refused, "%d bytes came where %d were announced", at-part.from, part.to-part.from)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return protocol.Errorf(protocol.Trouble, "the body was cut off after %d bytes: %v; go on from byte %d", at-part.from, err, u.at.Load())
		case part.to >= 0 && at > part.to:
			return protocol.Errorf(protocol.Refused, "more came than the %d bytes that were announced", part.to-part.from)
		}
	}
}

// another returns the error of a request that brings another file than the one that is being
// uploaded. A table has one file, but for one of an open job, where the other one is next.
func (u *upload) another(format string, args ...any) error {
	if u.open {
		return protocol.Errorf(protocol.Busy, "another file is being appended to table %s", u.table)
	}
	return protocol.Errorf(protocol.Refused, format, args...)
}

// write writes bytes to the pipe, and waits until they are read.
func (u *upload) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	n, err := u.pipe.Write(b)
	u.at.Add(int64(n))
	_, _ = u.sum.Write(b[:n]) // it never fails
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrClosedPipe): // a request before this one has sent all of its file
		return u.another("it goes on after %d bytes, where the file ended before", u.at.Load())
	}
	select {
	case <-u.done: // then result has the reason
	case <-time.After(patience):
	}
	if _, failed := u.result(); failed != nil {
		return failed
	}
	return fmt.Errorf("read the body: %w", err)
}
