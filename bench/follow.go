package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

// Following says when a run answers while it reads: AtEnd, ByShares, or at an interval such
// as 1s.
type Following string

// The values of Following that are not intervals.
const (
	AtEnd    Following = ""       // once, for all of the tables
	ByShares Following = "shares" // for a sixteenth, an eighth, a quarter and a half as well
)

// every returns the least time between two answers, 0 for AtEnd and ByShares.
func (f Following) every() (time.Duration, error) {
	if f == AtEnd || f == ByShares {
		return 0, nil
	}
	every, err := time.ParseDuration(string(f))
	if err == nil && every <= 0 {
		err = errors.New("it is not positive")
	}
	if err != nil {
		return 0, fmt.Errorf("answers every %q: %w", f, err)
	}
	return every, nil
}

// Delay is how long blocks of tables waited, from when they were read until the first answers
// that include them were complete, in seconds.
type Delay struct {
	Median float64 `json:"median"`
	Worst  float64 `json:"worst"`
}

// followed says how a run is followed, and collects what is measured on the way.
type followed struct {
	every time.Duration
	size  func(table string) int64 // of its file, 0 if that is not known

	plan   *physical.Plan // the plan that ran
	cuts   int            // how often there were answers before all was read
	blocks client.Blocks
	before map[string]uint64 // by table: how many of its blocks the previous answers cover
	waited []float64
}

func newFollowed() *followed { return &followed{before: make(map[string]uint64)} }

// answered records that the answers for this many first blocks of each table are complete.
func (f *followed) answered(tables map[string]uint64) {
	for table, blocks := range tables {
		times := f.blocks.Read(table, f.before[table])
		for _, at := range times[:min(uint64(len(times)), blocks-min(blocks, f.before[table]))] {
			f.waited = append(f.waited, time.Since(at).Seconds())
		}
		f.before[table] = blocks
	}
}

// delay summarises how long blocks waited.
func (f *followed) delay() Delay {
	if len(f.waited) == 0 {
		return Delay{}
	}
	slices.Sort(f.waited)
	return Delay{Median: f.waited[len(f.waited)/2], Worst: f.waited[len(f.waited)-1]}
}

// drain returns a set that encodes early answers like others, and discards them.
func drain() (answers.Set, error) {
	return answers.NewStream(io.Discard, answers.Options{Format: answers.JSON})
}

// follow runs a plan in this process over growing parts of the tables.
func (f *followed) follow(ctx context.Context, o engine.Options, out engine.Answers) (*engine.Report, error) {
	end := func() error { return nil }
	return engine.Follow(ctx, o, engine.Following{
		Every: f.every, Size: f.size,
		Begin: func(_ *engine.Report, complete bool) (engine.Answers, error) {
			if complete {
				end = func() error { return nil }
				return out, nil
			}
			f.cuts++
			part, err := drain()
			if err == nil {
				end = part.Finish
			}
			return part, err
		},
		End: func() error { return end() },
	})
}

// followJob uploads a job's tables to a cluster, and has it answer for the blocks that have
// arrived.
func (f *followed) followJob(ctx context.Context, job *client.Job, u client.Upload, out engine.Answers) (*engine.Report, error) {
	total := int64(0)
	for table, times := range client.Reads(job.Spec, nil) {
		total += int64(times) * f.size(table)
	}
	u.Blocks = &f.blocks
	var trouble error
	report, err := job.Follow(ctx, u, client.Following{
		Every: f.every, Total: total, Trouble: func(err error) { trouble = err },
		Answer: func(ctx context.Context, cut *client.Job) error {
			part, err := drain()
			if err != nil {
				return err
			}
			if err := cut.Fetch(ctx, client.Fetch{}, part); err != nil {
				return errors.Join(err, part.Discard())
			}
			f.cuts++
			f.answered(cut.Spec.CutTables())
			return part.Finish()
		},
	})
	if err == nil {
		err = trouble
	}
	if err == nil {
		err = job.Fetch(ctx, client.Fetch{}, out)
	}
	if err != nil {
		return nil, err
	}
	all := make(map[string]uint64)
	for _, t := range report.Tables {
		all[t.Table] = uint64(t.Stats.Progress.Blocks)
	}
	f.answered(all)
	return report, nil
}

// lookOn opens pages of a job, as browsers do, and receives their events until stop is called.
// stop fails if any page received no event.
func lookOn(ctx context.Context, at string, job protocol.JobID, pages int) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var g errgroup.Group
	for range pages {
		g.Go(func() error { return lookAt(ctx, fmt.Sprintf("http://%s/v1/jobs/%s/events", at, job)) })
	}
	return func() error {
		cancel()
		return g.Wait()
	}
}

func lookAt(ctx context.Context, address string) error {
	shown := int64(0)
	err := monitor.Get(ctx, address, func(r io.Reader) error {
		shown, _ = io.Copy(io.Discard, r) // until ctx ends
		return nil
	})
	if err == nil && shown == 0 {
		err = errors.New("there are no events")
	}
	if err != nil {
		return fmt.Errorf("open a page: %w", err)
	}
	return nil
}
