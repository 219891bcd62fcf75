package pieces

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/input/known"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/stop"
	"analyzer/compose/session/fault"
)

// Pipe cuts a table that comes through a pipe into pieces. Only one goroutine may use it.
type Pipe struct {
	fs     vfs.FS
	dir    string // where the current piece is written
	table  *columnar.Table
	cancel context.CancelFunc
	in     chan []byte // what was read
	failed error       // valid once in is closed; io.EOF at the end

	come   *growing
	header []byte // nil: it has not arrived
	file   vfs.File
	any    bool // there was a piece
}

// Piece is some rows of a pipe, on their way to a table.
type Piece struct {
	End  int64 // how many bytes of the input end with it
	fs   vfs.FS
	path string
}

const pieceName = "piece"

// NewPipe begins to read. It keeps what has arrived in a new directory below dir. The caller closes
// the pipe.
func NewPipe(ctx context.Context, fs vfs.FS, dir string, from io.Reader, table *columnar.Table) (*Pipe, error) {
	own, err := fs.MkdirTemp(dir, "analyzer-piece-*")
	if err != nil {
		return nil, fmt.Errorf("keep what comes of the standard input: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &Pipe{fs: fs, dir: own, table: table, cancel: cancel, in: make(chan []byte)}
	var ok bool
	if p.come, ok = growingFrom(table, "the standard input", 0); !ok {
		cancel()
		err := fmt.Errorf("a pipe of table %s cannot be cut: it is of another encoding, or has other quotes, comments or delimiters than CSV files usually have", table.Name)
		return nil, errors.Join(fault.BadInput("Next: append files.", err), fs.RemoveAll(own))
	}
	go p.read(ctx, stop.Reader(ctx, from))
	return p, nil
}

func (p *Pipe) read(ctx context.Context, from io.Reader) {
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

// Next returns the rows that have arrived after the given time or at the end, or nil if there
// are none, and whether there may be more. A pipe that ends before any row has a piece of none.
func (p *Pipe) Next(ctx context.Context, every time.Duration) (next *Piece, more bool, err error) {
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
func (p *Pipe) take(block []byte) error {
	p.come.add(block)
	if p.come.at == 0 && !known.Cuttable(p.come.rest) {
		return fault.BadInput("Next: zcat FILE | analyzer append …, or append the file itself.", errors.New("what comes through the pipe is compressed, or UTF-16, or no CSV file"))
	}
	if p.header == nil && p.come.split.Header() > 0 {
		p.header = []byte{}
		if !p.table.Headless {
			p.header = bytes.Clone(p.come.header())
		}
	}
	if p.header == nil {
		return p.come.check()
	}
	rows, err := p.come.rows()
	if err == nil && len(rows) > 0 {
		err = p.write(rows)
	}
	return err
}

// write adds rows to the piece.
func (p *Pipe) write(rows []byte) (err error) {
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
func (p *Pipe) last() (*Piece, error) {
	if p.header == nil && len(p.come.rest) == 0 {
		return nil, fault.BadInput("Next: begin with the header, as tail -n +1 -f FILE does.", errors.New("the standard input is empty: it has no header"))
	}
	if p.header != nil && (len(p.come.rest) > 0 || !p.any) {
		if err := p.write(p.come.end()); err != nil {
			return nil, err
		}
	}
	return p.cut()
}

// cut ends the current piece; it returns nil if nothing has arrived.
func (p *Pipe) cut() (*Piece, error) {
	if p.file == nil {
		return nil, nil
	}
	err := errors.Join(p.file.Sync(), p.file.Close())
	if p.file, p.any = nil, true; err != nil {
		return nil, fmt.Errorf("keep what comes of the standard input: %w", err)
	}
	return &Piece{End: p.come.at, fs: p.fs, path: filepath.Join(p.dir, pieceName)}, nil
}

// Close ends the reading, and removes what was not kept.
func (p *Pipe) Close() error {
	p.cancel()
	var err error
	if p.file != nil {
		err = p.file.Close()
	}
	return errors.Join(err, p.fs.RemoveAll(p.dir))
}

// Keep moves a piece to a path where it outlives this process.
func (n *Piece) Keep(path string) error {
	err := n.fs.Rename(n.path, path)
	if err == nil {
		err = n.fs.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		err = fmt.Errorf("keep a piece of the standard input: %w", err)
	}
	return err
}
