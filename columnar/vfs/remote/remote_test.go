package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/columnar/vfs/remote/remotetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func noise(n int) []byte {
	data := make([]byte, n)
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

func names(url string) []string { return []string{url + "/bucket/dir/file", "s3://bucket/dir/file"} }

// What is read is what is there, at any offset, by several goroutines, and in spite of servers that
// fail, stall, and send too little.
func TestRead(t *testing.T) {
	data := noise(5<<20 + 12345)
	faults := []string{"", "503", "", "cut", "", "", "stall", "", "429", "", ""}
	for _, faulty := range []bool{false, true} {
		s := &remotetest.Server{Files: map[string][]byte{"bucket/dir/file": data}}
		if faulty {
			s.Fault = func(n int64) string { return faults[n%int64(len(faults))] }
		}
		url, files := s.Start(t, vfs.NewMem())
		for _, name := range names(url) {
			f, err := files.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if size, err := f.Size(); err != nil || size != int64(len(data)) || !f.Seekable() || f.Name() != name {
				t.Fatalf("%s has %d bytes, error %v", f.Name(), size, err)
			}
			var g sync.WaitGroup
			for worker := range 3 {
				g.Go(func() {
					rng := rand.New(rand.NewPCG(uint64(worker), 2))
					for range 40 {
						off, p := rng.IntN(len(data)), make([]byte, rng.IntN(600<<10))
						n, err := f.ReadAt(p, int64(off))
						if !bytes.Equal(p[:n], data[off:min(off+len(p), len(data))]) || n < len(p) && !errors.Is(err, io.EOF) || n == len(p) && err != nil {
							t.Errorf("%d bytes at %d of %s: %d, error %v", len(p), off, name, n, err)
						}
					}
				})
			}
			g.Wait()
			all, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil || !bytes.Equal(all, data) {
				t.Errorf("%d bytes of %s, error %v", len(all), name, err)
			}
		}
	}
}

// Small files and empty ones need one request.
func TestSmall(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		s := &remotetest.Server{Files: map[string][]byte{"bucket/dir/file": noise(n)}}
		url, files := s.Start(t, vfs.NewMem())
		for _, name := range names(url) {
			before := s.Requests.Load()
			view := vfs.Snapshot(files, 0)
			size, failed := view.Size(name)
			f, err := view.Open(name)
			if err := errors.Join(err, failed); err != nil || size != int64(n) {
				t.Fatalf("%s of %d bytes has %d, error %v", name, n, size, err)
			}
			all, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil || len(all) != n || s.Requests.Load() != before+1 {
				t.Errorf("%d bytes of %s in %d requests, error %v", len(all), name, s.Requests.Load()-before, err)
			}
		}
	}
}

// A file that changes while it is read, or between two readings of a snapshot, fails by name.
func TestChanged(t *testing.T) {
	s := &remotetest.Server{Files: map[string][]byte{"bucket/dir/file": noise(8 << 20)}}
	url, files := s.Start(t, vfs.NewMem())
	for _, name := range names(url) {
		for _, when := range []int64{2, 5} {
			view := vfs.Snapshot(files, 0)
			began := s.Requests.Load()
			s.Fault = func(n int64) string {
				if n == began+when {
					return "change"
				}
				return ""
			}
			f, err := view.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, f)
			if !errors.Is(err, remote.ErrChanged) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s changed with request %d: %v", name, when, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if f, err = view.Open(name); err != nil {
				t.Fatal(err)
			}
			_, err = f.ReadAt(make([]byte, 10), 7<<20)
			if err := errors.Join(f.Close()); err != nil {
				t.Error(err)
			}
			if !errors.Is(err, remote.ErrChanged) {
				t.Errorf("a second reading: %v", err)
			}
			if size, err := vfs.Snapshot(files, 0).Size(name); err != nil || size == 0 {
				t.Errorf("a later snapshot: %v", err)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	for fault, want := range map[string]error{"404": fs.ErrNotExist, "403": fs.ErrPermission, "500": nil} {
		s := &remotetest.Server{Fault: func(int64) string { return fault }}
		url, files := s.Start(t, vfs.NewMem())
		for _, name := range names(url) {
			s.Requests.Store(0)
			_, err := files.Open(name)
			if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", fault, err)
			}
			if n := s.Requests.Load(); n != map[bool]int64{true: remotetest.Attempts, false: 1}[want == nil] {
				t.Errorf("%s: %d requests", fault, n)
			}
		}
	}
}

// A server that refuses connections, or a host that there is not, fails soon, and the error says what
// to check. One that has answered before is asked again as often as for other reasons.
func TestUnreachable(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	nowhere := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "typo", IsNotFound: true}}
	for _, c := range []struct {
		why                error
		says, web, inStore string
	}{
		{refused, "refuses the connection", "host and the port", "AWS_ENDPOINT_URL"},
		{nowhere, "there is no host", "name of the host", "AWS_ENDPOINT_URL"},
	} {
		var dials atomic.Int64
		var away atomic.Bool
		away.Store(true)
		s := &remotetest.Server{Files: map[string][]byte{"bucket/dir/file": noise(1000)}}
		url, files := s.StartBehind(t, vfs.NewMem(), func(ctx context.Context, network, address string) (net.Conn, error) {
			dials.Add(1)
			if away.Load() {
				return nil, c.why
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		})
		check := func(what, name string, err error, attempts int64) {
			t.Helper()
			hint := c.web
			if strings.HasPrefix(name, "s3:") {
				hint = c.inStore
			}
			unreachable, ok := errors.AsType[*remote.UnreachableError](err)
			if !ok || !errors.Is(err, c.why) || !strings.Contains(err.Error(), c.says) || !strings.Contains(unreachable.Hint(), hint) || !strings.HasPrefix(url, "http://"+unreachable.Host) {
				t.Errorf("%s %s: %v; %q", what, name, err, unreachable)
			}
			if n := dials.Swap(0); n != attempts {
				t.Errorf("%s %s: %d connections were tried, want %d", what, name, n, attempts)
			}
		}
		for _, name := range names(url) {
			_, err := files.Open(name)
			check("open", name, err, 3)
		}
		all := func(string) bool { return true }
		check("list", "s3://bucket/", files.ListFrom("s3://bucket/", all), 3)

		away.Store(false)
		for _, name := range names(url) {
			if _, err := vfs.Snapshot(files, 0).Size(name); err != nil {
				t.Fatal(err)
			}
			away.Store(true)
			dials.Store(0)
			_, err := vfs.Snapshot(files, 0).Size(name)
			check("later", name, err, remotetest.Attempts)
			away.Store(false)
		}
	}
}

// A listing goes on where it was interrupted.
func TestListInterrupted(t *testing.T) {
	s := &remotetest.Server{Files: make(map[string][]byte), Fault: func(n int64) string {
		if n%2 == 1 {
			return "503"
		}
		return ""
	}}
	var want, got []string
	for i := range 20 {
		s.Files[fmt.Sprintf("bucket/y/%02d", i)] = noise(i)
		want = append(want, fmt.Sprintf("s3://bucket/y/%02d", i))
	}
	_, files := s.Start(t, vfs.NewMem())
	if err := files.ListFrom("s3://bucket/y", func(name string) bool { got = append(got, name); return true }); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, error %v", got, err)
	}
}

// Whoever waits for a server that does not answer stops with the context.
func TestCancelled(t *testing.T) {
	s := &remotetest.Server{Fault: func(int64) string { return "hang" }}
	url, files := s.Start(t, vfs.NewMem())
	for _, name := range names(url) {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		began := time.Now()
		_, err := vfs.With(ctx, files).Open(name)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}

// A server without ranges sends a stream.
func TestStream(t *testing.T) {
	data := noise(300_000)
	url, files := (&remotetest.Server{Files: map[string][]byte{"bucket/dir/file": data}, Plain: true}).Start(t, vfs.NewMem())
	name := url + "/bucket/dir/file"
	if _, err := files.Size(name); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("its size: %v", err)
	}
	f, err := files.Open(name)
	if err != nil || f.Seekable() {
		t.Fatal(err)
	}
	all, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil || !bytes.Equal(all, data) {
		t.Errorf("%d bytes, error %v", len(all), err)
	}
}

// A bucket is listed page by page, and what was listed is not asked for again.
func TestList(t *testing.T) {
	s := &remotetest.Server{Files: map[string][]byte{"other/x": nil, "bucket/b": nil, "bucket/y/": nil}}
	for i := range 10 {
		s.Files[fmt.Sprintf("bucket/y/%d", i)] = noise(i)
	}
	_, files := s.Start(t, vfs.NewMem())
	view := vfs.Snapshot(files, 0).(*remote.FS)
	var got []string
	if err := view.ListFrom("s3://bucket/y", func(name string) bool { got = append(got, name); return true }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 10 || got[3] != "s3://bucket/y/3" {
		t.Errorf("%q", got)
	}
	before := s.Requests.Load()
	for i, name := range got {
		if size, err := view.Size(name); err != nil || size != int64(i) {
			t.Errorf("%s has %d bytes, error %v", name, size, err)
		}
	}
	if n := s.Requests.Load(); n != before {
		t.Errorf("%d requests for sizes", n-before)
	}
	got = nil
	if err := view.ListFrom("s3://bucket/", func(name string) bool { got = append(got, name); return len(got) < 2 }); err != nil || len(got) != 2 {
		t.Errorf("%q, error %v", got, err)
	}
}

// At least 16 requests are on their way while a file is read in order, and little is read in vain.
func TestReadAhead(t *testing.T) {
	data := noise(48 << 20)
	s := &remotetest.Server{Files: map[string][]byte{"bucket/dir/file": data}, Delay: 20 * time.Millisecond}
	began := time.Now()
	s.Fault = func(n int64) string { // once the reader is known to go on, answers wait until all are asked for
		for n > 30 && s.Most.Load() < 16 && time.Since(began) < 20*time.Second {
			time.Sleep(time.Millisecond)
		}
		return ""
	}
	url, files := s.Start(t, vfs.NewMem())
	f, err := files.Open(url + "/bucket/dir/file")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, f, make([]byte, 256<<10)); err != nil || n != int64(len(data)) {
		t.Errorf("%d bytes, error %v", n, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if s.Most.Load() < 16 || s.Bytes.Load() > int64(len(data))+4<<20 { // a stalled request is sent again
		t.Errorf("%d requests at a time, %d bytes of %d", s.Most.Load(), s.Bytes.Load(), len(data))
	}
	s.Bytes.Store(0)
	if f, err = files.Open(url + "/bucket/dir/file"); err != nil {
		t.Fatal(err)
	}
	for _, off := range []int64{47 << 20, 3 << 20, 20 << 20} {
		if _, err := f.ReadAt(make([]byte, 1000), off); err != nil {
			t.Error(err)
		}
	}
	if err := f.Close(); err != nil || s.Bytes.Load() > 1<<20 {
		t.Errorf("%d bytes for 3,000, error %v", s.Bytes.Load(), err)
	}
}

func BenchmarkReadAhead(b *testing.B) {
	data := noise(128 << 20)
	url, files := (&remotetest.Server{Files: map[string][]byte{"bucket/dir/file": data}, Delay: 20 * time.Millisecond}).Start(b, vfs.NewMem())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		f, err := files.Open(url + "/bucket/dir/file")
		if err != nil {
			b.Fatal(err)
		}
		_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, f, make([]byte, 256<<10))
		if err := errors.Join(err, f.Close()); err != nil {
			b.Fatal(err)
		}
	}
}
