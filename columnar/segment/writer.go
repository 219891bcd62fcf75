package segment

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// Options say how a segment is written. The zero value is the usual.
type Options struct {
	// BufferSize is how many bytes are collected for one write to the file; 0
	// stands for 256 KiB.
	BufferSize int
	// Allocator serves the copies that slices of batches need while they are
	// written; nil stands for Go's heap.
	Allocator columnar.Allocator
}

const defaultBufferSize = 256 << 10

var (
	errFinished = errors.New("the segment is finished")
	errAborted  = errors.New("the segment was given up")
)

// Writer writes one segment file. It has one caller at a time. Abort must be
// called unless Finish was; it may be called after Finish.
type Writer struct {
	fs      vfs.FS
	path    string
	schema  columnar.Schema
	arrow   *arrow.Schema
	file    vfs.File
	sink    *sink
	ipc     *ipc.FileWriter
	blocks  []Block
	err     error // why nothing more can be written
	sync    bool  // make the file durable before Finish returns
	advice  string
	opts    Options
	written func(*Segment, error) error // told how Finish ends; may be nil
}

// NewWriter creates the file path for batches of schema. Nothing is synced: the
// segment is scratch. Use Scratch for many of them, Store for durable ones.
func NewWriter(fs vfs.FS, path string, schema columnar.Schema, opts Options) (*Writer, error) {
	return newWriter(&Writer{fs: fs, path: path, schema: schema, opts: opts, advice: "free space there"})
}

// newWriter opens the file of w, whose settings are made.
func newWriter(w *Writer) (*Writer, error) {
	for _, field := range w.schema {
		if field.Type.Arrow().ID() == arrow.NULL {
			return nil, fmt.Errorf("write segment %s: column %q has no type", w.path, field.Name)
		}
	}
	if w.opts.BufferSize <= 0 {
		w.opts.BufferSize = defaultBufferSize
	}
	if w.opts.Allocator == nil {
		w.opts.Allocator = memory.DefaultAllocator
	}
	w.arrow = w.schema.Arrow()
	file, err := w.fs.Create(w.path)
	if err != nil {
		return nil, w.explain(err)
	}
	w.file = file
	w.sink = newSink(file, w.opts.BufferSize)
	options := []ipc.Option{ipc.WithSchema(w.arrow), ipc.WithAllocator(w.opts.Allocator)}
	if w.ipc, err = ipc.NewFileWriter(w.sink, options...); err != nil {
		return nil, errors.Join(w.explain(err), w.Abort())
	}
	return w, nil
}

// Append writes a batch as the next block of a partition. The batch is borrowed.
// After an error nothing more can be written.
func (w *Writer) Append(partition int, batch columnar.RecordBatch) error {
	if w.err != nil {
		return w.err
	}
	if err := w.append(partition, batch); err != nil {
		w.err = w.explain(err)
	}
	return w.err
}

func (w *Writer) append(partition int, batch columnar.RecordBatch) error {
	if partition < 0 {
		return fmt.Errorf("partition %d", partition)
	}
	batch, err := conform(w.arrow, batch, w.opts.Allocator)
	if err != nil {
		return err
	}
	defer batch.Release()
	if err := w.ipc.Write(batch); err != nil {
		return err
	}
	message := w.sink.last
	w.blocks = append(w.blocks, Block{
		Partition: partition,
		Offset:    message.offset,
		Length:    message.length,
		Rows:      batch.NumRows(),
		Hash:      message.hash,
	})
	return nil
}

// Size returns the bytes written so far.
func (w *Writer) Size() int64 { return w.sink.pos }

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
	if err := w.sink.Flush(); err != nil {
		return nil, err
	}
	if w.sync {
		if err := w.file.Sync(); err != nil {
			return nil, fatal(err)
		}
	}
	file := w.file
	w.file = nil
	if err := file.Close(); err != nil {
		return nil, errors.Join(err, w.fs.Remove(w.path))
	}
	w.err = errFinished
	return &Segment{Path: w.path, Schema: w.schema, Size: w.sink.pos, Blocks: w.blocks}, nil
}

// Abort closes and removes the unfinished file. It does nothing when Finish has
// returned, whatever it returned.
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

// explain says which file could not be written, and what to do about a full disk.
func (w *Writer) explain(err error) error {
	return fmt.Errorf("write segment %s: %w", w.path, fullDisk(filepath.Dir(w.path), w.advice, err))
}
