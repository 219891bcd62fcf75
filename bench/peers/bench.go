package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/bench"
	"analyzer/bench/peers/internal/answers"
	"analyzer/bench/peers/internal/program"
	"analyzer/bench/peers/internal/versus"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "time analyzer beside its peers, whole processes in turn; status 1 when answers differ",
		Flags: append(programFlags(),
			&cli.StringFlag{Name: "workload", Usage: "`NAMES`, comma-separated", Value: "movies,steam,books,groups,selfjoin,listagg"},
			&cli.StringFlag{Name: "peer", Usage: "`NAMES`, comma-separated", Value: strings.Join(peerNames(), ",")},
			&cli.BoolFlag{Name: "per-query", Usage: "also time every query of a data set in a process of its own"},
			&cli.IntFlag{Name: "pairs", Usage: "timed pairs for each workload", Value: 5},
			&cli.IntFlag{Name: "memory", Usage: "`MIB` that the stress plans may use", Value: 256},
			&cli.DurationFlag{Name: "limit", Usage: "longest single run", Value: 10 * time.Minute},
			&cli.StringFlag{Name: "out", Usage: "`DIR` for peers.md and peers.json", Value: "."},
		),
		Action: runBench,
	}
}

func runBench(c *cli.Context) error {
	p, clean, err := newPrograms(c)
	if err != nil {
		return err
	}
	defer clean()
	if c.Int("pairs") < 1 {
		return errors.New("--pairs must be at least 1")
	}
	selected, err := p.peers(strings.Split(c.String("peer"), ","))
	if err != nil {
		return err
	}
	matches, err := planMatches(p, selected, strings.Split(c.String("workload"), ","), c.Bool("per-query"), c.Int("memory"))
	if err != nil {
		return err
	}
	report, err := timeMatches(c.Context, p, selected, matches, c.Int("pairs"), c.Duration("limit"), c.App.ErrWriter)
	if err != nil {
		return err
	}
	if err := writeReport(report, c.String("out")); err != nil {
		return err
	}
	if err := report.WriteMarkdown(c.App.Writer); err != nil {
		return err
	}
	for _, o := range report.Results {
		if o.Disagreement != "" {
			return fmt.Errorf("%s: the answers differ", o.Workload)
		}
	}
	return nil
}

// planMatches turns the names of workloads into pairs of commands. All peers answer the stress plans, and of the
// questions of the data sets those that they can.
func planMatches(p programs, peers []peer, workloads []string, perQuery bool, memory int) ([]versus.Match, error) {
	var all []versus.Match
	for _, name := range workloads {
		stress := slices.Contains(stressWorkloads(), name)
		d, err := findDataset(name)
		if err != nil && !stress {
			return nil, fmt.Errorf("no workload %q; there are movies, steam, books, %s",
				name, strings.Join(stressWorkloads(), ", "))
		}
		for _, beside := range peers {
			if stress {
				all = append(all, stressMatch(p, beside, name, memory))
				continue
			}
			queries := beside.questions(d)
			if len(queries) == 0 {
				continue
			}
			all = append(all, queryMatch(p, beside, d, name, queries))
			if !perQuery {
				continue
			}
			for _, q := range queries {
				all = append(all, queryMatch(p, beside, d, name+"/"+q, []string{q}))
			}
		}
	}
	return all, nil
}

func queryMatch(p programs, beside peer, d dataset, workload string, queries []string) versus.Match {
	m := versus.Match{Workload: workload, Queries: queries, Beside: beside.name, Peer: beside.ask(d, queries), Agree: agreeOn(queries)}
	if p.analyzer != "" {
		m.Ours = p.run(d.name, queries, nil)
	}
	return m
}

// stressMatch gives analyzer as many bytes as a peer, or fewer: some have no limit.
func stressMatch(p programs, beside peer, workload string, memory int) versus.Match {
	m := versus.Match{
		Workload: fmt.Sprintf("%s at %dMiB", workload, memory), Beside: beside.name,
		Peer: beside.stress(workload, memory), Agree: agreeOn([]string{workload}),
	}
	if p.analyzer != "" {
		m.Ours = p.stress(workload, fmt.Sprintf("%dMiB", memory))
	}
	return m
}

// agreeOn compares the answers to the named queries.
func agreeOn(names []string) func(ours, peer []byte) error {
	return func(ours, peer []byte) error {
		got, err := answers.Parse(ours)
		if err != nil {
			return fmt.Errorf("analyzer: %w", err)
		}
		want, err := answers.Parse(peer)
		if err != nil {
			return fmt.Errorf("the peer: %w", err)
		}
		found := answers.Compare(got, want, names)
		if len(found) == 0 {
			return nil
		}
		return fmt.Errorf("%d differences, the first of them %s", len(found), found[0])
	}
}

func timeMatches(
	ctx context.Context, p programs, peers []peer, matches []versus.Match, pairs int, limit time.Duration, progress io.Writer,
) (versus.Report, error) {
	report := versus.Report{Machine: bench.ThisMachine().String(), Data: dataSize(p.data), Threads: p.threads}
	for _, beside := range peers {
		start, err := timeStart(ctx, beside.idle, pairs)
		if err != nil {
			return report, err
		}
		report.Peers = append(report.Peers, versus.Peer{Name: beside.name, Version: beside.version, Start: start})
	}
	for _, m := range matches {
		_, _ = fmt.Fprintf(progress, "%s beside %s: %d pairs\n", m.Workload, m.Beside, pairs)
		outcome, err := m.Run(ctx, pairs, limit)
		if err != nil {
			return report, fmt.Errorf("timing %s: %w", m.Workload, err)
		}
		report.Results = append(report.Results, outcome)
	}
	return report, nil
}

// timeStart times the peer's host process doing nothing, after one run that is not counted.
func timeStart(ctx context.Context, idle program.Command, runs int) ([]program.Usage, error) {
	var all []program.Usage
	for range runs + 1 {
		_, usage, err := idle.Run(ctx)
		if err != nil {
			return nil, fmt.Errorf("starting the peer: %w", err)
		}
		all = append(all, usage)
	}
	return all[1:], nil
}

func writeReport(report versus.Report, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("making the report's directory: %w", err)
	}
	for name, write := range map[string]func(io.Writer) error{
		"peers.md": report.WriteMarkdown, "peers.json": report.WriteJSON,
	} {
		if err := writeFile(filepath.Join(dir, name), write); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
