package engine

import (
	"context"
	"errors"
	"math"
	"time"

	"analyzer/columnar/budget"
	"analyzer/operators"
	"analyzer/operators/planner"
)

// Following says how often there are answers while tables are read.
type Following struct {
	// Every is the least time between two answers, of which the first are for little. 0: they
	// are for a sixteenth of the tables, an eighth, a quarter and a half. Those that take long
	// wait longer.
	Every time.Duration
	// Size returns the bytes of a table's file as it is stored, 0 if that is not known.
	Size func(table string) int64
	// Begin is told how far the tables were read, before the answers for that are
	// handed to what it returns; the last time they are complete.
	Begin func(r *Report, complete bool) (Answers, error)
	// End is told that all answers were handed out.
	End func() error
}

// The shares of the tables that the first and the last answers are for, before all was
// read. Each is for twice as much as the one before.
const (
	FirstShare = 1.0 / 16
	LastShare  = 1.0 / 2 // what is left then is worth no answer of its own
	leastShare = 1.0 / 1024
)

// FirstBytes is how much is read before the first answer where nobody knows how much
// there is.
const FirstBytes = 64 << 20

// Follow runs a plan as Run does, and answers for what was read meanwhile as well. The
// answers for so many first blocks of each table are, byte for byte, those of a run over
// files that end where TableReport.Stats.End says.
func Follow(ctx context.Context, o Options, f Following) (*Report, error) {
	return follow(ctx, o, f, f.schedule(o.Plan))
}

func follow(ctx context.Context, o Options, f Following, m moments) (*Report, error) {
	o.Plan, o.Early = o.Plan.ForCuts(), false
	rt, to := newRuntime(o), new(begun)
	memory := rt.Budget.Limit()
	rt.Budget = budget.New(memory / 2)
	e := newEmbedded(o, rt, 0, false, to)
	to.begin = func() (Answers, error) { return f.Begin(e.tables.Report(), true) }
	e.cutter = newCutter(e, f, m, budget.New(memory/4), &operators.Runtime{Budget: budget.New(memory / 4), Scratch: rt.Scratch, Env: rt.Env})
	err := errors.Join(e.run(ctx), e.close())
	if err == nil {
		err = f.End()
	}
	return e.report(), err
}

// moments says when there are answers.
type moments interface {
	// due reports whether it is time for some, with so many bytes of the files read.
	due(read int64) bool
	// answered is told that there were some, and how long that took.
	answered(read int64, took time.Duration)
}

// The reading stands still for answers. So that those meanwhile leave seven tenths of the
// throughput, they wait until they fit into this part of the time that reading took; what
// is over in no time may take as long as it likes.
const (
	answersShare = 0.35
	freeAnswers  = 250 * time.Millisecond
)

// schedule has answers for twice as much of the files each time, or once in a time.
type schedule struct {
	every      time.Duration // 0: by shares
	next, last int64         // bytes; with every those of the first answers
	began      time.Time

	at    time.Time     // of the last answers, zero before
	read  int64         // for which they were
	took  time.Duration // they
	slope float64       // how much more they took than those before, by byte
	spent time.Duration // all of them took
}

func (f Following) schedule(p *planner.Plan) *schedule {
	s := &schedule{every: f.Every, began: time.Now(), next: FirstBytes, last: math.MaxInt64}
	first, total, known := FirstShare, int64(0), true
	if s.every > 0 {
		first, s.next = leastShare, 1
	}
	for _, table := range p.Tables() {
		size := f.Size(table)
		total, known = total+size, known && size > 0
	}
	if known {
		s.next, s.last = max(int64(first*float64(total)), 1), int64(LastShare*float64(total))
	}
	return s
}

func (s *schedule) due(read int64) bool {
	switch {
	case s.at.IsZero() || s.every == 0:
		if s.next > s.last || read < s.next {
			return false
		}
	case time.Since(s.at) < s.every:
		return false
	}
	expected := float64(s.took) + s.slope*float64(read-s.read)
	reading := time.Since(s.began) - s.spent
	return float64(s.spent)+expected <= max(answersShare*float64(reading), float64(freeAnswers))
}

func (s *schedule) answered(read int64, took time.Duration) {
	if !s.at.IsZero() && read > s.read {
		s.slope = max(float64(took-s.took)/float64(read-s.read), 0)
	}
	s.at, s.read, s.took, s.spent = time.Now(), read, took, s.spent+took
	for s.every == 0 && s.next <= min(read, s.last) {
		s.next *= 2
	}
}
