package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
)

const (
	flagWorkload       = "workload"
	flagTransport      = "transport"
	flagRepeat         = "repeat"
	flagCheckMemory    = "check-memory"
	flagMaxMemoryCost  = "max-memory-cost"
	flagMaxReplicaCost = "max-replica-cost"
	flagMaxClusterCost = "max-cluster-cost"
	flagMaxRegression  = "max-regression"
	flagAnswers        = "answers"
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
			&cli.StringFlag{Name: flagMemory, Usage: "keep each process near `SIZE`; several as 64MiB,unlimited", DefaultText: "16MiB,unlimited"},
			&cli.StringFlag{Name: flagRepeat, Usage: "count `N` runs of each", DefaultText: "3"},
			&cli.StringFlag{Name: flagScale, Usage: "generate `X` times the rows of the real files; several as 0.01,0.1", DefaultText: "0.1"},
			&cli.StringFlag{Name: flagSeed, Usage: "choose the generated data by `N`", DefaultText: "1"},
			&cli.BoolFlag{Name: flagCheckMemory, Usage: fmt.Sprintf("fail when a process takes over %d MiB more than its limit", bench.MemorySlack>>20)},
			&cli.StringFlag{Name: flagMaxMemoryCost, Usage: "fail when a limit makes a run `X` times as slow"},
			&cli.StringFlag{Name: flagMaxReplicaCost, Usage: "fail when replicas make a run `X` times as slow"},
			&cli.StringFlag{Name: flagMaxClusterCost, Usage: "fail when a cluster is `X` times as slow as one process"},
			&cli.StringFlag{Name: flagFormat, Usage: "write the report as `FORMAT`: " + strings.Join(reportFormats(), ", "), DefaultText: "table"},
			&cli.StringFlag{Name: flagOutput, Usage: "keep the report, charts and a page into `DIR`"},
			&cli.BoolFlag{Name: flagAnswers, Usage: "run one workload once, and print its answers"},
			&cli.StringFlag{Name: flagSpillDir, Usage: "put generated files and spill below `DIR`", DefaultText: "the system's"},
			configFlag(),
		},
		Subcommands: []*cli.Command{{
			Name: "compare", Usage: "compare two reports", ArgsUsage: "OLD NEW",
			Description: "OLD and NEW are what bench --output wrote: directories, their bench.json, or their\n" +
				"ratios.csv, which holds no times and can be kept as a baseline for other machines.\n" +
				"Ratios are compared always, times only between reports of one machine. Status 1\n" +
				"says that something is worse by more than it varies from run to run.",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: flagMaxRegression, Usage: "take it when a figure is `PERCENT` worse", DefaultText: "10%"},
				configFlag(),
			},
			Action: p.benchCompare,
		}},
		Action: p.bench,
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
	format, err := settings.Parse(s, flagFormat, "table", parseReportFormat)
	if err != nil {
		return err
	}
	only, err := settings.Parse(s, flagAnswers, false, strconv.ParseBool)
	if err != nil {
		return err
	}
	if only {
		return p.benchAnswers(c, o, answers.Format(format), s)
	}
	limits, err := limitsOf(s)
	if err != nil {
		return err
	}
	r, err := bench.Sweep(c.Context, o)
	p.progress.Clear()
	if err != nil {
		return benchFailure(err)
	}
	if err := p.writeReport(r, format, s.Text(flagOutput)); err != nil {
		return err
	}
	if err := errors.Join(r.Err(), limits.Check(r)); err != nil {
		return &exit.Error{Status: exit.Failed, Hint: "Next: report it with the table above.", Err: err}
	}
	return nil
}

// limitsOf reads which ratios a sweep is held to.
func limitsOf(s *settings.Settings) (l bench.Limits, err error) {
	for name, limit := range map[string]*float64{
		flagMaxMemoryCost: &l.MemoryCost, flagMaxReplicaCost: &l.ReplicaCost, flagMaxClusterCost: &l.Cluster,
	} {
		if *limit, err = settings.Parse(s, name, 0, parseRatio); err != nil {
			return l, err
		}
	}
	return l, nil
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
	o = bench.Config{Dir: dir, FS: p.fs, SpillDir: s.Text(flagSpillDir)}
	if o.Workloads, err = findWorkloads(s.List(flagWorkload)); err != nil {
		return o, err
	}
	if o.Transports, err = settings.Parse(s, flagTransport, nil, severalOf(parseTransport)); err != nil {
		return o, err
	}
	if o.Gateways, err = settings.Parse(s, flagGateways, 1, parseGateways); err != nil {
		return o, err
	}
	if o.Replicas, err = settings.Parse(s, flagReplicas, []int{1, 2}, severalOf(parseReplicas)); err != nil {
		return o, err
	}
	if o.Memory, err = settings.Parse(s, flagMemory, []int64{16 << 20, 0}, severalOf(parseLimit)); err != nil {
		return o, err
	}
	if o.Repeat, err = settings.Parse(s, flagRepeat, 3, parseRepeat); err != nil {
		return o, err
	}
	if o.CheckMemory, err = settings.Parse(s, flagCheckMemory, false, strconv.ParseBool); err != nil {
		return o, err
	}
	if scale, ok := s.One(flagScale); ok && dir != "" {
		return o, exit.WrongUsage("Next: leave one of them out.", "%s is for generated data, but %s was given", scale.Origin, dir)
	}
	if dir == "" {
		if o.Scales, err = settings.Parse(s, flagScale, []float64{0.1}, severalOf(parseScale)); err != nil {
			return o, err
		}
	}
	if o.Seed, err = settings.Parse(s, flagSeed, 1, parseSeed); err != nil {
		return o, err
	}
	self, err := os.Executable()
	if err != nil {
		return o, fmt.Errorf("find this program, which runs each task in a process of its own: %w", err)
	}
	o.Program, o.Command = name+" "+version(), []string{self, benchProcess}
	o.Progress = func(text string) { p.notef("%s", text) }
	return o, nil
}

// benchAnswers runs a single task in this process and prints its answers.
func (p *program) benchAnswers(c *cli.Context, o bench.Config, format answers.Format, s *settings.Settings) (err error) {
	if o.Dir == "" || len(o.Workloads) != 1 {
		return exit.WrongUsage("Next: analyzer bench DIR --workload groups --answers", "--%s is for one workload over the files of a directory", flagAnswers)
	}
	w := o.Workloads[0]
	out, err := p.openAnswers(format, datasets.Selection{Queries: w.Queries}, s)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	t := bench.Task{Workload: w.Name, Dir: o.Dir, SpillDir: o.SpillDir, Replicas: o.Replicas[0], Memory: o.Memory[0]}
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

// writeReport prints the report, and keeps it in a directory if one was named.
func (p *program) writeReport(r *bench.Report, format, dir string) (err error) {
	if dir != "" {
		if err := p.keepReport(r, dir); err != nil {
			return err
		}
		p.notef("The report is in %s; report.html shows all of it.", dir)
	}
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

// reportFile is the name of the report that others can be compared with.
const reportFile = "bench.json"

func (p *program) keepReport(r *bench.Report, dir string) (err error) {
	files, err := staged.Open(p.fs, dir)
	if err != nil {
		return err
	}
	defer discarding(&err, files)
	writers := map[string]func(io.Writer) error{
		reportFile: r.WriteJSON, "bench.csv": r.WriteCSV, "ratios.csv": r.WriteRatios, "bench.md": r.WriteMarkdown, "report.html": r.WriteHTML,
	}
	for _, f := range r.Figures() {
		writers[f.Name+".svg"], writers[f.Name+".png"] = f.Chart.WriteSVG, f.Chart.WritePNG
	}
	for name, write := range writers {
		f, err := files.Create(name)
		if err != nil {
			return err
		}
		if err := errors.Join(write(f), f.Close()); err != nil {
			return err
		}
	}
	return files.Commit()
}

// benchCompare says what is better and what is worse in the newer of two reports.
func (p *program) benchCompare(c *cli.Context) error {
	arguments, err := positional(c, 2, "OLD", "NEW")
	if err != nil {
		return err
	}
	s, err := settings.Load(c, c.App.Commands)
	if err != nil {
		return err
	}
	most, err := settings.Parse(s, flagMaxRegression, 0.1, parsePercent)
	if err != nil {
		return err
	}
	old, now, err := p.readMeasures(arguments[0], arguments[1])
	if err != nil {
		return exit.BadInput("Next: name directories that bench --output wrote.", err)
	}
	compared, err := bench.Compare(old, now)
	if err != nil {
		return exit.BadInput("", err)
	}
	if err := compared.WriteTable(p.stdout, most); err != nil {
		return err
	}
	if worse := compared.Regressions(most); len(worse) > 0 {
		return &exit.Error{
			Status: exit.Failed, Hint: "Next: run both again, one after the other, before you believe it.",
			Err: fmt.Errorf("%d figures are worse by more than %.0f %% and than they vary", len(worse), 100*most),
		}
	}
	return nil
}

// readMeasures reads what two reports are compared by: times too, if both are there
// with their times, and are of one machine.
func (p *program) readMeasures(oldName, newName string) (old, now []bench.Measure, err error) {
	first, old, err := p.readReport(oldName)
	if err != nil {
		return nil, nil, err
	}
	second, now, err := p.readReport(newName)
	if err != nil {
		return nil, nil, err
	}
	if first != nil && second != nil && first.Comparable(second) {
		return first.Measures(true), second.Measures(true), nil
	}
	p.notef("Ratios and counts are compared, times are not: they are not of one machine and the same data.")
	return old, now, nil
}

// readReport reads a report, that of a directory, or the ratios of one, whose report
// is nil.
func (p *program) readReport(name string) (r *bench.Report, measures []bench.Measure, err error) {
	if names, err := p.fs.List(name); err == nil && slices.Contains(names, reportFile) {
		name = filepath.Join(name, reportFile)
	}
	f, err := p.fs.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if strings.HasSuffix(name, ".csv") {
		measures, err = bench.ReadRatios(f)
	} else if r, err = bench.ReadReport(f); err == nil {
		measures = r.Measures(false)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, measures, nil
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

func parseReportFormat(text string) (string, error) {
	if !slices.Contains(reportFormats(), text) {
		return "", fmt.Errorf("there is no format %q; there are %s", text, strings.Join(reportFormats(), ", "))
	}
	return text, nil
}

func parseTransport(text string) (bench.Transport, error) {
	if t := bench.Transport(text); t == bench.InMemory || t == bench.RabbitMQ {
		return t, nil
	}
	return "", fmt.Errorf("there is no transport %q; there are memory and rabbitmq", text)
}

// parseLimit reads a memory limit, which may be none.
func parseLimit(text string) (int64, error) {
	if text == "unlimited" {
		return 0, nil
	}
	return parseMemory(text)
}

func parsePercent(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || v < 0 || v > 1000 {
		return 0, fmt.Errorf("%q is no part: expected one like 10%%", text)
	}
	return v / 100, nil
}

func parseRepeat(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1000 {
		return 0, fmt.Errorf("%q is not a number of runs: expected 1 to 1000", text)
	}
	return n, nil
}

// severalOf parses values with commas between them.
func severalOf[T any](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		var all []T
		for part := range strings.SplitSeq(text, ",") {
			v, err := parse(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	}
}
