package versus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"analyzer/bench/peers/internal/program"
)

// Match is a workload that both programs run. Ours may have no Argv: then Peer is timed alone.
type Match struct {
	Workload string
	Queries  []string // of a data set; none: the workload is a plan
	Beside   string   // the peer's name
	Ours     program.Command
	Peer     program.Command
	// Agree is given what both printed in the warm-up, and returns how their answers differ. It is not called when
	// one of them did not answer.
	Agree func(ours, peer []byte) error
}

// Outcome is what a match gave.
type Outcome struct {
	Workload string          `json:"workload"`
	Queries  []string        `json:"queries,omitempty"` // of a data set
	Beside   string          `json:"beside"`            // the peer's name
	Ours     []program.Usage `json:"ours"`
	Peer     []program.Usage `json:"peer"`
	// PeerFailure is why the peer did not finish in the warm-up. Peer then holds that one run, and ours were timed
	// alone.
	PeerFailure string `json:"peer_failure,omitempty"`
	// Disagreement is what Agree returned.
	Disagreement string `json:"disagreement,omitempty"`
}

// Run warms up with one run of each, which also brings the files into the page cache and compares the answers, and
// then times pairs of runs in turn: ours, peer, ours, peer. limit bounds a single run. An error means that ours
// failed, or that the peer failed after it had finished its warm-up.
func (m Match) Run(ctx context.Context, pairs int, limit time.Duration) (Outcome, error) {
	out := Outcome{Workload: m.Workload, Queries: m.Queries, Beside: m.Beside}
	peer, usage, err := runOnce(ctx, m.Peer, limit)
	if err != nil {
		if !survivable(ctx, err) {
			return out, err
		}
		out.PeerFailure = err.Error()
		out.Peer = []program.Usage{usage}
	}
	if err := m.warmOurs(ctx, limit, peer, &out); err != nil {
		return out, err
	}
	for range pairs {
		if len(m.Ours.Argv) > 0 {
			_, usage, err := runOnce(ctx, m.Ours, limit)
			if err != nil {
				return out, err
			}
			out.Ours = append(out.Ours, usage)
		}
		if out.PeerFailure != "" {
			continue
		}
		_, usage, err := runOnce(ctx, m.Peer, limit)
		if err != nil {
			return out, err
		}
		out.Peer = append(out.Peer, usage)
	}
	return out, nil
}

func (m Match) warmOurs(ctx context.Context, limit time.Duration, peer []byte, out *Outcome) error {
	if len(m.Ours.Argv) == 0 {
		return nil
	}
	ours, _, err := runOnce(ctx, m.Ours, limit)
	if err != nil {
		return err
	}
	if out.PeerFailure != "" {
		return nil
	}
	if err := m.Agree(ours, peer); err != nil {
		out.Disagreement = err.Error()
	}
	return nil
}

func runOnce(ctx context.Context, c program.Command, limit time.Duration) ([]byte, program.Usage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s took over %v", c.Name, limit))
	defer cancel()
	text, usage, err := c.Run(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", err, context.Cause(ctx))
	}
	return text, usage, err
}

// survivable reports whether a peer's failure is a result: it ran and gave up, or ran for too long.
func survivable(ctx context.Context, err error) bool {
	var exit *program.ExitError
	return ctx.Err() == nil && (errors.As(err, &exit) || errors.Is(err, context.DeadlineExceeded))
}

// Ratios returns peer's wall time over ours, pair by pair, after taking start off the peer's: how many times faster
// ours is. It returns nil when there are no pairs.
func (o Outcome) Ratios(start time.Duration) []float64 {
	if o.PeerFailure != "" {
		return nil
	}
	var all []float64
	for i := range min(len(o.Ours), len(o.Peer)) {
		all = append(all, float64(o.Peer[i].Wall-start)/float64(o.Ours[i].Wall))
	}
	return all
}
