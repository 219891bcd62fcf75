package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	front "analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	annToken = "ann-0123456789abcdef"
	bobToken = "bob-0123456789abcdef"
)

// cluster is real workers and gateways on a broker in memory.
type cluster struct {
	*testing.T
	broker   *membroker.Server
	change   func(*worker.Config, *front.Config)
	workers  []func() // end them
	gateways []*node
	forgets  atomic.Pointer[func(body []byte) bool] // whether the broker loses a message
}

// node is a gateway that can be stopped and started.
type node struct {
	c       *cluster
	addr    string
	metrics *front.Metrics
	stop    func()
}

// startCluster starts two workers and some gateways.
func startCluster(t *testing.T, gateways int) *cluster {
	t.Helper()
	return startClusterOf(t, gateways, func(*worker.Config, *front.Config) {})
}

// startClusterOf starts one that is configured otherwise.
func startClusterOf(t *testing.T, gateways int, change func(*worker.Config, *front.Config)) *cluster {
	t.Helper()
	c := &cluster{T: t, change: change, broker: membroker.New(membroker.Config{Seed: 1})}
	for range 4 {
		c.background(func(ctx context.Context) error { c.broker.Run(ctx); return nil })
	}
	const workers = 2
	for r := range workers {
		cfg := worker.Config{
			Replica: r, State: filepath.Join(t.TempDir(), fmt.Sprint(r)), SpillDir: t.TempDir(),
			Memory: 64 << 20, Commit: worker.GroupCommit{Prefetch: 32}, Queues: broker.Classic, Remember: time.Hour,
		}
		change(&cfg, new(front.Config))
		w := worker.New(cfg, c.connect(), vfs.OS(), c.log(), new(worker.Metrics))
		c.workers = append(c.workers, c.background(w.Run))
	}
	for range gateways {
		n := &node{c: c, addr: "127.0.0.1:0", metrics: new(front.Metrics)}
		c.gateways = append(c.gateways, n)
		n.start()
	}
	return c
}

func (c *cluster) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(testLog{c.T}, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

type testLog struct{ t *testing.T }

func (w testLog) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func (c *cluster) connect() broker.Broker {
	b := c.broker.Connect(nil)
	c.Cleanup(func() { _ = b.Close() })
	return forgetful{b, c}
}

// forgetful is a broker that loses messages which it confirms.
type forgetful struct {
	broker.Broker
	c *cluster
}

func (b forgetful) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if lost := b.c.forgets.Load(); lost != nil && (*lost)(body) {
		go done(nil)
		return nil
	}
	return b.Broker.Publish(ctx, queue, body, done)
}

// background runs f until stop is called, at the end of the test at the latest.
func (c *cluster) background(f func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.Errorf("ended: %v", err)
		}
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	c.Cleanup(stop)
	return stop
}

func (n *node) start() {
	n.c.Helper()
	lis, err := net.Listen("tcp", n.addr)
	if err != nil {
		n.c.Fatal(err)
	}
	n.addr = lis.Addr().String()
	tokens, err := front.ParseTokens(strings.NewReader("ann " + annToken + "\nbob " + bobToken + "\n"))
	if err != nil {
		n.c.Fatal(err)
	}
	cfg := front.Config{Replicas: 2, Tokens: tokens, Patience: time.Second, Timeout: 10 * time.Second, Grace: 50 * time.Millisecond, SpillDir: n.c.TempDir()}
	n.c.change(new(worker.Config), &cfg)
	g, err := front.New(cfg, n.c.connect(), n.c.log(), n.metrics)
	if err != nil {
		n.c.Fatal(err)
	}
	n.stop = n.c.background(func(ctx context.Context) error { return g.Run(ctx, lis) })
}

// client returns a client of the gateways at addresses.
func (c *cluster) client(token string, addresses ...string) *Client {
	c.Helper()
	cl, err := New(Config{Gateways: addresses, Token: token, Patience: 20 * time.Second, Notice: func(text string) { c.Log(text) }})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = cl.Close() })
	return cl
}

// all are the addresses of all gateways.
func (c *cluster) all() []string {
	var out []string
	for _, n := range c.gateways {
		out = append(out, n.addr)
	}
	return out
}

const block = 4 << 10 // bytes: the samples make many batches

func dataset(t *testing.T, name string) *datasets.Dataset {
	t.Helper()
	d, err := catalog.Find(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// openTable returns how the files of a data set's samples are opened.
func openTable(d *datasets.Dataset) func(table string) (vfs.File, error) {
	fs := vfs.ReadOnly(d.Samples)
	return func(name string) (vfs.File, error) {
		t, err := d.Table(name)
		if err != nil {
			return nil, err
		}
		return fs.Open(t.Files[0])
	}
}

func request(d *datasets.Dataset) protocol.OpenRequest {
	return protocol.OpenRequest{Label: d.Name, Tables: d.Tables, Queries: d.Queries, Block: block, TTL: time.Hour}
}

func upload(d *datasets.Dataset) Upload {
	return Upload{Open: openTable(d), MaxRejects: -1, Part: block / 4}
}

// run returns the answers of an embedded run as Arrow files, whose bytes show how
// rows are cut into batches.
func run(t *testing.T, d *datasets.Dataset) map[string]string {
	t.Helper()
	return written(t, func(out engine.Answers) error {
		_, err := embedded(t, d, out)
		return err
	})
}

// embedded runs all queries of a data set over its samples.
func embedded(t *testing.T, d *datasets.Dataset, out engine.Answers) (*engine.Report, error) {
	t.Helper()
	p, err := physical.New(nil, d.Queries, d.TableMap())
	if err != nil {
		t.Fatal(err)
	}
	return engine.Run(context.Background(), engine.Options{
		Plan: p, Tables: d.TableMap(), Open: openTable(d), MaxRejects: -1, FS: vfs.NewMem(), SpillDir: "/",
	}, out)
}

func written(t *testing.T, f func(engine.Answers) error) map[string]string {
	t.Helper()
	fs := vfs.NewMem()
	out, err := answers.NewDir(fs, "/answers", answers.Options{Format: answers.Arrow})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f(out), out.Finish(), out.Discard()); err != nil {
		t.Fatal(err)
	}
	names, err := fs.List("/answers")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, name := range names {
		f, err := fs.Open("/answers/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// checkAnswers compares the answers of a job with those of an embedded run.
func checkAnswers(t *testing.T, j *Job, want map[string]string) {
	t.Helper()
	got := written(t, func(out engine.Answers) error { return j.Fetch(context.Background(), Fetch{}, out) })
	if len(got) != len(want) {
		t.Errorf("%d answers, want %d", len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is not that of a run", name)
		}
	}
}
