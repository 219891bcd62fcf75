// Package remote reads files from web servers and from object stores as from a file system, and writes
// those of object stores:
// https://host/path, http://host/path and s3://bucket/key. All other names are those of another
// file system.
//
// A file is read by requests for ranges of it, several at a time: those that read on in order find
// that the next ranges are on their way. All requests name the version that was seen first
// (If-Match), so that what is read is one version, or fails with ErrChanged. What fails on the way is
// asked for again, with pauses that grow; of a server that refuses connections or has a name that is
// unknown only if it has answered before. A file whose server knows no ranges is a stream.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"analyzer/columnar/vfs"
)

// ErrChanged is the error of reading a file whose version is another than before.
var ErrChanged = errors.New("it changed while it was read")

// Config says how files are read. The zero value is the usual one.
type Config struct {
	// Client sends the requests; nil: one that keeps as many connections open as there are requests.
	Client *http.Client
	// Getenv returns the variables that say where the object store is and who asks
	// (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE,
	// AWS_ACCESS_KEY_ID …); nil: os.Getenv. Credentials come from variables, from the usual files,
	// or from the machine.
	Getenv func(string) string
	// Pause is how long to wait before a request is sent again for the first time; each further
	// pause is twice as long. 0: 100 ms.
	Pause time.Duration
	// Stall is how long a request may bring nothing before it is sent again. 0: 20 s.
	Stall time.Duration
	// Attempts is how often a request is sent. 0: 7.
	Attempts int
	// ReadAhead is how many bytes of all files of a snapshot are held that nobody has asked for yet,
	// or not long ago. 0: 32 MiB.
	ReadAhead int64
}

func (c Config) withDefaults() Config {
	if c.Client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConns, t.MaxIdleConnsPerHost, t.DisableCompression = 4*inFlight, 2*inFlight, true
		t.ResponseHeaderTimeout = 30 * time.Second
		c.Client = &http.Client{Transport: t}
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Pause == 0 {
		c.Pause = 100 * time.Millisecond
	}
	if c.Stall == 0 {
		c.Stall = 20 * time.Second
	}
	if c.Attempts == 0 {
		c.Attempts = 7
	}
	if c.ReadAhead == 0 {
		c.ReadAhead = 32 << 20
	}
	return c
}

// inFlight is how many requests are sent at a time.
const inFlight = 32

// FS reads remote files and writes those of stores, and passes all operations on other names on.
type FS struct {
	vfs.FS
	*shared
	ctx      context.Context
	versions *versions
	ahead    *held
}

// shared is what all views of a file system have in common.
type shared struct {
	cfg   Config
	slots chan struct{} // for requests
	*uploads

	mu     sync.Mutex
	stores map[string]source // by the beginning of a name
	// answered are the hosts and buckets of which answers have come.
	answered map[string]bool
}

// versions are the versions of files that were seen first.
type versions struct {
	mu     sync.Mutex
	of     map[string]*version
	headed []*version // those with heads, the oldest first
}

// mostHeads is of how many files the first bytes are kept after they were closed: whoever opens a
// file to see how it is written opens it again.
const mostHeads = 16

// version is one version of a file.
type version struct {
	size   int64
	etag   string
	date   string // Last-Modified, if there is no tag
	ranges bool   // the server can send parts of it
	head   []byte // its first bytes
}

// Over returns a file system that reads remote files, and has those of another.
func Over(local vfs.FS, cfg Config) *FS {
	s := &shared{cfg: cfg.withDefaults(), slots: make(chan struct{}, inFlight), stores: make(map[string]source), answered: make(map[string]bool)}
	s.uploads = &uploads{stages: make(map[string]string), begun: make(map[string]*upload)}
	return &FS{FS: local, shared: s, ctx: context.Background(), versions: newVersions(), ahead: &held{limit: s.cfg.ReadAhead}}
}

func newVersions() *versions { return &versions{of: make(map[string]*version)} }

// With returns a view whose operations end with ctx, also those on files that it has opened.
func (f *FS) With(ctx context.Context) vfs.FS {
	view := *f
	view.ctx = ctx
	return &view
}

// Snapshot returns a view in which files keep the version that it sees first. It reads ahead within
// a small share of so many bytes of memory; 0: as it does by itself.
func (f *FS) Snapshot(memory int64) vfs.FS {
	view := *f
	view.versions, view.ahead = newVersions(), &held{limit: f.cfg.ReadAhead}
	if memory > 0 {
		view.ahead.limit = min(view.ahead.limit, max(memory/memoryShare, leastAhead))
	}
	return &view
}

// memoryShare is the part of the memory of a statement in which files are read ahead, but not less
// than leastAhead.
const (
	memoryShare = 16
	leastAhead  = 2 << 20
)

// Is reports whether a name is that of a remote file.
func Is(name string) bool {
	for _, scheme := range []string{schemeS3, "https://", "http://"} {
		if len(name) > len(scheme) && strings.EqualFold(name[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// Open opens a file.
func (f *FS) Open(name string) (vfs.File, error) {
	if !Is(name) {
		return f.FS.Open(name)
	}
	src, err := f.source(name)
	if err != nil {
		return nil, wrap("open", name, err)
	}
	v, err := f.version(src, name)
	if err != nil {
		return nil, wrap("open", name, err)
	}
	if !v.ranges {
		return openStream(f, src, name)
	}
	return newFile(f, src, name, v), nil
}

// Size returns the length of a file.
func (f *FS) Size(name string) (int64, error) {
	if !Is(name) {
		return f.FS.Size(name)
	}
	src, err := f.source(name)
	if err == nil {
		var v *version
		if v, err = f.version(src, name); err == nil && !v.ranges {
			err = errors.ErrUnsupported
		}
		if err == nil {
			return v.size, nil
		}
	}
	return 0, wrap("size", name, err)
}

// version returns the version of a file that is read.
func (f *FS) version(src source, name string) (*version, error) {
	f.versions.mu.Lock()
	v := f.versions.of[name]
	f.versions.mu.Unlock()
	if v != nil {
		return v, nil
	}
	v, err := f.look(src, name)
	if err != nil {
		return nil, err
	}
	f.versions.mu.Lock()
	defer f.versions.mu.Unlock()
	if first := f.versions.of[name]; first != nil {
		return first, nil
	}
	f.versions.of[name] = v
	f.versions.headed = append(f.versions.headed, v)
	return v, nil
}

// head returns the first bytes of a version, if they are known.
func (v *versions) head(of *version) []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return of.head
}

// keep keeps the first bytes of a version.
func (v *versions) keep(of *version, head []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(of.head) >= len(head) {
		return
	}
	of.head = head
	if v.headed = append(v.headed, of); len(v.headed) > mostHeads {
		v.headed[0].head = nil
		v.headed = v.headed[1:]
	}
}

// list notes the version of a file that was listed, so that nobody asks for them.
func (v *versions) list(name string, of *version) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.of[name] == nil {
		v.of[name] = of
	}
}

// Create makes a file. In a store it begins the upload of one, in a directory that MkdirTemp has
// given, which Rename completes: nobody sees it before.
func (f *FS) Create(name string) (vfs.File, error) {
	switch {
	case !Is(name):
		return f.FS.Create(name)
	case staged(name):
		return f.create(name)
	}
	return nil, readOnly("create", name)
}

// Target says how a file is replaced.
func (f *FS) Target(name string) (path string, inPlace bool, err error) {
	switch {
	case !Is(name):
		return f.FS.Target(name)
	case staged(name):
		return name, false, nil
	}
	return "", false, readOnly("replace", name)
}

// MkdirAll makes a directory. Stores have none.
func (f *FS) MkdirAll(name string) error {
	switch {
	case !Is(name):
		return f.FS.MkdirAll(name)
	case staged(name):
		return nil
	}
	return readOnly("make", name)
}

// MkdirTemp makes a directory. That of a store is one in this process.
func (f *FS) MkdirTemp(dir, pattern string) (string, error) {
	switch {
	case !Is(dir):
		return f.FS.MkdirTemp(dir, pattern)
	case staged(dir):
		return f.stage(dir, pattern), nil
	}
	return "", readOnly("make", dir)
}

// Rename moves a file. In a store it completes the upload of one.
func (f *FS) Rename(from, to string) error {
	if staged(from) && staged(to) {
		return f.rename(from, to)
	}
	return f.FS.Rename(from, to)
}

// RemoveAll deletes a directory. In a store that is one of MkdirTemp, whose uploads it aborts.
func (f *FS) RemoveAll(name string) error {
	switch {
	case !Is(name):
		return f.FS.RemoveAll(name)
	case staged(name):
		return f.unstage(name)
	}
	return readOnly("remove", name)
}

// SyncDir makes changes of a directory durable, as those of a store are.
func (f *FS) SyncDir(dir string) error {
	if Is(dir) {
		return nil
	}
	return f.FS.SyncDir(dir)
}

// List returns the names in a directory, unless it is remote: those of buckets are listed by
// ListFrom.
func (f *FS) List(dir string) ([]string, error) {
	if Is(dir) {
		return nil, wrap("list", dir, errors.ErrUnsupported)
	}
	return f.FS.List(dir)
}

func readOnly(op, name string) error {
	return wrap(op, name, fmt.Errorf("files of web servers are only read: %w", fs.ErrPermission))
}

func wrap(op, name string, err error) error {
	var known *fs.PathError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
