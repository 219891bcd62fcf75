// Package node runs a private RabbitMQ server, for a cluster on one machine and for
// tests. It uses the installed programs (install.sh installs them on Debian and
// Ubuntu), but none of the installed server's configuration.
//
// A node listens on the loopback interface only, keeps everything in one
// directory, needs no rights outside that directory, and has its own password
// and its own Erlang port mapper (epmd), so that nodes do not see each other. It
// dies with the process that started it.
package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/process"
)

// Node is a RabbitMQ server. Its methods may be called concurrently; those that
// start or end the server exclude each other.
type Node struct {
	cfg      Config
	inst     installation
	dir      string // absolute
	name     string // by which the other nodes of the broker know it
	password string
	ports    Ports
	claims   process.PortClaims // those that the caller has not chosen
	lock     *vfs.FileLock
	files    vfs.FS

	mu     sync.Mutex
	epmd   *process.Process
	server *process.Process // nil when not running
}

// Start starts a node and waits until it takes connections. The caller must call
// Stop. Errors: ErrNotInstalled; that of the context; when the server does not come
// up, one with the end of its log.
func Start(ctx context.Context, cfg Config) (*Node, error) {
	inst, err := find("")
	if err != nil {
		return nil, err
	}
	n := &Node{cfg: cfg, inst: inst, files: vfs.Private()}
	if err := n.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start a RabbitMQ node: %w", err), n.Stop())
	}
	return n, nil
}

// Prepare makes the directory of a node that another process will Start with the
// same Dir and Ports, and returns its connection string. Errors: ErrNotInstalled.
func Prepare(cfg Config) (url string, err error) {
	inst, err := find("")
	if err != nil {
		return "", err
	}
	n := &Node{cfg: cfg, inst: inst, dir: cfg.Dir, ports: cfg.Ports}
	if err := n.prepare(); err != nil {
		return "", fmt.Errorf("prepare a RabbitMQ node: %w", err)
	}
	return n.URL(), nil
}

// open takes the directory and the ports, and starts the processes.
func (n *Node) open(ctx context.Context) error {
	if err := n.takeDir(ctx); err != nil {
		return err
	}
	free, err := n.claims.Claim(3)
	if err != nil {
		return err
	}
	asked := n.cfg.Ports
	n.ports = Ports{Clients: cmp.Or(asked.Clients, free[0]), Nodes: cmp.Or(asked.Nodes, free[1]), Mapper: cmp.Or(asked.Mapper, free[2])}
	n.name = "analyzer@localhost"
	if join := n.cfg.Join; join != nil {
		n.ports.Mapper, n.name = join.ports.Mapper, fmt.Sprintf("analyzer-%d@localhost", n.ports.Clients)
	}
	if err := n.prepare(); err != nil {
		return err
	}
	return n.Restart(ctx)
}

// takeDir creates the directory and locks it against other nodes.
func (n *Node) takeDir(ctx context.Context) (err error) {
	if n.cfg.Dir == "" {
		n.dir, err = n.files.MkdirTemp("", "rabbit-node-*")
	} else if n.dir, err = filepath.Abs(n.cfg.Dir); err == nil {
		err = os.MkdirAll(n.dir, 0o700)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	n.lock, err = vfs.Lock(ctx, n.path("lock"))
	return err
}

// URL returns the connection string of the default virtual host. It holds the
// password.
func (n *Node) URL() string {
	u := url.URL{Scheme: "amqp", User: url.UserPassword(user, n.password), Host: process.Address(n.ports.Clients), Path: "/"}
	return u.String()
}

// Name is that by which the other nodes of the broker know this one.
func (n *Node) Name() string { return n.name }

// Version returns the server's version, such as 3.10.8, from the name of its directory;
// "" if that does not say.
func (n *Node) Version() string {
	_, version, _ := strings.Cut(filepath.Base(filepath.Dir(n.inst.sbin)), "-")
	return version
}

// Restart starts the server again on the same data and port and waits until it
// takes connections. It first stops a running server in order.
func (n *Node) Restart(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.server != nil {
		n.server.Stop(stopPatience)
		n.server = nil
	}
	if n.epmd == nil && n.cfg.Join == nil {
		args := []string{"-port", fmt.Sprint(n.ports.Mapper), "-address", process.Loopback}
		epmd, err := n.start("epmd", "log/epmd.log", args...)
		if err != nil {
			return err
		}
		n.epmd = epmd
	}
	if err := n.found(); err != nil {
		return err
	}
	server, err := n.start("rabbitmq-server", "log/start.log")
	if err != nil {
		return err
	}
	n.server = server
	if err := n.await(ctx, server); err != nil {
		return err
	}
	return n.files.RemoveAll(n.path(foundingName))
}

// foundingName is a file that exists until the node has been up once. A server that was
// killed while it created its tables cannot start on the incomplete ones. They hold no
// data yet, so found removes them.
const foundingName = "founding"

// found prepares the first start of the server, or a new attempt after a first start
// failed.
func (n *Node) found() error {
	tables := n.path("mnesia")
	if _, err := os.Stat(n.path(foundingName)); err == nil {
		if err := errors.Join(n.files.RemoveAll(tables), os.Mkdir(tables, 0o700)); err != nil {
			return fmt.Errorf("remove what a first start has left: %w", err)
		}
		return nil
	}
	entries, err := os.ReadDir(tables)
	if err != nil || len(entries) > 0 {
		return err
	}
	return os.WriteFile(n.path(foundingName), nil, 0o600)
}

func (n *Node) start(program, log string, args ...string) (*process.Process, error) {
	spec := n.Command(program, args...)
	spec.Log = n.path(log)
	return process.Start(spec)
}

// Command says how a program of the installation is run for this node, such as rabbitmqctl.
func (n *Node) Command(program string, args ...string) process.Spec {
	return process.Spec{Program: n.inst.program(program), Args: args, Env: n.environ(), Dir: n.dir}
}

// Done returns a channel that is closed when the current server has ended, by itself or
// because somebody ended it.
func (n *Node) Done() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.server == nil {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	return n.server.Done()
}

const stopPatience = 20 * time.Second

// Stop ends the node and all its processes, and removes its directory if it is
// temporary. It may be called again.
func (n *Node) Stop() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	temporary := n.cfg.Dir == ""
	if n.server != nil {
		if temporary || n.cfg.Scratch {
			n.server.Kill() // nobody needs the data that it has not written
		} else {
			n.server.Stop(stopPatience)
		}
		n.server = nil
	}
	if n.epmd != nil {
		n.epmd.Kill()
		n.epmd = nil
	}
	err := n.claims.Close()
	if n.lock != nil {
		err = errors.Join(err, n.lock.Unlock())
		n.lock = nil
	}
	if temporary && n.dir != "" {
		err = errors.Join(err, n.files.RemoveAll(n.dir))
	}
	return err
}
