package arrow

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
)

// magicBytes is how many bytes come before the first message of a file.
const magicBytes = 8

// maxMetadata is how many bytes of metadata a message may have.
const maxMetadata = 64 << 20

// maxRows is the maximum number of rows in a block. Otherwise a block has about as many bytes as
// one of a CSV file, but repeated values take little space in the file and much in memory.
const maxRows = 16 << 10

// file is an open file. It is safe for concurrent use.
type file struct {
	source       *source
	columns      []*column
	batches      []batch // of which workers get rows
	dictionaries dictionaries
	rows         int64 // rows per block, except for the last block of a batch
	total        int64 // rows
	blocks       int64
	next         atomic.Int64
}

// message is where a message lies in the file.
type message struct {
	at       int64 // offset of its metadata
	metadata int64 // bytes
	body     int64 // offset of its body
	size     int64 // bytes of its body
}

// batch is a message with rows.
type batch struct {
	message
	rows  int64
	first int64 // number of its first row, from 0
	block int64 // number of its first block
	known int   // how many messages with dictionaries apply to it
}

// open reads where the messages of f lie. Blocks have about blockSize bytes. The caller keeps f.
func open(f vfs.File, blockSize int) (*file, error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("find the size of %s: %w", f.Name(), err)
	}
	a := &file{source: &source{File: f, size: size}}
	a.dictionaries.file = a
	if err := a.source.guard(nil, 0, a.layOut); err != nil {
		return nil, err
	}
	a.rows = min(max(int64(blockSize)*a.total/max(size, 1), 1), maxRows)
	for i := range a.batches {
		a.batches[i].block = a.blocks
		a.blocks += (a.batches[i].rows + a.rows - 1) / a.rows
	}
	return a, nil
}

// layOut finds the messages: those of a file by its footer, those of a stream from one to the next.
func (f *file) layOut() error {
	begin := make([]byte, min(magicBytes, f.source.size))
	if err := f.source.read(begin, 0); err != nil {
		return err
	}
	if hasMagic(begin) {
		return f.footer()
	}
	for at := int64(0); at < f.source.size || f.columns == nil; {
		m, header, metadata, err := f.messageAt(at)
		if err != nil {
			return err
		}
		if m.metadata == 0 {
			break
		}
		if err := f.take(m, header, metadata); err != nil {
			return err
		}
		at = m.body + m.size
	}
	if f.columns == nil {
		return errors.New("there is no schema")
	}
	return nil
}

// footer finds the messages that the footer of a file names.
func (f *file) footer() error {
	end := f.source.size - int64(ipc.FooterTail)
	tail := make([]byte, ipc.FooterTail)
	if err := f.source.read(tail, end); err != nil {
		return err
	}
	size, ok := ipc.FooterSize(tail)
	if !ok || size > min(end, maxMetadata) {
		return io.ErrUnexpectedEOF
	}
	data := make([]byte, size)
	if err := f.source.read(data, end-size); err != nil {
		return err
	}
	footer, err := ipc.ReadFooter(data)
	if err != nil {
		return bigEndian(err)
	}
	f.columns = columnsOf(footer.Fields, footer.Unions)
	for _, at := range slices.Concat(footer.Dictionaries, footer.Batches) {
		m, header, metadata, err := f.messageAt(at)
		if err == nil {
			err = f.take(m, header, metadata)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bigEndian returns what is said of a schema that cannot be read.
func bigEndian(err error) error {
	if errors.Is(err, ipc.ErrBigEndian) {
		return &input.MissingError{What: "the numbers in the file have their first byte last, as on big endian machines", Hint: "write the file on another machine, or as Parquet"}
	}
	return err
}

// messageAt reads the metadata of the message at an offset. At the end of a stream it has none.
func (f *file) messageAt(at int64) (m message, header ipc.Message, metadata []byte, err error) {
	cut := fmt.Errorf("%w, after %d bytes", io.ErrUnexpectedEOF, at)
	end := f.source.size
	if at < 0 || at > end {
		return m, header, nil, cut
	}
	begin := make([]byte, min(ipc.MaxPrefix, end-at))
	if err := f.source.read(begin, at); err != nil {
		return m, header, nil, err
	}
	prefix, length, ok := ipc.Prefix(begin)
	m = message{at: at + int64(prefix), metadata: length, body: at + int64(prefix) + length}
	if !ok || m.body > end || length > maxMetadata {
		return m, header, nil, cut
	}
	if length == 0 {
		return m, header, nil, nil
	}
	if metadata, err = f.source.metadata(m); err != nil {
		return m, header, nil, err
	}
	header, err = ipc.Header(metadata)
	if m.size = header.Body; err == nil && m.size > end-m.body {
		err = cut
	}
	return m, header, metadata, err
}

// take takes in a message.
func (f *file) take(m message, header ipc.Message, metadata []byte) error {
	if header.Kind == ipc.SchemaMessage {
		if f.columns != nil {
			return errors.New("there are two schemas")
		}
		fields, err := ipc.ReadSchema(metadata)
		f.columns = columnsOf(fields, header.Unions)
		return bigEndian(err)
	}
	if f.columns == nil {
		return errors.New("the schema does not come first")
	}
	if header.Kind != ipc.DictionaryMessage && header.Kind != ipc.BatchMessage {
		return &input.MissingError{What: fmt.Sprintf("a message of the kind %d is not read", header.Kind), Hint: "write the file as Parquet"}
	}
	b, err := ipc.ReadBatch(metadata)
	if err != nil {
		return err
	}
	if header.Kind == ipc.DictionaryMessage {
		f.dictionaries.add(b, m)
		return nil
	}
	if b.Rows > 0 {
		f.batches = append(f.batches, batch{message: m, rows: b.Rows, first: f.total, known: len(f.dictionaries.messages)})
		f.total += b.Rows
	}
	return nil
}

// source is the file under the reader. It remembers read errors, to tell them from damage.
type source struct {
	vfs.File
	size   int64
	failed atomic.Pointer[error]
}

// ReadAt reads from the file.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.File.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// read reads all of p.
func (s *source) read(p []byte, off int64) error {
	if off < 0 {
		return io.ErrUnexpectedEOF
	}
	n, err := s.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}

// metadata reads the metadata of a message, which lies within the file.
func (s *source) metadata(m message) ([]byte, error) {
	metadata := make([]byte, m.metadata)
	return metadata, s.read(metadata, m.at)
}

// guard calls do, which reads the given row of a column, or no column. It makes errors
// *csv.InputError unless the file could not be read.
func (s *source) guard(c *column, row int64, do func() error) error {
	err := do()
	if err == nil {
		return nil
	}
	if failed := s.failed.Load(); failed != nil {
		return fmt.Errorf("read %s: %w", s.Name(), *failed)
	}
	name := ""
	if c != nil {
		name = c.Name
	}
	if missing, ok := errors.AsType[*input.MissingError](err); ok {
		what := missing.What
		if c != nil {
			what = fmt.Sprintf("the column has the type %s, and %s", c.In, what)
		}
		return &csv.InputError{File: s.Name(), Column: name, Reason: input.ReasonMissing, Detail: what, Hint: missing.Hint}
	}
	return &csv.InputError{
		File: s.Name(), Line: row, Column: name, Reason: csv.ReasonDamaged,
		Detail: "the Arrow file is damaged, or newer than this program", Err: err, Hint: "write it again",
	}
}
