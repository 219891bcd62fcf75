package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// pending holds levels and items of lists that were read but not yet appended. The levels say
// where lists begin and what each entry holds, see "Nested Encoding" in the format. A list
// ends where the next one begins, so more is read than is appended.
type pending struct {
	definition, repetition []int16
	items                  []parquet.ByteArray
	level, item            int // indexes of the next level and item
}

// levelsAtOnce is how many entries of lists are read at once.
const levelsAtOnce = 1 << 10

// fill reads more entries. At the end of the row group it reads none.
func (p *pending) fill(chunk file.ColumnChunkReader) error {
	texts, ok := chunk.(*file.ByteArrayColumnChunkReader)
	if !ok {
		return fmt.Errorf("the column is stored as %s", chunk.Type())
	}
	p.definition, p.repetition = growTo(p.definition, levelsAtOnce), growTo(p.repetition, levelsAtOnce)
	p.items = growTo(p.items, levelsAtOnce)
	total, stored, err := texts.ReadBatch(levelsAtOnce, p.items, p.definition, p.repetition)
	if err == nil {
		err = texts.Err()
	}
	if err != nil {
		return err
	}
	p.definition, p.repetition, p.items = p.definition[:total], p.repetition[:total], p.items[:stored]
	p.level, p.item = 0, 0
	return nil
}

// lists returns an appender of lists of texts. A list may be null if optional is true; most is
// the definition level of an item that is not null.
func lists(optional bool, most int16) appender {
	empty := int16(0)
	if optional {
		empty = 1
	}
	return func(r *reading, n int) error {
		for begun := 0; ; r.level++ {
			if r.level == len(r.definition) {
				if err := r.fill(r.chunk); err != nil {
					return err
				}
				if len(r.definition) == 0 {
					if begun < n {
						return io.ErrUnexpectedEOF
					}
					break
				}
			}
			if r.repetition[r.level] == 0 {
				if begun == n {
					break
				}
				begun++
				r.beginList(r.definition[r.level] < empty)
			}
			if err := r.appendItem(r.definition[r.level], empty, most); err != nil {
				return err
			}
		}
		return nil
	}
}

// beginList appends an empty list, or a null.
func (r *reading) beginList(null bool) {
	if null {
		r.vector.AppendNull()
		return
	}
	r.vector.EndList() // appendItem moves its end
}

// appendItem appends the item of an entry, if it has one, to the last list.
func (r *reading) appendItem(level, empty, most int16) error {
	v := r.vector
	switch {
	case level <= empty:
		return nil
	case v.Len == 0:
		return errors.New("a list begins with its second item")
	case level < most:
		v.Child.AppendNull()
	default:
		if r.item == len(r.items) {
			return io.ErrUnexpectedEOF
		}
		v.Child.AppendBytes(validText(r.items[r.item]))
		r.item++
	}
	v.Offsets[v.Len] = int32(v.Child.Len)
	return nil
}
