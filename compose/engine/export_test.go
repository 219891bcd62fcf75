package engine

import (
	"context"
	"errors"

	"analyzer/operators/planner"
)

// RunPlan is Run of a plan that was made elsewhere, and tells how many bytes of
// the operators' budget are reserved when it is over.
func RunPlan(ctx context.Context, o Options, p *planner.Plan, answers Answers) (report *Report, reserved int64, err error) {
	e := newEmbedded(o, p)
	err = errors.Join(e.run(ctx, answers), e.close())
	return e.report(), e.rt.Budget.Used(), err
}
