package client

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// leaky is a way to a gateway that is cut now and then.
type leaky struct {
	net.Listener
	to    string
	every int // bytes, about, before a connection is cut

	mu    sync.Mutex
	rng   *rand.Rand
	conns sync.WaitGroup
	Cuts  atomic.Int64
}

func startLeaky(t *testing.T, to string, every int) *leaky {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &leaky{Listener: lis, to: to, every: every, rng: rand.New(rand.NewPCG(1, 2))}
	l.conns.Go(l.accept)
	t.Cleanup(func() {
		_ = lis.Close()
		l.conns.Wait()
	})
	return l
}

func (l *leaky) accept() {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		l.conns.Go(func() { l.pass(in) })
	}
}

func (l *leaky) pass(in net.Conn) {
	defer func() { _ = in.Close() }()
	out, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	l.mu.Lock()
	limit := int64(l.every/2 + l.rng.IntN(l.every))
	l.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(in, out)
		_ = in.Close()
	}()
	if n, _ := io.CopyN(out, in, limit); n == limit {
		l.Cuts.Add(1)
	}
	_ = out.Close()
	<-done
}

func TestConnectionsBreak(t *testing.T) {
	c := startCluster(t, 2)
	d := dataset(t, "movies")
	want := run(t, d)
	ways := []*leaky{startLeaky(t, c.gateways[0].addr, 20<<10), startLeaky(t, c.gateways[1].addr, 20<<10)}
	cl := c.client(annToken, ways[0].Addr().String(), ways[1].Addr().String())
	j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	j.client = cl
	if _, err := j.Upload(t.Context(), upload(d)); err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, j, want)
	if n := ways[0].Cuts.Load() + ways[1].Cuts.Load(); n < 5 {
		t.Errorf("only %d connections were cut", n)
	}
}

func TestGatewaysComeAndGo(t *testing.T) {
	c := startCluster(t, 2)
	d := dataset(t, "books")
	want := run(t, d)
	j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var restarts sync.WaitGroup
	restarts.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			// Sooner or later there is time for a batch, however busy the machine is.
			case <-time.After(time.Duration(i+1) * 30 * time.Millisecond):
				n := c.gateways[i%2]
				n.stop()
				n.start()
			}
		}
	})
	_, err = j.Upload(t.Context(), upload(d))
	close(ended)
	restarts.Wait()
	if err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, j, want)
}

// interrupted opens a job and uploads until so many more batches were acknowledged,
// with a journal.
func interrupted(t *testing.T, c *cluster, fs vfs.FS, u Upload, r protocol.OpenRequest, more int64) *Job {
	t.Helper()
	j, err := c.client(annToken, c.all()...).Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	u.Journal, err = NewJournal(fs, "/jobs", j.Spec, map[string]string{"dir": "d"}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("cut off")
	until := c.acked() + more
	var watch sync.WaitGroup
	watch.Go(func() {
		for c.acked() < until && ctx.Err() == nil {
			time.Sleep(100 * time.Microsecond)
		}
		cancel(stop)
	})
	_, err = j.Upload(ctx, u)
	cancel(nil)
	watch.Wait()
	if !errors.Is(err, stop) {
		t.Fatalf("the upload ended with %v", err)
	}
	return j
}

// acked is how many batches were acknowledged by all gateways.
func (c *cluster) acked() (n int64) {
	for _, g := range c.gateways {
		n += g.metrics.Acked.Load()
	}
	return n
}

func TestResume(t *testing.T) {
	c := startCluster(t, 2)
	d := dataset(t, "movies")
	want := run(t, d)
	whole, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err == nil {
		_, err = whole.Upload(t.Context(), upload(d))
	}
	if err != nil {
		t.Fatal(err)
	}
	batches := c.acked()

	fs := vfs.NewMem()
	j := interrupted(t, c, fs, upload(d), request(d), batches/2)
	source := make(map[string]string)
	journal, err := OpenJournal(fs, "/jobs", j.Spec.ID, &source, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	if source["dir"] != "d" {
		t.Errorf("the journal's source is %v", source)
	}
	u := upload(d)
	u.Journal = journal
	report, err := j.Upload(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, report, "movies")
	checkAnswers(t, j, want)
	// Tables that were through before count as well where rejected rows are limited.
	for _, limit := range []func(){func() { u.MaxRejectShare = 1e-6 }, func() { u.MaxRejectShare, u.MaxRejects = 0, 0 }} {
		limit()
		if _, err := j.Upload(t.Context(), u); !errors.Is(err, scan.ErrTooManyRejects) {
			t.Errorf("with a limit of rejected rows: %v", err)
		}
	}
	// What was on its way when it was cut off may have gone twice.
	streams := int64(0)
	for _, st := range j.Spec.Plan.Stages {
		streams = max(streams, int64(runtime.GOMAXPROCS(0)*len(j.Spec.Scans(st.ID))))
	}
	if sent := c.acked() - batches; sent < batches || sent > batches+streams*window {
		t.Errorf("%d batches were sent in all; the files have %d", sent, batches)
	}
	if reads := Reads(j.Spec, journal); len(reads) != 0 {
		t.Errorf("after the upload there is still to be read: %v", reads)
	}
	if err := journal.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := OpenJournal(fs, "/jobs", j.Spec.ID, &source, nil); !errors.Is(err, ErrNoJournal) {
		t.Errorf("after it was removed: %v", err)
	}
}

// changed is a file of which a byte is another one.
type changed struct {
	vfs.File
	at int64
}

func (f changed) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	if f.at >= off && f.at < off+int64(n) {
		p[f.at-off] ^= 1
	}
	return n, err
}

// pipe is a file that can be read once.
type pipe struct{ vfs.File }

func (pipe) Seekable() bool                    { return false }
func (pipe) Size() (int64, error)              { return 0, errors.ErrUnsupported }
func (pipe) ReadAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func TestResumeWithOtherFiles(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	for name, test := range map[string]struct {
		first, then func(vfs.File) vfs.File
		want        error
	}{
		"a byte is another": {nil, func(f vfs.File) vfs.File { return changed{f, 2000} }, ErrChanged},
		"a pipe now":        {nil, func(f vfs.File) vfs.File { return pipe{f} }, ErrUnknownFile},
		"a pipe before":     {func(f vfs.File) vfs.File { return pipe{f} }, nil, ErrUnknownFile},
		"the same":          {nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			u := upload(d)
			u.Open = through(u.Open, test.first)
			j := interrupted(t, c, fs, u, request(d), 20)
			journal, err := OpenJournal(fs, "/jobs", j.Spec.ID, new(map[string]string), nil)
			if err != nil {
				t.Fatal(err)
			}
			u = upload(d)
			u.Journal, u.Open = journal, through(u.Open, test.then)
			if _, err := j.Upload(t.Context(), u); !errors.Is(err, test.want) {
				t.Errorf("resumed: %v, want %v", err, test.want)
			}
		})
	}
}

func through(open func(string) (vfs.File, error), change func(vfs.File) vfs.File) func(string) (vfs.File, error) {
	return func(table string) (vfs.File, error) {
		f, err := open(table)
		if err == nil && change != nil {
			f = change(f)
		}
		return f, err
	}
}
