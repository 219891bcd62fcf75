package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"analyzer/process"
)

// command is a command line of a program that is compared.
type command struct {
	name string   // its name in reports
	argv []string // program and arguments
	env  []string // added to the environment of this process, as NAME=value
}

// usage is the cost of one run, measured from outside: the wall time from start to exit, and the kernel's counts for
// the process and the children it waited for.
type usage struct {
	Wall    time.Duration `json:"wall_ns"`
	User    time.Duration `json:"user_ns"`
	System  time.Duration `json:"system_ns"`
	PeakRSS int64         `json:"peak_rss_bytes"`
}

// graceToStop is how long a program that was asked to stop has to remove its files.
const graceToStop = time.Second

// run starts the program, waits for it and returns what it printed. If the program fails, run returns that and its
// usage with an error that wraps an exec.ExitError. When ctx ends, the program is stopped and the error is the context's cause.
func (c command) run(ctx context.Context) ([]byte, usage, error) {
	var stdout, stderr bytes.Buffer
	began := time.Now()
	p, err := process.Run(ctx, process.Spec{
		Program: c.argv[0], Args: c.argv[1:], Env: append(os.Environ(), c.env...), Stdout: &stdout, Stderr: &stderr,
	}, graceToStop)
	wall := time.Since(began)
	if p == nil {
		return nil, usage{}, fmt.Errorf("%s: %w", c.name, err)
	}
	state := p.State()
	used := usage{Wall: wall, User: state.UserTime(), System: state.SystemTime()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		used.PeakRSS = r.Maxrss * 1024 // Linux counts in KiB
	}
	switch {
	case ctx.Err() != nil:
		return nil, used, fmt.Errorf("%s: %w", c.name, context.Cause(ctx))
	case err != nil:
		return stdout.Bytes(), used, fmt.Errorf("%s: %w: %s", c.name, err, firstLines(stderr.String()))
	}
	return stdout.Bytes(), used, nil
}

// runWithin is run with a time limit.
func (c command) runWithin(ctx context.Context, limit time.Duration) ([]byte, usage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it took over %v: %w", limit, context.DeadlineExceeded))
	defer cancel()
	return c.run(ctx)
}

func firstLines(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	return strings.Join(lines[:min(len(lines), 3)], " / ")
}
