package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"analyzer/compose/cluster/protocol"
)

// Terminate asks the process to end, as a supervisor does (SIGTERM), and returns
// its exit status; -1 if it had to be killed. The next one is started at once.
func (p *Process) Terminate() (status int, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	run, began := p.run, time.Now()
	if run == nil {
		p.t.Errorf("%s does not run", p.name)
		return -1, 0
	}
	p.killed = true // it may end
	p.signalLocked(syscall.SIGTERM)
	late := time.AfterFunc(endPatience, func() { _ = run.Signal(syscall.SIGKILL) })
	defer late.Stop()
	for p.run == run {
		p.waitLocked()
	}
	return run.State().ExitCode(), time.Since(began)
}

// Log returns what the process, and those it has replaced, have written.
func (p *Process) Log() string {
	text, err := os.ReadFile(p.spec.Log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Memory returns how many bytes of memory the process has now, and had at most
// (resident set). It works on Linux alone.
func (p *Process) Memory() (now, most int64, err error) {
	p.mu.Lock()
	run := p.run
	p.mu.Unlock()
	if run == nil {
		return 0, 0, fmt.Errorf("%s does not run", p.name)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", run.PID()))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kib); n == 1 {
			now = kib << 10
		}
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			most = kib << 10
		}
	}
	return now, most, nil
}

// CPU returns how long the process has run on a core. It works on Linux alone.
func (p *Process) CPU() (time.Duration, error) {
	p.mu.Lock()
	run := p.run
	p.mu.Unlock()
	if run == nil {
		return 0, fmt.Errorf("%s does not run", p.name)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", run.PID()))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may have spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("%s: %q is no line of /proc/PID/stat", p.name, text)
	}
	var ticks int64
	for _, f := range fields[11:13] { // in user mode, and in the kernel
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil // a hundredth of a second each
}

// Serve is the flag with which a process serves metrics, on a port that is free.
var Serve = []string{"--http", "127.0.0.1:0"}

var monitorLine = regexp.MustCompile(`msg="health and metrics".* address=(\S+)`)

// Metrics returns what the process that runs shows to Prometheus; "" when it cannot be
// asked. It must have been started with Serve.
func (p *Process) Metrics() string {
	_, text := p.page("/metrics")
	return text
}

// Ready returns whether the process says that it can work, and what it says. It must
// have been started with Serve.
func (p *Process) Ready() (ready bool, says string) {
	status, text := p.page("/readyz")
	return status == http.StatusOK, strings.TrimSpace(text)
}

// page returns what the process serves at a path; nothing when it cannot be asked.
func (p *Process) page(path string) (status int, text string) {
	found := monitorLine.FindAllStringSubmatch(p.Log(), -1)
	if len(found) == 0 {
		return 0, ""
	}
	client := http.Client{Timeout: 5 * time.Second}
	r, err := client.Get("http://" + found[len(found)-1][1] + path)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, ""
	}
	return r.StatusCode, string(body)
}

// Metric returns one number of Metrics, such as analyzer_gateway_batches_total; 0 when
// it is not there.
func (p *Process) Metric(name string) int64 {
	for line := range strings.Lines(p.Metrics()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int64(n)
		}
	}
	return 0
}

// Await polls until done, and fails the test with what was seen last if it takes
// too long.
func (c *Cluster) Await(what string, poll func() (seen string, done bool)) {
	c.t.Helper()
	c.await(what, poll)
}

// Jobs returns the cluster's jobs by their numbers.
func (c *Cluster) Jobs() map[string]protocol.Status {
	c.t.Helper()
	list, trouble := c.jobs()
	if trouble != "" {
		c.t.Fatal(trouble)
	}
	jobs := make(map[string]protocol.Status)
	for _, s := range list.Jobs {
		jobs[s.Job.String()] = s
	}
	return jobs
}

// AwaitListening waits until a gateway takes connections; clients go to another one
// while it does not.
func (c *Cluster) AwaitListening(gateway *Process) {
	c.t.Helper()
	args := gateway.spec.Args
	address := args[slices.Index(args, "--listen")+1]
	c.await(gateway.name+" to listen", func() (string, bool) {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return err.Error(), false
		}
		return "", conn.Close() == nil
	})
}

// Generated returns a directory with a data set of some size, which is made once
// for all clusters of a Shared. Nobody writes to it.
func (c *Cluster) Generated(dataset, scale string) string {
	c.t.Helper()
	dir := filepath.Join(filepath.Dir(c.program), "data", dataset+"-"+scale)
	r := c.shared.result(dir, func() Result {
		return c.Command(context.Background(), "generate", dataset, "--scale", scale, "--output", dir)
	})
	if r.Code != 0 {
		c.t.Fatalf("generate %s: status %d\n%s", dataset, r.Code, r.Stderr)
	}
	return dir
}

// Running returns what a command has said so far, without waiting for it.
func (k *Client) Running() Result {
	k.mu.Lock()
	defer k.mu.Unlock()
	return Result{
		Stdout: append([]byte{}, k.output[0].Bytes()...),
		Stderr: append([]byte{}, k.output[1].Bytes()...),
	}
}

// Ended reports whether a command has ended.
func (k *Client) Ended() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// Signal sends a signal to the command, which has said something before.
func (k *Client) Signal(s os.Signal) error { return k.run.Signal(s) }
