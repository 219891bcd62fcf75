package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"analyzer/columnar/vfs"
)

const (
	// extentBytes is the unit in which parts of files are held. A request is for one or several.
	extentBytes = 64 << 10
	// mostExtents is how many of them one request asks for.
	mostExtents = 16
	// mostStreams is how many places of a file are read on from, such as columns.
	mostStreams = 64
	// near is how many extents around the furthest one of a stream belong to it: several workers
	// read side by side.
	near = 64
)

// held counts the bytes that are held of all files.
type held struct {
	limit int64
	bytes atomic.Int64
}

// file is a remote file. Read is for one goroutine; ReadAt is for many.
type file struct {
	fs      *FS
	src     source
	name    string
	version *version
	head    []byte // its first bytes, if they are known
	pos     int64

	mu      sync.Mutex
	extents map[int64]*extent
	streams []*stream
	clock   int64
	closed  bool
	fetches sync.WaitGroup
	stop    context.CancelFunc
}

// extent is a part of a file.
type extent struct {
	done  chan struct{}
	data  []byte
	err   error
	users int
	used  int64 // when it was used last, by the clock of the file
}

// stream is a place that is read on from.
type stream struct {
	whole bool  // it began with the file
	high  int64 // the furthest extent that was asked for
	ahead int64 // the first extent that is not on its way
	read  int64 // how many extents were read in order
	used  int64
}

func newFile(f *FS, src source, name string, v *version) *file {
	view := *f
	ctx, stop := context.WithCancel(f.ctx)
	view.ctx = ctx
	return &file{fs: &view, src: src, name: name, version: v, head: f.versions.head(v), extents: make(map[int64]*extent), stop: stop}
}

func (f *file) Name() string         { return f.name }
func (f *file) Seekable() bool       { return true }
func (f *file) Size() (int64, error) { return f.version.size, nil }
func (f *file) Sync() error          { return nil }

// Version implements vfs.Versioned.
func (f *file) Version() string { return cmp.Or(f.version.etag, f.version.date) }

func (f *file) Write([]byte) (int, error) { return 0, readOnly("write", f.name) }

func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.pos)
	f.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	if end := int64(len(f.head)); off < end && (off+int64(len(p)) <= end || end == f.version.size) {
		if n = copy(p, f.head[off:]); n < len(p) {
			err = io.EOF
		}
		return n, err
	}
	for n < len(p) {
		at := off + int64(n)
		if at >= f.version.size {
			return n, io.EOF
		}
		e, err := f.extent(at / extentBytes)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], e.data[at%extentBytes:])
		f.release(e)
	}
	return n, nil
}

// extent returns an extent that has come; the caller releases it.
func (f *file) extent(i int64) (*extent, error) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil, wrap("read", f.name, fs.ErrClosed)
	}
	s := f.streamLocked(i)
	if f.extents[i] == nil {
		f.fetchLocked(i, i+min(1+s.read/2, mostExtents))
	}
	e := f.extents[i]
	e.users++
	f.readAheadLocked(s)
	f.mu.Unlock()
	select {
	case <-e.done:
	case <-f.fs.ctx.Done():
		f.release(e)
		return nil, context.Cause(f.fs.ctx)
	}
	if e.err != nil {
		err := e.err
		f.release(e)
		return nil, wrap("read", f.name, err)
	}
	return e, nil
}

// streamLocked returns the stream that an extent is part of, perhaps a new one.
func (f *file) streamLocked(i int64) *stream {
	f.clock++
	at := slices.IndexFunc(f.streams, func(s *stream) bool { return i > s.high-near && i <= s.high+2 })
	if at >= 0 {
		s := f.streams[at]
		if i > s.high {
			s.read += i - s.high
			s.high = i
		}
		s.used = f.clock
		return s
	}
	s := &stream{high: i, ahead: i + 1, used: f.clock}
	if i > 0 && i <= int64(len(f.head))/extentBytes { // what precedes it was read before
		s.whole, s.read = true, i
	}
	if len(f.streams) < mostStreams {
		f.streams = append(f.streams, s)
		return s
	}
	oldest := 0
	for k, other := range f.streams {
		if other.used < f.streams[oldest].used {
			oldest = k
		}
	}
	f.streams[oldest] = s
	return s
}

// readAheadLocked asks for what follows in a stream: at most twice as much as was read of it, so that
// little is read in vain, and four times at the beginning of a file, which is probably read to its end.
func (f *file) readAheadLocked(s *stream) {
	last := (f.version.size + extentBytes - 1) / extentBytes
	s.ahead = max(s.ahead, s.high+1)
	ahead := 2 * s.read
	if s.whole {
		ahead *= 2
	}
	for to := min(s.high+1+ahead, last); s.ahead < to; {
		n := min(mostExtents, to-s.ahead)
		if n < mostExtents && to < last && s.ahead-s.high-1 > ahead/2 {
			return // a larger request soon
		}
		if f.fs.ahead.bytes.Load()+n*extentBytes > f.fs.ahead.limit && !f.evictLocked(n) {
			return
		}
		f.fetchLocked(s.ahead, s.ahead+n)
		s.ahead += n
	}
}

// evictLocked makes room for n extents by giving up those that were used, and not lately.
func (f *file) evictLocked(n int64) bool {
	for range n {
		oldest, at := (*extent)(nil), int64(0)
		for i, e := range f.extents {
			if e.users == 0 && e.used > 0 && e.used < f.clock-near && (oldest == nil || e.used < oldest.used) {
				oldest, at = e, i
			}
		}
		if oldest == nil {
			return false
		}
		delete(f.extents, at)
		f.fs.ahead.bytes.Add(-extentBytes)
	}
	return true
}

// fetchLocked asks for the extents from i up to but not including to, as far as they are there.
func (f *file) fetchLocked(i, to int64) {
	to = min(to, (f.version.size+extentBytes-1)/extentBytes)
	for i < to && f.extents[i] != nil {
		i++
	}
	if i >= to {
		return
	}
	var asked []*extent
	from := i
	for ; i < to && f.extents[i] == nil; i++ {
		e := &extent{done: make(chan struct{})}
		f.extents[i] = e
		asked = append(asked, e)
	}
	f.fs.ahead.bytes.Add(int64(len(asked)) * extentBytes)
	if over := f.fs.ahead.bytes.Load() - f.fs.ahead.limit; over > 0 {
		f.evictLocked((over + extentBytes - 1) / extentBytes)
	}
	f.fetches.Go(func() {
		begin := from * extentBytes
		data := make([]byte, min(int64(len(asked))*extentBytes, f.version.size-begin))
		err := f.fs.fetch(f.src, f.name, f.version, data, begin)
		if err != nil {
			err = fmt.Errorf("bytes %d to %d: %w", begin, begin+int64(len(data)), err)
		}
		for k, e := range asked {
			if e.err = err; err == nil {
				e.data = data[k*extentBytes : min((k+1)*extentBytes, len(data))]
			}
			close(e.done)
		}
	})
}

func (f *file) release(e *extent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock++
	e.users--
	e.used = f.clock
}

// keptExtents is how many extents are kept of the beginning of a file.
const keptExtents = 8

// beginLocked returns the beginning of the file, as far as it was read and is kept.
func (f *file) beginLocked() (begin []byte) {
	for i := range int64(keptExtents) {
		e := f.extents[i]
		switch {
		case e == nil && (i+1)*extentBytes <= int64(len(f.head)):
			begin = append(begin, f.head[i*extentBytes:(i+1)*extentBytes]...)
		case e == nil || e.used == 0 || e.err != nil:
			return begin
		default:
			begin = append(begin, e.data...)
		}
	}
	return begin
}

// Close ends the requests that are on their way, and waits for them.
func (f *file) Close() error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return wrap("close", f.name, fs.ErrClosed)
	}
	f.closed = true
	if len(f.head) < keptExtents*extentBytes {
		f.fs.versions.keep(f.version, f.beginLocked())
	}
	f.fs.ahead.bytes.Add(-int64(len(f.extents)) * extentBytes)
	f.extents = nil
	f.mu.Unlock()
	f.stop()
	f.fetches.Wait()
	return nil
}

// streamed is a file whose server sends all of it or nothing.
type streamed struct {
	name string
	body io.ReadCloser
	stop context.CancelFunc
}

func openStream(f *FS, src source, name string) (vfs.File, error) {
	ctx, stop := context.WithCancel(f.ctx)
	a, err := src.get(ctx, name, 0, 0, nil)
	if err != nil {
		stop()
		return nil, wrap("open", name, err)
	}
	return &streamed{name, a.body, stop}, nil
}

func (s *streamed) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = wrap("read", s.name, err)
	}
	return n, err
}

func (s *streamed) ReadAt([]byte, int64) (int, error) {
	return 0, wrap("read at offset", s.name, errors.ErrUnsupported)
}

func (s *streamed) Size() (int64, error)      { return 0, wrap("size", s.name, errors.ErrUnsupported) }
func (s *streamed) Write([]byte) (int, error) { return 0, readOnly("write", s.name) }
func (s *streamed) Seekable() bool            { return false }
func (s *streamed) Sync() error               { return nil }
func (s *streamed) Name() string              { return s.name }

func (s *streamed) Close() error {
	err := s.body.Close()
	s.stop()
	return err
}
