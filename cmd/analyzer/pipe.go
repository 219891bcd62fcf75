package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input/known"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/stop"
	"analyzer/compose/session/fault"
)

// pipe cuts a table on the standard input into pieces, each ending with a complete row. A
// piece is a file that begins with the header, so it can be sent again unchanged.
type pipe struct {
	fs     vfs.FS
	dir    string // where the current piece is written
	table  *columnar.Table
	cancel context.CancelFunc
	in     chan []byte // what was read
	failed error       // valid once in is closed; io.EOF at the end

	splitter csv.Splitter
	header   []byte // nil: it has not arrived
	rest     []byte // what follows the last complete row
	at       int64  // offset in the input at which rest begins
	file     vfs.File
	done     int64 // bytes of the input that are in the table
}

// piece is some rows of a pipe, on their way to a table.
type piece struct {
	fs    vfs.FS
	path  string
	table string
	end   int64 // offset in the input
}

const pieceName = "piece"

// newPipe begins to read. It keeps what has arrived in a new directory below dir.
func newPipe(ctx context.Context, fs vfs.FS, dir string, from io.Reader, table *columnar.Table) (*pipe, error) {
	own, err := fs.MkdirTemp(dir, "analyzer-piece-*")
	if err != nil {
		return nil, fmt.Errorf("keep what comes of the standard input: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &pipe{fs: fs, dir: own, table: table, cancel: cancel, in: make(chan []byte)}
	var ok bool
	if p.splitter, ok = csv.NewSplitter(table.Dialect); !ok {
		cancel()
		err := fmt.Errorf("a pipe of table %s cannot be cut: it is of another encoding, or has other quotes, comments or delimiters than CSV files usually have", table.Name)
		return nil, errors.Join(fault.BadInput("Next: append files.", err), fs.RemoveAll(own))
	}
	go p.read(ctx, stop.Reader(ctx, from))
	return p, nil
}

func (p *pipe) read(ctx context.Context, from io.Reader) {
	defer close(p.in)
	for p.failed == nil {
		block := make([]byte, 64<<10)
		var n int
		n, p.failed = from.Read(block)
		select {
		case p.in <- block[:n]:
		case <-ctx.Done():
			p.failed = context.Cause(ctx)
		}
	}
}

// next returns the rows that have arrived after the given time or at the end, or nil if there
// are none, and whether there may be more. A pipe that ends before any row has a piece of none.
func (p *pipe) next(ctx context.Context, every time.Duration) (next *piece, more bool, err error) {
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		case block, open := <-p.in:
			if open {
				if err := p.take(block); err != nil {
					return nil, false, err
				}
				continue
			}
			if !errors.Is(p.failed, io.EOF) {
				return nil, false, fmt.Errorf("read the standard input: %w", p.failed)
			}
			next, err = p.last()
			return next, false, err
		case <-timer.C:
			next, err = p.cut()
			return next, true, err
		}
	}
}

// take adds what was read.
func (p *pipe) take(block []byte) error {
	p.rest = append(p.rest, block...)
	p.splitter.Write(block)
	if p.at == 0 && !known.Cuttable(p.rest) {
		return fault.BadInput("Next: zcat FILE | analyzer append …, or append the file itself.", errors.New("what comes through the pipe is compressed, or UTF-16, or no CSV file"))
	}
	if p.header == nil && p.splitter.Header() > 0 {
		p.header = []byte{}
		if !p.table.Headless {
			p.header = bytes.Clone(p.rest[:p.splitter.Header()])
			p.rest, p.at = p.rest[len(p.header):], int64(len(p.header))
		}
	}
	if whole := p.splitter.End() - p.at; p.header != nil && whole > 0 {
		if err := p.write(p.rest[:whole]); err != nil {
			return err
		}
		p.rest = bytes.Clone(p.rest[whole:])
	}
	if len(p.rest) > csv.DefaultMaxRecord {
		return fault.BadInput("Next: look for a quote that is not closed.", fmt.Errorf("the standard input has a row of more than %d bytes behind byte %d", csv.DefaultMaxRecord, p.at))
	}
	return nil
}

// write adds rows to the piece.
func (p *pipe) write(rows []byte) (err error) {
	p.at += int64(len(rows))
	if p.file == nil {
		if p.file, err = p.fs.Create(filepath.Join(p.dir, pieceName)); err == nil {
			_, err = p.file.Write(p.header)
		}
	}
	if err == nil {
		_, err = p.file.Write(rows)
	}
	if err != nil {
		err = fmt.Errorf("keep what comes of the standard input: %w", err)
	}
	return err
}

// last returns the last piece. Its last row need not end with a line end.
func (p *pipe) last() (*piece, error) {
	if p.header == nil && len(p.rest) == 0 {
		return nil, fault.BadInput("Next: begin with the header, as tail -n +1 -f FILE does.", errors.New("the standard input is empty: it has no header"))
	}
	if p.header != nil && (len(p.rest) > 0 || p.done == 0) {
		if err := p.write(p.rest); err != nil {
			return nil, err
		}
	}
	return p.cut()
}

// cut ends the current piece; it returns nil if nothing has arrived.
func (p *pipe) cut() (*piece, error) {
	if p.file == nil {
		return nil, nil
	}
	err := errors.Join(p.file.Sync(), p.file.Close())
	if p.file = nil; err != nil {
		return nil, fmt.Errorf("keep what comes of the standard input: %w", err)
	}
	return &piece{fs: p.fs, path: filepath.Join(p.dir, pieceName), table: p.table.Name, end: p.at}, nil
}

func (p *pipe) close() error {
	p.cancel()
	var err error
	if p.file != nil {
		err = p.file.Close()
	}
	return errors.Join(err, p.fs.RemoveAll(p.dir))
}

// keep moves a piece to a path where it outlives this process.
func (n *piece) keep(path string) error {
	err := n.fs.Rename(n.path, path)
	if err == nil {
		err = n.fs.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		err = fmt.Errorf("keep a piece of the standard input: %w", err)
	}
	return err
}

// piecePath is where the piece of a table is kept until all of it is in the table.
func (u *submission) piecePath(table string) string {
	return filepath.Join(u.dir, u.job.Spec.ID.String()+"."+url.PathEscape(table)+"."+pieceName)
}
