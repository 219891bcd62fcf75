package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/bench"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/session/fault"
)

// benchModelCommand predicts the performance of clusters of other sizes.
func benchModelCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "model", Usage: "predict the throughput of a cluster of other machines", ArgsUsage: "DIR",
		Description: "DIR is what bench --transport rabbitmq --output wrote. The time that a byte read,\n" +
			"a message and a commit took there predicts the throughput of 8, 64 and 512\n" +
			"workers, each on its own machine, and what limits it. A report over several\n" +
			"--replicas gives a better prediction, and a check of it. With --machine-cores the\n" +
			"machines are like those, and the report has both beside each other.",
		Flags: []cli.Flag{settings.ConfigFlag()},
		Action: p.action(func(_ *cli.Context, arguments []string) error {
			r, _, err := bench.Open(p.fs, arguments[0])
			if err != nil || r == nil {
				return fault.BadInput("Next: name a directory that bench --output wrote.", cmp.Or(err, errors.New("ratios alone are no report")))
			}
			m, err := bench.NewModel(r)
			if err != nil {
				return fault.BadInput("", err)
			}
			return m.WriteText(p.stdout)
		}, 1, "DIR"),
	}
}

func benchCompareCommand(p *program) *cli.Command {
	most, counts := 0.1, false
	return &cli.Command{
		Name: "compare", Usage: "compare two reports", ArgsUsage: "OLD NEW",
		Description: "OLD and NEW are what bench --output wrote: directories, their bench.json, or their\n" +
			"ratios.csv, which holds no times and can be kept as a baseline for other machines.\n" +
			"Ratios are always compared, times only between reports of one machine. The exit\n" +
			"status is 1 when a figure is worse by more than it varies from run to run.",
		Flags: []cli.Flag{
			settings.Into(&most, parsePercent, "max-regression", "accept figures that are up to `PERCENT` worse", "10%"),
			settings.Switch(&counts, "counts", "fail for bytes and messages alone, whatever the times"),
			settings.ConfigFlag(),
		},
		Action: p.action(func(_ *cli.Context, arguments []string) error {
			return p.compareReports(arguments[0], arguments[1], most, counts)
		}, 2, "OLD", "NEW"),
	}
}

// compareReports reports what is better and what is worse in the newer of two reports. It fails
// for what is worse by more than a share most; if counts is set, for counts alone.
func (p *program) compareReports(oldName, newName string, most float64, counts bool) error {
	old, now, times, err := bench.OpenBoth(p.fs, oldName, newName)
	if err != nil {
		return fault.BadInput("Next: name directories that bench --output wrote.", err)
	}
	if !times {
		p.notef("Ratios and counts are compared, times are not: they are not of one machine and the same data.")
	}
	compared, err := bench.Compare(old, now)
	if err != nil {
		return fault.BadInput("", err)
	}
	if err := compared.WriteTable(p.stdout, most); err != nil {
		return err
	}
	worse := compared.Regressions(most)
	if counts {
		worse = slices.DeleteFunc(worse, func(c bench.Change) bool { return !c.Counted() })
	}
	if len(worse) > 0 {
		return fault.Failure("Next: run both again, one after the other, before you believe it.",
			fmt.Errorf("%d figures are worse by more than %.0f %% and than they vary", len(worse), 100*most))
	}
	return nil
}

func parsePercent(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || v < 0 || v > 1000 {
		return 0, fmt.Errorf("%q is no part: expected one like 10%%", text)
	}
	return v / 100, nil
}
