package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/bench"
	"analyzer/cmd/analyzer/internal/args"
	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
	"analyzer/compose/answers/staged"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/shuffle/broker"
)

const (
	flagWorkload       = "workload"
	flagTransport      = "transport"
	flagRepeat         = "repeat"
	flagCheckMemory    = "check-memory"
	flagMaxMemoryCost  = "max-memory-cost"
	flagMaxReplicaCost = "max-replica-cost"
	flagMaxClusterCost = "max-cluster-cost"
	flagMaxFollowCost  = "max-follow-cost"
	flagPages          = "pages"
	flagAnswers        = "answers"
	flagCPUProfile     = "cpuprofile"
	flagMemProfile     = "memprofile"
	flagTrace          = "trace"
)

// benchProcess is the hidden command that runs one task of a sweep.
const benchProcess = "__bench"

// reportFormats are how bench writes what it measured.
func reportFormats() []string { return []string{"table", "json", "csv", "markdown"} }

func (p *program) benchCommand() *cli.Command {
	return &cli.Command{
		Name: "bench", Usage: "measure throughput and memory", ArgsUsage: "[DIR]",
		Description: "Runs workloads with every transport, memory limit and number of replicas given,\n" +
			"each run in a process of its own, and reports time, rates, memory and spill.\n" +
			"Status 1 says that the answers were not the same bytes in all runs, or that a\n" +
			"limit was exceeded. DIR holds one directory for each data set, or the files of\n" +
			"one; without it data are generated.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: flagWorkload, Usage: "run these `NAMES`: " + strings.Join(bench.WorkloadNames(), ", "), DefaultText: "all"},
			&cli.StringFlag{Name: flagTransport, Usage: "move rows through `NAMES`: memory, rabbitmq", DefaultText: "memory"},
			&cli.StringFlag{Name: flagReplicas, Usage: "run `N` tasks per stage; several as 1,2,4", DefaultText: "1,2"},
			&cli.StringFlag{Name: flagGateways, Usage: "give each cluster `N` gateways", DefaultText: "1"},
			queueTypeFlag(),
			&cli.StringFlag{Name: flagMemory, Usage: "keep each process near `SIZE`; several as 64MiB,unlimited", DefaultText: "16MiB,unlimited"},
			&cli.StringFlag{Name: flagFollow, Usage: "answer while tables are read as `WHEN` says; several as end,shares,1s", DefaultText: "end"},
			&cli.StringFlag{Name: flagPages, Usage: "look at each job of a cluster in `N` pages; several as 0,4", DefaultText: "0"},
			&cli.StringFlag{Name: flagRepeat, Usage: "count `N` runs of each", DefaultText: "3"},
			&cli.StringFlag{Name: flagScale, Usage: "generate `X` times the rows of the real files; several as 0.01,0.1", DefaultText: "0.1"},
			&cli.StringFlag{Name: flagSeed, Usage: "choose the generated data by `N`", DefaultText: "1"},
			&cli.BoolFlag{Name: flagCheckMemory, Usage: fmt.Sprintf("fail when a process takes over %d MiB more than its limit", bench.MemorySlack>>20)},
			&cli.StringFlag{Name: flagMaxMemoryCost, Usage: "fail when a limit makes a run `X` times as slow"},
			&cli.StringFlag{Name: flagMaxReplicaCost, Usage: "fail when replicas make a run `X` times as slow"},
			&cli.StringFlag{Name: flagMaxClusterCost, Usage: "fail when a cluster is `X` times as slow as one process"},
			&cli.StringFlag{Name: flagMaxFollowCost, Usage: "fail when answers meanwhile make a cluster `X` times as slow"},
			&cli.StringFlag{Name: flagFormat, Usage: "write the report as `FORMAT`: " + strings.Join(reportFormats(), ", "), DefaultText: "table"},
			&cli.StringFlag{Name: flagOutput, Usage: "keep the report, charts and a page into `DIR`"},
			&cli.BoolFlag{Name: flagCPUProfile, Usage: "run each once more, and keep a CPU profile of each process in --output"},
			&cli.BoolFlag{Name: flagMemProfile, Usage: "likewise, of what was allocated"},
			&cli.BoolFlag{Name: flagTrace, Usage: "likewise, a trace of what it did when"},
			&cli.BoolFlag{Name: flagAnswers, Usage: "run one workload once, and print its answers"},
			&cli.StringFlag{Name: flagSpillDir, Usage: "put generated files and spill below `DIR`", DefaultText: "the system's"},
			configFlag(),
		},
		Subcommands: []*cli.Command{p.benchCompareCommand(), p.benchModelCommand()},
		Action:      p.bench,
	}
}

// benchProcessCommand runs the one task that a sweep writes to its standard
// input.
func (p *program) benchProcessCommand() *cli.Command {
	return &cli.Command{
		Name: benchProcess, Hidden: true,
		Action: func(c *cli.Context) error { return bench.Serve(c.Context, p.fs, p.stdin, p.stdout) },
	}
}

func (p *program) bench(c *cli.Context) error {
	arguments, s, err := p.begin(c, 0, "DIR")
	if err != nil {
		return err
	}
	o, err := p.sweepOf(arguments[0], s)
	if err != nil {
		return err
	}
	format, only := "table", false
	if err := s.Read(
		settings.Into(&format, flagFormat, settings.OneOf("format", reportFormats()...)),
		settings.Into(&only, flagAnswers, strconv.ParseBool),
	); err != nil {
		return err
	}
	if only {
		return p.benchAnswers(c, o, answers.Format(format), s)
	}
	limits, err := limitsOf(s)
	if err != nil {
		return err
	}
	r, err := p.sweep(c.Context, o, s.Text(flagOutput))
	if err != nil {
		return benchFailure(err)
	}
	if err := p.writeReport(r, format); err != nil {
		return err
	}
	if err := errors.Join(r.Err(), limits.Check(r)); err != nil {
		return exit.Failure("Next: report it with the table above.", err)
	}
	return nil
}

// sweep measures, and keeps what it measured in a directory if one is named, which is
// tried before anything is measured.
func (p *program) sweep(ctx context.Context, o bench.Config, dir string) (r *bench.Report, err error) {
	if dir == "" {
		r, err = bench.Sweep(ctx, o)
		p.progress.Clear()
		return r, err
	}
	files, err := staged.Open(p.fs, dir)
	if err != nil {
		return nil, err
	}
	defer discarding(&err, files)
	o.Create = func(name string) (io.WriteCloser, error) { return files.Create(name) }
	r, err = bench.Sweep(ctx, o)
	p.progress.Clear()
	if err != nil {
		return nil, err
	}
	for _, f := range r.Files() {
		out, err := files.Create(f.Name)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(f.Write(out), out.Close()); err != nil {
			return nil, err
		}
	}
	if err := files.Commit(); err != nil {
		return nil, err
	}
	p.notef("The report is in %s; report.html shows all of it.", dir)
	return r, nil
}

// limitsOf reads which ratios a sweep is held to.
func limitsOf(s *settings.Settings) (l bench.Limits, err error) {
	return l, s.Read(
		settings.Into(&l.MemoryCost, flagMaxMemoryCost, parseRatio),
		settings.Into(&l.ReplicaCost, flagMaxReplicaCost, parseRatio),
		settings.Into(&l.Cluster, flagMaxClusterCost, parseRatio),
		settings.Into(&l.FollowCost, flagMaxFollowCost, parseRatio),
	)
}

func parseRatio(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 1 || v > 1000 {
		return 0, fmt.Errorf("%q is not a ratio of times: expected 1 to 1000", text)
	}
	return v, nil
}

// sweepOf reads what is to be measured from the flags.
func (p *program) sweepOf(dir string, s *settings.Settings) (o bench.Config, err error) {
	o = bench.Config{
		Dir: dir, FS: p.fs, SpillDir: s.Text(flagSpillDir),
		Transports: []bench.Transport{bench.InMemory}, Follow: []bench.Following{bench.AtEnd}, Pages: []int{0},
		Gateways: 1, Replicas: []int{1, 2}, Memory: []int64{16 << 20, 0}, Repeat: 3, Queues: broker.Classic, Seed: 1,
	}
	if o.Workloads, err = findWorkloads(s.List(flagWorkload)); err != nil {
		return o, err
	}
	if err := s.Read(
		settings.Into(&o.Transports, flagTransport, settings.Several(parseTransport)),
		settings.Into(&o.Gateways, flagGateways, parseGateways),
		settings.Into(&o.Replicas, flagReplicas, settings.Several(parseReplicas)),
		settings.Into(&o.Memory, flagMemory, settings.Several(parseLimit)),
		settings.Into(&o.Follow, flagFollow, settings.Several(parseFollowing)),
		settings.Into(&o.Pages, flagPages, settings.Several(settings.Number("pages", 0, 50))),
		settings.Into(&o.Repeat, flagRepeat, settings.Number("runs", 1, 1000)),
		settings.Into(&o.Queues, flagQueueType, broker.ParseKind),
		settings.Into(&o.CheckMemory, flagCheckMemory, strconv.ParseBool),
		settings.Into(&o.Seed, flagSeed, parseSeed),
	); err != nil {
		return o, err
	}
	if err := clustersAlone(s, o); err != nil {
		return o, err
	}
	if o.Profiles, err = profilesOf(s); err != nil {
		return o, err
	}
	if scale, ok := s.One(flagScale); ok && dir != "" {
		return o, exit.WrongUsage("Next: leave one of them out.", "%s is for generated data, but %s was given", scale.Origin, dir)
	}
	if dir == "" {
		if o.Scales, err = settings.Parse(s, flagScale, []float64{0.1}, settings.Several(parseScale)); err != nil {
			return o, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return o, fmt.Errorf("find this program, which runs each task in a process of its own: %w", err)
	}
	o.Program, o.Command = name+" "+version(), []string{self, benchProcess}
	o.Progress = func(text string) { p.notef("%s", text) }
	return o, nil
}

// clustersAlone refuses what is said on the command line of clusters if there are none.
// In the environment and in files it may stand for other commands.
func clustersAlone(s *settings.Settings, o bench.Config) error {
	if slices.Contains(o.Transports, bench.RabbitMQ) {
		return nil
	}
	for _, flag := range []string{flagGateways, flagQueueType, flagPages} {
		if v, ok := s.One(flag); ok && v.Origin == "--"+flag {
			return exit.WrongUsage("Next: add --transport memory,rabbitmq, or leave it out.", "%s is for clusters, and none is measured", v.Origin)
		}
	}
	return nil
}

// profilesOf reads which profiles are wanted.
func profilesOf(s *settings.Settings) (kinds []string, err error) {
	for _, p := range []struct{ flag, kind string }{
		{flagCPUProfile, bench.ProfileCPU}, {flagMemProfile, bench.ProfileMemory}, {flagTrace, bench.ProfileTrace},
	} {
		wanted, err := settings.Parse(s, p.flag, false, strconv.ParseBool)
		if err != nil {
			return nil, err
		}
		if !wanted {
			continue
		}
		if s.Text(flagOutput) == "" {
			return nil, exit.WrongUsage("Next: add --output DIR.", "--%s has nowhere to go", p.flag)
		}
		kinds = append(kinds, p.kind)
	}
	return kinds, nil
}

// benchAnswers runs a single task in this process and prints its answers.
func (p *program) benchAnswers(c *cli.Context, o bench.Config, format answers.Format, s *settings.Settings) (err error) {
	if o.Dir == "" || len(o.Workloads) != 1 {
		return exit.WrongUsage("Next: analyzer bench DIR --workload groups --answers", "--%s is for one workload over the files of a directory", flagAnswers)
	}
	w := o.Workloads[0]
	out, err := p.openAnswers(answers.Options{Format: format}, datasets.Selection{Queries: w.Queries}, s)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	t := bench.Task{Workload: w.Name, Dir: o.Dir, SpillDir: o.SpillDir, Setting: bench.Setting{Replicas: o.Replicas[0], Memory: o.Memory[0]}}
	report, err := t.Run(c.Context, p.fs, onClearLine{out, p.progress}, func(at engine.Progress) {
		p.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Spilled: at.Spilled})
	})
	p.progress.Clear()
	if err != nil {
		return benchFailure(err)
	}
	if err := out.Finish(); err != nil {
		return err
	}
	p.summarise(report, "")
	return nil
}

// writeReport prints the report.
func (p *program) writeReport(r *bench.Report, format string) error {
	switch format {
	case "json":
		return r.WriteJSON(p.stdout)
	case "csv":
		return r.WriteCSV(p.stdout)
	case "markdown":
		return r.WriteMarkdown(p.stdout)
	}
	return r.WriteTable(p.stdout)
}

// benchFailure tells missing files from other failures.
func benchFailure(err error) error {
	if errors.Is(err, bench.ErrNoFile) {
		return exit.BadInput("Next: name a directory that holds movies, steam and books, or the files of one of them.", err)
	}
	return err
}

func findWorkloads(names []string) ([]bench.Workload, error) {
	if slices.Equal(names, []string{"all"}) {
		names = nil
	}
	found, err := bench.SelectWorkloads(names...)
	if err == nil {
		return found, nil
	}
	hint := "Next: use these names, several as movies,groups, or all."
	for _, name := range names {
		if s := args.Suggest(name, bench.WorkloadNames()); s != "" && s != name {
			hint = fmt.Sprintf("Did you mean %s?", s)
		}
	}
	return nil, exit.WrongUsage(hint, "%w", err)
}

func parseTransport(text string) (bench.Transport, error) {
	if t := bench.Transport(text); t == bench.InMemory || t == bench.RabbitMQ {
		return t, nil
	}
	return "", fmt.Errorf("there is no transport %q; there are memory and rabbitmq", text)
}

// parseFollowing reads when there are answers.
func parseFollowing(text string) (bench.Following, error) {
	switch f := bench.Following(text); f {
	case "end":
		return bench.AtEnd, nil
	case bench.ByShares:
		return f, nil
	}
	if _, err := settings.Time(text); err != nil {
		return "", fmt.Errorf("%q says not when to answer; expected end, shares, or a time such as 1s", text)
	}
	return bench.Following(text), nil
}

// parseLimit reads a memory limit, which may be none.
func parseLimit(text string) (int64, error) {
	if text == "unlimited" {
		return 0, nil
	}
	return parseMemory(text)
}
