package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/bench"
	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
	"analyzer/compose/answers/staged"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/shuffle/broker"
)

// Names of flags that messages mention.
const (
	flagScale      = "scale"
	flagPages      = "pages"
	flagWhen       = "follow"
	flagAnswers    = "answers"
	flagCPUProfile = "cpuprofile"
	flagMemProfile = "memprofile"
	flagTrace      = "trace"

	flagMachineCores = "machine-cores"
)

// benchProcess is the hidden command that runs one task of a sweep.
const benchProcess = "__bench"

func benchCommand(p *program) *cli.Command {
	ratio := settings.Real("a ratio of times", 1, 1000)
	b := &benchmark{runner: runner{p}, format: "table", scales: []float64{0.1}, Config: bench.Config{
		Transports: []bench.Transport{bench.InMemory}, Follow: []bench.Following{bench.AtEnd}, Pages: []int{0},
		Gateways: 1, Replicas: []int{1, 2}, Memory: []int64{16 << 20, 0}, Repeat: 3, Queues: broker.Classic, Seed: 1,
	}}
	return &cli.Command{
		Name: "bench", Usage: "measure throughput and memory", ArgsUsage: "[DIR]",
		Description: "Runs workloads with every transport, memory limit and number of replicas given,\n" +
			"each run in a process of its own, and reports time, rates, memory and spill.\n" +
			"The exit status is 1 when the answers of two runs differ in a byte, or when a\n" +
			"limit was exceeded. DIR holds a directory for each data set, or the files of one\n" +
			"data set; without DIR the data are generated.",
		Flags: []cli.Flag{
			settings.List(&b.workloads, "workload", "run these `NAMES`: "+strings.Join(bench.WorkloadNames(), ", "), "all").
				Proposing(append(bench.WorkloadNames(), "all")...),
			settings.Into(&b.Transports, settings.Several(parseTransport), "transport", "move rows through `NAMES`: memory, rabbitmq", "memory"),
			settings.Into(&b.Replicas, settings.Several(parseReplicas), flagReplicas, "run `N` tasks per stage; several as 1,2,4", "1,2"),
			settings.Into(&b.Gateways, parseGateways, flagGateways, "give each cluster `N` gateways", "1"),
			queueTypeFlag(&b.Queues),
			settings.Into(&b.MachineCores, settings.Real("a number of cores", 0.05, 1000), flagMachineCores, "make each replica of a cluster a machine, whose worker and gateway, which reads the files, have `X` cores together, such as 0.1 (as root, on Linux)", ""),
			settings.Into(&b.Memory, settings.Several(parseLimit), flagMemory, "keep each process near `SIZE`; several as 64MiB,unlimited", "16MiB,unlimited"),
			settings.Into(&b.Follow, settings.Several(parseFollowing), flagWhen, "answer while tables are read as `WHEN` says; several as end,shares,1s", "end"),
			settings.Into(&b.Pages, settings.Several(settings.Number("pages", 0, 50)), flagPages, "open `N` web pages on each job of a cluster; several as 0,4", "0"),
			settings.Into(&b.Repeat, settings.Number("runs", 1, 1000), "repeat", "measure `N` runs of each", "3"),
			settings.Into(&b.scales, settings.Several(parseScale), flagScale, "generate `X` times the rows of the real files; several as 0.01,0.1", "0.1"),
			settings.Into(&b.Seed, parseSeed, "seed", "seed the generated data with `N`", "1"),
			settings.Switch(&b.CheckMemory, "check-memory", fmt.Sprintf("fail when a process takes over %d MiB more than its limit", bench.MemorySlack>>20)),
			settings.Into(&b.limits.MemoryCost, ratio, "max-memory-cost", "fail when a limit makes a run `X` times as slow", ""),
			settings.Into(&b.limits.ReplicaCost, ratio, "max-replica-cost", "fail when replicas make a run `X` times as slow", ""),
			settings.Into(&b.limits.Cluster, ratio, "max-cluster-cost", "fail when a cluster is `X` times as slow as one process", ""),
			settings.Into(&b.limits.FollowCost, ratio, "max-follow-cost", "fail when answering early makes a cluster `X` times as slow", ""),
			settings.OneOf(&b.format, "format", []string{"table", "json", "csv", "markdown"}, flagFormat, "write the report as `FORMAT`: table, json, csv, markdown", b.format),
			settings.Text(&p.output, flagOutput, "write the report, charts and a web page into `DIR`", ""),
			settings.Switch(&b.cpu, flagCPUProfile, "run each once more, and write a CPU profile of each process into --output"),
			settings.Switch(&b.allocated, flagMemProfile, "likewise, a profile of allocations"),
			settings.Switch(&b.trace, flagTrace, "likewise, an execution trace"),
			settings.Switch(&b.only, flagAnswers, "run one workload once, and print its answers"),
			settings.Text(&b.SpillDir, flagSpillDir, "put generated files and spill below `DIR`", "the system's"),
			settings.ConfigFlag(),
		},
		Subcommands: []*cli.Command{benchCompareCommand(p), benchModelCommand(p)},
		Action:      p.action(b.run, 0, "DIR"),
	}
}

// benchmark is one bench command: what to measure, and its other flags.
type benchmark struct {
	runner
	bench.Config
	workloads             []string
	scales                []float64 // of generated data
	limits                bench.Limits
	format                string
	only                  bool // answers
	cpu, allocated, trace bool
}

// benchProcessCommand runs the one task that a sweep writes to its standard
// input.
func benchProcessCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: benchProcess, Hidden: true,
		Action: func(c *cli.Context) error { return bench.Serve(c.Context, p.fs, p.stdin, p.stdout) },
	}
}

func (b *benchmark) run(c *cli.Context, arguments []string) error {
	if err := b.prepare(arguments[0]); err != nil {
		return err
	}
	if b.only {
		return b.answers(c)
	}
	r, err := b.measure(c.Context)
	if err != nil {
		return err
	}
	if b.beyond(r) != nil {
		b.notef("A limit is exceeded. Another program may have taken the machine, so all is measured once more.")
		if r, err = b.measure(c.Context); err != nil {
			return err
		}
	}
	if err := b.beyond(r); err != nil {
		return fault.Failure("Next: report it with the table above.", err)
	}
	return nil
}

// beyond returns an error for each ratio and each peak above its limit.
func (b *benchmark) beyond(r *bench.Report) error {
	return errors.Join(r.Excess(), bench.Broken(b.limits.Hold(r)))
}

// measure makes one sweep and prints its report. What no other program can cause is an error:
// different answers, or nothing to hold to a limit.
func (b *benchmark) measure(ctx context.Context) (*bench.Report, error) {
	r, err := b.sweep(ctx)
	if err != nil {
		return nil, benchFailure(err)
	}
	if err := errors.Join(b.writeReport(r), b.writeHeld(r)); err != nil {
		return nil, err
	}
	if err := errors.Join(r.Err(), b.limits.Check(r)); err != nil {
		return nil, fault.Failure("Next: report it with the table above.", err)
	}
	return r, nil
}

// writeHeld prints the ratios that have a limit, where the report is a table for people.
func (b *benchmark) writeHeld(r *bench.Report) error {
	if b.format != "table" {
		return nil
	}
	return bench.WriteHeld(b.stdout, b.limits.Hold(r))
}

// sweep measures, and keeps the report in a directory if one is named. It checks first that
// it can write there.
func (b *benchmark) sweep(ctx context.Context) (r *bench.Report, err error) {
	defer b.progress.Clear()
	if b.output == "" {
		return bench.Sweep(ctx, b.Config)
	}
	files, err := staged.Open(b.FS, b.output, "")
	if err != nil {
		return nil, err
	}
	defer discarding(&err, files)
	b.Create = func(name string) (io.WriteCloser, error) { return files.Create(name) }
	if r, err = bench.Sweep(ctx, b.Config); err != nil {
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
	b.notef("The report is in %s; report.html shows all of it.", b.output)
	return r, nil
}

// prepare completes what to measure: over the files of a directory, if one is named.
func (b *benchmark) prepare(dir string) (err error) {
	b.Dir, b.FS = dir, b.fs
	if b.Workloads, err = findWorkloads(b.workloads); err != nil {
		return err
	}
	if err := errors.Join(b.clustersAlone(), b.machinesAlone()); err != nil {
		return err
	}
	if err := b.chooseProfiles(); err != nil {
		return err
	}
	if scale, ok := b.settings.One(flagScale); ok && dir != "" {
		return fault.WrongUsage("Next: leave one of them out.", "%s is for generated data, but %s was given", scale.Origin, dir)
	}
	if dir == "" {
		b.Scales = b.scales
	}
	self, err := thisProgram("runs each task in a process of its own")
	if err != nil {
		return err
	}
	b.Program, b.Command = name+" "+version(), []string{self, benchProcess}
	b.Progress = func(text string) { b.notef("%s", text) }
	return nil
}

// clustersAlone refuses flags about clusters on the command line if no cluster is measured.
// In the environment and in files, such settings may be meant for other commands.
func (b *benchmark) clustersAlone() error {
	if slices.Contains(b.Transports, bench.RabbitMQ) {
		return needUnix(runtime.GOOS, "--transport "+string(bench.RabbitMQ))
	}
	for _, flag := range []string{flagGateways, flagQueueType, flagPages, flagMachineCores} {
		if v, ok := b.settings.One(flag); ok && v.Origin == "--"+flag {
			return fault.WrongUsage("Next: add --transport memory,rabbitmq, or leave it out.", "%s is for clusters, and none is measured", v.Origin)
		}
	}
	return nil
}

// machinesAlone refuses flags that do not go with machines, of which each has a gateway that reads whole files.
func (b *benchmark) machinesAlone() error {
	gateways, given := b.settings.One(flagGateways)
	switch {
	case b.MachineCores == 0:
	case given && gateways.Origin == "--"+flagGateways:
		return fault.WrongUsage("Next: leave it out.", "with --%s each machine has a gateway, and %s was given", flagMachineCores, gateways.Origin)
	case !slices.Equal(b.Follow, []bench.Following{bench.AtEnd}):
		return fault.WrongUsage("Next: leave one of them out.", "with --%s gateways read whole files, and --%s answers for parts of them", flagMachineCores, flagWhen)
	}
	return nil
}

// chooseProfiles selects the profiles that were asked for.
func (b *benchmark) chooseProfiles() error {
	for _, p := range []struct {
		wanted     bool
		flag, kind string
	}{
		{b.cpu, flagCPUProfile, bench.ProfileCPU}, {b.allocated, flagMemProfile, bench.ProfileMemory}, {b.trace, flagTrace, bench.ProfileTrace},
	} {
		if !p.wanted {
			continue
		}
		if b.output == "" {
			return fault.WrongUsage("Next: add --output DIR.", "--%s has nowhere to go", p.flag)
		}
		b.Profiles = append(b.Profiles, p.kind)
	}
	return nil
}

// answers runs a single task in this process and prints its answers.
func (b *benchmark) answers(c *cli.Context) (err error) {
	if b.Dir == "" || len(b.Workloads) != 1 {
		return fault.WrongUsage("Next: analyzer bench DIR --workload groups --answers", "--%s is for one workload over the files of a directory", flagAnswers)
	}
	w := b.Workloads[0]
	out, err := b.openAnswers(answers.Options{Format: answers.Format(b.format)}, datasets.Selection{Queries: w.Queries})
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	t := bench.Task{Workload: w.Name, Dir: b.Dir, SpillDir: b.SpillDir, Setting: bench.Setting{Replicas: b.Replicas[0], Memory: b.Memory[0]}}
	report, err := t.Run(c.Context, b.FS, onClearLine{out, b.progress}, func(at engine.Progress) {
		b.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Spilled: at.Spilled})
	})
	b.progress.Clear()
	if err != nil {
		return benchFailure(err)
	}
	if err := out.Finish(); err != nil {
		return err
	}
	b.summarise(report, "")
	return nil
}

// writeReport prints the report.
func (b *benchmark) writeReport(r *bench.Report) error {
	return map[string]func(io.Writer) error{
		"table": r.WriteTable, "json": r.WriteJSON, "csv": r.WriteCSV, "markdown": r.WriteMarkdown,
	}[b.format](b.stdout)
}

// benchFailure tells missing files from other failures.
func benchFailure(err error) error {
	switch {
	case errors.Is(err, bench.ErrNoMachines):
		return fault.WrongUsage("Next: run it as root on Linux, or leave --"+flagMachineCores+" out.", "%w", err)
	case errors.Is(err, bench.ErrNoFile):
		return fault.BadInput("Next: name a directory that holds movies, steam and books, or the files of one of them.", err)
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
		if s := fault.Suggest(name, bench.WorkloadNames()); s != "" && s != name {
			hint = fmt.Sprintf("Did you mean %s?", s)
		}
	}
	return nil, fault.WrongUsage(hint, "%w", err)
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
