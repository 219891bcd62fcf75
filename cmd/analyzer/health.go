package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/compose/cluster/monitor"
	"analyzer/compose/session/fault"
)

// healthPatience is shorter than what those who probe containers wait.
const healthPatience = 4 * time.Second

func healthCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "health", Usage: "check that a worker or gateway is alive", ArgsUsage: "ADDR",
		Description: "Asks the process that serves --http on ADDR, host:port, and exits with status 0 if it is alive.\n" +
			"It is for container images in which there is no other HTTP client.",
		Action: p.action(func(c *cli.Context, arguments []string) error { return lives(c.Context, arguments[0]) }, 1, "ADDR"),
	}
}

func lives(ctx context.Context, address string) error {
	ctx, stop := context.WithTimeout(ctx, healthPatience)
	defer stop()
	err := monitor.Get(ctx, "http://"+address+"/healthz", func(io.Reader) error { return nil })
	if wrong := new(url.Error); errors.As(err, &wrong) && wrong.Op == "parse" {
		return fault.WrongUsage("Next: analyzer health 127.0.0.1:9090", "%q is not host:port: %w", address, err)
	}
	if err != nil {
		return fault.Failure("Next: look whether the process runs, and serves --http on this address; its log says why it ended.", err)
	}
	return nil
}
