package operators

import (
	"context"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/operators/expr"
)

// Emit takes rows from an operator. It borrows them: they are valid until it
// returns.
type Emit func(columnar.Rows) error

// Operator is one step of a stage. Its methods have one caller at a time, who
// pushes any number of batches to each input and finishes each input once.
// Operators with a build side are pushed all of input 0 and its Finish before
// anything of input 1.
//
// After the last Finish an operator holds nothing and may be used again for
// another epoch.
type Operator interface {
	// Push hands over rows of an input, borrowed until it returns. What can be
	// answered from these rows alone is emitted at once.
	Push(ctx context.Context, input int, rows columnar.Rows, emit Emit) error
	// Finish says that an input has no more rows. A blocking operator emits
	// here, in pages.
	Finish(ctx context.Context, input int, emit Emit) error
	// Close gives back memory and files. It may be called at any time, and
	// again.
	Close() error
}

// Runtime is what operators are given to work with: one per process, shared by
// all of them.
type Runtime struct {
	Budget  *budget.Budget
	Scratch *segment.Scratch // where state goes that does not fit the budget
	Env     *expr.Env        // text models
}

// PageRows is the most rows that a blocking operator emits at once.
const PageRows = columnar.PageRows
