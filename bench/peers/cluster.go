package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/bench/peers/internal/program"
	"analyzer/bench/peers/internal/versus"
)

func clusterCommand() *cli.Command {
	return &cli.Command{
		Name:  "cluster",
		Usage: "time a cluster on this machine beside one process, in turn; status 1 when a byte differs",
		Flags: append(programFlags(),
			&cli.IntFlag{Name: "replicas", Usage: "`N` workers", Value: 2},
			&cli.IntFlag{Name: "pairs", Usage: "timed pairs for each data set", Value: 5},
			&cli.DurationFlag{Name: "limit", Usage: "longest single run", Value: 10 * time.Minute},
		),
		Action: runCluster,
	}
}

func runCluster(c *cli.Context) (err error) {
	p, clean, err := newPrograms(c)
	if err != nil {
		return err
	}
	defer clean()
	up, err := startCluster(c.Context, p, c.Int("replicas"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, up.stop()) }()
	fmt.Fprintf(c.App.Writer, "# A cluster of %d workers beside one process\n\n%s\n\n%s",
		c.Int("replicas"), machine()+"; "+dataSize(p.data)+".", clusterLegend)
	for _, d := range datasets() {
		ours, one := p.submit(d.name, d.timed, up.gateway), p.run(d.name, d.timed, nil)
		m := versus.Match{Workload: d.name, Ours: ours, Peer: one, Agree: sameBytes}
		before, err := up.cpu(c.Context)
		if err != nil {
			return err
		}
		out, err := m.Run(c.Context, c.Int("pairs"), c.Duration("limit"))
		if err != nil {
			return err
		}
		after, err := up.cpu(c.Context)
		if err != nil {
			return err
		}
		if out.Disagreement != "" {
			return fmt.Errorf("%s: %s", d.name, out.Disagreement)
		}
		size, err := bytesOf(filepath.Join(p.data, d.name))
		if err != nil {
			return err
		}
		runs := float64(c.Int("pairs") + 1) // with the one that is not counted
		fmt.Fprintln(c.App.Writer, clusterRow(out, size, after.of(before, runs)))
	}
	return nil
}

const clusterLegend = `Input bytes over the whole time of a client, from start to exit; medians of pairs that were run in turn. CPU seconds
of user and system: of the client and of the one process medians, of the others on average.

| data set | cluster MB/s | one process MB/s | share | client, gateway, workers, broker CPU s | one process CPU s | client MiB |
|---|--:|--:|--:|--:|--:|--:|
`

func clusterRow(o versus.Outcome, size int64, others cpu) string {
	rate := func(runs []program.Usage) float64 {
		return float64(size) / 1e6 / versus.SpreadOf(versus.Walls(runs)).Median.Seconds()
	}
	peak := int64(0)
	for _, u := range o.Ours {
		peak = max(peak, u.PeakRSS)
	}
	return fmt.Sprintf("| %s | %.0f | %.0f | %.2f | %s, %.2f, %.2f, %.2f | %s | %d |", o.Workload, rate(o.Ours), rate(o.Peer),
		versus.SpreadOf(o.Ratios(0)).Median, versus.CPU(o.Ours), others.gateways, others.workers, others.broker, versus.CPU(o.Peer), peak>>20)
}

func sameBytes(ours, one []byte) error {
	if !bytes.Equal(ours, one) {
		return errors.New("the cluster's answers are not the bytes of one process")
	}
	return nil
}

// submit is analyzer answering queries of a data set on a cluster.
func (p programs) submit(dataset string, queries []string, gateway string) program.Command {
	c := p.run(dataset, queries, nil)
	c.Argv[1] = "submit"
	c.Argv = append(c.Argv, "--gateway", gateway)
	return c
}

// bytesOf returns the size of a directory's files.
func bytesOf(dir string) (sum int64, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	return sum, nil
}
