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

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/size"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
)

// Names of flags that messages mention.
const (
	flagQuery      = "query"
	flagParam      = "param"
	flagTable      = "table"
	flagFormat     = "format"
	flagOutput     = "output"
	flagRejects    = "rejects"
	flagMemory     = "memory"
	flagReplicas   = "replicas"
	flagIterations = "max-iterations"
	flagKeep       = "keep"
	flagSpillDir   = "spill-dir"
	flagMaxRejects = "max-rejects"
)

// choices holds the values of flags that several commands share.
type choices struct {
	queries                []string
	params, tables, unique map[string]string

	format                             answers.Format
	limit                              int // rows of an answer that a table on a terminal shows, 0 for all
	output, rejects, summary, spillDir string
	memory                             int64  // 0: the default
	replicas                           int    // 0: the default
	iterations                         int    // of a recursive query; 0: the default
	keepDir                            string // directory for the rows of tables
	maxRejects                         rejectLimit
	errors                             string // how errors are written
	follow                             following
	connection
	serving
}

// usualLimit is how many rows of an answer a terminal shows by default, as in DuckDB.
const usualLimit = 40

// usualChoices returns the defaults of the flags.
func usualChoices() choices {
	return choices{limit: usualLimit, maxRejects: notAll(), connection: connection{block: client.DefaultBlock}, serving: usualServing()}
}

// answerFlags are the flags of every command that answers the queries of a data set.
func (c *choices) answerFlags() []cli.Flag {
	return []cli.Flag{
		settings.List(&c.queries, flagQuery, "answer only these `QUERIES`, such as q1,q3", ""),
		c.paramFlag(),
		c.formatFlag(), c.limitFlag(), c.outputFlag(),
		c.rejectsFlag(),
	}
}

func (c *choices) paramFlag() cli.Flag {
	return settings.Pairs(&c.params, flagParam, "set a parameter in all queries that have it: `NAME=VALUE`; in q4 only: q4.NAME=VALUE; can be repeated")
}

func (c *choices) formatFlag() cli.Flag {
	return settings.Into(&c.format, answers.ParseFormat, flagFormat, "write answers as `FORMAT`: table, csv, tsv, json, jsonl, markdown, arrow or parquet",
		"table on a terminal, else csv").Proposing(answers.Formats()...)
}

func (c *choices) outputFlag() cli.Flag {
	return settings.Text(&c.output, flagOutput, "write one file per query into `DIR`", "")
}

func (c *choices) limitFlag() cli.Flag {
	return settings.Into(&c.limit, parseRows, "limit", "on a terminal, show at most `N` rows of a table, 0 for all; files and pipes get all", strconv.Itoa(usualLimit))
}

func (c *choices) rejectsFlag() cli.Flag {
	return settings.Text(&c.rejects, flagRejects, "keep rejected rows in the CSV `FILE`", "")
}

// resourceFlags are the flags of every command that reads tables.
func (p *program) resourceFlags() []cli.Flag {
	return []cli.Flag{
		p.tableFlag(),
		p.memoryFlag("the memory of the whole process", "half of the machine's"),
		settings.Into(&p.replicas, parseReplicas, flagReplicas, "run `N` tasks per stage", "one per core"),
		p.spillFlag("the system's"),
		p.maxRejectsFlag(),
		p.summaryFlag(), p.quietFlag(), settings.ConfigFlag(),
	}
}

func (c *choices) tableFlag() cli.Flag {
	return settings.Pairs(&c.tables, flagTable, "read a table from a file: `NAME=FILE`; - is the standard input")
}

func (c *choices) uniqueFlag() cli.Flag {
	return settings.Pairs(&c.unique, "unique", "reject rows that repeat a key of a table: `TABLE=COLUMN`, or TABLE=COLUMN,COLUMN")
}

func (c *choices) memoryFlag(of, usual string) cli.Flag {
	return settings.Into(&c.memory, parseMemory, flagMemory, "keep "+of+" near `SIZE`, such as 256MiB", usual)
}

func (c *choices) spillFlag(usual string) cli.Flag {
	return settings.Text(&c.spillDir, flagSpillDir, "put what does not fit into memory below `DIR`", usual)
}

func (c *choices) maxRejectsFlag() cli.Flag {
	return settings.Into(&c.maxRejects, parseMaxRejects, flagMaxRejects, "stop when more than `N` rows of a table were rejected, or N% of them", "all but one")
}

// findDataset returns the data set of that name, with its parameters set.
func findDataset(given string, params datasets.Settings) (*datasets.Dataset, error) {
	d, err := catalog.Find(given, params)
	if err != nil && !slices.Contains(catalog.Names(), given) {
		err = fault.WrongUsage(fault.Hint(given, catalog.Names(), "Did you mean %s?", "Next: use one of these names."), "%w", err)
	}
	return d, wrongDirectory(err, paramHint)
}

// findSource returns the source that an argument names: a built-in data set or one in a
// directory, with its parameters set.
func (p *program) findSource(ctx context.Context, given string, params datasets.Settings) (*datasets.Source, error) {
	if !slices.Contains(catalog.Names(), given) {
		if directory.Is(p.fs, given) {
			src, err := directory.Load(p.work(ctx), p.fs, given, params)
			return src, wrongDirectory(err, "")
		}
		if _, err := p.fs.Size(given); err == nil {
			return nil, fault.WrongUsage(
				fmt.Sprintf("Next: analyzer sql \"SELECT * FROM '%s' LIMIT 10\", or analyzer init ./mine %s", given, given),
				"%s is a file; a data set is a directory, or one of %s", given, strings.Join(catalog.Names(), ", "),
			)
		}
	}
	d, err := findDataset(given, params)
	if err != nil {
		return nil, err
	}
	return &d.Source, nil
}

// wrongDirectory adds a hint to an error about the files of a data set.
func wrongDirectory(err error, hint string) error {
	if wrong, ok := errors.AsType[*directory.Mistake](err); ok {
		return fault.WrongUsage(cmp.Or(wrong.Hint, hint), "%w", wrong)
	}
	return err
}

// selectionOf returns the queries of a data set that the flags choose; all if they choose
// none.
func (p *program) selectionOf(ctx context.Context, dataset string) (datasets.Selection, error) {
	src, err := p.findSource(ctx, dataset, p.params)
	if err == nil && len(p.unique) > 0 {
		src, err = withKeys(src, p.unique)
	}
	if err != nil {
		return datasets.Selection{}, err
	}
	return p.selectQueries(src)
}

// withKeys gives tables the keys that --unique names.
func withKeys(src *datasets.Source, keys map[string]string) (*datasets.Source, error) {
	keyed := *src
	keyed.Tables = slices.Clone(src.Tables)
	for name, columns := range keys {
		t, err := src.Table(name)
		if err != nil {
			hint := fault.Hint(name, src.TableNames(), "Did you mean --unique %s=COLUMN?", "Next: use one of these names.")
			return nil, fault.WrongUsage(hint, "--unique %s=%s: %w", name, columns, err)
		}
		at := slices.Index(src.Tables, t)
		if keyed.Tables[at], err = t.WithKey(strings.Split(columns, ",")); err != nil {
			var names []string
			for _, c := range t.Columns {
				if !c.Place() {
					names = append(names, c.Name)
				}
			}
			return nil, fault.WrongUsage("There are "+strings.Join(names, ", ")+".", "--unique %s=%s: %w", name, columns, err)
		}
	}
	return &keyed, nil
}

const paramHint = "Next: correct --param NAME=VALUE."

// selectQueries returns the chosen queries of a source, with the parameters that the flags
// set. It checks both.
func (p *program) selectQueries(src *datasets.Source) (sel datasets.Selection, err error) {
	sel.Source, sel.Params = src, p.params
	if sel.Queries, err = src.Select(p.queries...); err != nil {
		if _, ok := errors.AsType[*directory.Mistake](err); ok {
			return sel, wrongDirectory(err, paramHint)
		}
		return sel, fault.WrongUsage("Next: use these names, several as q1,q3.", "%w", err)
	}
	if err := sel.Params.Check(sel.Queries); err != nil {
		return sel, fault.WrongUsage(paramHint, "%w", err)
	}
	return sel, nil
}

// work returns the work that planning a request may be.
func (p *program) work(ctx context.Context) *budget.Work { return budget.NewWork(ctx, p.memory) }

func parseMemory(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && n < 1<<20 {
		err = fmt.Errorf("%s is too little memory to run in: give at least 1MiB, better 64MiB", text)
	}
	return n, err
}

// Parsers of numbers that several commands use.
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

// limitMemory has the collector keep to --memory before there is a run, while files are looked at, until restore.
func (p *program) limitMemory() (restore func()) {
	if p.memory <= 0 {
		return func() {}
	}
	_, restore = engine.LimitMemory(p.memory)
	return restore
}

// trySpillDir creates a directory below --spill-dir, as a run that spills does, to find out
// early if that fails: before the first statement of a session. It also removes what killed runs have left there.
func (p runner) trySpillDir() error {
	if p.spillTried {
		return nil
	}
	dir, err := p.own.MkdirTemp(p.spillDir, segment.ScratchPattern)
	if err == nil {
		err = p.own.RemoveAll(dir)
	}
	p.spillTried = err == nil
	if err != nil && !p.settings.Has(flagSpillDir) {
		return fault.Failure("Next: name another directory with --spill-dir.", fmt.Errorf("make room for what does not fit into memory: %w", err))
	}
	return p.settings.Blame(flagSpillDir, err)
}
