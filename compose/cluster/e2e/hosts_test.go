package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

var namespaced = flag.Bool("namespaces", false, "computers of TestHosts have networks of their own, which takes root")

// computers are three hosts of a cluster, a, b and c: each has an address of its own, and a directory in place of its
// disk.
type computers struct {
	*testing.T
	networks
	dir, source string
	broker      string
	topology    supervisor.Topology
}

var hosts = []string{"a", "b", "c"}

// newComputers writes the topology of three computers, of which each gets a copy.
func newComputers(t *testing.T) *computers {
	t.Helper()
	c := &computers{T: t, networks: newLoopback(), dir: t.TempDir()}
	if *namespaced {
		c.networks = newNamespaces(t)
	}
	c.broker = c.Broker(e2e.NewVhost(t, shared.Node(t)).URL())
	c.source = filepath.Join(c.dir, "source")
	var named []string
	for _, host := range hosts {
		named = append(named, "--hosts", host+"="+c.Address(host))
	}
	c.run("generate", "movies", "--scale", "0.01", "--output", filepath.Join(c.source, "movies"))
	c.run(append([]string{
		"compose", "--replicas", "worker=3,gateway=3", "--source", c.source, "--memory", "128MiB", "--insecure", "--output", filepath.Join(c.dir, "written"),
	}, named...)...)
	text, err := os.ReadFile(filepath.Join(c.dir, "written", "topology.json"))
	if err != nil {
		t.Fatal(err)
	}
	if c.topology, err = supervisor.ParseTopology(text); err != nil {
		t.Fatal(err)
	}
	for _, host := range hosts {
		c.furnish(host)
		t.Cleanup(func() { c.pull(host) })
	}
	return c
}

// furnish gives a computer a new disk, on which there is nothing but what it needs to begin.
func (c *computers) furnish(host string) {
	c.Helper()
	if err := os.RemoveAll(c.disk(host)); err != nil {
		c.Fatal(err)
	}
	if err := os.CopyFS(c.disk(host), os.DirFS(filepath.Join(c.dir, "written"))); err != nil {
		c.Fatal(err)
	}
}

func (c *computers) disk(host string) string { return filepath.Join(c.dir, host) }

// run runs a command, which must succeed, and returns what it wrote.
func (c *computers) run(args ...string) []byte {
	c.Helper()
	out, err := c.try(nil, args...)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func (c *computers) try(within []string, args ...string) ([]byte, error) {
	line := slices.Concat(within, []string{shared.Program(c)}, args)
	k := exec.CommandContext(c.Context(), line[0], line[1:]...)
	k.Dir = c.dir
	k.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "TMPDIR=" + c.dir, "ANALYZER_BROKER=" + c.broker}
	var said bytes.Buffer
	k.Stderr = &said
	out, err := k.Output()
	if err != nil {
		return nil, fmt.Errorf("analyzer %s: %w\n%s", strings.Join(args, " "), err, said.Bytes())
	}
	return out, nil
}

func (c *computers) start(host string) {
	c.Helper()
	if _, err := c.try(c.Within(host), "cluster", "start", "--topology", filepath.Join(c.disk(host), "topology.json"), "--host", host); err != nil {
		c.Fatal(err)
	}
}

// pull ends all processes of a computer at once, as a power failure does.
func (c *computers) pull(host string) {
	c.Helper()
	processes := &supervisor.Processes{Dir: c.disk(host)}
	if err := processes.HaltHost(context.Background(), c.topology, host, 0); err != nil {
		c.Error(err)
	}
}

// await waits until computer a says of all nodes of a host what state they are in.
func (c *computers) await(state membership.State, hosts string) {
	c.Helper()
	var report membership.Report
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		text, err := c.try(nil, "cluster", "status", "--node", c.Address("a")+":9090", "--token-file", c.tokens(), "--format", "json")
		report = membership.Report{}
		if err == nil {
			err = json.Unmarshal(text, &report)
		}
		right := 0
		for _, n := range report.Nodes {
			if strings.Contains(hosts, n.Host) && n.State == state {
				right++
			}
		}
		if right == 4*len(hosts) { // two supervisors, a worker, a gateway
			return
		}
		if time.Now().After(end) {
			c.Fatalf("the nodes of %s are not all %s: %+v, %v", hosts, state, report, err)
		}
	}
}

func (c *computers) tokens() string {
	return filepath.Join(c.dir, "written", "secrets", "tokens")
}

// submit begins a job over the files that gateways read.
func (c *computers) submit() *e2e.Client {
	c.Helper()
	k := shared.Begin(c, c.dir, "submit", "movies", "--at", filepath.Join(c.source, "movies"), "--token-file", c.tokens(), "--block-size", "1KiB",
		"--gateway", c.Address("a")+":8815,"+c.Address("b")+":8815,"+c.Address("c")+":8815", "--format", "json")
	k.AwaitJob()
	return k
}

func (c *computers) exact(k *e2e.Client, want []byte) {
	c.Helper()
	if r := k.Wait(); r.Code != 0 || !bytes.Equal(r.Stdout, want) {
		c.Errorf("status %d, %d bytes of answers, want %d:\n%s", r.Code, len(r.Stdout), len(want), r.Stderr)
	}
}

// cutOff has a computer lose its network while a job runs. What runs there goes on, and so does the job once the network is
// back.
func (c *computers) cutOff(want []byte) {
	c.Helper()
	processes := &supervisor.Processes{Dir: c.disk("b")}
	worker := c.topology.Nodes[slices.IndexFunc(c.topology.Nodes, func(n supervisor.Node) bool { return n.Host == "b" && n.Role == membership.Worker })]
	before, err := processes.Look(c.Context(), worker)
	if err != nil || !before.Runs {
		c.Fatalf("%+v, %v", before, err)
	}
	k := c.submit()
	c.Cut("b", true)
	c.await(membership.Away, "b")
	c.await(membership.Running, "ac")
	if k.Ended() {
		c.Error("the job has ended without a worker")
	}
	c.Cut("b", false)
	c.exact(k, want)
	c.await(membership.Running, "abc")
	if after, err := processes.Look(c.Context(), worker); err != nil || after.PID != before.PID {
		c.Errorf("the worker of b was process %d, and is %d, %v", before.PID, after.PID, err)
	}
}

// TestHosts runs a cluster on three computers. One of them fails while a job runs, which waits for it; the computer comes back
// with its disk, and later another one comes in its place, with an empty disk. The answers are exact each time.
func TestHosts(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := newComputers(t)
	want := c.run("run", "movies", filepath.Join(c.source, "movies"), "--format", "json")
	c.start("a")
	c.await(membership.Running, "a")
	c.await(membership.Away, "bc")
	c.start("b")
	c.start("c")
	c.await(membership.Running, "abc")
	c.start("c") // which runs
	c.exact(c.submit(), want)

	if *namespaced {
		c.cutOff(want)
	}
	for _, replaced := range []bool{false, true} {
		k := c.submit()
		c.pull("b")
		c.await(membership.Away, "b")
		c.await(membership.Running, "ac")
		if replaced {
			c.furnish("b")
		}
		if k.Ended() {
			t.Error("the job has ended without a worker")
		}
		c.start("b")
		c.exact(k, want)
		c.await(membership.Running, "abc")
		again := regexp.MustCompile("begins again as another one").Match(k.Wait().Stderr)
		if again != replaced {
			t.Errorf("the disk was lost: %v; the job began again: %v\n%s", replaced, again, k.Wait().Stderr)
		}
	}

	for _, host := range hosts {
		c.run("cluster", "stop", "--topology", filepath.Join(c.disk(host), "topology.json"), "--host", host)
		processes := &supervisor.Processes{Dir: c.disk(host)}
		for _, n := range c.topology.Nodes {
			if s, err := processes.Look(t.Context(), n); n.Host == host && (err != nil || s.Runs || !s.Left) {
				t.Errorf("%s: %+v, %v", n.Name, s, err)
			}
		}
	}
}
