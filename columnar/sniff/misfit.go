package sniff

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// Misfit says why a column is text whose cells all, or nearly all, have another type.
type Misfit struct {
	Format columnar.Format // what the other cells have, or all cells in case of doubt
	Form   number.Form     // how they are written, if they are numbers
	Line   int64           // of the record with the first cell that does not fit, or is in doubt
	Cell   string          // that cell
	Count  int64           // number of cells that do not fit; 0: all are in doubt
	Cells  []string        // the different ones among them, in order; nil if they are many
	Nulls  []string        // the cells that mean null in the file, if they are given or words
	Flags  []string        // what stands behind some of the numbers, if that is why
	doubt  doubt
}

// nearly is the least share of the cells of a column that must have a type for the others to be
// misfits.
const nearly = 0.9

// A column of which fewer cells have a type, but half of them, nearly has it if the others are one or two texts
// again and again, such as words for null of a small table.
const (
	half         = 0.5
	fewDifferent = 2
)

// manyCells is how many different cells that do not fit are too many to name.
const manyCells = 6

// fitting counts the cells of one column by the kinds that they allow.
type fitting struct {
	cells int64
	all   kinds  // what all of them allow
	first Misfit // the first one
	fits  [64]int64
	odd   [64][]Misfit // the first ones that do not allow a kind, in order; of those that are equal the first
	flags flags
	words []string // the different words for null in the column
}

// Misfits finds out which columns are text because of a few cells, by reading the file to its end.
// It looks at those with the given positions, whose types must be settled. open opens the file.
func (f *File) Misfits(ctx context.Context, among []int, open func() (vfs.File, error)) error {
	var columns []int
	for _, c := range among {
		column := &f.Columns[c]
		if column.Type() == columnar.Text && !column.Declared && c < len(f.typed) && f.typed[c] {
			columns = append(columns, c)
		}
	}
	if f.Typed() || len(columns) == 0 {
		return nil
	}
	all, mu := newFittings(len(f.Columns)), sync.Mutex{}
	err := eachBlock(ctx, f, open, func() func(input.Block) {
		l := &looker{file: f}
		return func(b input.Block) {
			l.listRows(b)
			for _, c := range columns {
				found := l.fitting(b, c)
				mu.Lock()
				all[c].add(found)
				mu.Unlock()
			}
		}
	})
	for _, c := range columns {
		f.Columns[c].Misfit = all[c].nearest(f)
	}
	return err
}

func newFittings(n int) []fitting {
	all := make([]fitting, n)
	for i := range all {
		all[i].all, all[i].flags.bare = allKinds, allKinds
	}
	return all
}

// fitting counts the cells of column c in a block.
func (l *looker) fitting(b input.Block, c int) *fitting {
	found, q := &newFittings(1)[0], b.Quoting()
	for _, r := range l.rows {
		cell := b.Cell(int(r), c)
		l.text = q.Append(l.text[:0], cell)
		if len(l.text) == 0 {
			continue
		}
		k := kindsAmong(l.text, l.file.Nulls)
		if k == allKinds {
			found.addWord(string(l.text))
			continue
		}
		if found.cells++; found.cells == 1 {
			found.first = Misfit{Line: b.Line(int(r)), Cell: string(l.text)}
		}
		found.all = found.all.and(k)
		found.flags.add(k, b.Line(int(r)), l.text, l.file.Nulls)
		for left := allKinds &^ text0; left != 0; left &= left - 1 {
			kind := bits.TrailingZeros64(uint64(left))
			if k>>kind&1 != 0 {
				found.fits[kind]++
			} else if odd := &found.odd[kind]; len(*odd) < manyCells && !slices.ContainsFunc(*odd, l.isCell) {
				*odd = append(*odd, Misfit{Line: b.Line(int(r)), Cell: string(l.text)})
			}
		}
	}
	return found
}

// hasDigits reports whether a misfit has digits, as codes such as 01067 have, and words for null have not.
func hasDigits(m Misfit) bool { return strings.ContainsAny(m.Cell, "0123456789") }

// addWord adds a word for null.
func (f *fitting) addWord(word string) {
	if !slices.Contains(f.words, word) {
		f.words = append(f.words, word)
		slices.Sort(f.words)
	}
}

// nulls returns the cells that mean null in the column, which options of read_csv must name with others; nil if there is none
// but empty ones.
func (f *fitting) nulls(file *File) []string {
	if file.Nulls != nil || f.words == nil {
		return file.Nulls
	}
	return append([]string{""}, f.words...)
}

// isCell reports whether a misfit has the cell that was read last.
func (l *looker) isCell(m Misfit) bool { return m.Cell == string(l.text) }

// firstOdd returns the first of misfits with different cells.
func firstOdd(odd []Misfit) []Misfit {
	slices.SortStableFunc(odd, func(a, b Misfit) int { return cmp.Compare(a.Line, b.Line) })
	var cells []string
	for _, m := range odd {
		if !slices.Contains(cells, m.Cell) && len(cells) < manyCells {
			odd[len(cells)] = m
			cells = append(cells, m.Cell)
		}
	}
	return odd[:len(cells)]
}

// add adds what was found in another block.
func (f *fitting) add(other *fitting) {
	if other.cells > 0 && (f.cells == 0 || other.first.Line < f.first.Line) {
		f.first = other.first
	}
	f.cells += other.cells
	f.all = f.all.and(other.all)
	f.flags.meet(&other.flags)
	for _, word := range other.words {
		f.addWord(word)
	}
	for kind, n := range other.fits {
		f.fits[kind] += n
		f.odd[kind] = firstOdd(append(f.odd[kind], other.odd[kind]...))
	}
}

// candidate is a way to read a column, and the kind that cells must allow for that.
type candidate struct {
	reading
	kind int
}

// candidates are what a column that is text may nearly be, the narrowest first.
var candidates = func() (all []candidate) {
	for _, f := range formats {
		if f != columnar.FormatOptional {
			all = append(all, candidate{reading{Format: f}, int(f)})
		}
	}
	for m := number.Point; m <= number.CommaApostrophe; m++ {
		r := reading{Format: columnar.FormatDecimal, Form: number.Form{Marks: m}}
		all = append(all, candidate{r, bits.TrailingZeros64(uint64(kindOf(m)))})
	}
	return all
}()

// nearest returns the misfit for the format that most cells have, the narrowest of several; nil if
// they are too few.
func (f *fitting) nearest(file *File) *Misfit {
	if m := f.doubted(file); m != nil || f.cells == 0 {
		return m
	}
	var best candidate
	for _, c := range candidates {
		if n := f.fits[c.kind]; n < f.cells && n > f.fits[best.kind] && file.refused>>c.kind&1 == 0 {
			best = c
		}
	}
	n, fits := len(f.odd[best.kind]), float64(f.fits[best.kind])
	few := fits >= nearly*float64(f.cells)
	if best.kind == 0 || !few || n == manyCells {
		again := n <= fewDifferent && fits >= half*float64(f.cells) && fits > float64(n) && !slices.ContainsFunc(f.odd[best.kind], hasDigits)
		if m := f.flags.misfit(file); m != nil || best.kind == 0 || !few && !again {
			return m
		}
	}
	m := f.odd[best.kind][0]
	m.Format, m.Form, m.Count, m.Nulls = best.Format, best.Form, f.cells-f.fits[best.kind], f.nulls(file)
	if odd := f.odd[best.kind]; len(odd) < manyCells {
		m.Cells = columnar.Each(odd, func(o Misfit) string { return o.Cell })
	}
	return &m
}

// doubted returns the misfit of a column of which all cells might have a type.
func (f *fitting) doubted(file *File) *Misfit {
	k := f.all.and(^file.refused)
	m := f.first
	switch {
	case k&numberTypes != 0:
		m.doubt = k.doubt(file.commas())
		r := k.written()
		m.Format, m.Form = r.Format, r.Form
		if m.doubt == whichMark {
			m.Cell, m.Line = f.odd[bits.TrailingZeros64(uint64(agreeing))][0].Cell, f.odd[bits.TrailingZeros64(uint64(agreeing))][0].Line
		}
	case k&(dayMDY|dayDMY) == dayMDY|dayDMY || k&(shortYMD|shortMDY|shortDMY) != 0:
		m.Format, m.doubt = columnar.FormatDay, whichOrder
	case k&(timeMDY|timeDMY) == timeMDY|timeDMY || k&(shortYMDT|shortMDYT|shortDMYT) != 0:
		m.Format, m.doubt = columnar.FormatTimestamp, whichOrder
	}
	if m.doubt == sure {
		return nil
	}
	return &m
}

// Doubt says why cells that might all have a type are texts; "": some of them have none.
func (m *Misfit) Doubt() string {
	switch m.doubt {
	case whichMark:
		return "no cell shows which mark is the decimal one"
	case whichOrder:
		return "no cell shows the order of day and month"
	case telephone:
		return "they might be no amounts, but called by telephone"
	case listed:
		return "they might be the numbers of a list, and none below zero"
	case withFlags:
		return m.withFlags()
	}
	return ""
}

// Advice returns options of read_csv that give a type to the column of the given name: one, or two of
// which one is right; none for numbers with flags. typ is the name of the type. With nullstr, cells that do not fit are NULL; with
// types, their rows are rejected.
func (m *Misfit) Advice(name, typ string) []string {
	short := m.Format >= columnar.FormatShortYMD && m.Format <= columnar.FormatShortDMYTime
	switch {
	case m.doubt == withFlags:
		return nil
	case m.doubt == whichMark && strings.Contains(m.Cell, ","):
		return []string{"thousands = ','", "decimal_separator = ','"}
	case m.doubt == whichMark:
		return []string{"thousands = '.'", "decimal_separator = '.'"}
	case m.doubt == whichOrder && short:
		return []string{"dateformat = '%d/%m/%y'", "dateformat = '%m/%d/%y'"}
	case m.doubt == whichOrder:
		return []string{"dateformat = '%d/%m/%Y'", "dateformat = '%m/%d/%Y'"}
	case m.doubt == sure && m.Cells != nil && !short:
		nulls := slices.Clone(m.Nulls)
		if nulls == nil {
			nulls = []string{""}
		}
		return []string{"nullstr = [" + strings.Join(columnar.Each(append(nulls, m.Cells...), quoted), ", ") + "]"}
	}
	if form := m.Form.String(); form != "" {
		typ += " FORMAT " + form
	} else if usual, ok := FormatOf(m.Format.Type()); ok && usual != m.Format {
		typ += " FORMAT " + m.Format.String()
	}
	return []string{"types = {" + quoted(name) + ": " + quoted(typ) + "}"}
}

// quoted writes a text as SQL does.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Cell is the place of a cell in a file.
type Cell struct {
	Column int
	Line   int64 // of its record
}

// FirstCell finds the first cell with a text in some columns, by reading the file to its end; ok is
// false if there is none.
func (f *File) FirstCell(ctx context.Context, columns []int, text string, open func() (vfs.File, error)) (first Cell, ok bool, err error) {
	if f.Typed() || len(columns) == 0 {
		return first, false, nil
	}
	mu := sync.Mutex{}
	err = eachBlock(ctx, f, open, func() func(input.Block) {
		l := &looker{file: f}
		return func(b input.Block) {
			l.listRows(b)
			for _, c := range columns {
				q := b.Quoting()
				for _, r := range l.rows {
					if string(l.unquoted(q, b.Cell(int(r), c))) != text {
						continue
					}
					mu.Lock()
					if line := b.Line(int(r)); !ok || line < first.Line || line == first.Line && c < first.Column {
						first, ok = Cell{c, line}, true
					}
					mu.Unlock()
					break
				}
			}
		}
	})
	return first, ok, err
}
