package supervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// Driver starts nodes and ends them. Its methods may be called concurrently, by
// several supervisors as well.
type Driver interface {
	// Look says whether a node runs.
	Look(ctx context.Context, n Node) (Condition, error)
	// Start starts a node; one that runs stays as it is.
	Start(ctx context.Context, n Node) error
	// Signal sends a signal to a node; one that does not run gets none.
	Signal(ctx context.Context, n Node, s syscall.Signal) error
	// Words returns the last lines that a node has written, for people.
	Words(ctx context.Context, n Node) string
}

// Condition is how a node is, as far as the one who runs it can tell.
type Condition struct {
	Runs  bool
	PID   int       // as this machine counts; 0: not known
	Since time.Time // when it was started last; zero: not known
	// Started reports whether it ever was.
	Started  bool
	Restarts int    // as far as the driver has counted
	Ending   string // how it ended, for people, if that is known
	// Left reports that it ended by itself, with status 0: it was asked to.
	Left bool
	// Healthy reports that who runs it asks it as well, and has got an answer.
	Healthy bool
}

// LastError returns what this program has said last, of the end of its log, before it
// ended with an error; "": it did not.
func LastError(log string) (text string) {
	for line := range strings.Lines(log) {
		if said, ok := strings.CutPrefix(line, "analyzer: "); ok {
			text = strings.TrimSpace(said)
		}
	}
	return text
}

// Halt ends nodes and waits for that: it asks them, and after grace kills; grace 0
// asks nobody.
func Halt(ctx context.Context, d Driver, grace time.Duration, n Node) error {
	if grace > 0 {
		// One that stands still goes on first.
		err := errors.Join(d.Signal(ctx, n, syscall.SIGTERM), d.Signal(ctx, n, syscall.SIGCONT))
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

// awaitEnd waits until a node does not run.
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
