package main

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"time"
)

// match is a workload that analyzer and a peer run. If ours has no argv, the peer is timed alone.
type match struct {
	workload string
	queries  []string // of a data set; none: the workload is a plan
	beside   string   // the peer's name
	ours     command
	peer     command
	// agree gets what both printed in the warm-up, and returns how their answers differ. It is not called if one of
	// them did not answer.
	agree func(ours, peer []byte) error
}

// outcome is the result of a match.
type outcome struct {
	Workload string   `json:"workload"`
	Queries  []string `json:"queries,omitempty"` // of a data set
	Beside   string   `json:"beside"`            // the peer's name
	Ours     timed    `json:"ours"`
	Peer     timed    `json:"peer"`
	// PeerFailure is why the peer did not finish its warm-up. If set, Peer holds that one run, and ours was timed
	// alone.
	PeerFailure string `json:"peer_failure,omitempty"`
	// Disagreement is what agree returned.
	Disagreement string `json:"disagreement,omitempty"`
}

// run times two programs in turn, pair by pair, so that other load on the machine affects both, and each run is compared
// with its neighbour rather than with an average of another minute. The warm-up, one run of each, also brings the files
// into the page cache and compares the answers. limit bounds a single run. An error means that ours failed, or that the
// peer failed after its warm-up.
func (m match) run(ctx context.Context, pairs int, limit time.Duration) (outcome, error) {
	out := outcome{Workload: m.workload, Queries: m.queries, Beside: m.beside}
	peer, used, err := m.peer.runWithin(ctx, limit)
	if err != nil {
		if !survivable(ctx, err) {
			return out, err
		}
		out.PeerFailure, out.Peer = err.Error(), timed{used}
	}
	if len(m.ours.argv) > 0 {
		ours, _, err := m.ours.runWithin(ctx, limit)
		if err != nil {
			return out, err
		}
		if out.PeerFailure == "" {
			if err := m.agree(ours, peer); err != nil {
				out.Disagreement = err.Error()
			}
		}
	}
	for range pairs {
		if len(m.ours.argv) > 0 {
			if err := out.Ours.add(ctx, m.ours, limit); err != nil {
				return out, err
			}
		}
		if out.PeerFailure == "" {
			if err := out.Peer.add(ctx, m.peer, limit); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// survivable reports whether a peer's failure counts as a result: it ran and gave up, or ran for too long.
func survivable(ctx context.Context, err error) bool {
	_, gaveUp := errors.AsType[*exec.ExitError](err)
	return ctx.Err() == nil && (gaveUp || errors.Is(err, context.DeadlineExceeded))
}

// ratios returns how many times faster ours is, pair by pair: the peer's wall time minus start, in seconds, over ours. It
// returns nil if there are no pairs.
func (o outcome) ratios(start float64) []float64 {
	if o.PeerFailure != "" {
		return nil
	}
	ours, peer := o.Ours.walls(), o.Peer.walls()
	var all []float64
	for i := range min(len(ours), len(peer)) {
		all = append(all, (peer[i]-start)/ours[i])
	}
	return all
}

// timed is the runs of one program.
type timed []usage

// add runs the program once more.
func (t *timed) add(ctx context.Context, c command, limit time.Duration) error {
	_, used, err := c.runWithin(ctx, limit)
	if err == nil {
		*t = append(*t, used)
	}
	return err
}

// walls returns the seconds that each run took.
func (t timed) walls() (all []float64) {
	for _, u := range t {
		all = append(all, u.Wall.Seconds())
	}
	return all
}

// cpus returns the processor seconds that each run took.
func (t timed) cpus() (all []float64) {
	for _, u := range t {
		all = append(all, (u.User + u.System).Seconds())
	}
	return all
}

// peak returns the highest resident memory of any run, in bytes.
func (t timed) peak() (most int64) {
	for _, u := range t {
		most = max(most, u.PeakRSS)
	}
	return most
}

// spreadOf returns the least, the median and the greatest of a sample of one or more. If their number is even, the median
// is the lower of the two in the middle, so that it is a measured value.
func spreadOf(sample []float64) (least, median, most float64) {
	s := slices.Sorted(slices.Values(sample))
	return s[0], s[(len(s)-1)/2], s[len(s)-1]
}
