package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
)

// healthPatience is shorter than what those who probe containers wait.
const healthPatience = 4 * time.Second

func (p *program) healthCommand() *cli.Command {
	return &cli.Command{
		Name: "health", Usage: "ask a worker or gateway whether it lives", ArgsUsage: "ADDR",
		Description: "Asks the process that serves --http on ADDR, host:port, and exits with 0 if it lives: for images\n" +
			"in which there is nothing else to ask with.",
		Action: func(c *cli.Context) error {
			arguments, err := positional(c, 1, "ADDR")
			if err != nil {
				return err
			}
			return lives(c.Context, arguments[0])
		},
	}
}

func lives(ctx context.Context, address string) error {
	ctx, stop := context.WithTimeout(ctx, healthPatience)
	defer stop()
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return exit.WrongUsage("Next: analyzer health 127.0.0.1:9090", "%q is not host:port: %w", address, err)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // nothing of it is read
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	return nil
}
