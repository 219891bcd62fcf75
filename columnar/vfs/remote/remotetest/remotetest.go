// Package remotetest has a server of files for tests of those who read them.
package remotetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
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
	// bytes), change (of the file), or lost (what is asked for is done, and the answer is 503). It may
	// be nil.
	Fault func(n int64) string
	Plain bool          // it knows no ranges
	Delay time.Duration // of each answer

	Requests, Bytes, Most atomic.Int64 // Most: at a time
	now                   atomic.Int64

	uploads map[string]*upload // by their numbers
	begun   int
	parts   map[string]int // of how many parts a file was uploaded
}

// upload is a file on its way.
type upload struct {
	name  string
	parts map[int][]byte
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
func (s *Server) tagOf(name string) string {
	tag := fmt.Sprintf("v%d", len(s.Files[name]))
	if n := s.parts[name]; n > 0 {
		tag += fmt.Sprintf("-%d", n)
	}
	return strconv.Quote(tag)
}

// Uploads returns how many uploads were begun and neither completed nor aborted.
func (s *Server) Uploads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.uploads)
}

// Put makes or replaces a file, also while requests are answered.
func (s *Server) Put(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Files[name] = data
}

// File returns a file.
func (s *Server) File(name string) (data []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok = s.Files[name]
	return data, ok
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.Requests.Add(1)
	now := s.now.Add(1)
	defer s.now.Add(-1)
	for most := s.Most.Load(); now > most && !s.Most.CompareAndSwap(most, now); most = s.Most.Load() {
	}
	if s.Delay > 0 {
		time.Sleep(s.Delay)
	}
	body, _ := io.ReadAll(r.Body) // the end of the connection is noticed only then
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
	if q := r.URL.Query(); q.Has("uploads") || q.Has("uploadId") {
		s.upload(w, r, name, body, fault)
		return
	}
	data, ok := s.Files[name]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		return
	case fault == "change":
		data = append(slices.Clone(data), '!')
		s.Files[name] = data
	}
	if match := r.Header.Get("If-Match"); match != "" && match != s.tagOf(name) {
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	}
	w.Header().Set("ETag", s.tagOf(name))
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

// upload does what concerns an upload in parts. Parts other than the last must be as large as stores
// want them.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, name string, body []byte, fault string) {
	id := r.URL.Query().Get("uploadId")
	u := s.uploads[id]
	answer := func(xml string) {
		if fault == "lost" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, xml)
	}
	switch {
	case r.Method == http.MethodPost && id == "":
		s.begun++
		if s.uploads == nil {
			s.uploads, s.parts = make(map[string]*upload), make(map[string]int)
		}
		s.uploads[fmt.Sprint(s.begun)] = &upload{name, make(map[int][]byte)}
		answer(fmt.Sprintf("<InitiateMultipartUploadResult><UploadId>%d</UploadId></InitiateMultipartUploadResult>", s.begun))
	case u == nil || u.name != name:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchUpload</Code></Error>")
	case r.Method == http.MethodPut:
		n, _ := strconv.Atoi(r.URL.Query().Get("partNumber"))
		sum := sha256.Sum256(body)
		if r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		u.parts[n] = body
		w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprint("p", n)))
		answer("")
	case r.Method == http.MethodPost:
		var data []byte
		for n := range len(u.parts) {
			if data = append(data, u.parts[n+1]...); n+1 < len(u.parts) && len(u.parts[n+1]) < 5<<20 || !strings.Contains(string(body), fmt.Sprintf("<PartNumber>%d</PartNumber>", n+1)) {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
		}
		s.Files[name], s.parts[name] = data, len(u.parts)
		delete(s.uploads, id)
		answer("<CompleteMultipartUploadResult><Location>here</Location><Bucket>b</Bucket><Key>k</Key><ETag>e</ETag></CompleteMultipartUploadResult>")
	case r.Method == http.MethodDelete:
		delete(s.uploads, id)
		w.WriteHeader(http.StatusNoContent)
	}
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
		out.Contents = append(out.Contents, object{key, s.tagOf(bucket + key), "2026-11-25T20:00:00.000Z", len(data)})
		out.NextContinuationToken = key
	}
	if out.IsTruncated = len(names) > 3; !out.IsTruncated {
		out.NextContinuationToken = ""
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out)
}
