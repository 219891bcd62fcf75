package program

import (
	"context"
	"errors"
	"testing"
	"time"
)

func sh(script string) Command {
	return Command{Name: "script", Argv: []string{"/bin/sh", "-c", script}}
}

func TestRunReturnsOutputAndUsage(t *testing.T) {
	c := sh("sleep 0.05; printf '%s' \"$GREETING\"")
	c.Env = []string{"GREETING=hello"}
	out, usage, err := c.Run(t.Context())
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
	_, usage, err := sh("echo first >&2; echo second >&2; exit 3").Run(t.Context())
	var exit *ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("error %v, want an ExitError", err)
	}
	if exit.Code != 3 || exit.Reason != "first / second" {
		t.Errorf("code %d reason %q", exit.Code, exit.Reason)
	}
	if usage.Wall <= 0 {
		t.Error("a failed run has no wall time")
	}
}

func TestRunStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, usage, err := sh("exec sleep 10").Run(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want deadline exceeded", err)
	}
	if usage.Wall > 5*time.Second {
		t.Errorf("killed only after %v", usage.Wall)
	}
}

func TestRunNamesAMissingProgram(t *testing.T) {
	_, _, err := Command{Name: "ghost", Argv: []string{"/nonexistent/ghost"}}.Run(t.Context())
	var exit *ExitError
	if err == nil || errors.As(err, &exit) {
		t.Errorf("error %v, want a failure to start", err)
	}
}
