package pieces

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"analyzer/columnar/input/known"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/stop"
	"analyzer/compose/session/fault"
)

// cutting is a piece while it is written.
type cutting struct {
	w      *Watch
	next   state // that the piece makes
	file   vfs.File
	header []byte // of all files of the piece
	bytes  int64
	full   bool // nothing can be added
}

func newCutting(w *Watch) *cutting {
	c := &cutting{w: w, next: state{Pieces: w.state.Pieces + 1, Files: slices.Clone(w.state.Files)}}
	c.next.Last.Known, c.next.Last.Before = len(w.state.Files), make(map[int]file)
	return c
}

// take adds the new rows of a file. Of a file whose header is not that of the files before it, it
// takes none, and of a large file a part.
func (c *cutting) take(ctx context.Context, of found) (err error) {
	path := filepath.Join(c.w.dir, of.name)
	was := file{Path: path}
	if of.at >= 0 {
		c.next.Files[of.at].Path = path // it may be a new one
		was = c.next.Files[of.at]
		if was.Whole == of.now && of.now.Written != 0 {
			return nil
		}
	}
	f, now, err := c.w.openFile(of.name)
	if err != nil || f == nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	rows := &rowsOf{c: c, f: f, from: was, now: now}
	is, err := rows.take(ctx)
	if err != nil || is.Taken == was.Taken {
		return err
	}
	if is.Head, is.Tail, err = hashesOf(f, is.Taken); err != nil {
		return err
	}
	c.bytes += is.Taken - was.Taken
	c.full = c.full || c.bytes >= maxPiece
	if of.at >= 0 {
		c.next.Last.Before[of.at], c.next.Files[of.at] = was, is
	} else {
		c.next.Files = append(c.next.Files, is)
	}
	return nil
}

// write adds rows to the piece, which begins with a header.
func (c *cutting) write(header, rows []byte) (err error) {
	if c.file == nil {
		if c.file, err = c.w.own.Create(c.w.staged(c.next.Pieces)); err != nil {
			return err
		}
		c.header = bytes.Clone(header)
		rows = slices.Concat(c.header, rows)
	}
	_, err = c.file.Write(rows)
	return err
}

// close makes the piece durable, where it is staged.
func (c *cutting) close() error {
	if c.file == nil {
		return nil
	}
	return errors.Join(c.file.Sync(), c.file.Close(), c.w.own.SyncDir(filepath.Dir(c.w.place)))
}

// rowsOf reads the new rows of a file.
type rowsOf struct {
	c      *cutting
	f      vfs.File
	from   file // what was taken of it
	now    stat
	header []byte // nil: it has not come
}

// settled reports whether the file has not changed for some time.
func (r *rowsOf) settled() bool {
	return r.now.Written != 0 && r.c.w.now().Sub(time.Unix(0, r.now.Written)) >= Settled
}

// take adds rows to the piece, and returns what is taken of the file then.
func (r *rowsOf) take(ctx context.Context) (is file, err error) {
	cuttable, err := r.cuttable()
	switch {
	case err != nil:
		return r.from, err
	case !cuttable:
		return r.whole(ctx)
	}
	if err := r.begin(); err != nil || r.header == nil || r.c.full {
		return r.from, err
	}
	return r.copy(ctx)
}

// cuttable reports whether the file can be cut between two rows.
func (r *rowsOf) cuttable() (bool, error) {
	begin, err := vfs.ReadPart(r.f, 0, min(r.now.Size, stored.MagicBytes))
	return known.Cuttable(begin), err
}

// whole makes a file that cannot be cut the piece, as it is, once it is settled.
func (r *rowsOf) whole(ctx context.Context) (is file, err error) {
	switch c := r.c; {
	case r.from.Taken > 0:
		return r.from, r.c.w.changed(r.from)
	case !r.settled():
		return r.from, nil
	case c.file != nil:
		c.full = true
		return r.from, nil
	default:
		if c.file, err = c.w.own.Create(c.w.staged(c.next.Pieces)); err != nil {
			return r.from, err
		}
		c.full = true
	}
	_, err = io.Copy(r.c.file, stop.Reader(ctx, io.NewSectionReader(r.f, 0, r.now.Size)))
	return file{Path: r.from.Path, Taken: r.now.Size, Whole: r.now}, err
}

// begin reads the header, and finds out whether the rows can be added to the piece.
func (r *rowsOf) begin() (err error) {
	if r.header = []byte{}; !r.c.w.table.Headless {
		if r.header, err = r.readHeader(); err != nil {
			return err
		}
	}
	if c := r.c; c.file != nil && !bytes.Equal(c.header, r.header) {
		c.full = true
	}
	return nil
}

// readHeader returns the first record; nil: it has not come whole.
func (r *rowsOf) readHeader() ([]byte, error) {
	begin, _ := growingFrom(r.c.w.table, r.from.Path, 0)
	for at := int64(0); at < r.now.Size; at += headBytes {
		more, err := vfs.ReadPart(r.f, at, min(r.now.Size-at, headBytes))
		if err != nil {
			return nil, err
		}
		begin.add(more)
		if header := begin.header(); header != nil {
			return header, nil
		}
		if err := begin.check(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// copy adds the rows behind those that were taken.
func (r *rowsOf) copy(ctx context.Context) (is file, err error) {
	is = r.from
	if is.Taken == 0 {
		is.Taken = int64(len(r.header))
	}
	begin := is.Taken
	if is.Ended {
		if is, err = r.goOn(is); err != nil {
			return r.from, err
		}
	}
	come, _ := growingFrom(r.c.w.table, r.from.Path, is.Taken)
	block := make([]byte, 256<<10)
	for at := is.Taken; at < r.now.Size && come.at-begin < maxPiece; {
		if err := context.Cause(ctx); err != nil {
			return r.from, err
		}
		n, err := r.f.ReadAt(block[:min(int64(len(block)), r.now.Size-at)], at)
		if n == 0 {
			return r.from, fmt.Errorf("read %s at byte %d: %w", r.from.Path, at, err)
		}
		at += int64(n)
		come.add(block[:n])
		rows, err := come.rows()
		if err == nil && len(rows) > 0 {
			err = r.c.write(r.header, rows)
		}
		if err != nil {
			return r.from, err
		}
	}
	is.Taken = come.at
	return r.end(is, come.rest)
}

// end takes a last row without a line end, once the file is settled.
func (r *rowsOf) end(is file, rest []byte) (file, error) {
	if len(rest) > 0 && is.Taken+int64(len(rest)) == r.now.Size && r.settled() {
		if err := r.c.write(r.header, append(rest, '\n')); err != nil {
			return r.from, err
		}
		is.Taken, is.Ended = r.now.Size, true
		r.c.full = true // a quote in it may not be closed, and must not reach other rows
	}
	if is.Taken == r.now.Size {
		is.Whole = r.now
	}
	if is.Taken == int64(len(r.header)) { // no row
		return r.from, nil
	}
	return is, nil
}

// goOn leaves out the line end of a row that was taken without it.
func (r *rowsOf) goOn(is file) (file, error) {
	next, err := vfs.ReadPart(r.f, is.Taken, min(r.now.Size-is.Taken, 2))
	if err != nil || len(next) == 0 {
		return is, err
	}
	line := len(next) - len(bytes.TrimPrefix(bytes.TrimPrefix(next, []byte("\r")), []byte("\n")))
	if line == 0 {
		err := fmt.Errorf("%s went on within its last row, which was taken as ended at byte %d after %v without a change", r.from.Path, is.Taken, Settled)
		return is, fault.BadInput("Next: move the file away, and append the rest under another name.", err)
	}
	is.Taken, is.Ended = is.Taken+int64(line), false
	return is, nil
}
