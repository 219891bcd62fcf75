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

// standstill notices that the broker has lost messages of a job which it had confirmed, as
// happens with a policy that drops messages, or when a machine loses power. The sign: all
// workers answer, none computes or sends anything, and yet something is waited for. The zero
// value is ready to use.
type standstill struct {
	taken   int64 // received by the workers
	waiting []string
	quiet   time.Duration
	unseen  time.Duration // since wait last checked
}

// wait sleeps for a pause, and now and then checks whether what is waited for can still come.
// Its error says why it cannot.
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

// after takes the status of a job after a pause; everything due to the job must have been
// sent and confirmed. Once the job has stood still for longer than patience, after returns an
// error that wraps ErrLost.
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

// worst returns up to three of the things waited for. If some of them have received part of
// their messages, it leaves out those that have received none, which only wait because of the
// others.
func worst(waiting []string) []string {
	unbegun := func(text string) bool { return strings.HasSuffix(text, ": 0 and on, no end") }
	if begun := slices.DeleteFunc(slices.Clone(waiting), unbegun); len(begun) > 0 {
		waiting = begun
	}
	return waiting[:min(3, len(waiting))]
}
