package sniff

import (
	"context"
	"math/bits"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

// Misfit says why a column is text whose cells nearly all have another type.
type Misfit struct {
	Format columnar.Format // what the other cells have
	Line   int64           // of the record with the first cell that does not fit
	Cell   string          // that cell
	Count  int64           // number of cells that do not fit
}

// nearly is the least share of the cells of a column that must have a type for the others to be
// misfits.
const nearly = 0.9

// fitting counts the cells of one column by the formats that they allow.
type fitting struct {
	cells  int64
	fits   [32]int64
	misfit [32]Misfit // the first cell that does not fit
}

// Misfits finds out which columns are text because of a few cells, by reading the file to its end.
// The types of the columns must be settled. open opens the file.
func (f *File) Misfits(ctx context.Context, open func() (vfs.File, error)) error {
	var columns []int
	for c := range f.Columns {
		column := &f.Columns[c]
		if column.Format == columnar.FormatOptional && !column.Declared && c < len(f.typed) && f.typed[c] {
			columns = append(columns, c)
		}
	}
	if f.Typed() || len(columns) == 0 {
		return nil
	}
	all, mu := make([]fitting, len(f.Columns)), sync.Mutex{}
	err := eachBlock(ctx, f, open, func() func(input.Block) {
		l := &looker{file: f}
		return func(b input.Block) {
			l.listRows(b)
			for _, c := range columns {
				found := l.fitting(b, c)
				mu.Lock()
				all[c].add(&found)
				mu.Unlock()
			}
		}
	})
	for _, c := range columns {
		f.Columns[c].Misfit = all[c].nearest(f)
	}
	return err
}

// fitting counts the cells of column c in a block.
func (l *looker) fitting(b input.Block, c int) (found fitting) {
	q := b.Quoting()
	for _, r := range l.rows {
		cell := b.Cell(int(r), c)
		l.text = q.Append(l.text[:0], cell)
		if len(l.text) == 0 {
			continue
		}
		k := kindsAmong(l.text, l.file.Nulls)
		if k == allKinds {
			continue
		}
		found.cells++
		for left := allKinds &^ text0; left != 0; left &= left - 1 {
			kind := bits.TrailingZeros32(uint32(left))
			if k>>kind&1 != 0 {
				found.fits[kind]++
			} else if found.misfit[kind].Line == 0 {
				found.misfit[kind] = Misfit{Line: b.Line(int(r)), Cell: string(l.text)}
			}
		}
	}
	return found
}

// add adds what was found in another block.
func (f *fitting) add(other *fitting) {
	f.cells += other.cells
	for kind, n := range other.fits {
		f.fits[kind] += n
		if first := other.misfit[kind]; first.Line > 0 && (f.misfit[kind].Line == 0 || first.Line < f.misfit[kind].Line) {
			f.misfit[kind] = first
		}
	}
}

// nearest returns the misfit for the format that most cells have, the narrowest of several; nil if
// they are too few.
func (f *fitting) nearest(file *File) *Misfit {
	best := columnar.FormatOptional
	for _, format := range formats {
		if n := f.fits[format]; format != columnar.FormatOptional && n < f.cells && n > f.fits[best] && file.refused>>format&1 == 0 {
			best = format
		}
	}
	if best == columnar.FormatOptional || float64(f.fits[best]) < nearly*float64(f.cells) {
		return nil
	}
	m := f.misfit[best]
	m.Format, m.Count = best, f.cells-f.fits[best]
	return &m
}
