package main

import (
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
)

const (
	flagWorkload    = "workload"
	flagRepeat      = "repeat"
	flagCheckMemory = "check-memory"
)

// benchProcess is the hidden command that runs one task of a sweep.
const benchProcess = "__bench"

// reportFormats are how bench writes what it measured.
func reportFormats() []string { return []string{"table", "json", "markdown"} }

func (p *program) benchCommand() *cli.Command {
	return &cli.Command{
		Name: "bench", Usage: "measure throughput and memory", ArgsUsage: "[DIR]",
		Description: "Runs workloads with every number of replicas and every memory limit given, each run in a process\n" +
			"of its own, and reports wall time, rates, CPU time, peak memory and spill. The exit status is 1 when\n" +
			"the answers are not the same bytes in all runs. DIR holds one directory for each data set, or the\n" +
			"files of one; without it data are generated.\n\n" +
			"A single run over DIR, with none of --repeat, --check-memory and --output, prints its answers.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: flagWorkload, Usage: "run these `NAMES`: " + strings.Join(bench.WorkloadNames(), ", "), DefaultText: "all"},
			&cli.StringFlag{Name: flagReplicas, Usage: "run `N` tasks per stage; several as 1,2,4", DefaultText: "one per core"},
			&cli.StringFlag{Name: flagMemory, Usage: "keep the whole process near `SIZE`; several as 64MiB,1GiB", DefaultText: "half of the machine's"},
			&cli.StringFlag{Name: flagRepeat, Usage: "count `N` runs of each", DefaultText: "1"},
			&cli.StringFlag{Name: flagScale, Usage: "generate `X` times as many rows as the real files have", DefaultText: "0.01"},
			&cli.StringFlag{Name: flagSeed, Usage: "choose the generated data by `N`", DefaultText: "1"},
			&cli.BoolFlag{Name: flagCheckMemory, Usage: fmt.Sprintf("fail when a run takes over %d MiB more than its limit", bench.MemorySlack>>20)},
			&cli.StringFlag{Name: flagFormat, Usage: "write the report as `FORMAT`: " + strings.Join(reportFormats(), ", "), DefaultText: "table"},
			&cli.StringFlag{Name: flagOutput, Usage: "also write the report as bench.md and bench.json into `DIR`"},
			&cli.StringFlag{Name: flagSpillDir, Usage: "put generated files and what does not fit into memory below `DIR`", DefaultText: "the system's"},
			configFlag(),
		},
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
	arguments, s, err := begin(c, 0, "DIR")
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
	if single(o, format, s) {
		return p.benchOnce(c, o, answers.Format(format))
	}
	r, err := bench.Run(c.Context, o)
	p.progress.Clear()
	if err != nil {
		return benchFailure(err)
	}
	if err := p.writeReport(r, format, s.Text(flagOutput)); err != nil {
		return err
	}
	if err := r.Err(); err != nil {
		return &exit.Error{Status: exit.Failed, Hint: "Next: report it with the table above.", Err: err}
	}
	return nil
}

// sweepOf reads what is to be measured from the flags.
func (p *program) sweepOf(dir string, s *settings.Settings) (o bench.Config, err error) {
	o = bench.Config{Dir: dir, FS: p.fs, SpillDir: s.Text(flagSpillDir)}
	if o.Workloads, err = findWorkloads(s.List(flagWorkload)); err != nil {
		return o, err
	}
	if o.Replicas, err = settings.Parse(s, flagReplicas, nil, severalOf(parseReplicas)); err != nil {
		return o, err
	}
	if o.Memory, err = settings.Parse(s, flagMemory, nil, severalOf(parseMemory)); err != nil {
		return o, err
	}
	if o.Repeat, err = settings.Parse(s, flagRepeat, 1, parseRepeat); err != nil {
		return o, err
	}
	if o.CheckMemory, err = settings.Parse(s, flagCheckMemory, false, strconv.ParseBool); err != nil {
		return o, err
	}
	if scale, ok := s.One(flagScale); ok && dir != "" {
		return o, exit.WrongUsage("Next: leave one of them out.", "%s is for generated data, but %s was given", scale.Origin, dir)
	}
	if dir == "" {
		if o.Scale, err = settings.Parse(s, flagScale, 0.01, parseScale); err != nil {
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
	o.Command = []string{self, benchProcess}
	o.Progress = func(text string) { p.notef("%s", text) }
	return o, nil
}

// single reports whether one run's answers are asked for rather than a report.
func single(o bench.Config, format string, s *settings.Settings) bool {
	_, repeated := s.One(flagRepeat)
	return o.Dir != "" && len(o.Workloads) == 1 && len(o.Replicas) <= 1 && len(o.Memory) <= 1 &&
		!repeated && !o.CheckMemory && s.Text(flagOutput) == "" && format != "markdown"
}

// benchOnce runs a single task in this process and prints its answers.
func (p *program) benchOnce(c *cli.Context, o bench.Config, format answers.Format) (err error) {
	w := o.Workloads[0]
	out, err := p.openAnswers(format, "", datasets.Selection{Queries: w.Queries})
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	t := bench.Task{Workload: w.Name, Dir: o.Dir, SpillDir: o.SpillDir}
	if len(o.Replicas) > 0 {
		t.Replicas = o.Replicas[0]
	}
	if len(o.Memory) > 0 {
		t.Memory = o.Memory[0]
	}
	report, err := t.Run(c.Context, p.fs, onClearLine{out, p.progress}, func(at engine.Progress) {
		p.progress.Show(progress.State{What: at.Table, Rows: at.Rows, Bytes: at.Bytes, Spilled: at.Spilled})
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
		p.notef("The report is in %s.", dir)
	}
	switch format {
	case "json":
		return r.WriteJSON(p.stdout)
	case "markdown":
		return r.WriteMarkdown(p.stdout)
	}
	return r.WriteTable(p.stdout)
}

func (p *program) keepReport(r *bench.Report, dir string) (err error) {
	files, err := staged.Open(p.fs, dir)
	if err != nil {
		return err
	}
	defer discarding(&err, files)
	for name, write := range map[string]func(io.Writer) error{"bench.md": r.WriteMarkdown, "bench.json": r.WriteJSON} {
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
