package client

import (
	"context"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/process"
)

// Following says how often a followed upload is answered for, and who gets the answers.
type Following struct {
	// Every is the least time between two answers. 0: answers cover a sixteenth of the
	// tables, an eighth, a quarter and a half.
	Every time.Duration
	// Total is the size in bytes of all files that the upload reads; 0: unknown.
	Total int64
	// Answer is called with a cut: a job whose answers cover what has arrived, as its Spec
	// says. The cut is ended when Answer returns.
	Answer func(ctx context.Context, cut *Job) error
	// Trouble is told why no more answers come before the final ones.
	Trouble func(error)
	// Waiting is Fetch.Waiting.
	Waiting func(query string, s *protocol.Status)
}

// Follow uploads tables as Run does and, until the upload is complete, makes cuts that answer
// for what has arrived. Then it fetches the final answers, which the job itself makes. The
// job must be a followed one.
func (j *Job) Follow(ctx context.Context, u Upload, f Following) (*engine.Report, error) {
	var read atomic.Int64 // bytes
	show := u.Progress
	u.Progress = func(at engine.Progress) {
		read.Store(at.Bytes)
		if show != nil {
			show(at)
		}
	}
	following, stop := context.WithCancel(ctx)
	var answering sync.WaitGroup
	answering.Go(func() { j.answerParts(following, ctx, f, &read) })
	report, err := j.Run(ctx, u, Fetch{Queries: []string{}, Waiting: f.Waiting}, nil)
	stop()
	answering.Wait()
	return report, err
}

// answerParts answers for the uploaded part from time to time, until following ends. A cut
// that has begun by then is finished.
func (j *Job) answerParts(following, ctx context.Context, f Following, read *atomic.Int64) {
	wait := f.moments(read)
	before := make(map[string]uint64)
	for wait(following) {
		if err := j.answerCut(ctx, f, before); err != nil {
			if ctx.Err() == nil {
				f.Trouble(err)
			}
			return
		}
	}
}

// moments returns a function that waits for the next moment to answer. It returns false if
// there is none.
func (f Following) moments(read *atomic.Int64) func(context.Context) bool {
	const look = 50 * time.Millisecond
	next, last := max(int64(engine.FirstShare*float64(f.Total)), 1), int64(engine.LastShare*float64(f.Total))
	if f.Total == 0 {
		next, last = engine.FirstBytes, math.MaxInt64
	}
	return func(ctx context.Context) bool {
		for begin := time.Now(); ctx.Err() == nil; {
			_ = process.Sleep(ctx, look)
			switch {
			case f.Every > 0 && time.Since(begin) >= f.Every:
				return true
			case f.Every == 0 && next <= last && read.Load() >= next:
				for next <= read.Load() {
					next *= 2
				}
				return true
			}
		}
		return false
	}
}

// answerCut answers for what has arrived, unless nothing was added since before.
func (j *Job) answerCut(ctx context.Context, f Following, before map[string]uint64) error {
	cut, err := j.Cut(ctx, nil)
	if err != nil {
		return err
	}
	defer cut.EndCut(ctx)
	come := cut.Spec.CutTables()
	if maps.Equal(come, before) {
		return nil
	}
	maps.Copy(before, come)
	return f.Answer(ctx, cut)
}

// cutPatience bounds the attempt to end a cut.
const cutPatience = 10 * time.Second

// EndCut ends a cut whose answers were fetched or given up.
func (j *Job) EndCut(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cutPatience)
	defer cancel()
	_ = j.client.End(ctx, j.Spec.ID, Fetched) // it expires otherwise
}
