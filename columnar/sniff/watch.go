package sniff

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/jsontext"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// Watch determines the column types of files that form one table, while another component
// reads the files.
type Watch struct {
	files   []*File // whose samples suggest the types
	number  int     // of all files
	columns []int
	whole   bool

	mu    sync.Mutex
	parts map[int]*Part // of the files that were begun
	read  int           // how many of them were read to their ends
	all   found         // in the table so far
	more  bool          // a record has a column that is not known
	shown found         // likewise, including blocks that may not count
}

// found is what the cells of columns were found to be.
type found struct {
	kinds []kinds // by column: those that all cells allow
	// arrays are the shapes of the arrays that do not fit what is known of their columns, by these.
	arrays map[int]*jsontext.Shape
}

func nothing(columns int) found {
	return found{newKinds(columns), make(map[int]*jsontext.Shape)}
}

// meet adds what was found elsewhere.
func (f *found) meet(other found) {
	meet(f.kinds, other.kinds)
	for c, shape := range other.arrays {
		f.arrays[c] = f.arrays[c].United(shape)
	}
}

// Part watches one file. It is safe for concurrent use.
type Part struct {
	watch  *Watch
	file   *File
	blocks map[int64]found // by block number; nil once it is known that all blocks count
	again  int64           // the first line where the header stands again; 0: it does not
}

// NewWatch returns a Watch for the columns at the given positions of a table. files are those that
// were looked at, of the given number of files that form it.
func NewWatch(files []*File, number int, columns []int) *Watch {
	n := len(files[0].Columns)
	w := &Watch{files: files, number: number, all: nothing(n), shown: nothing(n), parts: make(map[int]*Part)}
	for _, c := range columns {
		if !files[0].Columns[c].Declared {
			w.columns = append(w.columns, c)
		}
	}
	for _, f := range files {
		// A column that is already known to be text need not be watched.
		for i, k := range f.seen {
			if k == text0 {
				w.all.kinds[i] = text0
			}
		}
	}
	return w
}

// Whole has the watch look for columns that are not known, unless all are.
func (w *Watch) Whole() { w.whole = !w.files[0].whole }

// More reports whether records were found to have columns that are not known.
func (w *Watch) More() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.more
}

// Columns returns the names of the columns at which workers look.
func (w *Watch) Columns() (names []string) {
	for _, c := range w.columns {
		names = append(names, w.files[0].Columns[c].Name)
	}
	return names
}

// Part returns the Part for file i of the table, which f describes.
func (w *Watch) Part(i int, f *File) *Part {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.parts[i] == nil {
		w.parts[i] = &Part{watch: w, file: f, blocks: make(map[int64]found)}
	}
	return w.parts[i]
}

// Worker returns a function for one goroutine, which must call it for each block that it reads
// from the file.
func (p *Part) Worker() func(input.Block) {
	l := &looker{file: p.file, columns: p.watch.columns}
	return func(b input.Block) {
		p.watch.mu.Lock()
		l.found = found{append(l.kinds[:0], p.watch.all.kinds...), nil}
		p.watch.mu.Unlock()
		l.take(b)
		more, ok := b.(input.Growing)
		p.took(b.Index(), l.found, ok && p.watch.whole && more.More())
		if d, ok := b.(input.Doubtful); ok && len(d.Repeats()) > 0 {
			p.repeated(b.Line(d.Repeats()[0]))
		}
	}
}

func (p *Part) repeated(line int64) {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	if p.again == 0 || line < p.again {
		p.again = line
	}
}

func (p *Part) took(block int64, seen found, more bool) {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	p.watch.more = p.watch.more || more
	p.watch.shown.meet(seen)
	if p.blocks == nil {
		p.watch.all.meet(seen)
		return
	}
	p.blocks[block] = found{slices.Clone(seen.kinds), seen.arrays}
}

// Wrong reports whether a column was seen that is not known, or a cell that does not fit the type of
// its column. It includes
// blocks that may not count: the guessed type is wrong if all of these count.
func (w *Watch) Wrong() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.more || slices.ContainsFunc(w.columns, func(c int) bool { return !w.fits(c, w.shown) })
}

// fits reports whether the cells of column c fit its current type.
func (w *Watch) fits(c int, f found) bool {
	column := &w.files[0].Columns[c]
	had := column.reading()
	if more := f.arrays[c]; more != nil && had.Type().Kind() == columnar.KindList && column.array.United(more).Type() != had.Type() {
		return false
	}
	return w.files[0].readingOf(c, f.kinds[c]) == had || f.kinds[c].allows(had)
}

// learn adds what arrays were found to be to what is known of them.
func (w *Watch) learn(from found) {
	for c, shape := range from.arrays {
		for _, f := range w.files {
			f.Columns[c].array = f.Columns[c].array.United(shape)
		}
	}
}

// Again guesses the types of the columns anew from everything seen so far, and returns a fresh
// Watch for another reading of the files.
func (w *Watch) Again() *Watch {
	meet(w.files[0].likely, w.shown.kinds)
	w.learn(w.shown)
	Guess(w.files)
	next := NewWatch(w.files, w.number, w.columns)
	next.whole = w.whole
	return next
}

// End must be called at the end of a reading of the file. The first count blocks count, all if
// count is negative; the others are treated as not read.
func (p *Part) End(count int64) {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	for block, seen := range p.blocks {
		if count < 0 || block < count {
			p.watch.all.meet(seen)
		}
	}
	if count < 0 {
		if p.blocks != nil {
			p.watch.read++
		}
		p.blocks = nil
	} else {
		clear(p.blocks)
	}
}

// Settled sets the column types to those that all cells fit, if the files were read to their
// ends, and reports whether the columns already had them. Otherwise it leaves the types
// unchanged, and reports whether the blocks that count fit them.
func (w *Watch) Settled() (right bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	right = !w.more || !w.completeLocked()
	if w.completeLocked() {
		w.learn(w.all)
	}
	for _, c := range w.columns {
		if !w.completeLocked() {
			right = right && w.fits(c, w.all)
			continue
		}
		settled := w.files[0].readingOf(c, w.all.kinds[c])
		right = right && settled == w.files[0].Columns[c].reading()
		for _, f := range w.files {
			f.Columns[c].reads(settled)
		}
	}
	return right
}

// Complete reports whether all files have been read to their ends.
func (w *Watch) Complete() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.completeLocked()
}

func (w *Watch) completeLocked() bool { return w.read == w.number }

func meet(all, seen []kinds) {
	for c := range all {
		all[c] = all[c].and(seen[c])
	}
}

// Read reads a file to its end.
func (p *Part) Read(ctx context.Context, open func() (vfs.File, error)) error {
	p.End(-1) // all blocks count
	err := eachBlock(ctx, p.file, open, p.Worker)
	if p.again > 0 {
		p.file.noteRepeated(p.again)
	}
	return err
}

// eachBlock reads a file to its end. Each of several goroutines calls worker once, and then the
// function that this returns with each of its blocks.
func eachBlock(ctx context.Context, f *File, open func() (vfs.File, error), worker func() func(input.Block)) (err error) {
	file, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	opened, err := f.Format.Open(ctx, file, f.Table(""), input.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	r, ok := opened.(input.CellReader)
	if !ok {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			w, take := r.NewWorker(), worker()
			for {
				err := w.Next(ctx)
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				take(w)
			}
		})
	}
	return g.Wait()
}

// looker determines what the cells of columns are, block by block.
type looker struct {
	file    *File
	columns []int
	found
	rows   []int32 // the rows of the block: all, or some
	all    csv.RecordNumbers
	some   []int32
	column csv.Column
	full   csv.Column // the cells of a column that are neither empty nor words for null
	at     []int32
	text   []byte
}

func (l *looker) take(b input.Block) {
	l.listRows(b)
	for _, c := range l.columns {
		l.look(b, c)
	}
}

// listRows lists the records that a scan would not reject because of their shape.
func (l *looker) listRows(b input.Block) {
	want := l.file.width()
	if b.Uniform(want) {
		l.rows = l.all.First(b.Len())
	} else {
		l.some = l.some[:0]
		for i := 0; i < b.Len(); {
			alike, next := b.Fields(i) >= want, i+b.Alike(i)
			for ; i < next; i++ {
				if alike {
					l.some = append(l.some, int32(i))
				}
			}
		}
		l.rows = l.some
	}
	if n := len(l.rows); b.Unclosed() && n > 0 && int(l.rows[n-1]) == b.Len()-1 {
		l.rows = l.rows[:n-1]
	}
}

func (l *looker) look(b input.Block, c int) {
	if l.file.Columns[c].field == 0 {
		return
	}
	for _, records := range b.Parts(l.rows) {
		if l.kinds[c] != text0 {
			l.kinds[c] = l.lookAt(b, c, l.kinds[c], records)
		}
	}
}

// lookAt returns which of the kinds k the cells of column c allow in some records.
func (l *looker) lookAt(b input.Block, c int, k kinds, records []int32) kinds {
	column, empty, field := &l.column, kindsOfEmpty(l.file.Nulls), l.file.Columns[c].field-1
	q := b.Quoting()
	if q.Typed() && k&^(text0|moments) != 0 {
		b.Column(column, field, records) // quotes tell texts from numbers
	} else {
		b.Values(column, field, records)
	}
	n := len(records)
	null := func(cell []byte) bool { return kindsAmong(cell, l.file.Nulls) == allKinds }
	if !q.Typed() && !column.MostlyFull(n, null) {
		var some bool
		if l.at, some = column.Full(&l.full, n, l.at, null); some {
			k = k.and(empty)
		}
		column, n = &l.full, len(l.at)
	}
	for i := skipPlain(k, column, 0, n); i < n; i = skipPlain(k, column, i+1, n) {
		cell := column.Cell(i)
		if q.Typed() {
			if k = k.and(l.kindsOfTyped(q, cell)); k&arrays != 0 && len(cell) > 0 {
				l.lookInto(c, cell)
			}
		} else if cell = l.unquoted(q, cell); len(cell) == 0 {
			k = k.and(empty)
		} else {
			k = k.and(kindsAmong(cell, l.file.Nulls))
		}
		if k == text0 {
			break
		}
	}
	return k
}

// lookInto finds out whether an array fits what is known of the column.
func (l *looker) lookInto(c int, array []byte) {
	shape := l.arrays[c]
	if known := l.file.Columns[c].array; shape == nil && known != nil && known.Holds(array) {
		return
	}
	if shape == nil {
		if l.arrays == nil {
			l.arrays = make(map[int]*jsontext.Shape)
		}
		shape = new(jsontext.Shape)
		l.arrays[c] = shape
	}
	shape.Add(array)
}

// unquoted returns the text of a cell, which is valid until the next call.
func (l *looker) unquoted(q csv.Quoting, cell []byte) []byte {
	if len(cell) == 0 || cell[0] != q.Quote() {
		return cell
	}
	l.text = q.Append(l.text[:0], cell)
	return l.text
}

// kindsOfTyped returns the kinds that a cell allows whose quotes say what it is: a text is at most
// a date, and only what has no quotes can be another value or an array.
func (l *looker) kindsOfTyped(q csv.Quoting, cell []byte) kinds {
	switch text := l.unquoted(q, cell); {
	case len(cell) == 0:
		return allKinds
	case len(text) == 0:
		return text0
	case len(text) < len(cell):
		return kindsOf(text) & (text0 | moments)
	case cell[0] == '[':
		return text0 | arrays
	default:
		return kindsOf(text)
	}
}

// Guess sets the column types of files that form one table to those that the samples of all
// files suggest.
func Guess(files []*File) {
	if files[0].Typed() {
		return
	}
	all := newKinds(len(files[0].Columns))
	for _, f := range files {
		meet(all, f.likely)
	}
	meetAround(files)
	for _, f := range files {
		for c := range f.Columns {
			if column := &f.Columns[c]; column.Declared && column.Form == (number.Form{}) {
				column.Form = f.formOf(column.Format, all[c])
			} else if !column.Declared {
				column.reads(f.readingOf(c, all[c]))
			}
		}
	}
}
