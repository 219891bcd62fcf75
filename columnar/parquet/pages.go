package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// checkedPages reads the pages of a column. It refuses pages that would send Arrow's column
// reader into an endless loop or make it allocate without bound: those with too few levels,
// too few values where there are no levels, or indices far beyond the end of a dictionary.
type checkedPages struct {
	file.PageReader
	column     *schema.Column
	dictionary int // number of values in the dictionary
	err        error
}

// openChunk returns a reader for a column in a row group.
func openChunk(f *File, group, leaf int) (file.ColumnChunkReader, error) {
	chunk, err := f.reader.RowGroup(group).MetaData().ColumnChunk(leaf)
	if err != nil {
		return nil, err
	}
	if chunk.CryptoMetadata() != nil {
		return nil, otherWay("the column is encrypted")
	}
	start := chunk.DataPageOffset()
	if d := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && d > 0 && d < start {
		start = d
	}
	if start < 0 {
		return nil, fmt.Errorf("the column begins at byte %d", start)
	}
	chunkBytes := chunk.TotalCompressedSize() + uncounted
	stored := &stream{bufio.NewReaderSize(io.NewSectionReader(f.source, start, chunkBytes), pageBuffer)}
	if _, err := compress.GetCodec(chunk.Compression()); err != nil {
		return nil, otherWay("the compression %s is not read", chunk.Compression())
	}
	pages, err := file.NewPageReader(stored, chunk.NumValues(), chunk.Compression(), nil, nil)
	if err != nil {
		return nil, err
	}
	column := f.reader.MetaData().Schema.Column(leaf)
	return file.NewColumnReader(column, &checkedPages{PageReader: pages, column: column}, nil, f.reader.BufferPool()), nil
}

// uncounted is how many more bytes than its stated size a column may have: parquet-mr did not
// count the header of the dictionary (issue PARQUET-816).
const uncounted = 100

// stream reads the stored bytes of a column. Unlike Arrow's own, it ends where the file does.
type stream struct{ *bufio.Reader }

// Peek returns the next n bytes. It enlarges the buffer if n bytes do not fit.
func (s *stream) Peek(n int) ([]byte, error) {
	s.Reader = bufio.NewReaderSize(s.Reader, n)
	return s.Reader.Peek(n)
}

// Next advances to the next page.
func (p *checkedPages) Next() bool {
	if p.err != nil || !p.PageReader.Next() {
		return false
	}
	p.err = p.check(p.Page())
	return p.err == nil
}

// Err returns why Next returned false, nil at the end.
func (p *checkedPages) Err() error {
	if p.err != nil {
		return p.err
	}
	return p.PageReader.Err()
}

var errLevels = errors.New("a page has fewer levels than values")

func (p *checkedPages) check(page file.Page) (err error) {
	repetition, definition := p.column.MaxRepetitionLevel(), p.column.MaxDefinitionLevel()
	data := page.Data()
	switch d := page.(type) {
	case *file.DictionaryPage:
		p.dictionary = int(page.NumValues())
		return checkDictionary(data, p.dictionary, p.column)
	case *file.DataPageV1:
		data, err = checkLevels(data, page.NumValues(), repetition, d.RepetitionLevelEncoding())
		if err == nil {
			data, err = checkLevels(data, page.NumValues(), definition, d.DefinitionLevelEncoding())
		}
	case *file.DataPageV2:
		r, n := int(d.RepetitionLevelByteLen()), int(d.DefinitionLevelByteLen())
		if r < 0 || n < 0 || r+n > len(data) ||
			!enough(data[:r], page.NumValues(), repetition) || !enough(data[r:r+n], page.NumValues(), definition) {
			return errLevels
		}
		data = data[r+n:]
	}
	if err != nil {
		return err
	}
	least, most := int64(0), int64(page.NumValues()) // bounds of the number of values that are not null
	if repetition == 0 && definition == 0 {
		least = most
	}
	encoding := parquet.Encoding(page.Encoding())
	if err := checkEncoding(encoding); err != nil {
		return err
	}
	return p.checkValues(data, least, most, encoding)
}

func (p *checkedPages) checkValues(data []byte, least, most int64, encoding parquet.Encoding) error {
	if len(data) == 0 && least == 0 {
		return nil
	}
	switch encoding {
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		return checkIndices(data, least, p.dictionary)
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray:
		_, err := checkDeltas(data, least, most)
		return err
	case parquet.Encodings.DeltaByteArray:
		data, err := checkDeltas(data, least, most)
		if err == nil {
			_, err = checkDeltas(data, least, most)
		}
		return err
	}
	return nil
}

// checkLevels checks levels that follow their length, and returns the bytes after them.
func checkLevels(data []byte, values int32, most int16, encoding parquet.Encoding) ([]byte, error) {
	if most == 0 {
		return data, nil
	}
	if encoding != parquet.Encodings.RLE {
		return nil, otherWay("levels in the encoding %s are not read", encoding)
	}
	if len(data) < 4 {
		return nil, errLevels
	}
	n := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(n) > uint64(len(data)) || !enough(data[:n], values, most) {
		return nil, errLevels
	}
	return data[n:], nil
}
