package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/local"
	"analyzer/compose/cluster/membership"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit"
	"analyzer/shuffle/rabbit/node"
)

const (
	flagGateways    = "gateways"
	flagSupervisors = "supervisors"
)

func (p *program) clusterCommand() *cli.Command {
	return &cli.Command{
		Name: "cluster", Usage: "run a whole cluster on this machine, or show how one is", ArgsUsage: "up | status",
		Description: "“cluster up” runs a broker, workers and gateways, each a process of its own, until it is interrupted.\n" +
			"Processes that die are started again. Without --state nothing is left of it.\n" +
			"“cluster status” shows the nodes of a cluster that has supervisors, on this machine or not.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: flagReplicas, Usage: "run `N` workers", DefaultText: "2"},
			&cli.StringFlag{Name: flagGateways, Usage: "run `N` gateways, on ports from that of --listen on", DefaultText: "1"},
			&cli.StringFlag{Name: flagSupervisors, Usage: "run `N` supervisors, which start again whatever dies or hangs, themselves as well; without any, cluster up does", DefaultText: "0"},
			&cli.StringFlag{Name: flagHTTP, Usage: "with supervisors, show on `ADDR` how the cluster is, for cluster status", DefaultText: usualStatus},
			brokerFlag(), queueTypeFlag(),
			&cli.StringFlag{Name: flagState, Usage: "keep everything in `DIR`, and go on with what is there", DefaultText: "a temporary one"},
			&cli.StringFlag{Name: flagMemory, Usage: "keep each worker and gateway near `SIZE`, such as 256MiB", DefaultText: "half of the machine's"},
			logLevelFlag(),
			configFlag(),
		}, append(append(commitFlags(), jobQuotaFlag()), doorFlags()...)...), statusFlags()...),
		Action: p.cluster,
	}
}

func (p *program) cluster(c *cli.Context) error {
	arguments, s, err := p.begin(c, 1, "ACTION")
	if err != nil {
		return err
	}
	switch arguments[0] {
	case "up":
		return p.clusterUp(c.Context, s)
	case "status":
		return p.clusterStatus(c.Context, s)
	}
	return exit.WrongUsage("Next: analyzer cluster up, or analyzer cluster status", "cluster has no action %q; there are up, status", arguments[0])
}

func (p *program) clusterUp(ctx context.Context, s *settings.Settings) error {
	cfg, err := p.clusterConfig(s)
	if err != nil {
		return err
	}
	addresses, err := cfg.FreeAddresses()
	if err != nil {
		return exit.WrongUsage("Next: end what listens there, or name another address with --listen.", "%w", err)
	}
	if err := cfg.FreeStatus(); err != nil {
		return exit.WrongUsage("Next: end what listens there, or name another address with --http.", "%w", err)
	}
	if err := p.tryBroker(ctx, s); err != nil {
		return err
	}
	probe, err := p.newProbe(s, addresses)
	if err != nil {
		return err
	}
	defer func() { _ = probe.Close() }() // connections to processes that have ended
	cfg.Probe = probe.Ready
	cfg.Ready = func(at local.Addresses) { p.clusterReady(at, cfg) }
	if cfg.Broker == "" {
		p.notef("Starting a RabbitMQ node, which takes some seconds.")
	}
	err = local.Up(ctx, cfg)
	if errors.Is(err, node.ErrNotInstalled) {
		return exit.Failure("Next: install it, or name a broker with --broker URL.", err)
	}
	if errors.Is(err, local.ErrDoesNotStart) {
		return exit.Failure("Next: mend what it says there, and start the cluster again.", err)
	}
	return served(ctx, err)
}

func (p *program) clusterConfig(s *settings.Settings) (cfg local.Config, err error) {
	cfg = local.Config{
		Workers: 2, Gateways: 1, Status: cmp.Or(s.Text(flagHTTP), usualStatus),
		Listen: cmp.Or(s.Text(flagListen), usualGateway), Broker: s.Text(flagBroker), State: s.Text(flagState),
		Notice: func(text string) { p.notef("analyzer: %s", text) },
	}
	var checked struct { // here, for the processes that they are handed to
		memory int64
		queues broker.Kind
		quota  int64
	}
	if err := s.Read(
		settings.Into(&cfg.Workers, flagReplicas, parseWorkers),
		settings.Into(&cfg.Gateways, flagGateways, parseGateways),
		settings.Into(&cfg.Supervisors, flagSupervisors, settings.Number("supervisors", 0, 16)),
		settings.Into(&checked.memory, flagMemory, parseMemory),
		settings.Into(&checked.queues, flagQueueType, broker.ParseKind),
		settings.Into(&checked.quota, flagJobQuota, parseCommitBytes),
	); err != nil {
		return cfg, err
	}
	if _, err = groupCommit(s); err != nil {
		return cfg, err
	}
	if _, err = p.serverTokens(s); err != nil {
		return cfg, err
	}
	if _, err = newLog(io.Discard, s); err != nil {
		return cfg, err
	}
	if cfg.Program, err = os.Executable(); err != nil {
		return cfg, fmt.Errorf("find this program, which runs the processes: %w", err)
	}
	cfg.SupervisorFlags = given(s, flagLogLevel)
	cfg.WorkerFlags = given(s, flagQueueType, flagMemory, flagLogLevel, flagPrefetch, flagCommitBytes, flagCommitInterval, flagJobQuota)
	cfg.GatewayFlags = given(s, flagQueueType, flagMemory, flagLogLevel, flagTLSCert, flagTLSKey, flagTokenFile)
	return cfg, nil
}

// given returns those of the flags that have a value, as a command line has them.
func given(s *settings.Settings, flags ...string) (args []string) {
	for _, name := range flags {
		if text := s.Text(name); text != "" {
			args = append(args, "--"+name, text)
		}
	}
	return args
}

// tryBroker finds out before anything starts that the broker which is named cannot be
// used.
func (p *program) tryBroker(ctx context.Context, s *settings.Settings) error {
	url, ok := s.One(flagBroker)
	if !ok {
		return nil
	}
	if err := rabbit.Try(ctx, rabbit.Config{URL: url.Text, Name: "analyzer cluster"}); err != nil {
		return url.Wrong("%w", err)
	}
	return nil
}

// usualStatus is where the first supervisor shows how a cluster is.
const usualStatus = "127.0.0.1:8814"

// probePatience is how long a gateway that starts is tried.
const probePatience = time.Second

// newProbe returns a client that finds out when the cluster is ready. It believes
// any certificate, since it says nothing that matters.
func (p *program) newProbe(s *settings.Settings, gateways []string) (*client.Client, error) {
	cfg := client.Config{Gateways: gateways, Patience: probePatience}
	var err error
	if cfg.Token, err = p.clientToken(s); err != nil {
		return nil, err
	}
	if cfg.TLS, err = p.serverTLS(s); err != nil {
		return nil, err
	}
	if cfg.TLS != nil {
		cfg.TLS = cfg.TLS.Clone()
		cfg.TLS.Certificates, cfg.TLS.InsecureSkipVerify = nil, true
	}
	return client.New(cfg)
}

// clusterReady says how to use the cluster.
func (p *program) clusterReady(at local.Addresses, cfg local.Config) {
	var names []string
	for name := range at.Monitors {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p.notef("  %s: http://%s/metrics", name, at.Monitors[name])
	}
	scheme := "http"
	if slices.Contains(cfg.GatewayFlags, "--"+flagTLSCert) {
		scheme = "https"
	}
	for _, name := range names {
		if strings.HasPrefix(name, string(membership.Gateway)) {
			p.notef("  to look at jobs: %s://%s/", scheme, at.Monitors[name])
		}
	}
	p.notef("  logs: %s", at.Logs)
	gateways := strings.Join(at.Gateways, ",")
	p.notef("The cluster is ready: %d workers, gateways at %s. Ctrl-C ends it.", cfg.Workers, gateways)
	if len(at.Status) > 0 {
		p.notef("How it is: analyzer cluster status --node %s", strings.Join(at.Status, ","))
	}
	next := "Next: analyzer submit movies DIR --gateway " + gateways
	if i := slices.Index(cfg.GatewayFlags, "--"+flagTokenFile); i >= 0 {
		next += " --" + flagTokenFile + " " + cfg.GatewayFlags[i+1]
	}
	p.notef("%s", next)
}
