package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/chaos"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/datasets/catalog"
	"analyzer/process"
)

const (
	flagKills       = "kills"
	flagBrokerKills = "broker-kills"
	flagPauses      = "pauses"
	flagCancels     = "cancels"
	flagKill        = "kill"
	flagAllBut      = "all-but"
	flagWithin      = "within"
	flagJobs        = "jobs"
	flagFor         = "for"
	flagGap         = "gap"
)

func (p *program) chaosCommand() *cli.Command {
	return &cli.Command{
		Name: "chaos", Usage: "kill nodes of a running cluster while jobs run",
		Description: "For a cluster under supervisors whose nodes run on this machine. Jobs over generated tables run all the\n" +
			"time; what is done to whom follows from the seed. Without --kill or --all-but it is 50 kills, 2 of the\n" +
			"broker, 5 pauses and 2 cancelled jobs. It fails if any answer differs or a node does not come back.",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: flagNode, Usage: "ask any of `ADDRS` how the cluster is, host:port of any node's page", DefaultText: usualStatus},
			&cli.StringFlag{Name: flagTopology, Usage: "read from `FILE` which nodes there are", DefaultText: "that of the supervisors"},
			&cli.StringFlag{Name: flagKills, Usage: "kill workers, gateways and supervisors `N` times"},
			&cli.StringFlag{Name: flagBrokerKills, Usage: "kill the broker `N` times"},
			&cli.StringFlag{Name: flagPauses, Usage: "let nodes stand still for some seconds `N` times"},
			&cli.StringFlag{Name: flagCancels, Usage: "cancel `N` jobs"},
			&cli.StringFlag{Name: flagKill, Usage: "kill the node `NAME` once"},
			&cli.StringFlag{Name: flagAllBut, Usage: "kill all nodes but `1` supervisor at once"},
			&cli.StringFlag{Name: flagFor, Usage: "do all this again and again for `TIME`, and fail as well if memory, files or queues grow", DefaultText: "once"},
			&cli.StringFlag{Name: flagGap, Usage: "let up to `TIME` pass between two things that are done", DefaultText: "1.5s"},
			&cli.StringFlag{Name: flagSeed, Usage: "do what follows from `SEED`", DefaultText: "one of its own, which is printed"},
			&cli.StringFlag{Name: flagScale, Usage: "generate tables of `SCALE` times the size of the real ones", DefaultText: usualChaosScale},
			&cli.StringFlag{Name: flagJobs, Usage: "run `N` jobs at a time", DefaultText: "2"},
			&cli.StringFlag{Name: flagWithin, Usage: "fail when a node takes `TIME` to come back, or a job to end", DefaultText: "3m"},
		}, connectionFlags()...),
		Action: p.chaos,
	}
}

const usualChaosScale = "0.005"

func (p *program) chaos(c *cli.Context) (err error) {
	_, s, err := p.begin(c, 0)
	if err != nil {
		return err
	}
	cfg, err := chaosConfig(s)
	if err != nil {
		return err
	}
	ctx := c.Context
	report, err := askLed(ctx, s.List(flagNode))
	if err != nil {
		return err
	}
	if err := chaosNodes(&cfg, report, cmp.Or(s.Text(flagTopology), report.Topology)); err != nil {
		return err
	}
	all := &pages{all: pagesOf(report)}
	cfg.Ask = all.ask
	cfg.Take = func(ctx context.Context) ([]chaos.Taken, error) {
		report, err := all.ask(ctx)
		if err != nil {
			return nil, err
		}
		return chaos.Take(load.Of(ctx, report), cfg.Topology)
	}
	cfg.Say = func(line string) { p.notef("%s", line) }
	if cfg.Jobs.Program, err = os.Executable(); err != nil {
		return err
	}
	dir, err := p.fs.MkdirTemp("", "analyzer-chaos-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.fs.RemoveAll(dir)) }()
	if cfg.Jobs.Tables, err = chaosTables(ctx, cfg.Jobs.Program, dir, cmp.Or(s.Text(flagScale), usualChaosScale), cfg.Seed); err != nil {
		return err
	}
	p.notef("Seed %d", cfg.Seed)
	result, err := chaos.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if err := p.printf("%s", chaosText(cfg.Seed, result)); err != nil {
		return err
	}
	if len(result.Trouble) > 0 {
		return exit.Failure(fmt.Sprintf("Next: look into the logs; --seed %d does the same again.", cfg.Seed),
			fmt.Errorf("the cluster did not stand it: %s", result.Trouble[0]))
	}
	return nil
}

// chaosConfig reads how often what is to be done.
func chaosConfig(s *settings.Settings) (cfg chaos.Config, err error) {
	var chosen bool
	for _, flag := range []string{flagKills, flagBrokerKills, flagPauses, flagCancels, flagKill, flagAllBut} {
		_, ok := s.One(flag)
		chosen = chosen || ok
	}
	if !chosen {
		cfg.Kills, cfg.BrokerKills, cfg.Pauses, cfg.Cancels = 50, 2, 5, 2
	}
	cfg.Lanes, cfg.Patience, cfg.Gap, cfg.Seed = 2, 3*time.Minute, 1500*time.Millisecond, rand.Uint64N(1<<32)
	const most = 1e6
	err = s.Read(
		settings.Into(&cfg.Kills, flagKills, settings.Number("kills", 0, most)),
		settings.Into(&cfg.BrokerKills, flagBrokerKills, settings.Number("kills", 0, most)),
		settings.Into(&cfg.Pauses, flagPauses, settings.Number("pauses", 0, most)),
		settings.Into(&cfg.Cancels, flagCancels, settings.Number("jobs", 0, most)),
		settings.Into(&cfg.AllBut, flagAllBut, settings.Number("supervisors that live", 1, 1)),
		settings.Into(&cfg.Lanes, flagJobs, settings.Number("jobs", 1, most)),
		settings.Into(&cfg.Patience, flagWithin, settings.Time),
		settings.Into(&cfg.For, flagFor, settings.Time),
		settings.Into(&cfg.Gap, flagGap, settings.Time),
		settings.Into(&cfg.Seed, flagSeed, func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }),
	)
	if err != nil {
		return cfg, err
	}
	cfg.Kill = s.Text(flagKill)
	if token := s.Text(flagToken); token != "" { // which nobody is to see among the processes
		cfg.Jobs.Env = append(os.Environ(), "ANALYZER_TOKEN="+token)
	}
	for _, flag := range []string{flagGateway, flagTokenFile, flagTLSCA, flagPatience} {
		if given := s.List(flag); len(given) > 0 {
			cfg.Jobs.Submit = append(cfg.Jobs.Submit, "--"+flag, strings.Join(given, ","))
		}
	}
	tls, err := settings.Parse(s, flagTLS, false, strconv.ParseBool)
	if tls {
		cfg.Jobs.Submit = append(cfg.Jobs.Submit, "--"+flagTLS)
	}
	return cfg, err
}

// askLed returns the report of a cluster that a supervisor leads. Where one has just
// ended, it waits for the others to elect another.
func askLed(ctx context.Context, nodes []string) (report membership.Report, err error) {
	const patience, pause = 10 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		report, err = askCluster(ctx, nodes, membership.Ask)
		if err != nil || report.Leader != "" {
			return report, err
		}
		supervised := slices.ContainsFunc(report.Nodes, func(n membership.Node) bool { return n.Role == membership.Supervisor })
		if !supervised || time.Now().After(end) {
			return report, exit.Failure("Next: analyzer cluster up --supervisors 3",
				errors.New("no supervisor leads this cluster: nobody would start its nodes again"))
		}
		if err := process.Sleep(ctx, pause); err != nil {
			return report, err
		}
	}
}

// chaosNodes finds the nodes of the cluster, and what can be done to them.
func chaosNodes(cfg *chaos.Config, report membership.Report, topology string) error {
	text, err := os.ReadFile(topology)
	if err != nil {
		return fmt.Errorf("find the nodes of the cluster, which must run on this machine (--%s names them): %w", flagTopology, err)
	}
	if cfg.Topology, err = supervisor.ParseTopology(text); err != nil {
		return err
	}
	if cfg.Driver, _, err = openDriver(report.Driver, topology, cfg.Topology); err == nil && cfg.Driver == nil {
		err = errors.New("something else than supervisors starts the nodes of this cluster: kill them by its means")
	}
	return err
}

// pages are those of all nodes, the one that has answered last first.
type pages struct {
	mu  sync.Mutex
	all []string
}

func (g *pages) ask(ctx context.Context) (report membership.Report, err error) {
	for range g.all {
		g.mu.Lock()
		page := g.all[0]
		g.mu.Unlock()
		within, cancel := context.WithTimeout(ctx, 2*time.Second) // longer than it asks the leader
		report, err = membership.Ask(within, page)
		cancel()
		if err == nil || ctx.Err() != nil {
			return report, err
		}
		g.mu.Lock()
		if g.all[0] == page {
			g.all = append(g.all[1:len(g.all):len(g.all)], page)
		}
		g.mu.Unlock()
	}
	return report, err
}

// pagesOf returns the pages that can be asked, those of supervisors first.
func pagesOf(report membership.Report) (pages []string) {
	for _, supervisors := range []bool{true, false} {
		for _, n := range report.Nodes {
			if n.HTTP != "" && (n.Role == membership.Supervisor) == supervisors {
				pages = append(pages, n.HTTP)
			}
		}
	}
	return pages
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

// chaosText sums up for people.
func chaosText(seed uint64, r chaos.Result) string {
	var out strings.Builder
	median, worst := r.Median()
	if len(r.Rows) > 0 {
		fmt.Fprintf(&out, "%s\n", chaos.Table(r.Rows))
	}
	fmt.Fprintf(&out, "seed      %d\n", seed)
	fmt.Fprintf(&out, "kills     %d workers, %d gateways, %d supervisors, %d brokers; %d pauses\n",
		r.Kills[membership.Worker], r.Kills[membership.Gateway], r.Kills[membership.Supervisor], r.Kills[membership.Broker], r.Pauses)
	fmt.Fprintf(&out, "recovery  median %.1f s, worst %.1f s (%s)\n", median.Seconds(), worst.Took.Seconds(), worst.Node)
	fmt.Fprintf(&out, "jobs      %d with the answers of one process, %d cancelled, %d submitted again\n", r.Jobs.Same, r.Jobs.Cancelled, r.Jobs.Again)
	verdict := "no answer differs, and all nodes came back"
	if len(r.Rows) > 0 {
		verdict = "no answer differs, all nodes came back, and nothing grew"
	}
	if len(r.Trouble) > 0 {
		verdict = fmt.Sprintf("%d times trouble: %s", len(r.Trouble), strings.Join(r.Trouble, "; "))
	}
	fmt.Fprintf(&out, "verdict   %s\n", verdict)
	return out.String()
}
