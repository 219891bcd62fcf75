package csv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// Reader divides a CSV file into blocks of records. Next may be called by many
// workers at once, each with a Block of its own.
type Reader struct {
	name    string
	opts    Options
	syntax  syntax
	source  stored.Source
	chain   *chain
	before  Edge // before the first block that is read
	kernels kernels
	header  []string
	named   int          // how many fields the first record has
	first   []byte       // the record of the header as written
	begin   int64        // offset of the first record after the header
	blocks  atomic.Int64 // number of blocks handed out
	end     atomic.Int64 // offset after their last record
}

// Open reads the header of f and prepares to read the records after it. It returns a
// *InputError if f is not a CSV file. The caller keeps f and closes it after the
// Reader.
func Open(ctx context.Context, f vfs.File, opts Options) (*Reader, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	r := &Reader{name: f.Name(), opts: opts, syntax: opts.syntax, kernels: newKernels(opts.portable)}
	if r.source, err = stored.Open(f, opts.stored(f.Name())); err != nil {
		return nil, err
	}
	if opts.First > 0 && !r.Anywhere() {
		err = r.inOrder()
	}
	if err == nil {
		err = r.readHeader(ctx)
	}
	if r.before = (Edge{Line: 1}); err == nil && opts.First > 0 {
		err = r.beginAt(ctx, f)
	}
	if err != nil {
		return nil, errors.Join(err, r.source.Close())
	}
	return r, nil
}

// beginAt has a reader begin behind the first block.
func (r *Reader) beginAt(ctx context.Context, f vfs.File) (err error) {
	if r.before = r.opts.Before; r.opts.Guess {
		if r.before, err = guess(ctx, f, r.opts); err != nil {
			return err
		}
	}
	r.chain = newChain(r.opts.First, r.before)
	return nil
}

// Header returns the names in the header as written there, without quotes.
func (r *Reader) Header() []string { return r.header }

// Anywhere reports whether the file can be read at any offset: it is neither compressed,
// nor rewritten, nor a pipe.
func (r *Reader) Anywhere() bool { return r.source.Anywhere() }

func (r *Reader) inOrder() error {
	return fmt.Errorf("%s can only be read from its beginning", r.name)
}

// Free reports whether Next need not wait for another worker: only one at a time decompresses.
func (r *Reader) Free() bool { return r.source.Free() }

// Encoding returns the encoding of the file, "" for UTF-8.
func (r *Reader) Encoding() string { return r.source.Encoding() }

// Notes say what of the file is not read, such as other sheets of a workbook.
func (r *Reader) Notes() []string { return r.source.Notes() }

// Progress says how much of a file has been read.
type Progress = stored.Progress

// Progress returns how much has been read. It may be called at any time.
func (r *Reader) Progress() Progress {
	p := r.source.Progress()
	p.Blocks, p.End = r.blocks.Load(), max(r.begin, r.end.Load())
	return p
}

// Close ends the use of the file without closing it. No call of Next may be running.
func (r *Reader) Close() error { return r.source.Close() }

// Next reads into b the next block that no other worker has taken; a block may hold no
// record. It returns io.EOF when there are no more blocks, a *InputError if the content
// of the file is at fault, and otherwise the error of reading or of the context. After
// an error other than io.EOF, b.Index is the block that failed. Blocks after that one
// cannot be read, and after a cancelled context no block can.
func (r *Reader) Next(ctx context.Context, b *Block) error {
	b.reset(r.opts.BlockSize)
	k, err := r.source.Claim(ctx)
	b.index = k
	if err != nil {
		if !errors.Is(err, io.EOF) {
			r.chain.fail(k, err)
		}
		return err
	}
	err = r.load(ctx, b)
	r.source.Release()
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

// count adds a block to the progress when it is handed out.
func (r *Reader) count(b *Block) {
	r.blocks.Add(1)
	for end, last := b.End(), r.end.Load(); end > last && !r.end.CompareAndSwap(last, end); {
		last = r.end.Load()
	}
}
