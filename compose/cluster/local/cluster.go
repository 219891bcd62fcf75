// Package local runs a whole cluster on one machine: a broker, workers and
// gateways, each a process of its own.
//
// The processes run this program with other commands. A process that dies is restarted, after
// a pause that grows while it keeps dying. Its work continues, since a job survives the death
// of any process. Supervisors, which are processes of the cluster themselves, restart the
// others; if there are none, this process does, as a supervisor. All processes end with the
// process that started the cluster, even if that is killed. They leave no files outside of
// directories that were named.
package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/failpoint"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/supervisor"
	"analyzer/compose/cluster/worker"
	"analyzer/process"
	"analyzer/shuffle/rabbit/node"
)

// Up runs a cluster until the context ends, and then ends the cluster. An error says why the
// cluster cannot run.
func Up(ctx context.Context, cfg Config) (err error) {
	dir, remove, err := takeDir(cfg.State)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	return cfg.run(ctx, dir)
}

// takeDir creates the directory for everything; remove removes a temporary one.
func takeDir(state string) (dir string, remove func() error, err error) {
	remove = func() error { return nil }
	files := vfs.Private()
	if state != "" {
		dir, err = filepath.Abs(state)
	} else if dir, err = files.MkdirTemp("", "analyzer-cluster-*"); err == nil {
		remove = func() error { return files.RemoveAll(dir) }
	}
	if err == nil {
		err = (&supervisor.Processes{Dir: dir}).MakeDirs()
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

// plan returns all nodes, where they can be reached, and the broker's connection string. It
// claims the ports that the nodes need.
func (cfg Config) plan(dir string, claims *process.PortClaims) (nodes []supervisor.Node, at Addresses, url string, err error) {
	at = Addresses{Monitors: make(map[string]string), Logs: filepath.Join(dir, supervisor.LogDir)}
	if at.Gateways, err = cfg.GatewayAddresses(); err != nil {
		return nil, at, "", err
	}
	workers, err := cfg.workers(dir)
	if err != nil {
		return nil, at, "", err
	}
	if at.Pages, err = cfg.claimPages(claims); err != nil {
		return nil, at, "", err
	}
	free, err := claims.Claim(len(workers) + 2*cfg.Supervisors + 3) // three for a broker
	if err != nil {
		return nil, at, "", err
	}
	port := func() (p int) {
		p, free = free[0], free[1:]
		return p
	}
	var join []string
	for range cfg.Supervisors {
		join = append(join, process.Address(port()))
	}
	add := func(role membership.Role, number int, page string, flags ...string) {
		name := fmt.Sprintf("%s-%d", role, number)
		flags = append([]string{string(role), "--http", page}, flags...)
		if cfg.Supervisors > 0 {
			flags = append(flags, "--name", name, "--join", strings.Join(join, ","), "--gossip-key", filepath.Join(dir, keyName))
		}
		nodes = append(nodes, supervisor.Node{Name: name, Role: role, HTTP: page, Args: flags})
		at.Monitors[name] = page
	}
	for _, i := range workers {
		add(membership.Worker, i, process.Address(port()), append([]string{"--replica", strconv.Itoa(i), "--state", workerState(dir, i)}, cfg.WorkerFlags...)...)
	}
	for i, address := range at.Gateways {
		add(membership.Gateway, i, at.Pages[i], append([]string{"--replicas", strconv.Itoa(cfg.Workers), "--listen", address}, cfg.GatewayFlags...)...)
	}
	for i := range cfg.Supervisors {
		page := cfg.Status
		if i > 0 {
			page = process.Address(port())
		}
		at.Status = append(at.Status, page)
		add(membership.Supervisor, i, page, append([]string{
			"--rank", strconv.Itoa(i + 1), "--gossip", join[i],
			"--topology", filepath.Join(dir, topologyName), "--grace", cfg.grace().String(),
		}, cfg.SupervisorFlags...)...)
	}
	if cfg.Broker != "" {
		return nodes, at, cfg.Broker, nil
	}
	own := node.Config{Dir: filepath.Join(dir, "broker"), Ports: node.Ports{Clients: port(), Nodes: port(), Mapper: port()}}
	if url, err = node.Prepare(own); err != nil {
		return nil, at, "", err
	}
	broker := supervisor.Node{
		Name: "broker", Role: membership.Broker, AMQP: process.Address(own.Ports.Clients),
		Args: []string{"broker", "--state", own.Dir, "--ports", fmt.Sprintf("%d,%d,%d", own.Ports.Clients, own.Ports.Nodes, own.Ports.Mapper)},
	}
	if cfg.State == "" {
		broker.Args = append(broker.Args, "--scratch")
	}
	return append(nodes, broker), at, url, nil
}

// workers returns the numbers of the workers to run: those for new jobs, and those that have
// a part in jobs that began when there were more workers.
func (cfg Config) workers(dir string) (numbers []int, err error) {
	for i := range protocol.MaxReplicas {
		if i < cfg.Workers {
			numbers = append(numbers, i)
			continue
		}
		busy, err := worker.HasJobs(vfs.Private(), workerState(dir, i))
		if err != nil {
			return nil, err
		}
		if busy {
			cfg.Notice(fmt.Sprintf("worker-%d runs as well, for jobs that began when there were more workers", i))
			numbers = append(numbers, i)
		}
	}
	return numbers, nil
}

func workerState(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%d", membership.Worker, i))
}

// brokerVariable passes the broker's connection string to processes: unlike arguments, nobody
// else can read their environment.
const brokerVariable = "ANALYZER_BROKER"

// environment is the environment of this process plus the broker. It omits failpoints, which
// are meant for one process.
func environment(broker string) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name != brokerVariable && name != failpoint.Variable {
			env = append(env, v)
		}
	}
	return append(env, brokerVariable+"="+broker)
}
