package csv

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"analyzer/columnar/vfs"
)

// Reader divides a CSV file into blocks of records. Next may be called by many
// workers at once, each with a Block of its own.
type Reader struct {
	name    string
	opts    Options
	source  source
	chain   *chain
	kernels kernels
	header  []string
	begin   int64        // where the records behind the header begin
	blocks  atomic.Int64 // handed out
	end     atomic.Int64 // of their last record
}

// Open reads the header of f and prepares to read what follows it. A *InputError
// tells that f is no CSV file. f stays the caller's, who closes it after the
// Reader.
func Open(ctx context.Context, f vfs.File, opts Options) (*Reader, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	r := &Reader{name: f.Name(), opts: opts, kernels: newKernels(opts.Portable)}
	if r.source, err = openSource(f, opts); err != nil {
		return nil, err
	}
	if err := r.readHeader(ctx); err != nil {
		return nil, errors.Join(err, r.source.close())
	}
	return r, nil
}

// Header returns the names in the header, as they stand there but for quotes.
func (r *Reader) Header() []string { return r.header }

// Anywhere reports whether the file can be read at any place: it is neither compressed
// nor a pipe.
func (r *Reader) Anywhere() bool {
	_, plain := r.source.(*plainSource)
	return plain
}

// Encoding returns the encoding that the file has, "" for UTF-8.
func (r *Reader) Encoding() string {
	s, _ := r.source.(*streamSource)
	if s == nil {
		return ""
	}
	return s.encoding
}

// Progress returns how far the reading has come. It may be called at any time.
func (r *Reader) Progress() Progress {
	p := r.source.progress()
	p.Blocks, p.End = r.blocks.Load(), max(r.begin, r.end.Load())
	return p
}

// Close ends the use of the file, which it does not close. No Next may be
// running.
func (r *Reader) Close() error { return r.source.close() }

// Next reads the next block that no other worker has into b; one block of a file
// may hold no record. It returns io.EOF when there are no more, a *InputError if
// the content of the file is at fault, and otherwise the error of reading or of
// the context. After an error other than io.EOF, b.Index tells on which block it
// came; blocks behind that one cannot be read, and nothing can after a cancelled
// context.
func (r *Reader) Next(ctx context.Context, b *Block) error {
	b.reset(r.opts.BlockSize)
	k, err := r.source.claim(ctx)
	b.index = k
	if err != nil {
		if !errors.Is(err, io.EOF) {
			r.chain.fail(k, err)
		}
		return err
	}
	err = r.load(ctx, b)
	r.source.release()
	if err == nil {
		err = r.finish(b)
	}
	if err != nil {
		r.chain.fail(k, err)
		return err
	}
	r.count(b)
	return nil
}

// count counts a block that is handed out.
func (r *Reader) count(b *Block) {
	r.blocks.Add(1)
	for end, last := b.End(), r.end.Load(); end > last && !r.end.CompareAndSwap(last, end); {
		last = r.end.Load()
	}
}
