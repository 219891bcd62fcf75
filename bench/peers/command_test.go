package main

import (
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"
)

func sh(script string) command {
	return command{name: "script", argv: []string{"/bin/sh", "-c", script}}
}

func TestRunReturnsOutputAndUsage(t *testing.T) {
	c := sh("sleep 0.05; printf '%s' \"$GREETING\"")
	c.env = []string{"GREETING=hello"}
	out, usage, err := c.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != "hello" {
		t.Errorf("output %q, want hello", out)
	}
	if usage.Wall < 50*time.Millisecond {
		t.Errorf("wall %v, want at least the 50ms slept", usage.Wall)
	}
	if usage.PeakRSS < 100<<10 {
		t.Errorf("peak RSS %d bytes, want that of a live process", usage.PeakRSS)
	}
}

func TestRunReportsFailure(t *testing.T) {
	_, usage, err := sh("echo first >&2; echo second >&2; exit 3").run(t.Context())
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 3 {
		t.Fatalf("error %v, want that of exit status 3", err)
	}
	if err.Error() != "script: exit status 3: first / second" {
		t.Errorf("error %v", err)
	}
	if usage.Wall <= 0 {
		t.Error("a failed run has no wall time")
	}
}

func TestRunStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, usage, err := sh("exec sleep 10").run(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want deadline exceeded", err)
	}
	if usage.Wall > 5*time.Second {
		t.Errorf("killed only after %v", usage.Wall)
	}
}

func TestRunNamesAMissingProgram(t *testing.T) {
	_, _, err := command{name: "ghost", argv: []string{"/nonexistent/ghost"}}.run(t.Context())
	if _, ran := errors.AsType[*exec.ExitError](err); err == nil || ran {
		t.Errorf("error %v, want a failure to start", err)
	}
}
