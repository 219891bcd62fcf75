package engine

import (
	"context"
	"errors"
)

// RunReserved is Run, and tells how many bytes of the operators' budget are reserved
// when it is over.
func RunReserved(ctx context.Context, o Options, answers Answers) (report *Report, reserved int64, err error) {
	e := newEmbedded(o, answers)
	err = errors.Join(e.run(ctx), e.close())
	return e.report(), e.rt.Budget.Used(), err
}
