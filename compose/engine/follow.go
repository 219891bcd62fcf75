package engine

import (
	"context"
	"errors"
	"math"
	"time"

	"analyzer/columnar/budget"
	"analyzer/operators"
	"analyzer/operators/query/physical"
)

// Following says how often there are answers while tables are read.
type Following struct {
	// Every is the least time between two answers, the first of which cover little of the
	// tables. 0: there are answers for 1/16, 1/8, 1/4 and 1/2 of the tables. Either way,
	// answers that take long to compute wait longer.
	Every time.Duration
	// Size returns the bytes of a table's file as it is stored, 0 if that is not known.
	Size func(table string) int64
	// Begin is called before each set of answers with a report of how much of the tables they
	// cover. It returns where they go. complete is set for the last set.
	Begin func(r *Report, complete bool) (Answers, error)
	// End is called after each set of answers.
	End func() error
}

// The shares of the tables that the first and the last early answers cover. Each covers twice
// as much as the one before.
const (
	FirstShare = 1.0 / 16
	LastShare  = 1.0 / 2    // the rest is not worth an early answer
	leastShare = 1.0 / 1024 // the first answers with Following.Every
)

// FirstBytes is how much is read before the first answer if the sizes of the tables are not
// known.
const FirstBytes = 64 << 20

// Follow runs a plan as Run does, and also gives early answers for the part of the tables
// read so far. Answers for some first blocks of each table are, byte for byte, those of a
// run over files that end where TableReport.Stats.End says.
func Follow(ctx context.Context, o Options, f Following) (*Report, error) {
	return follow(ctx, o, f, f.schedule(o.Plan))
}

func follow(ctx context.Context, o Options, f Following, m moments) (*Report, error) {
	o.Plan, o.Early = o.Plan.ForCuts(), false
	rt, to := newRuntime(o), new(begun)
	memory := rt.Budget.Limit()
	rt.Budget = budget.New(memory / 2)
	e := newEmbedded(o, rt, 0, to)
	to.begin = func() (Answers, error) { return f.Begin(e.tables.Report(), true) }
	e.tables.InTurn = true
	e.cutter = newCutter(e, f, m, budget.New(memory/4), &operators.Runtime{Budget: budget.New(memory / 4), Scratch: rt.Scratch, Env: rt.Env})
	err := errors.Join(e.run(ctx), e.close())
	if err == nil {
		err = f.End()
	}
	return e.report(), err
}

// moments decides when there are early answers.
type moments interface {
	// due reports whether answers are due once read bytes of the files were read.
	due(read int64) bool
	// answered is called after answers, with how long they took.
	answered(read int64, took time.Duration)
}

// Reading stops while early answers are computed. To leave at least seven tenths of the
// throughput, answers wait until all of them together fit into answersShare of the time spent
// reading. They need not wait as long as they take no more than freeAnswers in all.
const (
	answersShare = 0.35
	freeAnswers  = 250 * time.Millisecond
)

// schedule has answers due each time twice as much of the files is read, or at intervals.
type schedule struct {
	every      time.Duration // 0: by shares
	next, last int64         // bytes read at the next and the last answers; with every, at the first
	began      time.Time

	at    time.Time     // of the previous answers, zero before the first
	read  int64         // bytes that the previous answers cover
	took  time.Duration // time that the previous answers took
	slope float64       // how much more they took than those before them, per byte
	spent time.Duration // time that all answers took
}

func (f Following) schedule(p *physical.Plan) *schedule {
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
