package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/local"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/session/fault"
	"analyzer/shuffle/rabbit"
	"analyzer/shuffle/rabbit/node"
)

// Names of flags that messages are about.
const (
	flagGateways = "gateways"
	flagPagePort = "page-port"
)

// clusterRun is one cluster command.
type clusterRun struct {
	daemon
	local.Config
	sources []string // of gateways
	nodes   []string // to ask for the state of a cluster
	watched bool
}

func clusterCommand(p *program) *cli.Command {
	r := &clusterRun{daemon: daemon{p}, Config: local.Config{Workers: 2, Gateways: 1}}
	var checked struct { // checked here; the processes get the text
		bounds worker.Bounds
		quota  int64
		commit worker.GroupCommit
	}
	return &cli.Command{
		Name: "cluster", Usage: "run a cluster here, or what is of it here; show its state", ArgsUsage: "up | start | stop | status",
		Description: "“cluster up” runs a broker, workers and gateways, each a process of its own, until it is interrupted.\n" +
			"Processes that die are restarted. Without --state nothing remains on the disk when it has ended.\n" +
			"“cluster start” and “cluster stop” start and end what one of several computers runs, by the topology that\n" +
			"“compose --hosts” writes. It goes on when the command has ended.\n" +
			"“cluster status” shows the nodes of a cluster that has supervisors, on this machine or elsewhere.",
		Flags: slices.Concat([]cli.Flag{
			settings.Into(&r.Workers, parseWorkers, flagReplicas, "run `N` workers", "2"),
			settings.Into(&r.Gateways, parseGateways, flagGateways, "run `N` gateways, on the port of --listen and those after it", "1"),
			settings.Into(&r.Supervisors, settings.Number("supervisors", 0, 16), "supervisors", "run `N` supervisors, which restart whatever dies or hangs, also each other; without any, cluster up does so", "0"),
			settings.Into(&r.PagePort, settings.Number("a port", 1, 1<<16-1), flagPagePort, "serve the pages of gateways on port `N` of this machine and those after it", "free ones behind those of --listen"),
			p.httpFlag("with supervisors, serve the state of the cluster on `ADDR`, for cluster status", usualStatus),
			brokerFlag(), queueTypeFlag(&p.queues),
			settings.Text(&r.State, flagState, "keep all state in `DIR`, and continue from what it holds", "a temporary one"),
			p.memoryFlag("each worker and gateway", "half of the machine's"),
			p.logLevelFlag(),
			sourceFlag(&r.sources),
			settings.ConfigFlag(),
		}, commitFlags(&checked.commit), []cli.Flag{jobQuotaFlag(&checked.quota)}, boundFlags(&checked.bounds), p.doorFlags(), []cli.Flag{
			tokenFlag("; status: show the first of them"),
			settings.Plain(flagTopology, "start, stop: read from the JSON `FILE` which nodes run where", ""),
			settings.Plain(flagHost, "start, stop: this is the computer `NAME` of the topology", ""),
			settings.List(&r.nodes, "node", "status: ask the first of `ADDRS` that answers: host:port of any node's --http", usualStatus),
			settings.Switch(&r.watched, "watch", "status: keep showing it"),
			settings.Plain(flagFormat, "status: write as `FORMAT`: table or json", "table").Proposing("table", "json"),
		}),
		Action: p.action(r.run, 1, "ACTION"),
	}
}

func (r *clusterRun) run(c *cli.Context, arguments []string) error {
	switch arguments[0] {
	case "up":
		return r.up(c.Context)
	case "start", "stop":
		return r.host(c.Context, arguments[0])
	case "status":
		return r.status(c.Context)
	}
	return fault.WrongUsage("Next: analyzer cluster up, or analyzer cluster status", "cluster has no action %q; there are up, start, stop, status", arguments[0])
}

func (r *clusterRun) up(ctx context.Context) error {
	if err := needUnix(runtime.GOOS, name+" cluster up"); err != nil {
		return err
	}
	if err := r.complete(); err != nil {
		return err
	}
	addresses, err := r.FreeAddresses()
	if err != nil {
		return fault.WrongUsage("Next: end what listens there, or name another address with --listen.", "%w", err)
	}
	if err := r.FreeStatus(); err != nil {
		return fault.WrongUsage("Next: end what listens there, or name another address with --http.", "%w", err)
	}
	if err := r.FreePages(); err != nil {
		return fault.WrongUsage("Next: end what listens there, or name another port with --"+flagPagePort+".", "%w", err)
	}
	if err := r.tryBroker(ctx); err != nil {
		return err
	}
	probe, err := r.newProbe(addresses)
	if err != nil {
		return err
	}
	defer func() { _ = probe.Close() }() // the processes may have ended
	r.Probe = probe.Ready
	r.Ready = r.sayReady
	if r.Broker == "" {
		r.notef("Starting a RabbitMQ node, which takes some seconds.")
	}
	err = local.Up(ctx, r.Config)
	if errors.Is(err, node.ErrNotInstalled) {
		return fault.Failure("Next: install it, or name a broker with --broker URL.", err)
	}
	if errors.Is(err, local.ErrDoesNotStart) {
		return fault.Failure("Next: mend what it says there, and start the cluster again.", err)
	}
	return served(ctx, err)
}

// complete adds the flags and the environment of the processes.
func (r *clusterRun) complete() (err error) {
	if v, ok := r.settings.One(flagHTTP); ok && r.Supervisors == 0 {
		return fault.WrongUsage("Next: --supervisors N runs some; --"+flagPagePort+" says where the pages of gateways are.",
			"%s is where supervisors say how the cluster is, and there are none", v.Origin)
	}
	r.Status, r.Listen = cmp.Or(r.http, usualStatus), r.listen
	r.Notice = func(text string) { r.notef("analyzer: %s", text) }
	if _, err = r.serverTokens(); err != nil {
		return err
	}
	if r.Program, err = thisProgram("runs the processes"); err != nil {
		return err
	}
	r.SupervisorFlags = r.given(flagLogLevel, flagTokenFile)
	r.WorkerFlags = r.given(flagQueueType, flagMemory, flagLogLevel, flagPrefetch, flagCommitBytes, flagCommitInterval, flagJobQuota, flagMaxJobs, flagMaxClientJobs, flagTokenFile)
	r.GatewayFlags = r.given(flagQueueType, flagMemory, flagLogLevel, flagTLSCert, flagTLSKey, flagTokenFile)
	for _, source := range r.sources {
		if !remote.Is(source) {
			if source, err = filepath.Abs(source); err != nil {
				return err
			}
		}
		r.GatewayFlags = append(r.GatewayFlags, "--"+flagSource, source)
	}
	return nil
}

// given returns those of the flags that have a value, as arguments of a command line.
func (p *program) given(flags ...string) (args []string) {
	for _, name := range flags {
		if v, ok := p.settings.One(name); ok {
			args = append(args, "--"+name, v.Text)
		}
	}
	return args
}

// tryBroker finds out, before anything starts, whether a named broker can be used.
func (r *clusterRun) tryBroker(ctx context.Context) error {
	url, ok := r.settings.One(flagBroker)
	if !ok {
		return nil
	}
	r.Broker = url.Text
	if err := rabbit.Try(ctx, rabbit.Config{URL: url.Text, Name: "analyzer cluster"}); err != nil {
		return url.Wrong("%w", err)
	}
	return nil
}

// usualStatus is the default address of the first supervisor's page.
const usualStatus = "127.0.0.1:8814"

// probePatience is how long the probe waits for a gateway that is starting.
const probePatience = time.Second

// newProbe returns a client that finds out when the cluster is ready. It accepts any
// certificate, since it sends nothing that matters.
func (p *program) newProbe(gateways []string) (*client.Client, error) {
	cfg := client.Config{Gateways: gateways, Patience: probePatience}
	var err error
	if cfg.Token, err = p.clientToken(); err != nil {
		return nil, err
	}
	if cfg.TLS, err = p.serverTLS(); err != nil {
		return nil, err
	}
	if cfg.TLS != nil {
		cfg.TLS.Certificates, cfg.TLS.InsecureSkipVerify = nil, true
	}
	return client.New(cfg)
}

// sayReady explains how to use the cluster.
func (r *clusterRun) sayReady(at local.Addresses) {
	for _, name := range slices.Sorted(maps.Keys(at.Monitors)) {
		r.notef("  %s: http://%s/metrics", name, at.Monitors[name])
	}
	r.notef("  logs: %s", at.Logs)
	gateways := strings.Join(at.Gateways, ",")
	r.notef("The cluster is ready: %d workers, gateways at %s. Ctrl-C ends it.", r.Workers, gateways)
	scheme := "http"
	if slices.Contains(r.GatewayFlags, "--"+flagTLSCert) {
		scheme = "https"
	}
	for _, page := range at.Pages {
		r.notef("Its jobs in a browser: %s://%s/", scheme, page)
	}
	show := ""
	if given := r.given(flagTokenFile); len(given) > 0 {
		show = " " + strings.Join(given, " ")
	}
	if len(at.Status) > 0 {
		r.notef("How it is: analyzer cluster status --node %s%s", strings.Join(at.Status, ","), show)
	}
	r.notef("Next: analyzer submit movies DIR --gateway %s%s", gateways, show)
}
