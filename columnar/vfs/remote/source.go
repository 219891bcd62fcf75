package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// source sends requests to a server.
type source interface {
	// get asks for the bytes of a file from position from on, up to but not including to, of version
	// v if it is not nil. The caller closes the body.
	get(ctx context.Context, name string, from, to int64, v *version) (*answer, error)
}

// answer is what a server sends.
type answer struct {
	body io.ReadCloser
	version
}

// statusError is an answer that is none.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string {
	text := http.StatusText(e.status)
	if e.text != "" {
		text = e.text
	}
	return fmt.Sprintf("the server answers %d (%s)", e.status, text)
}

func (e *statusError) Unwrap() error {
	switch e.status {
	case http.StatusNotFound, http.StatusGone:
		return fs.ErrNotExist
	case http.StatusUnauthorized, http.StatusForbidden:
		return fs.ErrPermission
	case http.StatusPreconditionFailed:
		return ErrChanged
	}
	return nil
}

// passing reports whether a request may succeed if it is sent again.
func passing(err error) bool {
	var status *statusError
	switch {
	case errors.Is(err, ErrChanged), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return false
	case errors.As(err, &status):
		return status.status >= 500 || status.status == http.StatusTooManyRequests || status.status == http.StatusRequestTimeout
	}
	return true
}

// headBytes is how many bytes of a file come with the first look at it.
const headBytes = 64 << 10

// look asks for the beginning of a file, with which its version comes.
func (f *FS) look(src source, name string) (v *version, err error) {
	err = f.again(name, func(ctx context.Context) error {
		a, err := src.get(ctx, name, 0, headBytes, nil)
		if err != nil {
			return err
		}
		defer func() { _ = a.body.Close() }() // what was read was read
		v = &a.version
		if !v.ranges {
			return nil
		}
		v.head = make([]byte, min(headBytes, v.size))
		_, err = io.ReadFull(&stalling{a.body, f.cfg.Stall}, v.head)
		return err
	})
	return v, err
}

// fetch reads a range of a file into p.
func (f *FS) fetch(src source, name string, v *version, p []byte, from int64) error {
	n := 0
	return f.again(name, func(ctx context.Context) error {
		a, err := src.get(ctx, name, from+int64(n), from+int64(len(p)), v)
		if err != nil {
			return err
		}
		defer func() { _ = a.body.Close() }() // what was read was read
		switch {
		case !a.ranges:
			return &statusError{http.StatusOK, "all of the file instead of a part"}
		case a.size != v.size || a.etag != "" && v.etag != "" && a.etag != v.etag || v.etag == "" && a.date != v.date:
			return ErrChanged
		}
		m, err := io.ReadFull(&stalling{a.body, f.cfg.Stall}, p[n:])
		n += m
		return err
	})
}

// again calls do, which asks for a name, until it succeeds, fails for good, or has failed often
// enough.
func (f *FS) again(name string, do func(ctx context.Context) error) error {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-f.ctx.Done():
		return context.Cause(f.ctx)
	}
	pause := f.cfg.Pause
	for attempt := 1; ; attempt++ {
		err := do(f.ctx)
		f.heard(name, err)
		switch {
		case f.ctx.Err() != nil && err != nil:
			return context.Cause(f.ctx)
		case err == nil || !passing(err):
			return err
		case attempt >= f.attempts(name, err):
			if away := unreachable(name, err); away != nil {
				err = away
			}
			return fmt.Errorf("%w, %d times", err, attempt)
		}
		timer := time.NewTimer(pause + rand.N(pause))
		select {
		case <-timer.C:
		case <-f.ctx.Done():
			timer.Stop()
			return context.Cause(f.ctx)
		}
		pause = min(2*pause, 100*f.cfg.Pause)
	}
}

var errStalled = errors.New("the server sends nothing more")

// stalling is the body of an answer. It fails if nothing comes for a while: closing the body is what
// ends a read that waits.
type stalling struct {
	body io.ReadCloser
	most time.Duration
}

func (s *stalling) Read(p []byte) (int, error) {
	stalled := make(chan struct{})
	timer := time.AfterFunc(s.most, func() { close(stalled); _ = s.body.Close() })
	n, err := s.body.Read(p)
	if !timer.Stop() {
		<-stalled
		if err != nil {
			err = errStalled
		}
	}
	if errors.Is(err, io.EOF) && n > 0 {
		err = nil
	}
	return n, err
}

// versionOf reads the version of a file from the headers of an answer.
func versionOf(status int, h http.Header, length int64) (version, error) {
	v := version{etag: h.Get("ETag"), date: h.Get("Last-Modified"), size: length}
	if strings.HasPrefix(v.etag, "W/") {
		v.etag = "" // which says nothing about bytes
	}
	if status != http.StatusPartialContent {
		return v, nil
	}
	v.ranges = true
	_, size, ok := strings.Cut(h.Get("Content-Range"), "/")
	n, err := strconv.ParseInt(size, 10, 64)
	if !ok || err != nil {
		return v, fmt.Errorf("the server does not say how large the file is: %q", h.Get("Content-Range"))
	}
	v.size = n
	return v, nil
}
