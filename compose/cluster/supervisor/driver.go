package supervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"analyzer/process"
)

// Driver starts and ends nodes. Its methods may be called concurrently, also by several
// supervisors.
type Driver interface {
	// Look reports the condition of a node.
	Look(ctx context.Context, n Node) (Condition, error)
	// Start starts a node, and does nothing if it runs.
	Start(ctx context.Context, n Node) error
	// Signal sends a signal to a node, and does nothing if it does not run.
	Signal(ctx context.Context, n Node, s syscall.Signal) error
	// Words returns the last lines of a node's log, for people.
	Words(ctx context.Context, n Node) string
}

// Condition is the state of a node, as far as its driver can tell.
type Condition struct {
	Runs  bool
	PID   int       // as counted on this machine; 0: unknown
	Since time.Time // when it was started last; zero: unknown
	// Started reports whether the node has ever been started.
	Started  bool
	Restarts int    // as far as the driver has counted
	Ending   string // how it ended, in words; "": unknown
	// Left reports that the node ended with status 0, which means that it was asked to.
	Left bool
	// Healthy reports that the driver's own health check has got an answer from the node, so
	// that a supervisor whom no node answers knows that it is cut off.
	Healthy bool
}

// LastError returns the last error in the end of a log that this program wrote; "": there is
// none.
func LastError(log string) (text string) {
	for line := range strings.Lines(log) {
		if said, ok := strings.CutPrefix(line, "analyzer: "); ok {
			text = strings.TrimSpace(said)
		}
	}
	return text
}

// Halt ends a node and waits for that. It asks the node to end, and kills it after grace; if
// grace is 0, it kills at once.
func Halt(ctx context.Context, d Driver, grace time.Duration, n Node) error {
	if grace > 0 {
		// A stopped node has to be continued to react.
		err := errors.Join(d.Signal(ctx, n, syscall.SIGTERM), d.Signal(ctx, n, process.Resume))
		if err == nil && awaitEnd(ctx, d, grace, n) == nil {
			return nil
		}
	}
	if err := d.Signal(ctx, n, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill %s: %w", n.Name, err)
	}
	return awaitEnd(ctx, d, killPatience, n)
}

const (
	killPatience = 10 * time.Second
	endEvery     = 20 * time.Millisecond
)

// awaitEnd waits until a node no longer runs.
func awaitEnd(ctx context.Context, d Driver, patience time.Duration, n Node) error {
	late := time.After(patience)
	for {
		c, err := d.Look(ctx, n)
		if err == nil && !c.Runs {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-late:
			return errors.Join(fmt.Errorf("%s has not ended after %v", n.Name, patience), err)
		case <-time.After(endEvery):
		}
	}
}
