package operators

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/operators/expr"
)

// Emit receives rows that an operator emits. It borrows them: they are valid
// until it returns.
type Emit func(columnar.Rows) error

// ErrEnough is what Push returns where an operator takes rows but needs no more of them. Whoever emits to it alone may stop.
var ErrEnough = errors.New("no more rows are needed")

// Operator is one step of a stage. One goroutine calls its methods at a time.
// The caller pushes any number of batches to each input and finishes each input
// once. If the operator has a build side, the caller pushes and finishes input
// 0 before it pushes anything to input 1.
//
// After the last Finish an operator holds nothing and may be used again for
// another epoch.
type Operator interface {
	// Push hands over rows of an input, borrowed until Push returns. An
	// operator that can compute output from these rows alone emits it at once.
	Push(ctx context.Context, input int, rows columnar.Rows, emit Emit) error
	// Finish says that an input has no more rows. A blocking operator emits its
	// output here, in pages.
	Finish(ctx context.Context, input int, emit Emit) error
	// Close gives back memory and files. It may be called at any time, and more
	// than once.
	Close() error
}

// Runtime is what all operators of a process share.
type Runtime struct {
	Budget  *budget.Budget
	Scratch *segment.Scratch // where operators spill state that does not fit the budget
	Env     *expr.Env        // text models
	Threads int              // goroutines that one call of an operator may run in; below 2: its caller's
}

// PageRows is the most rows that a blocking operator emits in one batch.
const PageRows = columnar.PageRows
