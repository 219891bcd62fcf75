package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/process"
)

// standstill notices that messages of a job are gone which the broker has confirmed, as
// happens by a policy that drops some, or with a machine that loses power: all workers
// answer, none computes or sends anything, and yet something is waited for. Its zero
// value is ready.
type standstill struct {
	taken   int64 // batches, by workers
	waiting []string
	quiet   time.Duration
	unseen  time.Duration // since wait looked last
}

// wait waits for a pause, and now and then looks whether what is waited for can still
// come. Its error says why it cannot.
func (w *standstill) wait(ctx context.Context, j *Job, pause time.Duration) error {
	if err := process.Sleep(ctx, pause); err != nil {
		return err
	}
	if w.unseen += pause; w.unseen < lastAnswerPause {
		return nil
	}
	s, err := j.status(ctx)
	if err == nil {
		err = errors.Join(Ended(s), w.after(w.unseen, j.client.patience(), s))
	}
	w.unseen = 0
	return err
}

// after is told, after a pause, how far a job is of which all that was to be sent was
// confirmed. Its error, once the job has stood still for that long, wraps ErrLost.
func (w *standstill) after(pause, patience time.Duration, s *protocol.Status) error {
	var taken int64
	busy := len(s.Silent) > 0 || len(s.Waiting) == 0
	for _, stage := range s.Stages {
		taken += stage.Batches
		busy = busy || stage.Phases[protocol.Computing]+stage.Phases[protocol.Emitting] > 0
	}
	if busy || taken != w.taken || !slices.Equal(s.Waiting, w.waiting) {
		*w = standstill{taken: taken, waiting: s.Waiting}
		return nil
	}
	if w.quiet += pause; w.quiet <= patience {
		return nil
	}
	return fmt.Errorf("%w: all was sent, nothing has come for %v, and these wait: %s",
		ErrLost, w.quiet.Round(100*time.Millisecond), strings.Join(worst(s.Waiting), "; "))
}

// worst returns a few of what is waited for, and none of what waits because of the others:
// where some messages came, and not all.
func worst(waiting []string) []string {
	unbegun := func(text string) bool { return strings.HasSuffix(text, ": 0 and on, no end") }
	if begun := slices.DeleteFunc(slices.Clone(waiting), unbegun); len(begun) > 0 {
		waiting = begun
	}
	return waiting[:min(3, len(waiting))]
}
