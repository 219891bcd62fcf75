package pieces

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

// Origin is what a piece was cut from.
type Origin string

// The origins, which end the names of pieces that are kept.
const (
	Piped   Origin = ".piece"
	Watched Origin = ".watched"
)

// Kept are the pieces that are kept in a directory until all of their rows are in the tables of a job.
// What a process has left there that was killed, the next one appends first.
type Kept struct {
	Own vfs.FS
	Dir string
	Job *client.Job
}

// Place is where a piece of a table is kept.
func (k Kept) Place(table string, from Origin) string {
	return filepath.Join(k.Dir, k.Job.Spec.ID.String()+"."+url.PathEscape(table)+string(from))
}

// Append appends the pieces that there are. It returns the report of the last one; without any, the
// report has no tables.
func (k Kept) Append(ctx context.Context, o client.Upload) (report *engine.Report, err error) {
	report = new(engine.Report)
	for _, table := range slices.Sorted(maps.Keys(client.Reads(k.Job.Spec, nil))) {
		for _, from := range []Origin{Piped, Watched} {
			one, err := k.appendOne(ctx, o, table, from)
			if err != nil {
				return one, err
			}
			if len(one.Tables) > 0 {
				report = one
			}
		}
	}
	return report, nil
}

// appendOne appends a piece, if there is one. If it does not fit the table, it goes.
func (k Kept) appendOne(ctx context.Context, o client.Upload, table string, from Origin) (report *engine.Report, err error) {
	place := k.Place(table, from)
	if _, err := k.Own.Size(place); errors.Is(err, fs.ErrNotExist) {
		return new(engine.Report), nil
	}
	o.Wanted = func(t string) bool { return t == table }
	o.Open = func(string) (vfs.File, error) {
		if from == Watched {
			return openCut(k.Own, place)
		}
		return k.Own.Open(place)
	}
	report, err = k.Job.Append(ctx, o)
	refused := err != nil && protocol.CodeOf(err) == "" && ctx.Err() == nil && scan.IsInput(err) && !o.Journal.HalfSent(table)
	switch {
	case refused && from == Watched:
		err = errors.Join(err, refuse(k.Own, place))
	case refused || err == nil:
		err = errors.Join(err, k.Own.Remove(place))
	}
	return report, err
}
