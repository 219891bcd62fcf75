package engine

import (
	"context"
	"errors"
	"time"

	"analyzer/operators/query/physical"
)

// RunReserved is Run, and also returns how many bytes of the operators' budget are still
// reserved afterwards. refuse, if it is set, decides on each claim on the budget.
func RunReserved(ctx context.Context, o Options, answers Answers, refuse func() bool) (report *Report, reserved int64, err error) {
	rt := newRuntime(o)
	rt.Budget.Refuse(refuse)
	e := newEmbedded(o, rt, 0, answers)
	err = errors.Join(e.run(ctx), e.close())
	return e.report(), e.rt.Budget.Used(), err
}

// FollowWhen is Follow with answers when due says so. due is called for each block.
func FollowWhen(ctx context.Context, o Options, f Following, due func() bool) (*Report, error) {
	return follow(ctx, o, f, &when{asked: due})
}

type when struct {
	asked func() bool
	now   bool
}

func (w *when) due(int64) bool {
	w.now = w.now || w.asked()
	return w.now
}

func (w *when) answered(int64, time.Duration) { w.now = false }

// Schedule says when answers are due.
type Schedule struct{ s *schedule }

// NewSchedule returns the schedule that Follow uses.
func NewSchedule(f Following, p *physical.Plan) Schedule { return Schedule{f.schedule(p)} }

// Due reports whether it is time for answers.
func (s Schedule) Due(read int64) bool { return s.s.due(read) }

// Answered is called after answers.
func (s Schedule) Answered(read int64, took time.Duration) { s.s.answered(read, took) }
