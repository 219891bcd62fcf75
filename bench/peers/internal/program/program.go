// Package program runs the programs that are compared, each as a process of its own, and measures them from outside:
// the wall clock from start to exit, and what the kernel counted for the process and the children it waited for.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Command is one way to start a program.
type Command struct {
	Name string   // what reports call it
	Argv []string // program and arguments
	Env  []string // added to the environment of this process, as NAME=value
	Dir  string   // working directory; empty is that of this process
}

// Usage is what one run cost.
type Usage struct {
	Wall    time.Duration `json:"wall_ns"`
	User    time.Duration `json:"user_ns"`
	System  time.Duration `json:"system_ns"`
	PeakRSS int64         `json:"peak_rss_bytes"`
}

// ExitError says that a program ran and failed.
type ExitError struct {
	Name   string
	Code   int    // exit status; -1 after a signal
	Reason string // first lines of its standard error
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s: exit status %d: %s", e.Name, e.Code, e.Reason)
}

// Run starts the program, waits for it and returns what it printed. A program that fails gives an [*ExitError] beside
// its usage. When ctx ends, the program is killed and the error is that of ctx.
func (c Command) Run(ctx context.Context) ([]byte, Usage, error) {
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Dir = c.Dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	if cmd.ProcessState == nil {
		return nil, Usage{}, fmt.Errorf("starting %s: %w", c.Name, err)
	}
	usage := usageOf(cmd.ProcessState, wall)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, usage, fmt.Errorf("running %s: %w", c.Name, ctx.Err())
	case errors.As(err, &exit):
		return nil, usage, &ExitError{c.Name, exit.ExitCode(), firstLines(stderr.String())}
	case err != nil:
		return nil, usage, fmt.Errorf("running %s: %w", c.Name, err)
	}
	return stdout.Bytes(), usage, nil
}

func usageOf(state *os.ProcessState, wall time.Duration) Usage {
	usage := Usage{Wall: wall, User: state.UserTime(), System: state.SystemTime()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		usage.PeakRSS = r.Maxrss * 1024 // Linux counts in KiB
	}
	return usage
}

func firstLines(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	return strings.Join(lines[:min(len(lines), 3)], " / ")
}
