package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"analyzer/columnar/budget"
	"analyzer/columnar/input"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// tables are the tables of a statement.
type tables struct {
	all []*tableFiles
	// settled means that the types of columns are no longer guesses.
	settled bool
}

// settle determines the types of all columns, by reading the files unless a run has read
// them. It reports whether they differ from the guesses.
func (t *tables) settle(ctx context.Context) (changed bool, err error) {
	if t.settled {
		return false, nil
	}
	for _, set := range t.all {
		more, err := set.complete(ctx)
		if err != nil {
			return false, err
		}
		changed = changed || more
		if set.watch == nil {
			continue
		}
		guess := *set.table
		if set.watch.Complete() {
			set.watch.Settled()
		} else {
			if err := set.readAll(ctx); err != nil {
				return false, err
			}
		}
		set.watch = nil
		set.describe()
		changed = changed || !slices.Equal(guess.Columns, set.table.Columns)
	}
	t.settled = true
	return changed, nil
}

// readAll reads the files of a table to their ends, and sets the types of its columns.
func (set *tableFiles) readAll(ctx context.Context) error {
	w := sniff.NewWatch(set.samples, len(set.files), set.read)
	for i := range set.files {
		f, err := set.part(ctx, i)
		if err != nil {
			return err
		}
		if err := w.Part(i, f).Read(ctx, func() (vfs.File, error) { return set.open(ctx, i) }); err != nil {
			return err
		}
	}
	w.Settled()
	return nil
}

// guessAgain guesses types again from what an abandoned run has read. It keeps the types of
// tables that were read completely.
func (t *tables) guessAgain(ctx context.Context) error {
	runtime.GC() // otherwise the memory of that run would add to that of the next
	for _, set := range t.all {
		if set.watch != nil && set.watch.More() {
			more, err := set.complete(ctx)
			if err != nil {
				return err
			}
			if more {
				continue
			}
		}
		switch {
		case set.watch == nil:
			continue
		case set.watch.Complete():
			set.watch.Settled()
			set.watch = nil
		default:
			set.watch = set.watch.Again()
		}
		set.describe()
	}
	return nil
}

// certain reports whether an error is a mistake in the statement whatever the types of columns are.
func (t *tables) certain(err error) bool {
	hasMore := func(set *tableFiles) bool { return set.first().Described() } // it may have other columns further on
	wrong, ok := errors.AsType[*sql.Error](err)
	return ok && wrong.Certain && !slices.ContainsFunc(t.all, hasMore)
}

// wrong finds other types after guesses have turned out wrong in so many tries.
func (t *tables) wrong(ctx context.Context, guess error, tries int) error {
	if t.settled {
		return fault.BadInput("Next: wait until nobody writes to the files, or name the types of the columns.",
			fmt.Errorf("the types of columns have changed since the files were read to their ends: %w", guess))
	}
	if err := t.guessAgain(ctx); err != nil || tries < mostGuesses {
		return err
	}
	_, err := t.settle(ctx)
	return err
}

// watch returns the watcher of a table with guessed types; nil for others.
func (t *tables) watch(table string) engine.Watcher {
	for _, set := range t.all {
		if set.watch != nil && set.table.Name == table {
			return watcher{set, set.watch}
		}
	}
	return nil
}

// watcher watches the files of a table.
type watcher struct {
	set   *tableFiles
	watch *sniff.Watch
}

func (w watcher) part(file int) *sniff.Part {
	w.set.mu.Lock()
	defer w.set.mu.Unlock()
	return w.watch.Part(file, w.set.found[file])
}

func (w watcher) Columns() []string                 { return w.watch.Columns() }
func (w watcher) Worker(file int) func(input.Block) { return w.part(file).Worker() }
func (w watcher) Wrong() bool                       { return w.watch.Wrong() }
func (w watcher) End(file int, blocks int64)        { w.part(file).End(blocks) }

// check returns an error if a guessed type was wrong.
func (t *tables) check(*engine.Report) error {
	for _, set := range t.all {
		if set.watch != nil && !set.watch.Settled() {
			return fmt.Errorf("the type of a column of %s was guessed wrong", set.files[0])
		}
	}
	return nil
}

// files returns the files of a table, if it has several.
func (t *tables) files(table string) *scan.Files {
	for _, set := range t.all {
		if set.table.Name == table {
			return set.scanFiles()
		}
	}
	return nil
}

// Outgrown reports whether a run failed since a number does not fit its type, for the first time: from then on
// sums of BIGINTs are HUGEINTs, or what is computed with DECIMALs has more digits. What may fail is known
// before the first row of an answer is written.
func (p *Prepared) Outgrown(err error) bool {
	sums := !p.largeSums && errors.Is(err, aggregate.ErrLargeSum)
	results := !p.largeResults && errors.Is(err, expr.ErrOverflow)
	if p.st == nil || !sums && !results {
		return false
	}
	p.largeSums, p.largeResults, p.bound = p.largeSums || sums, p.largeResults || results, nil
	return true
}

// mostGuesses is how often a statement is tried with types that were guessed. Each try knows all
// that those before it have seen, so a few are enough for most files. If each column of a wide
// table shows in a later part of the file what it is, there would be as many tries as columns, and
// reading the file to its end is less work.
const mostGuesses = 4

// try calls do with the plan of a statement, and retries if it fails because of wrongly guessed
// types: with other guesses, and after mostGuesses with the types that the files have, for which
// they are read to their ends.
func (p *Prepared) try(ctx context.Context, do func(datasets.Selection) error) error {
	for tries := 1; ; tries++ {
		sel, wrong := p.bind(ctx, false, nil)
		err := wrong
		if err == nil {
			err = do(sel)
		}
		if _, much := errors.AsType[*budget.WorkError](err); err == nil || much || ctx.Err() != nil || p.tables.certain(wrong) {
			return err
		}
		if p.Outgrown(err) {
			continue
		}
		if errors.Is(err, engine.ErrGuess) {
			if err := p.tables.wrong(ctx, err, tries); err != nil {
				return err
			}
			continue
		}
		changed, failed := p.tables.settle(ctx)
		if wrong != nil {
			err = errors.Join(failed, wrong)
		}
		if failed != nil || !changed {
			if failed == nil && p.st != nil {
				err = p.tables.explained(ctx, err, p.ses.notice)
			}
			return err
		}
	}
}
