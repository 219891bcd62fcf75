package parquet

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// checkedPages are the pages of a column, of which those with too few levels are refused:
// the reader above would wait for the others for ever.
type checkedPages struct {
	file.PageReader
	column *schema.Column
	err    error
}

// openChunk returns the reader of a column in a row group.
func openChunk(f *file.Reader, group, leaf int) (file.ColumnChunkReader, error) {
	pages, err := f.RowGroup(group).GetColumnPageReader(leaf)
	if err != nil {
		return nil, err
	}
	column := f.MetaData().Schema.Column(leaf)
	return file.NewColumnReader(column, &checkedPages{PageReader: pages, column: column}, nil, f.BufferPool()), nil
}

// Next goes to the next page.
func (p *checkedPages) Next() bool {
	if p.err != nil || !p.PageReader.Next() {
		return false
	}
	p.err = p.check(p.Page())
	return p.err == nil
}

// Err returns why Next has returned false, nil at the end.
func (p *checkedPages) Err() error {
	if p.err != nil {
		return p.err
	}
	return p.PageReader.Err()
}

var errLevels = errors.New("a page has fewer levels than values")

func (p *checkedPages) check(page file.Page) error {
	repetition, definition := p.column.MaxRepetitionLevel(), p.column.MaxDefinitionLevel()
	switch d := page.(type) {
	case *file.DataPageV1:
		rest, err := checkLevels(page.Data(), page.NumValues(), repetition, d.RepetitionLevelEncoding())
		if err == nil {
			_, err = checkLevels(rest, page.NumValues(), definition, d.DefinitionLevelEncoding())
		}
		return err
	case *file.DataPageV2:
		r, n := int(d.RepetitionLevelByteLen()), int(d.DefinitionLevelByteLen())
		if r < 0 || n < 0 || r+n > len(page.Data()) {
			return errLevels
		}
		if !enough(page.Data()[:r], page.NumValues(), repetition) || !enough(page.Data()[r:r+n], page.NumValues(), definition) {
			return errLevels
		}
	}
	return nil
}

// checkLevels looks at levels behind their length, and returns what follows them.
func checkLevels(data []byte, values int32, most int16, encoding parquet.Encoding) ([]byte, error) {
	if most == 0 {
		return data, nil
	}
	if encoding != parquet.Encodings.RLE {
		return nil, errors.New("levels that are only packed are not read")
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

// enough reports whether runs of levels are as many as values; see "Run Length Encoding /
// Bit-Packing Hybrid" in Encodings.md of the format.
func enough(runs []byte, values int32, most int16) bool {
	width := bits.Len16(uint16(most))
	levels := uint64(0)
	for most > 0 && levels < uint64(values) {
		header, n := binary.Uvarint(runs)
		count, size := header>>1, uint64(width+7)/8
		if header&1 == 1 {
			count, size = 8*count, count*uint64(width)
		}
		runs = runs[max(n, 0):]
		if n <= 0 || count == 0 || header > 1<<32 || size > uint64(len(runs)) {
			return false
		}
		levels, runs = levels+count, runs[size:]
	}
	return true
}
