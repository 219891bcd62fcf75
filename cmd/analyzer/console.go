package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
)

// console is where a command reads and writes: the streams, and the progress line if there is a
// terminal for it.
type console struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	width, height  int // of the terminal on the standard output; 0 if there is none
	progress       *progress.Line
	quiet          bool // print only errors, and what cannot be found out otherwise
}

func (c *console) quietFlag() cli.Flag {
	return settings.Switch(&c.quiet, "quiet", "print only what is wrong, lost rows included: no progress, no summary, no advice")
}

// outlet is the standard output. It keeps the first error, since not all that writes to it returns errors, as help does not.
type outlet struct {
	io.Writer
	failed error
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.failed = cmp.Or(o.failed, err)
	return n, err
}

// printf writes to the standard output.
func (c *console) printf(format string, a ...any) error {
	_, err := fmt.Fprintf(c.stdout, format, a...)
	return err
}

func (c *console) printJSON(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return c.printf("%s\n", text)
}

// tellf writes a line to the standard error, unless --quiet is set.
func (c *console) tellf(format string, a ...any) {
	if !c.quiet {
		c.notef(format, a...)
	}
}

// notef writes a line to the standard error, even with --quiet. What it quotes of a file does not control the terminal.
func (c *console) notef(format string, a ...any) {
	c.progress.Clear()
	_, _ = fmt.Fprintln(c.stderr, answers.VisibleLines(fmt.Sprintf(format, a...)))
}

// interactive reports whether input and output are terminals.
func (c *console) interactive() bool {
	return c.stdin == os.Stdin && c.width > 0 && term.IsTerminal(int(os.Stdin.Fd()))
}
