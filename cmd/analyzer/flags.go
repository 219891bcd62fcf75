package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/args"
	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/inputs"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/cmd/analyzer/internal/size"
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
	"analyzer/operators/planner"
)

// Names of flags that several commands have.
const (
	flagQuery      = "query"
	flagParam      = "param"
	flagTable      = "table"
	flagUnique     = "unique"
	flagMemory     = "memory"
	flagReplicas   = "replicas"
	flagSpillDir   = "spill-dir"
	flagMaxRejects = "max-rejects"
	flagFormat     = "format"
	flagLimit      = "limit"
	flagQuiet      = "quiet"
)

func paramFlag() cli.Flag {
	return &settings.PairsFlag{StringSliceFlag: cli.StringSliceFlag{
		Name: flagParam, Usage: "set a parameter by `NAME=VALUE` in all queries that have it, by q4.NAME=VALUE in q4 alone; repeat it for several",
	}}
}

// answerFlags are those of every command that answers the queries of a data set.
func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: flagQuery, Usage: "answer these `QUERIES` alone, such as q1,q3"},
		paramFlag(),
		formatFlag(), limitFlag(), outputFlag(),
		rejectsFlag(),
	}
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: flagFormat, Usage: "write answers as `FORMAT`: table, csv, json, jsonl, arrow or parquet", DefaultText: "table on a terminal, else csv"}
}

func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: flagOutput, Usage: "write one file per query into `DIR`"}
}

func limitFlag() cli.Flag {
	return &cli.StringFlag{Name: flagLimit, Usage: "show at most `N` rows of a table on a terminal, 0 for all; files and pipes get all", DefaultText: strconv.Itoa(usualLimit)}
}

// usualLimit is how many rows of an answer a terminal shows, as in DuckDB.
const usualLimit = 40

func rejectsFlag() cli.Flag {
	return &cli.StringFlag{Name: flagRejects, Usage: "keep rejected rows in the CSV `FILE`"}
}

// resourceFlags are those of every command that reads tables.
func resourceFlags() []cli.Flag {
	return []cli.Flag{
		tableFlag(),
		&cli.StringFlag{Name: flagMemory, Usage: "keep the memory of the whole process near `SIZE`, such as 256MiB", DefaultText: "half of the machine's"},
		&cli.StringFlag{Name: flagReplicas, Usage: "run `N` tasks per stage", DefaultText: "one per core"},
		&cli.StringFlag{Name: flagSpillDir, Usage: "put what does not fit into memory below `DIR`", DefaultText: "the system's"},
		maxRejectsFlag(),
		summaryFlag(), quietFlag(), configFlag(),
	}
}

func tableFlag() cli.Flag {
	return &settings.PairsFlag{StringSliceFlag: cli.StringSliceFlag{
		Name: flagTable, Usage: "read a table from a file by `NAME=FILE`; the file - is the standard input",
	}}
}

func uniqueFlag() cli.Flag {
	return &settings.PairsFlag{StringSliceFlag: cli.StringSliceFlag{
		Name: flagUnique, Usage: "reject rows of a table that repeat a key, by `TABLE=COLUMN`, or TABLE=COLUMN,COLUMN",
	}}
}

func maxRejectsFlag() cli.Flag {
	return &cli.StringFlag{Name: flagMaxRejects, Usage: "stop when more than `N` rows of a table were rejected, or N% of them", DefaultText: "all but one"}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: flagQuiet, Usage: "say nothing but what is wrong: no progress, no summary, no advice"}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: settings.Config, Usage: "read flags from a YAML `FILE`"}
}

// begin reads a command line: the arguments that are no flags, at least and at
// most so many of them, and the flags.
func (p *program) begin(c *cli.Context, least int, names ...string) ([]string, *settings.Settings, error) {
	arguments, err := positional(c, least, names...)
	if err != nil {
		return nil, nil, err
	}
	s, err := settings.Load(c, c.App.Commands)
	if err != nil {
		return nil, nil, err
	}
	if p.quiet, err = settings.Parse(s, flagQuiet, false, strconv.ParseBool); err != nil {
		return nil, nil, err
	}
	if p.quiet {
		p.progress = nil
	}
	if p.limit, err = settings.Parse(s, flagLimit, usualLimit, parseRows); err != nil {
		return nil, nil, err
	}
	return arguments, s, nil
}

// findDataset returns the data set of that name, whose parameters are set.
func findDataset(given string, params datasets.Settings) (*datasets.Dataset, error) {
	d, err := catalog.Find(given, params)
	if err != nil && !slices.Contains(catalog.Names(), given) {
		err = exit.WrongUsage(args.Hint(given, catalog.Names(), "Did you mean %s?", "Next: use one of these names."), "%w", err)
	}
	return d, wrongDirectory(err, paramHint)
}

// findSource returns what an argument says is to be asked: the data set of that name,
// or the one in a directory, whose parameters are set.
func (p *program) findSource(given string, params datasets.Settings) (*datasets.Source, error) {
	if !slices.Contains(catalog.Names(), given) && directory.Is(p.fs, given) {
		src, err := directory.Load(p.fs, given, params)
		return src, wrongDirectory(err, "")
	}
	d, err := findDataset(given, params)
	if err != nil {
		return nil, err
	}
	return &d.Source, nil
}

// wrongDirectory says what to do about a mistake in the files of a data set.
func wrongDirectory(err error, hint string) error {
	if wrong, ok := errors.AsType[*directory.Mistake](err); ok {
		return exit.WrongUsage(cmp.Or(wrong.Hint, hint), "%w", wrong)
	}
	return err
}

// sourceOf is findSource with the parameters of the command line.
func (p *program) sourceOf(given string, s *settings.Settings) (*datasets.Source, error) {
	params, err := s.Pairs(flagParam)
	if err != nil {
		return nil, err
	}
	src, err := p.findSource(given, params)
	if err != nil {
		return nil, err
	}
	return withKeys(src, s)
}

// withKeys gives tables the keys that --unique names.
func withKeys(src *datasets.Source, s *settings.Settings) (*datasets.Source, error) {
	keys, err := s.Pairs(flagUnique)
	if err != nil || len(keys) == 0 {
		return src, err
	}
	keyed := *src
	keyed.Tables = slices.Clone(src.Tables)
	for name, columns := range keys {
		t, err := src.Table(name)
		if err != nil {
			hint := args.Hint(name, src.TableNames(), "Did you mean --unique %s=COLUMN?", "Next: use one of these names.")
			return nil, exit.WrongUsage(hint, "--unique %s=%s: %w", name, columns, err)
		}
		at := slices.Index(src.Tables, t)
		if keyed.Tables[at], err = t.WithKey(strings.Split(columns, ",")); err != nil {
			var names []string
			for _, c := range t.Columns {
				if c.Format != columnar.FormatPosition {
					names = append(names, c.Name)
				}
			}
			return nil, exit.WrongUsage("There are "+strings.Join(names, ", ")+".", "--unique %s=%s: %w", name, columns, err)
		}
	}
	return &keyed, nil
}

const paramHint = "Next: correct --param NAME=VALUE."

// selectQueries returns the named queries of a source, all for no names, with the
// parameters that the flags set, both checked.
func selectQueries(src *datasets.Source, names []string, s *settings.Settings) (sel datasets.Selection, err error) {
	sel.Source = src
	if sel.Queries, err = src.Select(names...); err != nil {
		if _, ok := errors.AsType[*directory.Mistake](err); ok {
			return sel, wrongDirectory(err, paramHint)
		}
		return sel, exit.WrongUsage("Next: use these names, several as q1,q3.", "%w", err)
	}
	if sel.Params, err = s.Pairs(flagParam); err != nil {
		return sel, err
	}
	if err := sel.Params.Check(sel.Queries); err != nil {
		return sel, exit.WrongUsage(paramHint, "%w", err)
	}
	return sel, nil
}

// readTables prepares to answer queries over the tables in a directory, or over
// the samples. The caller closes the Inputs after the run.
func (p *program) readTables(
	ctx context.Context, sel datasets.Selection, dir string, s *settings.Settings,
) (o engine.Options, in *inputs.Inputs, err error) {
	if o, err = p.resources(sel, s); err != nil {
		return o, nil, err
	}
	tables, err := s.Pairs(flagTable)
	if err != nil {
		return o, nil, err
	}
	if o.Plan, err = physicalPlan(sel); err != nil {
		return o, nil, err
	}
	in, err = inputs.Find(sel.Source, engine.Readings(o), inputs.Options{Dir: cmp.Or(dir, sel.Source.Dir), Tables: tables, FS: p.fs, Stdin: p.stdin, Spool: o.SpillDir})
	if err != nil {
		return o, nil, err
	}
	if err := p.trySpillDir(s); err != nil {
		return o, nil, err
	}
	o.Open = func(table string) (vfs.File, error) { return in.Open(ctx, table) }
	return o, in, nil
}

// resources are the options of a run without its plan and its files.
func (p *program) resources(sel datasets.Selection, s *settings.Settings) (o engine.Options, err error) {
	o = engine.Options{Tables: sel.Source.TableMap(), FS: p.fs, SpillDir: s.Text(flagSpillDir)}
	rejects := notAll()
	if err := s.Read(
		settings.Into(&o.Memory, flagMemory, parseMemory),
		settings.Into(&o.Replicas, flagReplicas, parseReplicas),
		settings.Into(&rejects, flagMaxRejects, parseMaxRejects),
	); err != nil {
		return o, err
	}
	o.MaxRejects, o.MaxRejectShare = rejects.rows, rejects.share
	return o, nil
}

// physicalPlan plans the queries. That the built-in ones cannot be planned has
// one reason: a parameter out of its range.
func physicalPlan(sel datasets.Selection) (*planner.Plan, error) {
	physical, err := planner.New(sel.Queries, sel.Source.TableMap())
	if err != nil {
		return nil, exit.WrongUsage(paramHint, "%w", err)
	}
	return physical, nil
}

func parseMemory(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && n < 1<<20 {
		err = fmt.Errorf("%s is too little memory to run in: give at least 1MiB, better 64MiB", text)
	}
	return n, err
}

// Parsers of numbers that several commands take.
var (
	parseReplicas = settings.Number("replicas", 1, 1024)
	parseWorkers  = settings.Number("workers", 1, protocol.MaxReplicas)
	parseRows     = settings.Number("rows", 0, math.MaxInt32)
	parseGateways = settings.Number("gateways", 1, 64)
)

// rejectLimit is how many rows of a table may be rejected.
type rejectLimit struct {
	rows  int64   // negative: any number
	share float64 // of all rows
}

func notAll() rejectLimit { return rejectLimit{-1, scan.AllButOne} }

func parseMaxRejects(text string) (rejectLimit, error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		share, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err != nil || !(share >= 0) || share > 100 {
			return rejectLimit{}, fmt.Errorf("%q is not a share of rows: expected 0%% to 100%%", text)
		}
		if share == 0 {
			return rejectLimit{0, 1}, nil
		}
		return rejectLimit{-1, share / 100}, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return rejectLimit{}, fmt.Errorf("%q is not a number of rows: expected 0 or more, or a share such as 5%%", text)
	}
	return rejectLimit{n, 1}, nil
}

// trySpillDir makes a directory below --spill-dir as a run does that spills, to
// find out before it begins that this cannot be; what killed runs have left there
// is removed.
func (p *program) trySpillDir(s *settings.Settings) error {
	dir, err := p.fs.MkdirTemp(s.Text(flagSpillDir), segment.ScratchPattern)
	if err == nil {
		err = p.fs.RemoveAll(dir)
	}
	return s.Blame(flagSpillDir, err)
}
