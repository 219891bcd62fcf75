package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/bench"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "write what was measured between the markers of a page",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "peers", Usage: "`FILE` that peers bench wrote, peers.json"},
			&cli.StringFlag{Name: "cluster", Usage: "`FILE` that analyzer bench wrote, bench.json"},
			&cli.StringFlag{Name: "queries", Usage: "`FILE` that analyzer bench wrote, of single queries through a cluster at two scales"},
			&cli.StringFlag{Name: "follow", Usage: "`FILE` that analyzer bench wrote, of runs that answer while tables are read"},
			&cli.StringFlag{Name: "suites", Usage: "`FILE` that suites.mjs wrote"},
			&cli.StringFlag{Name: "scoreboard", Usage: "`FILE` that peers scoreboard wrote"},
			&cli.StringSliceFlag{Name: "page", Usage: "`FILE` with markers; repeatable", Required: true},
		},
		Action: func(c *cli.Context) error {
			return rewritePages(c.StringSlice("page"), func(flag string) string { return c.String(flag) })
		},
	}
}

// shown lists the tables of pages, and the flags that name the files they are made from.
var shown = []struct {
	table, flag string
	of          func(text []byte) (string, error)
}{
	{"questions", "peers", shownBy(questionsTable)},
	{"plans", "peers", shownBy(plansTable)},
	{"cluster", "cluster", shownByBench(clusterTable)},
	{"queries", "queries", shownByBench(queriesTable)},
	{"follow", "follow", shownByBench(followTable)},
	{"suites", "suites", shownBy(suitesTable)},
	{"dialects", "suites", shownBy(singlesTable("dialects"))},
	{"everyday", "suites", shownBy(singlesTable("everyday"))},
	{"parquet", "suites", shownBy(singlesTable("parquet"))},
	{"reviews", "suites", shownBy(singlesTable("reviews"))},
	{"scoreboard", "scoreboard", shownBy(scoreTable)},
}

// shownBy returns a function that makes a table from a JSON file of this command.
func shownBy[T any](show func(T) string) func([]byte) (string, error) {
	return func(text []byte) (string, error) {
		var read T
		if err := json.Unmarshal(text, &read); err != nil {
			return "", err
		}
		return show(read), nil
	}
}

// shownByBench returns a function that makes a table from a report of analyzer bench.
func shownByBench(show func(*bench.Report) string) func([]byte) (string, error) {
	return func(text []byte) (string, error) {
		r, err := bench.ReadReport(bytes.NewReader(text))
		if err != nil {
			return "", err
		}
		return show(r), nil
	}
}

// rewritePages replaces the tables between the markers of pages by tables made from the files that the flags name.
// Tables whose file is missing stay as they are.
func rewritePages(pages []string, file func(flag string) string) error {
	tables := make(map[string]string)
	for _, t := range shown {
		text, err := os.ReadFile(file(t.flag))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		made, err := t.of(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file(t.flag), err)
		}
		if made != "" {
			tables[t.table] = made
		}
	}
	if len(tables) == 0 {
		return errors.New("nothing was measured yet: none of the files is there")
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		out := string(text)
		for name, table := range tables {
			if with, ok := between(out, name, table); ok {
				out = with
				delete(tables, name)
			}
		}
		if err := os.WriteFile(page, []byte(out), 0o644); err != nil {
			return err
		}
	}
	for name := range tables {
		return fmt.Errorf("none of %q has a place for the table %q", pages, name)
	}
	return nil
}

// between puts a table between the markers of a name, and reports whether there are any.
func between(text, name, table string) (string, bool) {
	begin, end := "<!-- measured: "+name+" -->\n", "<!-- /measured -->"
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	return before + begin + table + end + after, ok && ok2
}

// questionsTable shows the data sets beside all peers that can answer some of their queries.
func questionsTable(r report) string {
	inputs := make(map[string]string)
	for part := range strings.SplitSeq(r.Data, ", ") {
		name, size, _ := strings.Cut(part, " ")
		inputs[name] = size
	}
	var b strings.Builder
	for _, d := range datasets() {
		for _, o := range r.Results {
			if o.Workload == d.name {
				fmt.Fprintf(&b, "| %s %s | %s | %s | %s |\n", d.name, strings.Join(o.Queries, ", "), inputs[d.name], o.Beside, figures(r, o))
			}
		}
	}
	return table("questions | input | beside | analyzer | peer | times faster | CPU seconds | peak MiB", b.String())
}

// plansTable shows the plans whose state exceeds memory beside all peers.
func plansTable(r report) string {
	var b strings.Builder
	for _, o := range r.Results {
		if plan, _, ok := strings.Cut(o.Workload, " at "); ok {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", plan, o.Beside, figures(r, o))
		}
	}
	return table("plan | beside | analyzer | peer | times faster | CPU seconds | peak MiB", b.String())
}

func table(heads, rows string) string {
	if rows == "" {
		return ""
	}
	return fmt.Sprintf("| %s |\n%s|\n%s", heads, strings.Repeat("|---", strings.Count(heads, "|")+1), rows)
}

// figures returns the last columns of both tables.
func figures(r report, o outcome) string {
	ours, peer, faster := secondsText(o.Ours), secondsText(o.Peer), nothing
	cpu, peak := medianCell(o.Ours.cpus()), fmt.Sprint(o.Ours.peak()>>20)
	if ratios := r.ratios(o); len(ratios) > 0 {
		_, median, _ := spreadOf(ratios)
		faster = fmt.Sprintf("%.1f", median)
		cpu += " to " + medianCell(o.Peer.cpus())
		peak += fmt.Sprintf(" to %d", o.Peer.peak()>>20)
	} else {
		peer = "gave up"
		if strings.Contains(strings.ToLower(o.PeerFailure), "memory") {
			peer = "out of memory"
		}
	}
	return strings.Join([]string{ours, peer, faster, cpu, peak}, " | ")
}

func secondsText(t timed) string {
	if len(t) == 0 {
		return nothing
	}
	return medianCell(t.walls()) + " s"
}

// suitesReport is what suites.mjs writes: for each question, the medians of both programs' runs.
type suitesReport struct {
	Results []suiteResult `json:"results"`
}

type suiteResult struct {
	Suite  string     `json:"suite"`
	Stored string     `json:"stored"` // in which form the tables are; "": csv
	Query  string     `json:"query"`
	Why    string     `json:"why"` // why the answers are not equal; "": they are
	Ours   suiteUsage `json:"ours"`
	Theirs suiteUsage `json:"theirs"`
}

// name returns the name of the question, and of the form of Parquet if it is not the usual one.
func (r suiteResult) name() string {
	if form, ok := strings.CutPrefix(r.Stored, "parquet-"); ok {
		return r.Query + ", " + form
	}
	return r.Query
}

type suiteUsage struct {
	CPU    float64 `json:"cpu"`
	Wall   float64 `json:"wall"`
	MiB    float64 `json:"mib"`
	Failed string  `json:"failed"`
}

// suitesTable shows each suite beside DuckDB: sums over its questions, and the questions that gain least and most.
func suitesTable(r suitesReport) string {
	var b strings.Builder
	for _, s := range []struct{ name, title string }{
		{"tpch", "TPC-H"}, {"h2o", "H2O's db-benchmark"}, {"clickbench", "ClickBench"},
	} {
		var ours, theirs suiteUsage
		var factors []float64
		named := make(map[float64]string)
		for _, q := range r.Results {
			if q.Suite != s.name || q.Why != "" || q.Theirs.Failed != "" || cmp.Or(q.Stored, "csv") != "csv" {
				continue
			}
			ours, theirs = ours.and(q.Ours), theirs.and(q.Theirs)
			factor := q.Theirs.Wall / q.Ours.Wall
			factors, named[factor] = append(factors, factor), q.Query
		}
		if len(factors) > 0 {
			least, most := slices.Min(factors), slices.Max(factors)
			fmt.Fprintf(&b, "| %s | %d | %.1f s | %.1f s | %.1f | %.1f (%s) to %.1f (%s) | %.1f to %.1f | %.0f to %.0f |\n", s.title, len(factors), ours.Wall, theirs.Wall,
				theirs.Wall/ours.Wall, least, named[least], most, named[most], ours.CPU, theirs.CPU, ours.MiB, theirs.MiB)
		}
	}
	return table("suite | questions | analyzer | DuckDB | times faster | of single questions | CPU seconds | peak MiB of one", b.String())
}

// singlesTable returns a function that shows each question of a suite beside DuckDB.
func singlesTable(suite string) func(suitesReport) string {
	return func(r suitesReport) string {
		var b strings.Builder
		for _, q := range r.Results {
			if q.Suite != suite || q.Why != "" {
				continue
			}
			theirs, faster := fmt.Sprintf("%.2f s", q.Theirs.Wall), fmt.Sprintf("%.1f", q.Theirs.Wall/q.Ours.Wall)
			if q.Theirs.Failed != "" {
				theirs, faster = "fails", nothing
			}
			fmt.Fprintf(&b, "| %s | %.2f s | %s | %s | %.2f to %.2f | %.0f to %.0f |\n", q.name(), q.Ours.Wall, theirs, faster, q.Ours.CPU, q.Theirs.CPU, q.Ours.MiB, q.Theirs.MiB)
		}
		return table("question | analyzer | DuckDB | times faster | CPU seconds | peak MiB", b.String())
	}
}

// and adds the usage of another question. Of the memory it takes the maximum.
func (u suiteUsage) and(other suiteUsage) suiteUsage {
	return suiteUsage{CPU: u.CPU + other.CPU, Wall: u.Wall + other.Wall, MiB: max(u.MiB, other.MiB)}
}

// clusterTable shows a cluster beside one process.
func clusterTable(r *bench.Report) string {
	var b strings.Builder
	for _, w := range r.Workloads {
		medians := make(map[bench.Transport]bench.Run)
		for _, c := range w.Cells {
			medians[c.Transport] = c.MedianRun()
		}
		many, ok := medians[bench.RabbitMQ]
		one, ok2 := medians[bench.InMemory]
		if !ok || !ok2 {
			continue
		}
		cpu := many.ByKind()
		fmt.Fprintf(&b, "| %s | %.0f MB/s | %.0f MB/s | %.2f | %.2f, %.2f, %.2f, %.2f | %.2f |\n", w.Name, many.BytesPerSecond()/1e6, one.BytesPerSecond()/1e6,
			one.Wall/many.Wall, cpu["client"], cpu["gateway"], cpu["worker"], cpu["broker"], one.CPU)
	}
	return table("questions | cluster | one process | share | CPU seconds: client, gateway, workers, broker | one process", b.String())
}

// queriesTable shows what each query makes a cluster hold and send, and by what factor that grows from the smallest
// scale to the largest.
func queriesTable(r *bench.Report) string {
	var b strings.Builder
	for _, w := range r.Workloads {
		cells := slices.Clone(w.Cells)
		slices.SortFunc(cells, func(x, y bench.Cell) int { return cmp.Compare(x.Scale, y.Scale) })
		if len(cells) < 2 {
			continue
		}
		small, large := cells[0].Runs[0], cells[len(cells)-1].Runs[0]
		grows := "no"
		if factor := float64(large.MessageBytes) / float64(max(small.MessageBytes, 1)); factor >= 2 {
			grows = fmt.Sprintf("× %.1f for × %.0f", factor, float64(large.Bytes)/float64(small.Bytes))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f | %d | %s |\n", w.Name, large.Rows, large.Received, float64(large.MessageBytes)/(1<<20), large.Messages, grows)
	}
	return table("query | rows read | rows of state | MiB of state | messages | grows with the data", b.String())
}

// followTable shows how much of the throughput is left with early answers and with open pages, and how long blocks wait
// for the first answers that include them. It uses the fastest runs, since disturbances only make runs slower.
func followTable(r *bench.Report) string {
	var b strings.Builder
	for _, w := range r.Workloads {
		for _, c := range w.Cells {
			if c.Transport != bench.RabbitMQ || c.Follow == bench.AtEnd || c.Pages > 0 {
				continue
			}
			pages := nothing
			for _, seen := range w.Cells {
				if seen.Transport == c.Transport && seen.Follow == c.Follow && seen.Pages > 0 {
					pages = fmt.Sprintf("%s with %d", kept(&seen, &c), seen.Pages)
				}
			}
			best := c.FastestRun()
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %.1f s, %.1f s | %s |\n", w.Name, c.Follow,
				kept(unseen(w.Cells, bench.InMemory, c.Follow), unseen(w.Cells, bench.InMemory, bench.AtEnd)), kept(&c, unseen(w.Cells, c.Transport, bench.AtEnd)),
				best.Cuts, best.Delay.Median, best.Delay.Worst, pages)
		}
	}
	return table("questions | answers by | one process keeps | a cluster keeps | parts answered for | a block waits: median, worst | open pages keep", b.String())
}

// unseen returns the cell without pages, nil if there is none.
func unseen(cells []bench.Cell, transport bench.Transport, follow bench.Following) *bench.Cell {
	i := slices.IndexFunc(cells, func(c bench.Cell) bool { return c.Transport == transport && c.Follow == follow && c.Pages == 0 })
	if i < 0 {
		return nil
	}
	return &cells[i]
}

// kept returns the throughput of cell c as a share of that of another.
func kept(c, of *bench.Cell) string {
	if c == nil || of == nil {
		return nothing
	}
	return fmt.Sprintf("%.2f", of.Wall().Fastest/c.Wall().Fastest)
}
