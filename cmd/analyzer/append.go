package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/pieces"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
)

// feeder appends pieces to the tables of an open job.
type feeder struct{ *submission }

// pending are the pieces that lie beside the journal, to be appended first.
func (u feeder) pending() pieces.Kept { return pieces.Kept{Own: u.own, Dir: u.record.dir, Job: u.job} }

// source puts the next piece of a table at its place, and reports whether there was one.
type source func(ctx context.Context) (bool, error)

// appendPipe appends the standard input, piece by piece.
func (u feeder) appendPipe(ctx context.Context, table string) (err error) {
	pipe, err := pieces.NewPipe(ctx, u.own, u.record.dir, u.stdin, u.job.Spec.Table(table))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pipe.Close()) }()
	done := int64(0) // bytes that are in the table
	for more := true; more; {
		var next *pieces.Piece
		next, more, err = pipe.Next(ctx, cmp.Or(u.follow.every, forEver))
		if err == nil && next == nil {
			continue // nothing has arrived
		}
		if err != nil {
			err = u.unappended(ctx, err)
		} else {
			end := next.End
			_, err = u.growAndSay(ctx, u.uploadOf(ctx), func(context.Context) (bool, error) {
				if next == nil {
					return false, nil
				}
				kept := next.Keep(u.pending().Place(table, pieces.Piped))
				next = nil
				return kept == nil, kept
			})
			if err == nil {
				done = end
			}
		}
		if err != nil {
			u.notef("Of the standard input %d bytes are in table %s.", done, table)
			return err
		}
	}
	u.tellf("Of the standard input %d bytes are in table %s.", done, table)
	u.sayOpen()
	return nil
}

// forEver is longer than any pipe.
const forEver = time.Duration(1<<63 - 1)

// appendWatched appends what is new in directories: what there is now or, with --every, until
// somebody ends it.
func (u feeder) appendWatched(ctx context.Context, places map[string]string) (err error) {
	if err := u.answerOften(); err != nil {
		return err
	}
	if u.supply.inputs, err = inputs.Find(u.asked.Source, nil, inputs.Options{FS: u.fs}); err != nil {
		return err
	}
	tables := slices.Sorted(maps.Keys(client.Reads(u.job.Spec, nil)))
	watches := make(map[string]*pieces.Watch)
	for table, place := range places {
		if !slices.Contains(tables, table) {
			return fault.WrongUsage("Next: name one of "+strings.Join(tables, ", ")+".", "--watch %s=%s: no question of the job reads such a table", table, place)
		}
		c := pieces.Config{FS: u.fs, Own: u.own, Dir: place, Table: u.job.Spec.Table(table), Place: u.pending().Place(table, pieces.Watched)}
		if strings.ContainsAny(filepath.Base(place), "*?[") {
			c.Dir, c.Pattern = filepath.Dir(place), filepath.Base(place)
		}
		if watches[table], err = pieces.NewWatch(c); err != nil {
			return err
		}
	}
	next := func(ctx context.Context) (bool, error) {
		for _, table := range slices.Sorted(maps.Keys(watches)) {
			if more, err := watches[table].Next(ctx); more || err != nil {
				return more, err
			}
		}
		return false, nil
	}
	err = u.keepAppending(ctx, next)
	if err != nil && ctx.Err() == nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(watches)) {
		u.tellf("%d new bytes of %s were taken for table %s.", watches[table].Bytes(), places[table], table)
	}
	if err == nil {
		u.sayOpen()
	}
	return err
}

// keepAppending appends the pieces that there are, once or as often as --every says.
func (u feeder) keepAppending(ctx context.Context, next source) error {
	for {
		if _, err := u.growAndSay(ctx, u.uploadOf(ctx), next); err != nil {
			return err
		}
		if u.follow.every == 0 {
			return nil
		}
		select {
		case <-time.After(u.follow.every):
		case <-ctx.Done():
			return fault.Interruption("Next: run it again; nothing is lost, and nothing will count twice.", context.Cause(ctx))
		}
	}
}

// appendAll appends the pieces of a source, those first that an earlier process has left.
func (u feeder) appendAll(ctx context.Context, o client.Upload, next source) (report *engine.Report, err error) {
	report = new(engine.Report)
	for more := true; more; {
		last, err := u.pending().Append(ctx, o)
		if err != nil {
			return last, err
		}
		if len(last.Tables) > 0 {
			u.summariseTables(report) // of the one before
			report = last
		}
		if more, err = next(ctx); err != nil {
			return report, err
		}
	}
	return report, nil
}
