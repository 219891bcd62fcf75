package answers

import (
	"bytes"
	"context"
	"errors"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/klauspost/compress/zstd"
)

// chunk is a column of a row group on its way into a file: its pages are written to memory, so that columns
// can be encoded side by side.
type chunk struct {
	meta  *metadata.ColumnChunkMetaDataBuilder
	props *parquet.WriterProperties
	codec compress.Compression
	name  string // of the column of the answer
	way   []step // to its values
	out   bytes.Buffer

	dictionary   int64 // bytes of the dictionary with its header
	values       int64
	uncompressed int64
	inDictionary bool // not all values are stored as they are
	fallback     bool
	dictionaries map[parquet.Encoding]int32 // pages by encoding
	pages        map[parquet.Encoding]int32
}

// encode writes the pages of the chunk with the memory of a worker.
func (c *chunk) encode(w *chunkWorker) error {
	c.dictionaries, c.pages = make(map[parquet.Encoding]int32), make(map[parquet.Encoding]int32)
	inner, err := file.NewPageWriter(told{&c.out}, compress.Codecs.Uncompressed, 0, c.meta, 0, 0, memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return err
	}
	column := file.NewColumnChunkWriter(c.meta, &pageWriter{PageWriter: inner, chunk: c, worker: w}, c.props)
	return errors.Join(w.levels.write(column, c.way), column.Close())
}

// finish says where in the file the chunk begins.
func (c *chunk) finish(at int64) error {
	info := metadata.ChunkMetaInfo{
		NumValues: c.values, IndexPageOffset: -1, DataPageOffset: at + c.dictionary,
		CompressedSize: int64(c.out.Len()), UncompressedSize: c.uncompressed,
	}
	if c.dictionary > 0 {
		info.DictPageOffset = at
	}
	return c.meta.Finish(info, c.inDictionary, c.fallback, metadata.EncodingStats{DictEncodingStats: c.dictionaries, DataEncodingStats: c.pages}, nil)
}

// told is a buffer that says how much was written to it.
type told struct{ *bytes.Buffer }

func (t told) Tell() int64 { return int64(t.Len()) }

// chunkWorker is the memory that one goroutine encodes chunks with, one after the other.
type chunkWorker struct {
	levels levels
	// zstd is made once, since it has some megabytes of tables. Its fastest level is the default of others:
	// pages of encoded numbers do not become smaller at the next one, which takes 1.6 times as long.
	zstd       *zstd.Encoder
	compressed []byte
}

// compress compresses a page. The result is valid until the next call.
func (w *chunkWorker) compress(codec compress.Compression, page []byte) ([]byte, error) {
	var err error
	switch codec {
	case compress.Codecs.Uncompressed:
		return page, nil
	case compress.Codecs.Zstd:
		if w.zstd == nil {
			w.zstd, err = zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		}
		if err == nil {
			w.compressed = w.zstd.EncodeAll(page, w.compressed[:0])
		}
	default:
		var other compress.Codec
		if other, err = compress.GetCodec(codec); err == nil {
			room := int(other.CompressBound(int64(len(page))))
			w.compressed = growTo(w.compressed, room)
			return other.Encode(w.compressed, page), nil
		}
	}
	return w.compressed, err
}

// pageWriter writes the pages of a chunk that the package has encoded. Of the package's own writer, which
// makes an encoder for each page that it compresses, it uses the headers of pages.
type pageWriter struct {
	file.PageWriter
	chunk  *chunk
	worker *chunkWorker
	failed error
}

func (p *pageWriter) HasCompressor() bool { return p.chunk.codec != compress.Codecs.Uncompressed }

func (p *pageWriter) Compress(_ *bytes.Buffer, page []byte) []byte {
	compressed, err := p.worker.compress(p.chunk.codec, page)
	p.failed = errors.Join(p.failed, err)
	return compressed
}

func (p *pageWriter) WriteDataPage(page file.DataPage) (int64, error) {
	n, err := p.PageWriter.WriteDataPage(page)
	c := p.chunk
	c.values += int64(page.NumValues())
	c.uncompressed += n - int64(len(page.Data())) + int64(page.UncompressedSize())
	c.pages[parquet.Encoding(page.Encoding())]++
	return n, err
}

func (p *pageWriter) WriteDictionaryPage(page *file.DictionaryPage) (int64, error) {
	c := p.chunk
	compressed, err := p.worker.compress(c.codec, page.Data())
	if err != nil {
		return 0, err
	}
	header, err := dictionaryHeader(len(page.Data()), len(compressed), page.NumValues(), int32(page.Encoding()))
	if err != nil {
		return 0, err
	}
	c.out.Write(header)
	c.out.Write(compressed)
	c.dictionary = int64(c.out.Len())
	c.uncompressed += int64(len(header) + len(page.Data()))
	c.dictionaries[parquet.Encoding(page.Encoding())]++
	return c.dictionary, nil
}

func (p *pageWriter) Close(inDictionary, fallback bool) error {
	p.chunk.inDictionary, p.chunk.fallback = inDictionary, fallback
	return p.failed
}

// dictionaryHeader returns the PageHeader of the format of a dictionary.
func dictionaryHeader(size, compressed int, values, encoding int32) ([]byte, error) {
	ctx, out := context.Background(), thrift.NewTMemoryBuffer()
	p := thrift.NewTCompactProtocolConf(out, nil)
	const kindOfDictionary = 2
	numbers := func(first int16, all ...int32) (err error) {
		for i, n := range all {
			err = errors.Join(err, p.WriteFieldBegin(ctx, "", thrift.I32, first+int16(i)), p.WriteI32(ctx, n))
		}
		return err
	}
	err := errors.Join(
		p.WriteStructBegin(ctx, ""), numbers(1, kindOfDictionary, int32(size), int32(compressed)),
		p.WriteFieldBegin(ctx, "", thrift.STRUCT, 7), p.WriteStructBegin(ctx, ""), numbers(1, values, encoding),
		p.WriteFieldStop(ctx), p.WriteStructEnd(ctx), p.WriteFieldStop(ctx), p.WriteStructEnd(ctx), p.Flush(ctx),
	)
	return out.Bytes(), err
}
