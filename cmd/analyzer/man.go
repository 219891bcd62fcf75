package main

import (
	_ "embed"

	"github.com/urfave/cli/v2"
)

//go:embed analyzer.1
var manualPage string

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Description: "analyzer man | man -l -",
		Action: func(c *cli.Context) error {
			if _, err := positional(c, 0); err != nil {
				return err
			}
			return p.printf("%s", manualPage)
		},
	}
}
