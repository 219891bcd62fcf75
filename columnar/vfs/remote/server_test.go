package remote_test

import (
	"crypto/md5"
	"encoding/xml"
	"fmt"
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

// server serves files as a web server does, and as an object store whose buckets are the first
// directories.
type server struct {
	mu    sync.Mutex
	files map[string][]byte
	fault func(n int64) string // what goes wrong with request n, from 1; it may be nil
	plain bool                 // no ranges
	delay time.Duration

	requests, bytes, now, most atomic.Int64
}

func start(t testing.TB, s *server) (url string, fs vfs.FS) {
	t.Helper()
	h := httptest.NewServer(s)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		h.CloseClientConnections()
		h.Close()
	})
	env := map[string]string{"AWS_ENDPOINT_URL": h.URL, "AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "secret"}
	return h.URL, remote.Over(vfs.NewMem(), remote.Config{
		Client: client, Getenv: func(name string) string { return env[name] },
		Pause: time.Millisecond, Stall: 50 * time.Millisecond, Attempts: attempts,
	})
}

// attempts is how often a request is sent.
const attempts = 12

func tagOf(data []byte) string { return fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum(data))) }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.requests.Add(1)
	now := s.now.Add(1)
	defer s.now.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	if s.delay > 0 {
		time.Sleep(s.delay)
	}
	fault := ""
	if s.fault != nil {
		fault = s.fault(n)
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
	data, ok := s.files[name]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		return
	case fault == "change":
		data = append(slices.Clone(data), '!')
		s.files[name] = data
	}
	if match := r.Header.Get("If-Match"); match != "" && match != tagOf(data) {
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	}
	w.Header().Set("ETag", tagOf(data))
	w.Header().Set("Last-Modified", "Wed, 25 Nov 2026 20:00:00 GMT")
	from, to, status := 0, len(data), http.StatusOK
	if text, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && !s.plain {
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
	s.bytes.Add(int64(len(part)))
	_, _ = w.Write(part)
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
func (s *server) list(w http.ResponseWriter, r *http.Request) {
	bucket := strings.Trim(r.URL.Path, "/") + "/"
	q := r.URL.Query()
	var names []string
	for name := range s.files {
		if key, ok := strings.CutPrefix(name, bucket); ok && strings.HasPrefix(key, q.Get("prefix")) && key > q.Get("continuation-token") {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	var out listing
	for _, key := range names[:min(3, len(names))] {
		data := s.files[bucket+key]
		out.Contents = append(out.Contents, object{key, tagOf(data), "2026-11-25T20:00:00.000Z", len(data)})
		out.NextContinuationToken = key
	}
	if out.IsTruncated = len(names) > 3; !out.IsTruncated {
		out.NextContinuationToken = ""
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out)
}
