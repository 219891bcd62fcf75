package main

import (
	"bytes"
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
	r, err := timeMatches(c.Context, p, selected, matches, c.Int("pairs"), c.Duration("limit"), c.App.ErrWriter)
	if err != nil {
		return err
	}
	if err := writeReport(r, c.String("out")); err != nil {
		return err
	}
	if err := r.writeMarkdown(c.App.Writer); err != nil {
		return err
	}
	for _, o := range r.Results {
		if o.Disagreement != "" {
			return fmt.Errorf("%s: the answers differ", o.Workload)
		}
	}
	return nil
}

// planMatches turns the names of workloads into pairs of commands. Every peer answers the stress plans, and those queries
// of the data sets that it can.
func planMatches(p programs, peers []peer, workloads []string, perQuery bool, memory int) ([]match, error) {
	var all []match
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

func queryMatch(p programs, beside peer, d dataset, workload string, queries []string) match {
	m := match{workload: workload, queries: queries, beside: beside.Name, peer: beside.ask(d, queries), agree: agreeOn(queries)}
	if p.analyzer != "" {
		m.ours = p.run(d.name, queries, nil)
	}
	return m
}

// stressMatch gives analyzer at most as much memory as a peer, some of which have no limit.
func stressMatch(p programs, beside peer, workload string, memory int) match {
	m := match{
		workload: fmt.Sprintf("%s at %dMiB", workload, memory), beside: beside.Name,
		peer: beside.stress(workload, memory), agree: agreeOn([]string{workload}),
	}
	if p.analyzer != "" {
		m.ours = p.stress(workload, fmt.Sprintf("%dMiB", memory))
	}
	return m
}

// agreeOn returns a function that compares the answers to the named queries.
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
	ctx context.Context, p programs, peers []peer, matches []match, pairs int, limit time.Duration, progress io.Writer,
) (report, error) {
	r := report{Machine: bench.ThisMachine().String(), Data: dataSize(p.data), Threads: p.threads, Peers: peers}
	for i := range peers {
		if err := peers[i].timeStart(ctx, pairs, limit); err != nil {
			return r, err
		}
	}
	for _, m := range matches {
		_, _ = fmt.Fprintf(progress, "%s beside %s: %d pairs\n", m.workload, m.beside, pairs)
		o, err := m.run(ctx, pairs, limit)
		if err != nil {
			return r, fmt.Errorf("timing %s: %w", m.workload, err)
		}
		r.Results = append(r.Results, o)
	}
	return r, nil
}

// timeStart times the start and exit of the peer's idle host process, after one run that is not counted.
func (b *peer) timeStart(ctx context.Context, runs int, limit time.Duration) error {
	for range runs + 1 {
		if err := b.Start.add(ctx, b.idle, limit); err != nil {
			return fmt.Errorf("starting the peer: %w", err)
		}
	}
	b.Start = b.Start[1:]
	return nil
}

func writeReport(r report, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("making the report's directory: %w", err)
	}
	for name, write := range map[string]func(io.Writer) error{"peers.md": r.writeMarkdown, "peers.json": r.writeJSON} {
		var b bytes.Buffer
		err := write(&b)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666)
		}
		if err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}
