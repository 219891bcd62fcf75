package node

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/process"
)

func startNode(t *testing.T, cfg Config) *Node {
	t.Helper()
	n, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Stop(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func listening(t *testing.T, n *Node) bool {
	t.Helper()
	u, err := url.Parse(n.URL())
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.DialTimeout("tcp", u.Host, time.Second)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// control runs rabbitmqctl on a node and returns its output.
func control(t *testing.T, n *Node, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	spec := n.Command("rabbitmqctl", append([]string{"--quiet"}, args...)...)
	spec.Stdout, spec.Stderr = &out, &out
	if _, err := process.Run(t.Context(), spec, time.Second); err != nil {
		t.Fatalf("rabbitmqctl %q: %v: %s", args, err, &out)
	}
	return out.String()
}

func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func TestNodeLives(t *testing.T) {
	start := time.Now()
	n := startNode(t, Config{})
	t.Logf("up after %v", time.Since(start))
	dir, epmd, first := n.dir, n.epmd.PID(), n.server.PID()

	if out := control(t, n, "list_users"); !strings.Contains(out, user) {
		t.Errorf("list_users: %q: want the user %s", out, user)
	}
	n.server.Kill()
	if !gone(first) {
		t.Error("the server outlives its kill")
	}
	select {
	case <-n.Done():
	default:
		t.Error("Done is open after a kill")
	}
	if listening(t, n) {
		t.Error("something still listens after a kill")
	}

	start = time.Now()
	if err := n.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("up again after %v", time.Since(start))
	second := n.server.PID()
	if !listening(t, n) {
		t.Error("nobody listens after Restart")
	}

	if err := errors.Join(n.Stop(), n.Stop()); err != nil {
		t.Fatal(err)
	}
	if !gone(second) || !gone(epmd) {
		t.Errorf("after Stop: server gone %v, epmd gone %v", gone(second), gone(epmd))
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Stop the directory: %v, want none", err)
	}
}

func TestNodeKeepsItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "node")
	n := startNode(t, Config{Dir: dir})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Start(ctx, Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another process has it") {
		t.Errorf("a second node in the same directory: %v", err)
	}
	control(t, n, "add_vhost", "kept")
	ports, password := n.ports, n.password
	if err := n.Stop(); err != nil {
		t.Fatal(err)
	}
	again := startNode(t, Config{Dir: dir, Ports: ports})
	if again.ports != ports || again.password != password {
		t.Errorf("ports %+v and password %q, want %+v and %q", again.ports, again.password, ports, password)
	}
	if out := control(t, again, "list_vhosts"); !strings.Contains(out, "kept") {
		t.Errorf("list_vhosts after a restart: %q", out)
	}
}

func TestStartSaysWhy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, err = Start(t.Context(), Config{Ports: Ports{Clients: taken.Addr().(*net.TCPAddr).Port}})
	if err == nil || !strings.Contains(err.Error(), "the server ended") || !strings.Contains(err.Error(), "eaddrinuse") {
		t.Errorf("start on a port that is taken: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("start with a context that has ended: %v", err)
	}
}

func TestFindInstallation(t *testing.T) {
	root := t.TempDir()
	if _, err := find(root); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), "apt-get install") {
		t.Errorf("nothing installed: %v, want how to install it", err)
	}
	for _, f := range []string{
		"usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin/rabbitmq-server",
		"usr/lib/rabbitmq/lib/rabbitmq_server-3.9.1/bin/other",
		"usr/lib/erlang/erts-13.1.5/bin/epmd",
		"opt/rabbitmq_server-4.1.0/sbin/rabbitmq-server",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(f)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	inst, err := find(root)
	want := installation{
		sbin: filepath.Join(root, "usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin"),
		epmd: filepath.Join(root, "usr/lib/erlang/erts-13.1.5/bin/epmd"),
	}
	if err != nil || inst != want {
		t.Errorf("found %+v, %v, want %+v", inst, err, want)
	}
}
