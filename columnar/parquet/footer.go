package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar/input"
)

// footer is what a file says about itself. Its schema is read by Arrow's package. The stored columns of row
// groups, of which there may be very many, are found now and read when they are wanted.
type footer struct {
	data   []byte
	schema *schema.Schema
	groups []footerGroup
	chunks []uint32 // where in data the columns are described, by row group and column
}

// footerGroup is a RowGroup of the format.
type footerGroup struct {
	rows, bytes int64
	columns     int
}

// The fields of a FileMetaData of the format that are not left to Arrow's package as they are.
const (
	fileSchema = 2
	fileGroups = 4
	filePairs  = 5 // of names and values, for programs
)

// readFooter reads the footer of a file.
func readFooter(f io.ReaderAt, size int64) (*footer, error) {
	const tailBytes = 8
	var tail [tailBytes]byte
	if _, err := f.ReadAt(tail[:], size-tailBytes); err != nil {
		return nil, err
	}
	switch string(tail[tailBytes-len(magic):]) {
	case magic:
	case encrypted:
		return nil, &input.MissingError{What: "the Parquet file is encrypted, which is not read", Hint: "write it without encryption"}
	default:
		return nil, fmt.Errorf("it does not end with %s", magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-tailBytes {
		return nil, fmt.Errorf("its footer has %d bytes, of %d", length, size)
	}
	data := make([]byte, length)
	if _, err := f.ReadAt(data, size-tailBytes-length); err != nil {
		return nil, err
	}
	return parseFooter(data)
}

func parseFooter(data []byte) (*footer, error) {
	p, c := &footer{data: data}, &compact{data: data}
	var rest []byte // the footer without row groups
	for f := (element{}); c.next(&f); {
		from := c.at
		switch f.id {
		case fileGroups:
			c.structs(f, func(int, int) { p.readGroup(c) })
			rest = appendField(rest, f, []byte{kindStruct})
			continue
		case filePairs:
			c.skip(f)
			continue
		case fileSchema:
			c.structs(f, func(_, n int) { checkElement(c, n) })
		default:
			c.skip(f)
		}
		rest = appendField(rest, f, data[from:c.at])
	}
	if c.err != nil {
		return nil, c.err
	}
	meta, err := metadata.NewFileMetaData(append(rest, 0), nil)
	if err != nil {
		return nil, err
	}
	p.schema = meta.Schema
	for i, g := range p.groups {
		if g.rows < 0 || g.columns != p.schema.NumColumns() {
			return nil, fmt.Errorf("row group %d has %d rows in %d columns", i, g.rows, g.columns)
		}
	}
	return p, nil
}

// appendField appends a field of a struct.
func appendField(dst []byte, f element, content []byte) []byte {
	return append(binary.AppendVarint(append(dst, f.kind), int64(f.id)), content...)
}

// checkElement refuses an element of a schema of n that states more children than these, because Arrow
// allocates memory for as many. Arrow detects all other faults of a schema.
func checkElement(c *compact, n int) {
	for f := (element{}); c.next(&f); {
		switch {
		case f.id == 5:
			if parts := c.int32(f); parts > n {
				c.err = fmt.Errorf("a field has %d parts of %d", parts, n)
			}
		case f.id == 10 && f.kind == kindStruct:
			checkLogicalType(c)
		default:
			c.skip(f)
		}
	}
}

// readGroup reads a RowGroup of the format.
func (p *footer) readGroup(c *compact) {
	var g footerGroup
	for f := (element{}); c.next(&f); {
		switch f.id {
		case 1:
			c.structs(f, func(_, n int) {
				g.columns = n
				p.chunks = append(p.chunks, uint32(c.at))
				c.skip(element{kind: kindStruct})
			})
		case 2:
			g.bytes = c.number(f)
		case 3:
			g.rows = c.number(f)
		default:
			c.skip(f)
		}
	}
	p.groups = append(p.groups, g)
}

// columnChunk is a ColumnChunk of the format: a column in a row group.
type columnChunk struct {
	encrypted  bool
	codec      compress.Compression
	values     int64 // and nulls
	size       int64 // in bytes
	start      int64 // of its pages of values
	dictionary int64 // where its dictionary begins; 0: nowhere
	stats      stats
	places     extent // the OffsetIndex
	pageStats  extent // the ColumnIndex
}

// stats are a Statistics of the format. Programs once wrote bounds by signed comparison, whatever the type.
type stats struct {
	signedGreatest, signedLeast, greatest, least []byte
	nulls                                        int64 // how many; -1: unknown
}

// chunk returns a stored column in a row group.
func (p *footer) chunk(group, leaf int) (k columnChunk, err error) {
	k.stats.nulls = -1
	c, described := &compact{data: p.data, at: int(p.chunks[group*p.schema.NumColumns()+leaf])}, false
	for f := (element{}); c.next(&f); {
		switch {
		case f.id == 3 && f.kind == kindStruct:
			described = true
			k.describe(c)
		case f.id == 4:
			k.places.at = c.number(f)
		case f.id == 5:
			k.places.bytes = c.int32(f)
		case f.id == 6:
			k.pageStats.at = c.number(f)
		case f.id == 7:
			k.pageStats.bytes = c.int32(f)
		case f.id == 8:
			k.encrypted = true
			c.skip(f)
		default:
			c.skip(f)
		}
	}
	if c.err == nil && !described && !k.encrypted {
		return k, errors.New("a column is not described")
	}
	return k, c.err
}

// describe reads a ColumnMetaData of the format.
func (k *columnChunk) describe(c *compact) {
	for f := (element{}); c.next(&f); {
		switch {
		case f.id == 4:
			k.codec = compress.Compression(c.int32(f))
		case f.id == 5:
			k.values = c.number(f)
		case f.id == 7:
			k.size = c.number(f)
		case f.id == 9:
			k.start = c.number(f)
		case f.id == 11:
			k.dictionary = c.number(f)
		case f.id == 12 && f.kind == kindStruct:
			k.stats.read(c)
		default:
			c.skip(f)
		}
	}
}

func (s *stats) read(c *compact) {
	for f := (element{}); c.next(&f); {
		switch f.id {
		case 1:
			s.signedGreatest = c.bytes(f)
		case 2:
			s.signedLeast = c.bytes(f)
		case 3:
			s.nulls = c.number(f)
		case 5:
			s.greatest = c.bytes(f)
		case 6:
			s.least = c.bytes(f)
		default:
			c.skip(f)
		}
	}
}
