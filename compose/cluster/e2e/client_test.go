package e2e

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/compose/cluster/failpoint"
	"analyzer/process"
	"analyzer/process/processtest"
)

// Result is what a command has come to.
type Result struct {
	Stdout, Stderr []byte
	Code           int // exit status; -1: it was killed
	Killed         bool
	Took           time.Duration
}

var jobLine = regexp.MustCompile(`(?m)^Job ([0-9a-f]+)$`)

// Job returns the number of the job that a submit said, "" if it did not.
func (r Result) Job() string {
	if m := jobLine.FindSubmatch(r.Stderr); m != nil {
		return string(m[1])
	}
	return ""
}

// Client is a command that runs beside the test.
type Client struct {
	t    testing.TB
	run  *process.Process
	args []string
	done chan struct{}
	kill context.CancelFunc

	mu     sync.Mutex
	output [2]bytes.Buffer // stdout, stderr
	result Result          // once done is closed
}

// stream is an output of a client, which can be read while it is written.
type stream struct {
	c     *Client
	which int
}

func (s stream) Write(p []byte) (int, error) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.c.output[s.which].Write(p)
}

// ClientsOf returns the same cluster, whose commands are those of another program.
func (c *Cluster) ClientsOf(program string) *Cluster {
	of := *c
	of.programs = map[string]string{"client": program}
	return &of
}

// Begin starts a command of the program, which is killed when the context ends, or
// the test. ANALYZER_CRASH is set to point if it is not "".
func (c *Cluster) Begin(ctx context.Context, point string, args ...string) *Client {
	c.t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	k := &Client{t: c.t, args: args, done: make(chan struct{}), kill: cancel}
	spec := process.Spec{
		Program: c.programOf("client"), Args: args, Env: c.environment(""), Dir: c.dir, Stdout: stream{k, 0}, Stderr: stream{k, 1},
	}
	if point != "" {
		spec.Env = append(spec.Env, failpoint.Variable+"="+point)
	}
	began := time.Now()
	var err error
	if k.run, err = process.Start(spec); err != nil {
		cancel()
		c.t.Fatalf("analyzer %s: %v", strings.Join(args, " "), err)
	}
	go k.watch(ctx, began)
	c.t.Cleanup(func() { k.Kill() })
	return k
}

// Begin starts a command of the program, beside any cluster, with a directory for what
// it writes.
func (s *Shared) Begin(t testing.TB, dir string, args ...string) *Client {
	t.Helper()
	c := &Cluster{t: t, shared: s, program: s.Program(t), dir: dir}
	if err := os.MkdirAll(filepath.Join(dir, "spill"), 0o700); err != nil {
		t.Fatal(err)
	}
	return c.Begin(context.Background(), "", args...)
}

// watch waits for the command, which it kills when the context ends.
func (k *Client) watch(ctx context.Context, began time.Time) {
	defer close(k.done)
	select {
	case <-k.run.Done():
	case <-ctx.Done():
		k.run.Kill()
	}
	err := k.run.Err()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.result = Result{
		Stdout: k.output[0].Bytes(), Stderr: k.output[1].Bytes(), Code: k.run.State().ExitCode(),
		Killed: processtest.Killed(err), Took: time.Since(began),
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		k.t.Errorf("analyzer %s: %v", strings.Join(k.args, " "), err)
	}
}

// Wait waits for the command to end.
func (k *Client) Wait() Result {
	<-k.done
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.result
}

// Kill ends the command as kill -9 does, and waits for it.
func (k *Client) Kill() Result {
	k.kill()
	return k.Wait()
}

// Said waits until a pattern is in what the command wrote to its standard error,
// or it has ended, and reports which.
func (k *Client) Said(pattern *regexp.Regexp) bool {
	for {
		k.mu.Lock()
		found := pattern.Match(k.output[1].Bytes())
		k.mu.Unlock()
		select {
		case <-k.done:
			return pattern.Match(k.Wait().Stderr)
		case <-time.After(2 * time.Millisecond):
		}
		if found {
			return true
		}
	}
}

// AwaitJob waits until a submit has said the number of its job.
func (k *Client) AwaitJob() Result {
	k.t.Helper()
	if !k.Said(jobLine) {
		k.t.Fatalf("analyzer %s has no job:\n%s", strings.Join(k.args, " "), k.Wait().Stderr)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return Result{Stderr: bytes.Clone(k.output[1].Bytes())}
}

// Command runs a command of the program to its end.
func (c *Cluster) Command(ctx context.Context, args ...string) Result {
	c.t.Helper()
	return c.Begin(ctx, "", args...).Wait()
}

// Submission is the command line that submits a data set: args are the data set,
// its directory if it is not the samples, and flags of submit.
func (c *Cluster) Submission(args ...string) []string {
	return append([]string{"submit", "--gateway", c.Gateways(), "--format", "json"}, args...)
}

// Submit runs a Submission to its end.
func (c *Cluster) Submit(ctx context.Context, args ...string) Result {
	c.t.Helper()
	return c.Command(ctx, c.Submission(args...)...)
}
