package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/supervisor"
	"analyzer/shuffle/rabbit/node"
)

const (
	flagRank          = "rank"
	flagTopology      = "topology"
	flagDriver        = "driver"
	flagGrace         = "grace"
	flagProbeInterval = "probe-interval"
	flagProbeTimeout  = "probe-timeout"
	flagProbeAttempts = "probe-attempts"
	flagProbeStartup  = "probe-startup"
	flagPorts         = "ports" // of the broker
	flagScratch       = "scratch"
)

func (p *program) supervisorCommand() *cli.Command {
	return &cli.Command{
		Name: "supervisor", Usage: "run one supervisor of a cluster",
		Description: "Supervisors start nodes again that die or hang. The one of the highest rank that lives leads, and it\n" +
			"alone starts anything; the others take over when it dies, and it starts them again as well.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: flagRank, Usage: "lead where nobody has a rank above `N`", DefaultText: "0"},
			&cli.StringFlag{Name: flagTopology, Usage: "read from the JSON `FILE` which nodes are to run"},
			&cli.StringFlag{Name: flagDriver, Usage: "start nodes by `DRIVER`: process, on this machine; docker; or none, where something else does", DefaultText: "process"},
		}, probeFlags()...), append(append(memberFlags(),
			&cli.StringFlag{Name: flagGrace, Usage: "give nodes `TIME` to end when the cluster does", DefaultText: "20s"},
			&cli.StringFlag{Name: flagHTTP, Usage: "serve /cluster, /load, /healthz, /readyz and /metrics on `ADDR`", DefaultText: "none"}),
			logFlags()...)...),
		Action: p.supervisor,
	}
}

// probeFlags say how nodes are asked whether they live.
func probeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagProbeInterval, Usage: "look at each node every `TIME`", DefaultText: "500ms"},
		&cli.StringFlag{Name: flagProbeTimeout, Usage: "wait for an answer for `TIME`", DefaultText: "2s"},
		&cli.StringFlag{Name: flagProbeAttempts, Usage: "kill a node that has not answered `N` times in a row", DefaultText: "3"},
		&cli.StringFlag{Name: flagProbeStartup, Usage: "wait for the first answer of a node that has just begun for `TIME`", DefaultText: "30s"},
	}
}

func (p *program) supervisor(c *cli.Context) (err error) {
	_, s, err := p.begin(c, 0)
	if err != nil {
		return err
	}
	for _, required := range []string{flagName, flagTopology} {
		if _, ok := s.One(required); !ok {
			return exit.WrongUsage("Next: analyzer supervisor --name s1 --rank 1 --topology FILE --join HOST:PORT --http HOST:PORT", "--%s is missing", required)
		}
	}
	self := membership.Member{Name: s.Text(flagName), Role: membership.Supervisor}
	if self.Rank, err = settings.Parse(s, flagRank, 0, strconv.Atoi); err != nil {
		return err
	}
	cfg, err := p.supervisorConfig(s)
	if err != nil {
		return err
	}
	if cfg.Log, err = newLog(p.stderr, s); err != nil {
		return err
	}
	var page *monitor.Server
	if addr := s.Text(flagHTTP); addr != "" {
		if page, err = monitor.Start(addr, monitor.Config{Ready: func() error { return nil }, Log: cfg.Log}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, page.Close()) }()
	}
	group, err := p.join(s, self, page, cfg.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, group.Leave()) }()
	cfg.Group = group
	v := supervisor.New(cfg)
	if page != nil {
		show(page, group, v.Report)
	}
	return served(c.Context, v.Run(c.Context))
}

func (p *program) supervisorConfig(s *settings.Settings) (cfg supervisor.Config, err error) {
	file, _ := s.One(flagTopology)
	text, err := p.readSmall(file)
	if err != nil {
		return cfg, err
	}
	if cfg.Topology, err = supervisor.ParseTopology(text); err != nil {
		return cfg, file.Wrong("%s: %w", file.Text, err)
	}
	if cfg.Grace, err = settings.Parse(s, flagGrace, 20*time.Second, settings.Time); err != nil {
		return cfg, err
	}
	if cfg.Probe, err = probeOf(s); err != nil {
		return cfg, err
	}
	driver, _ := s.One(flagDriver)
	cfg.About.Driver = cmp.Or(driver.Text, driverProcess)
	if cfg.About.Topology, err = filepath.Abs(file.Text); err != nil {
		return cfg, err
	}
	var processes *supervisor.Processes
	if cfg.Driver, processes, err = openDriver(cfg.About.Driver, cfg.About.Topology, cfg.Topology); err != nil {
		return cfg, driver.Wrong("%w", err)
	}
	if processes != nil {
		cfg.Ownerless = processes.Ownerless
	}
	return cfg, nil
}

// Names of drivers.
const (
	driverProcess = "process"
	driverDocker  = "docker"
	driverNone    = "none"
)

// openDriver returns the driver of a name, nil for none; processes is the same if that
// runs processes.
func openDriver(name, file string, t supervisor.Topology) (d supervisor.Driver, processes *supervisor.Processes, err error) {
	switch name {
	case driverNone:
		return nil, nil, nil
	case driverProcess:
		program, err := os.Executable()
		if err != nil {
			return nil, nil, fmt.Errorf("find this program, which runs the nodes: %w", err)
		}
		processes = &supervisor.Processes{Program: program, Env: os.Environ(), Dir: filepath.Dir(file), Owned: t.Owned}
		return processes, processes, processes.MakeDirs()
	case driverDocker:
		return supervisor.NewDocker(supervisor.DockerSocket, t.Cluster), nil, nil
	}
	return nil, nil, fmt.Errorf("there is no driver %q; there are %s, %s, %s", name, driverProcess, driverDocker, driverNone)
}

func probeOf(s *settings.Settings) (out supervisor.Probe, err error) {
	return out, s.Read(
		settings.Into(&out.Interval, flagProbeInterval, settings.Time),
		settings.Into(&out.Timeout, flagProbeTimeout, settings.Time),
		settings.Into(&out.Startup, flagProbeStartup, settings.Time),
		settings.Into(&out.Attempts, flagProbeAttempts, settings.Number("attempts", 1, math.MaxInt32)),
	)
}

// brokerCommand runs the broker of a cluster on one machine, as a process that can be
// watched like the others.
func (p *program) brokerCommand() *cli.Command {
	return &cli.Command{
		Name: "broker", Hidden: true, Usage: "run a RabbitMQ node of a cluster's own",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagState, Usage: "keep everything in `DIR`"},
			&cli.StringFlag{Name: flagPorts, Usage: "listen on `PORTS` of 127.0.0.1: for clients, for other nodes, of the port mapper"},
			&cli.BoolFlag{Name: flagScratch, Usage: "end at once: nobody will start it again"},
		},
		Action: p.brokerNode,
	}
}

func (p *program) brokerNode(c *cli.Context) error {
	_, s, err := p.begin(c, 0)
	if err != nil {
		return err
	}
	cfg := node.Config{Dir: s.Text(flagState), Scratch: c.Bool(flagScratch)}
	if _, err := fmt.Sscanf(s.Text(flagPorts), "%d,%d,%d", &cfg.Ports.Clients, &cfg.Ports.Nodes, &cfg.Ports.Mapper); err != nil {
		return fmt.Errorf("--%s %q: expected three ports: %w", flagPorts, s.Text(flagPorts), err)
	}
	n, err := node.Start(c.Context, cfg)
	if err != nil {
		return served(c.Context, err)
	}
	select {
	case <-c.Context.Done():
	case <-n.Done():
		err = errors.New("the RabbitMQ node died")
	}
	return errors.Join(err, n.Stop())
}
