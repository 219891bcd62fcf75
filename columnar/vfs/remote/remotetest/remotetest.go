// Package remotetest has a server of files for tests of those who read them.
package remotetest

import (
	"context"
	"encoding/xml"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
)

// Server serves files as a web server does, and as an object store whose buckets are the first
// directories.
type Server struct {
	mu    sync.Mutex
	Files map[string][]byte
	// Fault says what goes wrong with request n, from 1: a status, or hang, stall, cut (too few
	// bytes), or change (of the file). It may be nil.
	Fault func(n int64) string
	Plain bool          // it knows no ranges
	Delay time.Duration // of each answer

	Requests, Bytes, Most atomic.Int64 // Most: at a time
	now                   atomic.Int64
}

// Start starts the server until the end of the test. It returns its address, and a file system over
// local that reads its files, also by s3://.
func (s *Server) Start(t testing.TB, local vfs.FS) (url string, files *remote.FS) {
	t.Helper()
	return s.StartBehind(t, local, nil)
}

// StartBehind is Start for a file system whose connections dial makes, each for one request; nil: as usual.
func (s *Server) StartBehind(t testing.TB, local vfs.FS, dial func(ctx context.Context, network, address string) (net.Conn, error)) (url string, files *remote.FS) {
	t.Helper()
	h := httptest.NewServer(s)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: dial, DisableKeepAlives: dial != nil}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		h.CloseClientConnections()
		h.Close()
	})
	env := map[string]string{"AWS_ENDPOINT_URL": h.URL, "AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "secret"}
	return h.URL, remote.Over(local, remote.Config{
		Client: client, Getenv: func(name string) string { return env[name] },
		Pause: time.Millisecond, Stall: 50 * time.Millisecond, Attempts: Attempts,
	})
}

// Attempts is how often a request is sent.
const Attempts = 12

// tagOf returns the tag of a file: those of a test that change get longer.
func tagOf(data []byte) string { return fmt.Sprintf("%q", fmt.Sprintf("v%d", len(data))) }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.Requests.Add(1)
	now := s.now.Add(1)
	defer s.now.Add(-1)
	for most := s.Most.Load(); now > most && !s.Most.CompareAndSwap(most, now); most = s.Most.Load() {
	}
	if s.Delay > 0 {
		time.Sleep(s.Delay)
	}
	fault := ""
	if s.Fault != nil {
		fault = s.Fault(n)
	}
	if status, err := strconv.Atoi(fault); err == nil {
		w.WriteHeader(status)
		return
	}
	if fault == "hang" {
		<-r.Context().Done()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Query().Get("list-type") == "2" {
		s.list(w, r)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	data, ok := s.Files[name]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		return
	case fault == "change":
		data = append(slices.Clone(data), '!')
		s.Files[name] = data
	}
	if match := r.Header.Get("If-Match"); match != "" && match != tagOf(data) {
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	}
	w.Header().Set("ETag", tagOf(data))
	w.Header().Set("Last-Modified", "Wed, 25 Nov 2026 20:00:00 GMT")
	from, to, status := 0, len(data), http.StatusOK
	if text, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && !s.Plain {
		_, _ = fmt.Sscanf(text, "%d-%d", &from, &to)
		if from >= len(data) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(data)))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		to, status = min(to+1, len(data)), http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(data)))
	}
	part := data[from:to]
	w.Header().Set("Content-Length", fmt.Sprint(len(part)))
	w.WriteHeader(status)
	switch fault {
	case "cut":
		part = part[:len(part)/2]
	case "stall":
		_, _ = w.Write(part[:len(part)/3])
		w.(http.Flusher).Flush()
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
		return
	}
	s.Bytes.Add(int64(len(part)))
	s.mu.Unlock()
	_, _ = w.Write(part)
	s.mu.Lock()
}

type listing struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	IsTruncated           bool
	NextContinuationToken string
	Contents              []object
}

type object struct {
	Key, ETag, LastModified string
	Size                    int
}

// list lists three files a page.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	bucket := strings.Trim(r.URL.Path, "/") + "/"
	q := r.URL.Query()
	var names []string
	for name := range s.Files {
		if key, ok := strings.CutPrefix(name, bucket); ok && strings.HasPrefix(key, q.Get("prefix")) && key > max(q.Get("continuation-token"), q.Get("start-after")) {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	var out listing
	for _, key := range names[:min(3, len(names))] {
		data := s.Files[bucket+key]
		out.Contents = append(out.Contents, object{key, tagOf(data), "2026-11-25T20:00:00.000Z", len(data)})
		out.NextContinuationToken = key
	}
	if out.IsTruncated = len(names) > 3; !out.IsTruncated {
		out.NextContinuationToken = ""
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out)
}
