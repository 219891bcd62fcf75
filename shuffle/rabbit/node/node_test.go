package node

import (
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

func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func TestNodeLives(t *testing.T) {
	start := time.Now()
	n := startNode(t, Config{})
	t.Logf("up after %v", time.Since(start))
	dir, epmd, first := n.dir, n.epmd.PID(), n.server.PID()

	if out, err := n.Control(t.Context(), "list_users"); err != nil || !strings.Contains(out, user) {
		t.Errorf("list_users: %q, %v: want the user %s", out, err, user)
	}
	for _, call := range []string{"", n.inst.call} { // without erl_call, and with it if there is one
		n.inst.call = call
		if out, err := n.Eval(t.Context(), `lists:append("a ", "b")`); err != nil || strings.TrimSpace(out) != `"a b"` {
			t.Errorf("with erl_call %q: %q, %v", call, out, err)
		}
	}
	if out, err := n.Eval(t.Context(), `nothing:at_all()`); err == nil {
		t.Errorf("a function that is not there has the value %q", out)
	}
	n.Kill()
	if !gone(first) {
		t.Error("the server outlives Kill")
	}
	select {
	case <-n.Done():
	default:
		t.Error("Done is open after Kill")
	}
	if listening(t, n) {
		t.Error("something still listens after Kill")
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
	if _, err := n.Control(ctx, "add_vhost", "kept"); err != nil {
		t.Fatal(err)
	}
	ports, password := n.ports, n.password
	if err := n.Stop(); err != nil {
		t.Fatal(err)
	}
	again := startNode(t, Config{Dir: dir, Ports: ports})
	if again.ports != ports || again.password != password {
		t.Errorf("ports %+v and password %q, want %+v and %q", again.ports, again.password, ports, password)
	}
	if out, err := again.Control(ctx, "list_vhosts"); err != nil || !strings.Contains(out, "kept") {
		t.Errorf("list_vhosts after a restart: %q, %v", out, err)
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
		"usr/lib/erlang/erts-13.1.5/bin/erl_call",
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
		call: filepath.Join(root, "usr/lib/erlang/erts-13.1.5/bin/erl_call"),
	}
	if err != nil || inst != want {
		t.Errorf("found %+v, %v, want %+v", inst, err, want)
	}
}
