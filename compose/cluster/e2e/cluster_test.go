package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/process"
	"analyzer/shuffle/rabbit/node"
)

// Options say what to start.
type Options struct {
	Workers  int // 0: 2
	Gateways int // 0: 1
	// Memory is the --memory of workers and gateways; "": as much as makes the
	// broker send 64 messages ahead to each queue's consumer.
	Memory string
	// WorkerFlags and GatewayFlags are added to the commands.
	WorkerFlags, GatewayFlags []string
	// Node is the broker's, that of the Shared if it is nil. Broker, if it is not nil,
	// makes the URL by which processes reach it of the node's own.
	Node   *node.Node
	Broker func(url string) string
	// Token is what clients show; "": none.
	Token string
	Env   []string // more of the environment of all processes, as NAME=value
	// Programs are those to run instead of the one that was built, by the names of
	// processes and "client".
	Programs map[string]string
	// MayEnd lets processes end by themselves, as they may when their broker is
	// gone. They are started again.
	MayEnd bool
}

// prefetch64 is 64 × 4 MiB of state, which is six tenths of what a worker has.
const prefetch64 = "427MiB"

func (o Options) withDefaults() Options {
	if o.Workers == 0 {
		o.Workers = 2
	}
	if o.Gateways == 0 {
		o.Gateways = 1
	}
	if o.Memory == "" {
		o.Memory = prefetch64
	}
	return o
}

// Cluster is a cluster of processes that runs until its test ends, with a virtual host
// of the broker that is its own. Its methods fail the test; they are called from the
// test's goroutine, but for those of Process and Client, which may be called from any.
type Cluster struct {
	t        testing.TB
	shared   *Shared
	program  string
	programs map[string]string // instead of it, by name
	node     *node.Node
	vhost    Vhost
	broker   string // URL
	token    string // of clients
	env      []string
	dir      string
	workers  []*Process
	gateways []*Process
	address  []string // of gateways
}

// Start starts a cluster and waits until it takes jobs.
func (s *Shared) Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	o = o.withDefaults()
	if o.Node == nil {
		o.Node = s.Node(t)
	}
	c := &Cluster{t: t, shared: s, program: s.Program(t), programs: o.Programs, node: o.Node, vhost: NewVhost(t, o.Node), token: o.Token, env: o.Env, dir: t.TempDir()}
	if c.broker = c.vhost.URL(); o.Broker != nil {
		c.broker = o.Broker(c.broker)
	}
	for _, dir := range []string{"log", "spill", "cache"} {
		if err := os.Mkdir(filepath.Join(c.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for range o.Workers {
		c.newWorker(o)
	}
	for i := range o.Gateways {
		c.address = append(c.address, FreeAddress(t))
		flags := []string{"--replicas", strconv.Itoa(o.Workers), "--listen", c.address[i], "--memory", o.Memory}
		c.gateways = append(c.gateways, c.process("gateway", i, o.MayEnd, append(flags, o.GatewayFlags...)))
	}
	t.Cleanup(c.end)
	for _, p := range c.Processes() {
		go p.keep()
	}
	c.AwaitReady()
	return c
}

// newWorker describes one worker more.
func (c *Cluster) newWorker(o Options) *Process {
	i := len(c.workers)
	flags := []string{"--replica", strconv.Itoa(i), "--state", c.State(i), "--memory", o.Memory}
	c.workers = append(c.workers, c.process("worker", i, o.MayEnd, append(flags, o.WorkerFlags...)))
	return c.workers[i]
}

// AddWorker starts one worker more. Gateways have to be told of it before it has a part
// in a job.
func (c *Cluster) AddWorker() {
	c.t.Helper()
	go c.newWorker(Options{}.withDefaults()).keep()
}

// process describes a process of the cluster.
func (c *Cluster) process(kind string, number int, mayEnd bool, flags []string) *Process {
	name := fmt.Sprintf("%s %d", kind, number)
	return &Process{
		t: c.t, name: name, mayEnd: mayEnd, spec: process.Spec{
			Program: c.programOf(name), Args: append([]string{kind}, flags...), Env: c.environment(c.broker),
			Log: filepath.Join(c.dir, "log", strings.ReplaceAll(name, " ", "-")+".log"),
		},
		changed: make(chan struct{}), gone: make(chan struct{}),
	}
}

// programOf returns the program that a process is to run.
func (c *Cluster) programOf(name string) string {
	if other := c.programs[name]; other != "" {
		return other
	}
	return c.program
}

// environment is that of a process: nothing of the test's own, so that no setting
// gets in.
func (c *Cluster) environment(broker string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "TMPDIR=" + filepath.Join(c.dir, "spill"),
		"XDG_CACHE_HOME=" + filepath.Join(c.dir, "cache"), "GORACE=halt_on_error=1",
		"ANALYZER_PATIENCE=5m", // a broker that is started anew beside other tests may take minutes
	}
	if c.token != "" {
		env = append(env, "ANALYZER_TOKEN="+c.token)
	}
	if broker != "" {
		env = append(env, "ANALYZER_BROKER="+broker)
	}
	return append(env, c.env...)
}

// State is the directory of a worker's state.
func (c *Cluster) State(worker int) string {
	return filepath.Join(c.dir, fmt.Sprintf("state-%d", worker))
}

// FreeAddress returns an address of this machine that nobody listens on, and that nobody else
// is given until the test has ended.
func FreeAddress(t testing.TB) string {
	t.Helper()
	var claims process.PortClaims
	ports, err := claims.Claim(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = claims.Close() })
	return process.Address(ports[0])
}

// Worker returns the worker of a replica.
func (c *Cluster) Worker(i int) *Process { return c.workers[i] }

// Gateway returns a gateway.
func (c *Cluster) Gateway(i int) *Process { return c.gateways[i] }

// Node returns the broker's node. Who ends it starts it again.
func (c *Cluster) Node() *node.Node { return c.node }

// Vhost returns the virtual host in which the cluster has its queues.
func (c *Cluster) Vhost() Vhost { return c.vhost }

// Gateways returns where the gateways listen, as --gateway takes it.
func (c *Cluster) Gateways() string { return strings.Join(c.address, ",") }

// Processes returns all workers, and then all gateways.
func (c *Cluster) Processes() []*Process {
	return append(c.workers[:len(c.workers):len(c.workers)], c.gateways...)
}

// Process returns the process of a name, such as “worker 1”.
func (c *Cluster) Process(name string) *Process {
	c.t.Helper()
	for _, p := range c.Processes() {
		if p.name == name {
			return p
		}
	}
	c.t.Fatalf("there is no %s", name)
	return nil
}

// Second starts another process with the command line of one, as happens when a
// supervisor takes it for dead. It ends with the test.
func (c *Cluster) Second(p *Process) *Process {
	q := &Process{
		t: c.t, name: "second " + p.name, spec: p.spec, mayEnd: p.mayEnd,
		changed: make(chan struct{}), gone: make(chan struct{}),
	}
	q.spec.Log = filepath.Join(c.dir, "log", "second-"+filepath.Base(p.spec.Log))
	c.t.Cleanup(func() { q.end() })
	go q.keep()
	return q
}

// readyPatience is how long a cluster may take to come up, and to clean up.
const readyPatience = 30 * time.Second

// AwaitReady waits until every worker answers.
func (c *Cluster) AwaitReady() {
	c.t.Helper()
	c.await("the cluster to be ready", func() (string, bool) {
		list, trouble := c.jobs()
		return fmt.Sprintf("%s, silent %v", trouble, list.Silent), trouble == "" && len(list.Silent) == 0
	})
}

// await polls until done, and fails the test with what was seen last if it takes
// too long.
func (c *Cluster) await(what string, poll func() (seen string, done bool)) {
	c.t.Helper()
	for end := time.Now().Add(readyPatience); ; time.Sleep(10 * time.Millisecond) {
		seen, done := poll()
		if done {
			return
		}
		if time.Now().After(end) || c.hopeless() {
			c.t.Fatalf("waited for %s, at most %v: %s", what, readyPatience, seen)
		}
	}
}

// hopeless reports whether a process was given up.
func (c *Cluster) hopeless() bool {
	return slices.ContainsFunc(c.Processes(), func(p *Process) bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.failures == mostFailures
	})
}

// jobs asks the cluster for its jobs, by the command for it.
func (c *Cluster) jobs() (list protocol.List, trouble string) {
	ctx, cancel := context.WithTimeout(context.Background(), readyPatience)
	defer cancel()
	r := c.Command(ctx, "jobs", "list", "--format", "json", "--patience", "5s", "--gateway", c.Gateways())
	if r.Code != 0 {
		return list, strings.TrimSpace(string(r.Stderr))
	}
	if err := json.Unmarshal(r.Stdout, &list); err != nil {
		return list, err.Error()
	}
	return list, ""
}

// end ends all processes, and shows what they said if the test failed.
func (c *Cluster) end() {
	for _, p := range c.Processes() {
		p.ask()
	}
	for _, p := range c.Processes() {
		p.end()
	}
	if c.t.Failed() {
		c.t.Logf("repeat with: go test ./compose/cluster/e2e -count 1 -v -run '^%s$'", c.t.Name())
		for _, p := range c.Processes() {
			c.t.Logf("the end of what %s said:\n%s", p.name, process.Tail(p.spec.Log, 20))
		}
	}
}
