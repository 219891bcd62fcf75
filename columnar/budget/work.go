package budget

import (
	"context"
	"fmt"
)

// Work bounds what is done to plan a request, in steps: a token that is read, an expression that
// is bound, a column of a node that is looked at. Steps are counted, not timed, so what is
// refused does not depend on the machine. Work also ends with the request's context. It has one
// user at a time; a nil Work has no bounds.
type Work struct {
	ctx    context.Context
	most   int64
	memory int64 // that the bound follows from; 0: from none
	done   int64
	look   int64 // at how many steps the context is looked at next
}

const (
	// mostSteps take about a second.
	mostSteps = 4_000_000
	// A plan may take 1/planShare of the memory. A step leaves some hundred bytes at most.
	planShare = 2
	stepBytes = 128
	// leastSteps can be done in any memory that a process can run in.
	leastSteps = 1 << 16
	// lookSteps is how many steps there are between two looks at the context.
	lookSteps = 1 << 10
)

// NewWork returns the work of a request. memory is the limit of the process that plans it, in
// bytes; zero or less means no limit.
func NewWork(ctx context.Context, memory int64) *Work {
	w := &Work{ctx: ctx, most: mostSteps}
	if steps := max(memory/planShare/stepBytes, leastSteps); memory > 0 && steps < w.most {
		w.most, w.memory = steps, memory
	}
	return w
}

// Done returns how many steps were done.
func (w *Work) Done() int64 { return w.done }

// Do counts steps that are about to be done. It panics with a *Stop if there are too many, or if
// the context has ended. Parser, binder and planner give up by panics too, however deep they are.
func (w *Work) Do(steps int) {
	if w == nil {
		return
	}
	if w.done += int64(steps); w.done > w.most {
		panic(&Stop{&WorkError{Most: w.most, Memory: w.memory}})
	}
	if w.done >= w.look {
		w.look = w.done + lookSteps
		if w.ctx.Err() != nil {
			panic(&Stop{context.Cause(w.ctx)})
		}
	}
}

// Stop is what Do panics with. Whoever began the work recovers it and returns the error.
type Stop struct{ Err error }

// WorkError says that planning a request takes too much.
type WorkError struct {
	Most   int64 // steps
	Memory int64 // the limit that the bound follows from; 0: from none
}

func (e *WorkError) Error() string {
	if e.Memory > 0 {
		return fmt.Sprintf("planning it takes more than the %d steps that there are in %d MiB of memory", e.Most, e.Memory>>20)
	}
	return fmt.Sprintf("planning it takes more than %d steps", e.Most)
}

// Hint says what to do about it.
func (e *WorkError) Hint() string {
	if e.Memory > 0 {
		return "Next: give more --memory, or write what a part of the statement gives to a file, with COPY, and read that."
	}
	return "Next: write what a part of the statement gives to a file, with COPY, and read that."
}

// Catch is deferred by whoever began the work. It makes a Stop the error of the function that
// defers it.
func Catch(err *error) {
	switch why := recover().(type) {
	case nil:
	case *Stop:
		*err = why.Err
	default:
		panic(why)
	}
}
