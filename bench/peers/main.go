package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := &cli.App{
		Name:  "peers",
		Usage: "set analyzer beside other programs: same answers, time, memory",
		// A value of --analyzer-flag may contain commas.
		DisableSliceFlagSeparator: true,
		Commands:                  []*cli.Command{compareCommand(), benchCommand(), scoreboardCommand(), reportCommand()},
	}
	if err := app.RunContext(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		stop()
		os.Exit(1)
	}
}

// programFlags returns the flags that both commands have; each call makes new ones.
func programFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "analyzer", Usage: "the analyzer `BINARY`; without it, the others run alone"},
		&cli.StringFlag{Name: "data", Usage: "`DIR` that holds movies, steam and books", Required: true},
		&cli.StringFlag{Name: "peer-dir", Usage: "`DIR` of duckdb.mjs and its node_modules", Value: "."},
		&cli.StringFlag{Name: "scratch", Usage: "`DIR` to spill to; default is the system's"},
		&cli.IntFlag{Name: "threads", Usage: "threads for each program", Value: 2},
	}
}

// newPrograms makes a scratch directory. The caller removes it with the function that is returned.
func newPrograms(c *cli.Context) (programs, func(), error) {
	scratch, err := os.MkdirTemp(c.String("scratch"), "peers-*")
	if err != nil {
		return programs{}, nil, fmt.Errorf("making a scratch directory: %w", err)
	}
	p := programs{
		analyzer: c.String("analyzer"),
		peerDir:  c.String("peer-dir"),
		data:     c.String("data"),
		scratch:  scratch,
		threads:  c.Int("threads"),
	}
	return p, func() { _ = os.RemoveAll(scratch) }, nil
}
