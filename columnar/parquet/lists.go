package parquet

import (
	"errors"
	"io"

	"analyzer/columnar"
)

// pending holds levels and items of lists that were read but not yet appended. The levels say
// where lists begin and what each entry holds, see "Nested Encoding" in the format. A list
// ends where the next one begins, so more is read than is appended.
type pending struct {
	definition, repetition []int32
	items                  *columnar.Vector
	level, item            int // indexes of the next level and item
}

// levelsAtOnce is how many entries of lists are read at once.
const levelsAtOnce = 1 << 10

// fill reads more entries. It returns io.EOF at the end of the row group.
func (c *chunk) fill() error {
	left, err := c.page()
	if err == nil {
		err = c.load()
	}
	if err != nil {
		return err
	}
	p, n := &c.lists, min(left, levelsAtOnce)
	p.definition, p.repetition = growTo(p.definition, n), growTo(p.repetition, n)
	if err := c.pages.definition.read(p.definition); err != nil {
		return errLevels
	}
	if err := c.pages.repetition.read(p.repetition); err != nil {
		return errLevels
	}
	c.begun += n
	present, most := 0, int32(c.pages.column.MaxDefinitionLevel())
	for _, level := range p.definition {
		if level == most {
			present++
		}
	}
	if p.items == nil {
		p.items = columnar.NewVector(c.column.item())
	}
	p.items.Reset()
	p.level, p.item = 0, 0
	if !c.stored.coded {
		return c.append(p.items, &c.stored, present)
	}
	c.codes = growTo(c.codes, present)
	if err := c.readCodes(c.codes, nil, present); err != nil {
		return err
	}
	c.expand(p.items, c.codes)
	return nil
}

// readLists reads the next n lists.
func (c *chunk) readLists(v *columnar.Vector, n int) error {
	c.at += int64(n)
	p, empty := &c.lists, int32(0)
	if c.column.optional {
		empty = 1
	}
	for begun := 0; ; p.level++ {
		if p.level == len(p.definition) {
			if err := c.fill(); errors.Is(err, io.EOF) && begun == n {
				return nil
			} else if err != nil {
				return ended(err)
			}
		}
		if p.repetition[p.level] == 0 {
			if begun == n {
				return nil
			}
			begun++
			p.beginList(v, p.definition[p.level] < empty)
		}
		if err := p.appendItem(v, p.definition[p.level], empty, int32(c.pages.column.MaxDefinitionLevel())); err != nil {
			return err
		}
	}
}

// beginList appends an empty list, or a null.
func (p *pending) beginList(v *columnar.Vector, null bool) {
	if null {
		v.AppendNull()
		return
	}
	v.EndList() // appendItem moves its end
}

// appendItem appends the item of an entry, if it has one, to the last list. Items that are not null
// have the level most.
func (p *pending) appendItem(v *columnar.Vector, level, empty, most int32) error {
	switch {
	case level <= empty:
		return nil
	case v.Len == 0:
		return errors.New("a list begins with its second item")
	case level < most:
		v.Child.AppendNull()
	case p.item == p.items.Len:
		return io.ErrUnexpectedEOF
	default:
		v.Child.AppendRange(p.items, p.item, p.item+1)
		p.item++
	}
	v.Offsets[v.Len] = int32(v.Child.Len)
	return nil
}
