package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/schema"
	"github.com/pierrec/lz4/v4"
)

// pages reads the pages of a column in a row group, one after the other.
type pages struct {
	stored     window
	column     *schema.Column
	codec      compress.Compression
	entriesIn  int64   // the column
	left       int64   // how many of these the pages have that were not begun
	content    content // of the page that was loaded last
	compressed *[]byte // memory for a page that is decompressed at once, which columns share: so it stays in the cache
	whole      []byte  // memory for what that is then
	levels     []byte
	page
}

// page is one page. An entry is a value or a null; in a column of lists also an empty list. After
// load, the page has what it holds.
type page struct {
	kind                 pageKind
	size, compressedSize int
	entries              int
	encoding             parquet.Encoding
	// levelSizes are how many bytes the levels take in a page of version 2, where they stand before
	// what is compressed.
	levelSizes   [2]int
	uncompressed bool

	repetition, definition hybrid
	values                 []byte // those that are plain may go on in the content
}

// pageKind is a PageType of the format.
type pageKind int32

const (
	dataPage       pageKind = 0
	dictionaryPage pageKind = 2
	dataPageV2     pageKind = 3
)

// pageBuffer is how many bytes of a column a worker reads at once, and mostHeader how many the header
// of a page may have.
const (
	pageBuffer = 64 << 10
	mostHeader = 16 << 20
)

// uncounted is how many more bytes than its stated size a column may have: parquet-mr did not
// count the header of the dictionary (issue PARQUET-816).
const uncounted = 100

// lz4Raw is a compression that Arrow has no name for.
const lz4Raw compress.Compression = 7

var (
	errValues     = errors.New("a page has not as many values as it should")
	errDictionary = errors.New("a dictionary has fewer values than it should")
	errLevels     = errors.New("a page has fewer levels than values")
	errLong       = errors.New("texts of consecutive rows are too long")
)

// open goes to the first page of a column in a row group.
func (p *pages) open(f *File, group, leaf int) error {
	chunk, err := f.footer.chunk(group, leaf)
	if err != nil {
		return err
	}
	if chunk.encrypted {
		return otherWay("the column is encrypted")
	}
	start := chunk.start
	if d := chunk.dictionary; d > 0 && d < start {
		start = d
	}
	if start < 0 {
		return fmt.Errorf("the column begins at byte %d", start)
	}
	p.content.drop()
	p.column, p.codec, p.entriesIn, p.left, p.page = f.footer.schema.Column(leaf), chunk.codec, chunk.values, chunk.values, page{}
	if _, err := compress.GetCodec(p.codec); err != nil && p.codec != lz4Raw {
		return otherWay("the compression %s is not read", p.codec)
	}
	p.stored.open(f.source, start, min(start+chunk.size+uncounted, f.size))
	return nil
}

// jump goes to a page that begins at a place in the file with an entry of the column.
func (p *pages) jump(at, entry int64) {
	p.content.drop()
	p.stored.seek(at)
	p.left, p.page = p.entriesIn-entry, page{}
}

// next goes to the next page of values or dictionary, whose content then has to be loaded or
// skipped. It returns io.EOF after the last one.
func (p *pages) next() error {
	p.content.close()
	for p.left > 0 {
		if err := p.header(); err != nil {
			return err
		}
		switch p.kind {
		case dictionaryPage:
			return nil
		case dataPage, dataPageV2:
			p.left -= int64(p.entries)
			return nil
		}
		p.skip()
	}
	return io.EOF
}

// header reads the header of a page, of which nobody says how long it is.
func (p *pages) header() error {
	for n := 1 << 9; ; n *= 2 {
		view, err := p.stored.peek(n)
		if len(view) == 0 {
			return io.EOF
		}
		from := &compact{data: view}
		p.page = page{}
		if failed := p.parse(from); failed == nil {
			p.stored.pass(from.at)
			return p.check()
		} else if err != nil || n >= mostHeader {
			return failed
		}
	}
}

// parse reads a PageHeader of the format.
func (p *pages) parse(c *compact) error {
	for f := (element{}); c.next(&f); {
		switch {
		case f.id == 1:
			p.kind = pageKind(c.int32(f))
		case f.id == 2:
			p.size = c.int32(f)
		case f.id == 3:
			p.compressedSize = c.int32(f)
		case (f.id == 5 || f.id == 7) && f.kind == kindStruct:
			p.parseData(c)
		case f.id == 8 && f.kind == kindStruct:
			p.parseDataV2(c)
		default:
			c.skip(f)
		}
	}
	return c.err
}

// parseData reads a DataPageHeader, or a DictionaryPageHeader, which has no encodings of levels.
func (p *pages) parseData(c *compact) {
	for f := (element{}); c.next(&f); {
		switch {
		case f.id == 1:
			p.entries = c.int32(f)
		case f.id == 2:
			p.encoding = parquet.Encoding(c.int32(f))
		case f.kind == kindI32 && (f.id == 3 && p.column.MaxDefinitionLevel() > 0 || f.id == 4 && p.column.MaxRepetitionLevel() > 0):
			if encoding := parquet.Encoding(c.int32(f)); c.err == nil && encoding != parquet.Encodings.RLE {
				c.err = otherWay("levels in the encoding %s are not read", encoding)
			}
		default:
			c.skip(f)
		}
	}
}

// parseDataV2 reads a DataPageHeaderV2.
func (p *pages) parseDataV2(c *compact) {
	for f := (element{}); c.next(&f); {
		switch f.id {
		case 1:
			p.entries = c.int32(f)
		case 4:
			p.encoding = parquet.Encoding(c.int32(f))
		case 5:
			p.levelSizes[1] = c.int32(f)
		case 6:
			p.levelSizes[0] = c.int32(f)
		case 7:
			p.uncompressed = !c.truth(f)
		default:
			c.skip(f)
		}
	}
}

func (p *pages) check() error {
	levels := p.levelSizes[0] + p.levelSizes[1]
	if p.entries < 0 || p.size < 0 || p.compressedSize < 0 || min(p.levelSizes[0], p.levelSizes[1]) < 0 || levels > min(p.size, p.compressedSize) {
		return fmt.Errorf("the header of a page says that it has %d values in %d bytes, compressed to %d", p.entries, p.size, p.compressedSize)
	}
	return nil
}

// skip passes over the content of the page.
func (p *pages) skip() { p.stored.pass(p.compressedSize) }

// ended returns an error in place of io.EOF, at which nothing must end.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// load reads the content of the page, plain values as far as they are needed. It is valid until the next page is loaded.
func (p *pages) load() (err error) {
	levels := p.levelSizes[0] + p.levelSizes[1]
	if p.levels, err = p.read(p.levels, levels); err != nil {
		return err
	}
	plain := p.uncompressed || p.codec == compress.Codecs.Uncompressed
	if stored, size := p.compressedSize-levels, p.size-levels; plain || p.codec == compress.Codecs.Snappy {
		p.values, err = nil, p.content.open(&p.stored, stored, size, !plain)
	} else {
		err = p.loadWhole(stored, size)
	}
	if err == nil {
		err = p.divide()
	}
	if err == nil && !p.inParts() {
		p.values, err = p.content.all(p.values)
	}
	return err
}

// inParts reports whether the values of the page can be read without those that follow them.
func (p *pages) inParts() bool {
	switch {
	case p.kind == dictionaryPage:
		return false
	case p.encoding == parquet.Encodings.Plain:
		return p.column.PhysicalType() != parquet.Types.Boolean
	}
	return p.encoding == parquet.Encodings.DeltaBinaryPacked
}

// loadWhole reads what is compressed so that it is decompressed at once.
func (p *pages) loadWhole(stored, size int) (err error) {
	if *p.compressed, err = p.read(*p.compressed, stored); err != nil {
		return err
	}
	if p.values, err = p.decompressed(*p.compressed, size); err == nil && len(p.values) != size {
		err = fmt.Errorf("a page has %d bytes and not %d", len(p.values), size)
	}
	return err
}

// read reads n stored bytes of the page into memory. More than the file has are not allocated.
func (p *pages) read(memory []byte, n int) ([]byte, error) {
	memory = memory[:0]
	for len(memory) < n {
		part := min(n-len(memory), max(len(memory), 1<<20))
		from := len(memory)
		memory = slices.Grow(memory, part)[:from+part]
		if err := p.stored.read(memory[from:]); err != nil {
			return memory, ended(err)
		}
	}
	return memory, nil
}

// decompressed decompresses what has a certain size then.
func (p *pages) decompressed(from []byte, size int) ([]byte, error) {
	if p.codec == lz4Raw {
		p.whole = slices.Grow(p.whole[:0], size)[:size]
		n, err := lz4.UncompressBlock(from, p.whole)
		return p.whole[:max(n, 0)], err
	}
	if size == 0 {
		return nil, nil
	}
	codec, err := compress.GetCodec(p.codec)
	if err != nil {
		return nil, err
	}
	p.whole = slices.Grow(p.whole[:0], size)[:size]
	return codec.Decode(p.whole, from), nil
}

// divide finds the levels and the values in the content of a page.
func (p *pages) divide() error {
	if p.kind == dictionaryPage {
		return nil
	}
	levels := p.levels
	for i, most := range []int16{p.column.MaxRepetitionLevel(), p.column.MaxDefinitionLevel()} {
		var data []byte
		switch {
		case p.kind == dataPageV2:
			data, levels = levels[:p.levelSizes[i]], levels[p.levelSizes[i]:]
		case most > 0:
			var err error
			if data, err = p.takeLevels(); err != nil {
				return err
			}
		}
		runs := hybrid{rest: data, width: bits.Len16(uint16(most))}
		if i == 0 {
			p.repetition = runs
		} else {
			p.definition = runs
		}
	}
	return nil
}

// takeLevels takes levels from the beginning of what is left of a page.
func (p *pages) takeLevels() (_ []byte, err error) {
	if p.values, err = p.content.more(p.values, 4); err != nil {
		return nil, err
	}
	end := 4 + int64(binary.LittleEndian.Uint32(p.values))
	if end > int64(len(p.values)+p.content.size) {
		return nil, errLevels
	}
	if p.values, err = p.content.more(p.values, int(end)); err != nil {
		return nil, err
	}
	from := len(p.levels)
	p.levels = append(p.levels, p.values[4:end]...)
	p.values = p.values[end:]
	return p.levels[from:], nil
}
