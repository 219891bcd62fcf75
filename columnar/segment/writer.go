package segment

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
)

// bufferSize is about how many bytes are collected for one write to a file.
const bufferSize = 256 << 10

var (
	errFinished = errors.New("the segment is finished")
	errAborted  = errors.New("the segment was given up")
)

// Writer writes one segment file. Only one goroutine may use it at a time. Abort must be
// called if Finish was not; it may also be called after Finish.
type Writer struct {
	fs      vfs.FS
	path    string
	schema  columnar.Schema
	file    vfs.File
	ipc     *ipc.Writer
	blocks  []Block
	err     error // why nothing more can be written
	buffer  int   // bytes collected for one write
	sync    bool  // make the file durable before Finish returns
	advice  string
	written func(*Segment, error) error // called with the result of writing; may be nil
}

// newWriter opens the file of w, whose settings the caller has set.
func newWriter(w *Writer) (*Writer, error) {
	for _, field := range w.schema {
		if !field.Type.Known() {
			return nil, fmt.Errorf("write segment %s: column %q has no type", w.path, field.Name)
		}
	}
	file, err := w.fs.Create(w.path)
	if err != nil {
		return nil, w.explain(err)
	}
	w.file = file
	if w.ipc, err = ipc.NewWriter(file, w.schema, ipc.Layout{}, w.buffer); err != nil {
		return nil, errors.Join(w.explain(err), w.Abort())
	}
	return w, nil
}

// Append writes rows, borrowed, as the next block of a partition. It writes no block if there
// are no rows. After an error nothing more can be written.
func (w *Writer) Append(partition int, rows columnar.Rows) error {
	if w.err != nil {
		return w.err
	}
	parts, err := w.ipc.Write(rows)
	return w.add(blockOf(partition, parts, int64(rows.Len)), err)
}

// blockOf describes a block of a partition that was written in parts.
func blockOf(partition int, parts [][]byte, rows int64) Block {
	block := Block{Partition: partition, Rows: rows}
	if len(parts) == 1 {
		block.Length, block.Hash = int64(len(parts[0])), xxhash.Sum64(parts[0])
		return block
	}
	hash := xxhash.New()
	for _, part := range parts {
		block.Length += int64(len(part))
		_, _ = hash.Write(part) // never fails
	}
	block.Hash = hash.Sum64()
	return block
}

// AppendMessages writes messages encoded by package ipc, unchanged, as the next block of a
// partition. The caller must ensure that they decode to the given number of rows of the
// schema.
func (w *Writer) AppendMessages(partition int, messages [][]byte, rows int64) error {
	if w.err != nil {
		return w.err
	}
	for _, message := range messages {
		if err := w.ipc.WriteMessage(message); err != nil {
			return w.add(Block{}, err)
		}
	}
	return w.add(blockOf(partition, messages, rows), nil)
}

// add adds the block that was written last to the index.
func (w *Writer) add(block Block, err error) error {
	if err == nil && block.Partition < 0 {
		err = fmt.Errorf("partition %d", block.Partition)
	}
	if err != nil {
		w.err = w.explain(err)
		return w.err
	}
	if block.Length > 0 {
		block.Offset = w.ipc.Size() - block.Length
		w.blocks = append(w.blocks, block)
	}
	return nil
}

// Finish ends the file and closes it. After an error the file is removed.
func (w *Writer) Finish() (*Segment, error) {
	if w.err != nil {
		return nil, errors.Join(w.err, w.Abort())
	}
	segment, err := w.finish()
	if w.written != nil {
		err = w.written(segment, err)
	}
	if err != nil {
		w.err = w.explain(err)
		return nil, errors.Join(w.err, w.Abort())
	}
	return segment, nil
}

func (w *Writer) finish() (*Segment, error) {
	if err := w.ipc.Close(); err != nil {
		return nil, err
	}
	if w.sync {
		if err := w.file.Sync(); err != nil {
			return nil, vfs.Unsure(err)
		}
	}
	file := w.file
	w.file = nil
	if err := file.Close(); err != nil {
		return nil, errors.Join(err, w.fs.Remove(w.path))
	}
	w.err = errFinished
	return &Segment{Path: w.path, Schema: w.schema, Size: w.ipc.Size(), Blocks: w.blocks}, nil
}

// Abort closes and removes the unfinished file. It does nothing after Finish has returned.
func (w *Writer) Abort() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	if w.err == nil {
		w.err = errAborted
	}
	return errors.Join(file.Close(), w.fs.Remove(w.path))
}

// explain adds to an error which file could not be written, and what to do about a full disk.
func (w *Writer) explain(err error) error {
	return fmt.Errorf("write segment %s: %w", w.path, fullDisk(filepath.Dir(w.path), w.advice, err))
}
