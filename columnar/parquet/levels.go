package parquet

import (
	"errors"
	"io"

	"analyzer/columnar"
)

// leaf is a worker's state of reading a stored column of a nested one. A row ends where the next one
// begins, so more is read than is taken.
type leaf struct {
	chunk
	ahead ahead

	// What the rows taken last have: the levels of their entries, and the values of those that have one.
	definition, repetition []uint8
	values                 *columnar.Vector
}

// ahead holds entries that were read but not yet taken.
type ahead struct {
	definition, repetition []int32
	values                 *columnar.Vector
	entry, value           int // the next ones
}

// levelsAtOnce is how many entries are read at once, and mostEntries how many consecutive rows may have.
const (
	levelsAtOnce = 1 << 10
	mostEntries  = 1 << 28
)

// open opens the column in a row group.
func (l *leaf) open(f *File, group int) error {
	a := &l.ahead
	a.definition, a.repetition, a.entry = a.definition[:0], a.repetition[:0], 0
	return l.chunk.open(f, group)
}

// take reads the next n rows.
func (l *leaf) take(n int) error {
	l.at += int64(n)
	l.definition, l.repetition = l.definition[:0], l.repetition[:0]
	l.values.Reset()
	for begun := 0; begun < n || l.pages.column.MaxRepetitionLevel() > 0; {
		if l.ahead.entry == len(l.ahead.definition) {
			if err := l.fill(); errors.Is(err, io.EOF) && begun == n {
				return nil
			} else if err != nil {
				return ended(err)
			}
		}
		if begun == 0 && l.ahead.entry < len(l.ahead.repetition) && l.ahead.repetition[l.ahead.entry] != 0 {
			return errors.New("a row begins with the second item of a list")
		}
		begun += l.rows(n - begun)
		if l.ahead.entry < len(l.ahead.definition) {
			return nil
		}
		if len(l.definition) > mostEntries {
			return errLong
		}
	}
	return nil
}

// rows takes the rest of the row that was begun and up to n more rows, as far as their entries were read,
// and returns how many rows it began.
func (l *leaf) rows(n int) (begun int) {
	a, from, present, most := &l.ahead, l.ahead.entry, 0, int32(l.pages.column.MaxDefinitionLevel())
	for ; a.entry < len(a.definition); a.entry++ {
		if a.repetition[a.entry] == 0 {
			if begun == n {
				break
			}
			begun++
		}
		if a.definition[a.entry] == most {
			present++
		}
	}
	for i := from; i < a.entry; i++ {
		l.definition, l.repetition = append(l.definition, uint8(a.definition[i])), append(l.repetition, uint8(a.repetition[i]))
	}
	l.values.AppendRange(a.values, a.value, a.value+present)
	a.value += present
	return begun
}

// fill reads more entries. It returns io.EOF at the end of the row group.
func (l *leaf) fill() error {
	left, err := l.page()
	if err == nil {
		err = l.load()
	}
	if err != nil {
		return err
	}
	a, n, column := &l.ahead, min(left, levelsAtOnce), l.pages.column
	a.definition, a.repetition, a.entry, a.value = growTo(a.definition, n), growTo(a.repetition, n), 0, 0
	present, err := readLevels(&l.pages.definition, a.definition, int32(column.MaxDefinitionLevel()))
	if err == nil {
		_, err = readLevels(&l.pages.repetition, a.repetition, int32(column.MaxRepetitionLevel()))
	}
	if err != nil {
		a.definition, a.repetition = a.definition[:0], a.repetition[:0]
		return err
	}
	l.begun += n
	if a.values == nil {
		a.values = columnar.NewVector(l.column.Type)
	}
	a.values.Reset()
	if !l.stored.coded {
		return l.append(a.values, &l.stored, present)
	}
	l.codes = growTo(l.codes, present)
	if err := l.readCodes(l.codes, nil, present); err != nil {
		return err
	}
	l.expand(a.values, l.codes)
	return nil
}

// readLevels reads levels of at most most, and returns how many are. Where there is one level only, none
// are stored.
func readLevels(from *hybrid, levels []int32, most int32) (greatest int, err error) {
	if most == 0 {
		clear(levels)
		return len(levels), nil
	}
	if highest, err := from.read(levels); err != nil || highest > uint32(most) {
		return 0, errLevels
	}
	for _, level := range levels {
		if level == most {
			greatest++
		}
	}
	return greatest, nil
}
