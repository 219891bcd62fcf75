package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"analyzer/columnar/input"
	"analyzer/columnar/ipc"
)

// body is the body of a batch, or of a dictionary.
type body struct {
	*ipc.Batch
	message
	file  *file
	known int // how many messages with dictionaries apply
}

// bodyOf reads the metadata of a batch.
func (f *file) bodyOf(m message, known int) (*body, error) {
	metadata, err := f.source.metadata(m)
	if err != nil {
		return nil, err
	}
	b, err := ipc.ReadBatch(metadata)
	return &body{Batch: b, message: m, file: f, known: known}, err
}

// length returns how many values a part has, and whether some are null.
func (b *body) length(p *part) (n int64, nulls bool, err error) {
	if p.node >= b.Nodes() {
		return 0, false, errors.New("the batch has fewer columns than the schema")
	}
	n, missing := b.Node(p.node)
	if n < 0 || missing < 0 || missing > n {
		return 0, false, fmt.Errorf("%d values, %d null", n, missing)
	}
	return n, missing > 0, nil
}

// variadic returns how many buffers with texts the i-th part in views has.
func (b *body) variadic(i int) (int, error) {
	if i >= len(b.Variadic) {
		return 0, errors.New("the batch has fewer columns than the schema")
	}
	n := b.Variadic[i]
	if n < 0 || n > int64(b.Buffers()) {
		return 0, fmt.Errorf("%d buffers of one column", n)
	}
	return int(n), nil
}

// place returns where the i-th buffer of a part lies in the file.
func (b *body) place(p *part, i int) (at, size int64, err error) {
	n := p.buffer + i
	for k := range p.views {
		more, err := b.variadic(k)
		if err != nil {
			return 0, 0, err
		}
		n += more
	}
	if n >= b.Buffers() {
		return 0, 0, errors.New("the batch has fewer buffers than the schema")
	}
	at, size = b.Buffer(n)
	if at < 0 || size < 0 || at > b.size || size > b.size-at {
		return 0, 0, fmt.Errorf("a buffer of %d bytes at %d in a body of %d", size, at, b.size)
	}
	return b.body + at, size, nil
}

// buffer reads a buffer of a batch, a window at a time. The zero value is to be opened, and one may
// be opened again and again: it keeps its memory, and that of its decoders.
type buffer struct {
	source     *source
	at, stored int64 // where its bytes lie in the file
	size       int64 // decompressed
	codec      ipc.Codec
	window     []byte // bytes from pos on
	pos        int64
	plain      io.Reader // decompressed, from the end of the window on; nil: not begun
	lz4        *lz4.Reader
	zstd       *zstd.Decoder
}

// sizeBytes is how many bytes before a compressed buffer say how large it is.
const sizeBytes = 8

// open makes the buffer one of a batch.
func (b *buffer) open(s *source, at, stored int64, codec ipc.Codec) error {
	b.source, b.at, b.stored, b.size, b.codec = s, at, stored, stored, codec
	b.window, b.pos, b.plain = b.window[:0], 0, nil
	if codec == ipc.Plain || stored == 0 {
		b.codec = ipc.Plain
		return nil
	}
	var size [sizeBytes]byte
	if stored < sizeBytes {
		return fmt.Errorf("a compressed buffer has %d bytes", stored)
	}
	if err := s.read(size[:], at); err != nil {
		return err
	}
	b.at, b.stored, b.size = at+sizeBytes, stored-sizeBytes, int64(binary.LittleEndian.Uint64(size[:]))
	if b.size == -1 { // not worth compressing
		b.size, b.codec = b.stored, ipc.Plain
	}
	if b.size < 0 {
		return fmt.Errorf("a compressed buffer of %d bytes", b.size)
	}
	return nil
}

// step is by how much memory grows at most before the bytes are there for which it is: sizes are
// not trusted.
const step = 1 << 20

// read returns n bytes at an offset, which are valid until the next call. Offsets should not fall:
// what is compressed is then read from its beginning.
func (b *buffer) read(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > math.MaxInt32 || off > b.size-n {
		return nil, fmt.Errorf("%d bytes at %d of a buffer of %d", n, off, b.size)
	}
	if b.codec == ipc.Plain {
		b.window = growTo(b.window, int(n))
		return b.window, b.source.read(b.window, b.at+off)
	}
	if b.plain == nil || off < b.pos {
		if err := b.decode(); err != nil {
			return nil, err
		}
	}
	kept := copy(b.window, b.window[min(off-b.pos, int64(len(b.window))):])
	skip := off - b.pos - int64(len(b.window))
	b.window, b.pos = b.window[:kept], off
	if _, err := io.CopyN(io.Discard, b.plain, skip); skip > 0 && err != nil {
		return nil, b.failure(err)
	}
	for have := int64(kept); have < n; have = int64(len(b.window)) {
		more := min(n-have, step)
		b.window = append(b.window, make([]byte, more)...)
		if _, err := io.ReadFull(b.plain, b.window[have:]); err != nil {
			return nil, b.failure(err)
		}
	}
	return b.window[:n], nil
}

// maxWindow is how far back zstd data may refer; decompression needs as much memory.
const maxWindow = 32 << 20

// decode begins to decompress.
func (b *buffer) decode() (err error) {
	b.window, b.pos = b.window[:0], 0
	stored := io.NewSectionReader(b.source, b.at, b.stored)
	if b.codec == ipc.LZ4Frame {
		if b.lz4 == nil {
			b.lz4 = lz4.NewReader(nil)
		}
		b.lz4.Reset(stored)
		b.plain = b.lz4
		return nil
	}
	if b.zstd == nil {
		b.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
	}
	b.plain = b.zstd
	return b.failure(b.zstd.Reset(stored))
}

// failure returns the error of data that cannot be decompressed.
func (b *buffer) failure(err error) error {
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return &input.MissingError{What: fmt.Sprintf("its compression needs a window of more than %d bytes", maxWindow), Hint: "write the file with a lower level of compression"}
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}
