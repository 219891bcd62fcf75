package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// web is the files of web servers.
type web struct{ client *http.Client }

func (w web) get(ctx context.Context, name string, from, to int64, v *version) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, name, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "identity") // ranges are of the bytes as they are
	if to > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to-1))
	}
	switch {
	case v == nil:
	case v.etag != "":
		r.Header.Set("If-Match", v.etag)
	case v.date != "":
		r.Header.Set("If-Unmodified-Since", v.date)
	}
	got, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	switch got.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		a := &answer{body: got.Body}
		if a.version, err = versionOf(got.StatusCode, got.Header, got.ContentLength); err != nil {
			return nil, errors.Join(err, got.Body.Close())
		}
		return a, nil
	case http.StatusRequestedRangeNotSatisfiable: // the file is empty, or shorter than before
		_ = got.Body.Close()
		if v == nil && strings.HasSuffix(got.Header.Get("Content-Range"), "/0") {
			return &answer{http.NoBody, version{etag: got.Header.Get("ETag"), ranges: true}}, nil
		}
		return nil, ErrChanged
	}
	_, _ = io.CopyN(io.Discard, got.Body, 4<<10)
	return nil, errors.Join(&statusError{status: got.StatusCode}, got.Body.Close())
}

// source returns whom to ask for a file.
func (f *FS) source(name string) (source, error) {
	bucket, _, ok := cutS3(name)
	if !ok {
		return web{f.cfg.Client}, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.stores[bucket]; s != nil {
		return s, nil
	}
	s, err := newStore(f.cfg)
	if err != nil {
		return nil, err
	}
	f.stores[bucket] = s
	return s, nil
}
