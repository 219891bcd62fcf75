package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/supervisor"
	"analyzer/compose/session/fault"
	"analyzer/shuffle/rabbit"
	"analyzer/shuffle/rabbit/node"
)

// Names of flags that messages are about.
const (
	flagTopology = "topology"
	flagDriver   = "driver"
	flagPorts    = "ports" // of the broker
)

func supervisorCommand(p *program) *cli.Command {
	cfg := supervisor.Config{Grace: 20 * time.Second}
	cfg.About.Driver = driverProcess
	self := membership.Member{Role: membership.Supervisor}
	return &cli.Command{
		Name: "supervisor", Usage: "run one supervisor of a cluster",
		Description: "Supervisors restart nodes that die or hang, each other included. Of those alive the one of the highest\n" +
			"rank leads, and only the leader starts anything; when it dies, the next one takes over. If the topology has\n" +
			"several hosts, the supervisors of each have a leader of their own, which starts the nodes of that host.",
		Flags: slices.Concat([]cli.Flag{
			settings.Into(&self.Rank, strconv.Atoi, "rank", "have rank `N`: of the supervisors alive, the one of the highest rank leads", "0"),
			settings.Plain(flagTopology, "read from the JSON `FILE` which nodes are to run", ""),
			settings.Text(&cfg.About.Driver, flagDriver, "start nodes with `DRIVER`: process, on this machine; docker; or none, where something else starts them", driverProcess).
				Proposing(driverProcess, driverDocker, driverNone),
			settings.Into(&cfg.Probe.Interval, settings.Time, "probe-interval", "probe each node every `TIME`", "500ms"),
			settings.Into(&cfg.Probe.Timeout, settings.Time, "probe-timeout", "wait for an answer to a probe for `TIME`", "2s"),
			settings.Into(&cfg.Probe.Attempts, settings.Number("attempts", 1, math.MaxInt32), "probe-attempts", "kill a node that has not answered `N` times in a row", "3"),
			settings.Into(&cfg.Probe.Startup, settings.Time, "probe-startup", "give a node that was just started `TIME` for its first answer", "30s"),
		}, p.memberFlags(), []cli.Flag{
			settings.Plain(flagBroker, "probe brokers with the user and password of `URL`, amqp://user:password@host:port; set ANALYZER_BROKER instead to keep the password out of the list of processes", ""),
			settings.Into(&cfg.Grace, settings.Time, "grace", "give nodes `TIME` to end when the cluster ends", "20s"),
			p.httpFlag("serve /cluster, /load, /healthz, /readyz and /metrics on `ADDR`", "none"), tokenFlag(""),
		}, p.logFlags()),
		Action: p.action(func(c *cli.Context, _ []string) error { return daemon{p}.supervisor(c, cfg, self) }, 0),
	}
}

func (p daemon) supervisor(c *cli.Context, cfg supervisor.Config, self membership.Member) (err error) {
	next := "Next: analyzer supervisor --name s1 --rank 1 --topology FILE --join HOST:PORT --http HOST:PORT"
	if err := needUnix(runtime.GOOS, name+" supervisor"); err != nil {
		return err
	}
	if err := p.settings.Need(next, flagName, flagTopology); err != nil {
		return err
	}
	if err := p.completeSupervisor(&cfg); err != nil {
		return err
	}
	if self.Host, err = cfg.Topology.HostOf(p.name); err != nil {
		return p.settings.Wrong(flagName, "%w", err)
	}
	cfg.Log = p.newLog()
	tokens, stopTokens, err := p.openTokens(cfg.Log)
	if err != nil {
		return err
	}
	defer stopTokens()
	key, err := p.gossipKey()
	if err != nil {
		return err
	}
	var page *monitor.Server
	if p.http != "" {
		shown := monitor.Config{Ready: func() error { return nil }, Door: doorOf(tokens), Member: membership.Token(key), Log: cfg.Log}
		if page, err = monitor.Start(p.http, shown); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, page.Close()) }()
	}
	group, err := p.joinGroup(self, page, cfg.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, group.Leave()) }()
	cfg.Group = group
	v := supervisor.New(cfg)
	if page != nil {
		show(page, group, v.Report)
		page.Complete()
	}
	return served(c.Context, v.Run(c.Context))
}

// completeSupervisor adds the topology and the driver.
func (p daemon) completeSupervisor(cfg *supervisor.Config) error {
	var err error
	if cfg.Topology, cfg.About.Topology, err = p.topology(); err != nil {
		return err
	}
	if cfg.Driver, err = openDriver(cfg.About.Driver, cfg.About.Topology, cfg.Topology); err != nil {
		return p.settings.Wrong(flagDriver, "%w", err)
	}
	if cfg.Broker, err = p.probedBroker(*cfg); err != nil {
		return err
	}
	if processes, ok := cfg.Driver.(*supervisor.Processes); ok {
		cfg.Ownerless = processes.Ownerless
	}
	return nil
}

// topology reads the topology that a flag names, and returns the full path of its file.
func (p daemon) topology() (t supervisor.Topology, path string, err error) {
	file, text, err := p.fileOf(flagTopology)
	if err != nil {
		return t, "", err
	}
	if t, err = supervisor.ParseTopology(text); err != nil {
		return t, "", file.Wrong("%s: %w", file.Text, err)
	}
	path, err = filepath.Abs(file.Text)
	return t, path, err
}

// probedBroker returns the connection string by which brokers are probed. Who only watches can
// do without.
func (p daemon) probedBroker(cfg supervisor.Config) (url string, err error) {
	v, ok := p.settings.One(flagBroker)
	if ok {
		if err := (rabbit.Config{URL: v.Text}).Check(); err != nil {
			return "", v.Wrong("%w", err)
		}
	}
	brokers := slices.ContainsFunc(cfg.Topology.Nodes, func(n supervisor.Node) bool { return n.AMQP != "" })
	if !ok && brokers && cfg.Driver != nil {
		return "", fault.WrongUsage("Next: add --broker amqp://user:password@host:5672, or set ANALYZER_BROKER.", "the topology has brokers to probe, and the broker is missing")
	}
	return v.Text, nil
}

// Names of drivers.
const (
	driverProcess = "process"
	driverDocker  = "docker"
	driverNone    = "none"
)

// openDriver returns the driver with the given name; nil for none.
func openDriver(name, file string, t supervisor.Topology) (supervisor.Driver, error) {
	switch name {
	case driverNone:
		return nil, nil
	case driverProcess:
		processes, err := processesOf(file, t)
		if err != nil {
			return nil, err
		}
		return processes, processes.MakeDirs()
	case driverDocker:
		return supervisor.NewDocker(supervisor.DockerSocket, t.Cluster), nil
	}
	return nil, fmt.Errorf("there is no driver %q; there are %s, %s, %s", name, driverProcess, driverDocker, driverNone)
}

// processesOf returns the driver for processes on this machine of a topology, which is in a file.
func processesOf(file string, t supervisor.Topology) (*supervisor.Processes, error) {
	program, err := thisProgram("runs the nodes")
	if err != nil {
		return nil, err
	}
	return &supervisor.Processes{Program: program, Env: os.Environ(), Dir: filepath.Dir(file), Owned: t.Owned}, nil
}

// brokerCommand runs the broker of a cluster on one machine, as a process that can be
// watched like the others.
func brokerCommand(p *program) *cli.Command {
	var cfg node.Config
	var ports string
	return &cli.Command{
		Name: "broker", Hidden: true, Usage: "run a RabbitMQ node of a cluster's own",
		Flags: []cli.Flag{
			settings.Text(&cfg.Dir, flagState, "keep everything in `DIR`", ""),
			settings.Text(&ports, flagPorts, "listen on `PORTS` of 127.0.0.1: for clients, for other nodes, of the port mapper", ""),
			settings.Switch(&cfg.Scratch, "scratch", "end at once: nobody will start it again"),
		},
		Action: p.action(func(c *cli.Context, _ []string) error { return brokerNode(c.Context, cfg, ports) }, 0),
	}
}

func brokerNode(ctx context.Context, cfg node.Config, ports string) error {
	if _, err := fmt.Sscanf(ports, "%d,%d,%d", &cfg.Ports.Clients, &cfg.Ports.Nodes, &cfg.Ports.Mapper); err != nil {
		return fmt.Errorf("--%s %q: expected three ports: %w", flagPorts, ports, err)
	}
	n, err := node.Start(ctx, cfg)
	if err != nil {
		return served(ctx, err)
	}
	select {
	case <-ctx.Done():
	case <-n.Done():
		err = errors.New("the RabbitMQ node died")
	}
	return errors.Join(err, n.Stop())
}
