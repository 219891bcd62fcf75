package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/chaos"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/compose/session/fault"
	"analyzer/datasets/catalog"
	"analyzer/process"
)

// chaosRun is one chaos command: what to do to a cluster, and where that cluster is.
type chaosRun struct {
	*program
	chaos.Config
	nodes    []string
	topology string
	scale    string // of the tables that jobs read
}

func chaosCommand(p *program) *cli.Command {
	const most = 1e6
	r := &chaosRun{program: p, scale: "0.005", Config: chaos.Config{
		Lanes: 2, Patience: 3 * time.Minute, Gap: 1500 * time.Millisecond, Seed: rand.Uint64N(1 << 32),
	}}
	return &cli.Command{
		Name: "chaos", Usage: "kill nodes of a running cluster while jobs run",
		Description: "Needs a cluster with supervisors whose nodes run on this machine. It keeps jobs over generated tables\n" +
			"running while it injects faults, which it derives from the seed: 50 kills, 2 kills of the broker,\n" +
			"5 pauses and 2 cancelled jobs, unless --kill or --all-but is given. It fails if an answer differs or\n" +
			"a node does not come back.",
		Flags: append([]cli.Flag{
			settings.List(&r.nodes, "node", "ask any of `ADDRS` for the state of the cluster: host:port of any node's --http", usualStatus),
			settings.Text(&r.topology, flagTopology, "read from `FILE` which nodes there are", "that of the supervisors"),
			settings.Into(&r.Kills, settings.Number("kills", 0, most), "kills", "kill workers, gateways and supervisors `N` times", ""),
			settings.Into(&r.BrokerKills, settings.Number("kills", 0, most), "broker-kills", "kill the broker `N` times", ""),
			settings.Into(&r.Pauses, settings.Number("pauses", 0, most), "pauses", "pause nodes for some seconds `N` times", ""),
			settings.Into(&r.Cancels, settings.Number("jobs", 0, most), "cancels", "cancel `N` jobs", ""),
			settings.Text(&r.Kill, "kill", "kill the node `NAME` once", ""),
			settings.Into(&r.AllBut, settings.Number("supervisors that live", 1, 1), "all-but", "kill all nodes but `1` supervisor at once", ""),
			settings.Into(&r.For, settings.Time, "for", "repeat all this for `TIME`, and also fail if memory, files or queues grow", "once"),
			settings.Into(&r.Gap, settings.Time, "gap", "wait up to `TIME` between two faults", "1.5s"),
			settings.Into(&r.Seed, func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }, "seed", "derive the faults from `SEED`", "a random one, which is printed"),
			settings.Text(&r.scale, flagScale, "generate tables `SCALE` times the size of the real ones", r.scale),
			settings.Into(&r.Lanes, settings.Number("jobs", 1, most), "jobs", "run `N` jobs at a time", "2"),
			settings.Into(&r.Patience, settings.Time, "within", "fail when a node takes `TIME` to come back, or a job to end", "3m"),
		}, p.connectionFlags()...),
		Action: p.action(r.run, 0),
	}
}

func (r *chaosRun) run(c *cli.Context, _ []string) (err error) {
	if err := needUnix(runtime.GOOS, name+" chaos"); err != nil {
		return err
	}
	r.choose()
	ctx, err := r.withToken(c.Context)
	if err != nil {
		return err
	}
	report, err := askLed(ctx, r.nodes)
	if err != nil {
		return err
	}
	if err := r.findNodes(report); err != nil {
		return err
	}
	r.Watch(report)
	r.Say = func(line string) { r.notef("%s", line) }
	if r.Jobs.Program, err = thisProgram("submits the jobs"); err != nil {
		return err
	}
	dir, err := r.fs.MkdirTemp("", "analyzer-chaos-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.fs.RemoveAll(dir)) }()
	if r.Jobs.Tables, err = chaosTables(ctx, r.Jobs.Program, dir, r.scale, r.Seed); err != nil {
		return err
	}
	r.notef("Seed %d", r.Seed)
	result, err := chaos.Run(ctx, r.Config)
	if err != nil {
		return err
	}
	if err := r.printf("%s", result.Text()); err != nil {
		return err
	}
	if len(result.Trouble) > 0 {
		return fault.Failure(fmt.Sprintf("Next: look into the logs; --seed %d does the same again.", r.Seed),
			fmt.Errorf("the cluster did not stand it: %s", result.Trouble[0]))
	}
	return nil
}

// choose completes how often to do what, and how to submit jobs.
func (r *chaosRun) choose() {
	if !slices.ContainsFunc([]string{"kills", "broker-kills", "pauses", "cancels", "kill", "all-but"}, r.settings.Has) {
		r.Kills, r.BrokerKills, r.Pauses, r.Cancels = 50, 2, 5, 2
	}
	if r.token != "" { // in the environment, since arguments can be seen by other users
		r.Jobs.Env = append(os.Environ(), "ANALYZER_TOKEN="+r.token)
	}
	if len(r.gateways) > 0 {
		r.Jobs.Reach = append(r.Jobs.Reach, "--"+flagGateway, strings.Join(r.gateways, ","))
	}
	r.Jobs.Reach = append(r.Jobs.Reach, r.given(flagTokenFile, flagTLSCA, flagPatience)...)
	if r.tls {
		r.Jobs.Reach = append(r.Jobs.Reach, "--tls")
	}
}

// askLed returns the report of a cluster that has a leader. If the leader has just ended, it
// waits until another supervisor leads.
func askLed(ctx context.Context, nodes []string) (report membership.Report, err error) {
	const patience, pause = 10 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		report, err = askCluster(ctx, nodes, membership.Ask)
		if err != nil || report.Leader != "" {
			return report, err
		}
		supervised := slices.ContainsFunc(report.Nodes, func(n membership.Node) bool { return n.Role == membership.Supervisor })
		if !supervised || time.Now().After(end) {
			return report, fault.Failure("Next: analyzer cluster up --supervisors 3",
				errors.New("no supervisor leads this cluster: nobody would start its nodes again"))
		}
		if err := process.Sleep(ctx, pause); err != nil {
			return report, err
		}
	}
}

// findNodes finds the nodes of the cluster, and a driver to act on them.
func (r *chaosRun) findNodes(report membership.Report) error {
	topology := cmp.Or(r.topology, report.Topology)
	text, err := os.ReadFile(topology)
	if err != nil {
		return fmt.Errorf("find the nodes of the cluster, which must run on this machine (--%s names them): %w", flagTopology, err)
	}
	if r.Topology, err = supervisor.ParseTopology(text); err != nil {
		return err
	}
	if hosts := r.Topology.Hosts(); len(hosts) > 1 {
		return fmt.Errorf("the nodes of this cluster run on %d hosts, and chaos reaches those of one machine", len(hosts))
	}
	if r.Driver, err = openDriver(report.Driver, topology, r.Topology); err == nil && r.Driver == nil {
		err = errors.New("something else than supervisors starts the nodes of this cluster: kill them by its means")
	}
	return err
}

// chaosTables generates tables of all data sets.
func chaosTables(ctx context.Context, program, dir, scale string, seed uint64) (out []chaos.Tables, err error) {
	for _, name := range catalog.Names() {
		t := chaos.Tables{Dataset: name, Dir: filepath.Join(dir, name)}
		args := []string{"generate", name, "--scale", scale, "--seed", strconv.FormatUint(seed, 10), "--output", t.Dir}
		var said strings.Builder
		if _, err := process.Run(ctx, process.Spec{Program: program, Args: args, Stdout: &said, Stderr: &said}, time.Second); err != nil {
			return nil, fmt.Errorf("generate tables: %w: %s", err, said.String())
		}
		out = append(out, t)
	}
	return out, nil
}
