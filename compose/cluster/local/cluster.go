// Package local runs a whole cluster on one machine: a broker, workers and
// gateways, each a process of its own.
//
// The processes are this program again with another command. One that dies is
// started again, after a pause that grows as long as it keeps dying; what it was
// doing goes on, since a job survives the death of any of them. It is supervisors
// that start them again, processes of the cluster themselves, or, if there are none, this
// process, as one. All end with the process that started the cluster, even if
// that is killed, and leave no files in a directory that was not named.
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
)

// Up runs a cluster until the context ends, and then ends it. An error says why it
// cannot run.
func Up(ctx context.Context, cfg Config) (err error) {
	if err := cfg.check(); err != nil {
		return err
	}
	if _, err := cfg.FreeAddresses(); err != nil {
		return err
	}
	dir, remove, err := takeDir(cfg.State)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	return cfg.run(ctx, dir)
}

// takeDir makes the directory of everything.
func takeDir(state string) (dir string, remove func() error, err error) {
	if state == "" {
		files := vfs.OS()
		if dir, err = files.MkdirTemp("", "analyzer-cluster-*"); err != nil {
			return "", nil, err
		}
		remove = func() error { return files.RemoveAll(dir) }
	} else {
		if dir, err = filepath.Abs(state); err != nil {
			return "", nil, err
		}
		remove = func() error { return nil }
	}
	if err := (&supervisor.Processes{Dir: dir}).MakeDirs(); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

// plan returns the workers and gateways, where all can be reached, and free ports for
// others: two for each supervisor, and three for a broker. All are found at once, since
// nobody listens on them yet.
func plan(cfg Config, dir string) ([]supervisor.Node, Addresses, []int, error) {
	at := Addresses{Monitors: make(map[string]string), Logs: filepath.Join(dir, supervisor.LogDir)}
	var err error
	if at.Gateways, err = cfg.GatewayAddresses(); err != nil {
		return nil, at, nil, err
	}
	workers, err := cfg.workers(dir)
	if err != nil {
		return nil, at, nil, err
	}
	ports, err := process.FreePorts(len(workers) + cfg.Gateways + 2*cfg.Supervisors + 3)
	if err != nil {
		return nil, at, nil, err
	}
	var out []supervisor.Node
	add := func(role membership.Role, number int, flags ...string) {
		name := fmt.Sprintf("%s-%d", role, number)
		at.Monitors[name] = process.Address(ports[len(out)])
		out = append(out, supervisor.Node{
			Name: name, Role: role, HTTP: at.Monitors[name],
			Args: append([]string{string(role), "--http", at.Monitors[name]}, flags...),
		})
	}
	for _, i := range workers {
		add(membership.Worker, i, append([]string{"--replica", strconv.Itoa(i), "--state", workerState(dir, i)}, cfg.WorkerFlags...)...)
	}
	for i, address := range at.Gateways {
		add(membership.Gateway, i, append([]string{"--replicas", strconv.Itoa(cfg.Workers), "--listen", address}, cfg.GatewayFlags...)...)
	}
	return out, at, ports[len(out):], nil
}

// workers returns the numbers of the workers to run: those for new jobs, and those that
// have a part in jobs that began when there were more.
func (cfg Config) workers(dir string) (numbers []int, err error) {
	for i := range protocol.MaxReplicas {
		if i < cfg.Workers {
			numbers = append(numbers, i)
			continue
		}
		busy, err := worker.HasJobs(vfs.OS(), workerState(dir, i))
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

// brokerVariable is how processes are told of the broker: unlike their arguments,
// nobody else can read their environment.
const brokerVariable = "ANALYZER_BROKER"

// environment is that of this process with the broker, and without a crash that is
// meant for one process.
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
