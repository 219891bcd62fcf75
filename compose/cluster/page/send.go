package page

import (
	"context"
	"fmt"
	"io"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// run uploads a table from where its note says. size, that of its file, is negative if
// unknown. If the file is invalid and some of it was sent, run ends the job, since nothing
// could be sent in its place.
func (us *uploads) run(ctx context.Context, key uploadKey, body io.Reader, at note, size int64) (*protocol.TableRead, error) {
	j, err := us.client.Job(ctx, key.job)
	if err != nil {
		return nil, err
	}
	if j.Spec.Open {
		return us.append(ctx, j, key, body)
	}
	cut, err := newPieces(body, j.Spec.Table(key.table), j.Spec.Block, &at)
	if err != nil {
		return nil, err
	}
	at.sent = at.Begun != nil || at.Offset > 0
	notes, err := us.mark(ctx, j, key.table, cut, &at, size)
	if err != nil {
		return nil, err
	}
	for more := true; more; {
		if more, err = us.piece(ctx, j, key.table, cut, &at); err == nil && more && notes {
			notes, err = us.writeNote(ctx, j, key.table, &at)
		}
		switch {
		case scan.IsInput(err):
			return nil, us.refused(ctx, j, key.table, err, &at, at.sent)
		case err != nil:
			return nil, err
		}
	}
	read := &protocol.TableRead{Table: key.table, Rows: at.Rows, Rejected: at.Rejected, Warnings: at.Warnings}
	all := scan.Stats{File: file{}.Name(), Progress: scan.Progress{Rows: at.Rows}, Rejected: at.Rejected}
	if err := all.CheckRejects(-1, scan.AllButOne); err != nil {
		return nil, us.refused(ctx, j, key.table, because(err, at.Rejected), &at, false)
	}
	return read, j.EndTable(ctx, at.Batches, *read)
}

// piece uploads the next piece of a table, and reports whether there may be another.
func (us *uploads) piece(ctx context.Context, j *client.Job, table string, cut *pieces, at *note) (more bool, err error) {
	if more, err := cut.next(); err != nil || !more {
		return false, err
	}
	sent := new(client.Blocks)
	report, err := j.Upload(ctx, client.Upload{
		Open:    func(string) (vfs.File, error) { return file{vfs.Stdin(cut), at.Offset}, nil },
		Wanted:  func(t string) bool { return t == table },
		Workers: 1, MaxRejects: -1, Blocks: sent,
		Piece: &client.Piece{First: at.Batches, Blocks: cut.blocks()},
	})
	at.sent = at.sent || len(sent.Read(table, 0)) > 0
	if err != nil {
		return false, err
	}
	return cut.end(&report.Tables[0].Stats)
}

// refused returns the error of a refused file. If no row of the file can be on the cluster,
// another file may take its place, numbered after the batches of this one: either all of
// those were acknowledged or none was sent. Otherwise it ends the job, since the table can no
// longer be completed.
func (us *uploads) refused(ctx context.Context, j *client.Job, table string, err error, at *note, rows bool) error {
	if !rows {
		if noted, _ := us.writeNote(ctx, j, table, &note{Batches: at.Batches, version: at.version}); noted || !at.sent {
			return err
		}
	}
	why := fmt.Sprintf("table %s: %v", table, err)
	if failed := us.client.End(ctx, j.Spec.ID, protocol.PrintableReason(why)); failed == nil {
		err = fmt.Errorf("%w (the job was ended, since some of the table was there)", err)
	}
	return err
}

// file presents a piece as a file.
type file struct {
	vfs.File
	at int64
}

// Name says which byte of the body line numbers count from.
func (f file) Name() string {
	if f.at == 0 {
		return "the body"
	}
	return fmt.Sprintf("the body, behind byte %d", f.at)
}
