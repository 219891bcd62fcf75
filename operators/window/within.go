package window

import (
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// The functions of the rows of a frame in an order of their own, that of their places.
const (
	rowNumberWithin   Func = "row_number_within"
	rankWithin        Func = "rank_within"
	percentRankWithin Func = "percent_rank_within"
	cumeDistWithin    Func = "cume_dist_within"
	nTileWithin       Func = "ntile_within"
	lagWithin         Func = "lag_within"
	leadWithin        Func = "lead_within"
	firstValueWithin  Func = "first_value_within"
	lastValueWithin   Func = "last_value_within"
	nthValueWithin    Func = "nth_value_within"
)

func init() { functions.Add(withinFunctions) }

func withinFunctions() []Function {
	number := func(name Func, n *Number, of func(w *within, place int64, n int64) (int64, error)) Function {
		return Function{Func: name, places: true, Number: n, Far: n != nil, make: makeWithin(func(w *within, place, n int64, out *columnar.Vector) error {
			x, err := of(w, place, n)
			out.AppendInt(x)
			return err
		})}
	}
	share := func(name Func, of func(before, rows int64) float64, up int64) Function {
		return Function{Func: name, places: true, float: true, make: makeWithin(func(w *within, place, _ int64, out *columnar.Vector) error {
			out.AppendFloat(of(w.set.before(place+up), w.set.len))
			return nil
		})}
	}
	value := func(name Func, of Function, at func(w *within, place, n int64) int64) Function {
		of.Func, of.places, of.Takes, of.present = name, true, true, true
		of.make = makeWithin(func(w *within, place, n int64, out *columnar.Vector) error { return w.value(at(w, place, n), out) })
		return of
	}
	before := func(w *within, place, _ int64) (int64, error) { return w.set.before(place) + 1, nil }
	near := Function{Number: rowsAway, Far: true, otherwise: true}
	return []Function{
		number(rowNumberWithin, nil, before),
		number(rankWithin, nil, before),
		number(nTileWithin, parts, func(w *within, place, n int64) (int64, error) {
			at := w.set.before(place)
			return tileOf(at, max(w.set.len, at+1), n)
		}),
		share(percentRankWithin, func(before, rows int64) float64 { return part(before, rows-1) }, 0),
		share(cumeDistWithin, part, 1),
		value(lagWithin, near, func(w *within, place, n int64) int64 { return w.away(place, -n) }),
		value(leadWithin, near, func(w *within, place, n int64) int64 { return w.away(place, n) }),
		value(firstValueWithin, Function{}, func(*within, int64, int64) int64 { return 0 }),
		value(lastValueWithin, Function{}, func(w *within, _, _ int64) int64 { return w.set.len - 1 }),
		value(nthValueWithin, Function{Number: nth1, Far: true}, func(_ *within, _, n int64) int64 { return n - 1 }),
	}
}

// part returns what part some rows are, 0 if there are none.
func part(rows, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return float64(rows) / float64(of)
}

// within computes a function of the places that the rows of a frame have in an order of their own.
type within struct {
	call         *call
	sliding      sliding
	append1      func(w *within, place, n int64, out *columnar.Vector) error
	place, count int // positions of the place of a row, and of the one to count with

	reserved *budget.Reservation
	bytes    int64 // that set takes
	set      placeSet
	valued   bool    // the value is that of another row
	rows     []int64 // for each place, the number of its row
	cursor   *cursor
	piece    *piece
	at       int // of the row in the piece

	held, spans []span // the rows that are in the set; memory for those of the next row
	begin       int64  // of the frame of the last row
}

func makeWithin(append1 func(w *within, place, n int64, out *columnar.Vector) error) func(*Operator, *call) evaluator {
	return func(o *Operator, c *call) evaluator {
		n := len(c.Args)
		w := &within{
			call: c, append1: append1, valued: functionOf(c.Func).Takes, reserved: o.rt.Budget.Reserve("window"), cursor: o.tape.cursor(),
			place: o.schema.Index(c.Args[n-2]), count: o.schema.Index(c.Args[n-1]),
		}
		w.sliding = newSliding(o, w, true)
		return w
	}
}

func (w *within) append(p *piece, out *columnar.Vector) error {
	f, counts := w.call.frame, p.rows.Cols[w.count].Ints
	w.piece = p
	for i := range f.begin {
		w.spans = f.spans(w.spans[:0], p, i)
		if !slices.Equal(w.spans, w.held) {
			if err := w.sliding.change(w.held, w.spans); err != nil {
				return err
			}
			w.held, w.spans = w.spans, w.held
		}
		w.at = i
		n := w.call.N
		if w.call.far >= 0 {
			far := p.rows.Cols[w.call.far]
			if far.IsNull(i) {
				out.AppendNull()
				continue
			}
			n = min(max(far.Ints[i], -MostOffset), MostOffset)
		}
		if err := w.append1(w, counts[i], n, out); err != nil {
			return err
		}
	}
	w.begin = f.begin[len(f.begin)-1]
	return nil
}

// away returns which row of the frame, from 0 on, is so many behind a place. The row of the place is none of them if it
// has no value and only those that have one count.
func (w *within) away(place, n int64) int64 {
	at := w.set.before(place) + n
	switch {
	case w.counts(w.piece.rows, w.at):
	case n > 0:
		at--
	case n == 0:
		return -1
	}
	return at
}

// value appends the value of the n-th row of the frame.
func (w *within) value(n int64, out *columnar.Vector) error {
	switch {
	case n >= 0 && n < w.set.len:
		at, err := w.cursor.seek(w.rows[w.set.pick(n)-1])
		if err != nil {
			return err
		}
		out.AppendRange(w.cursor.rows.Cols[w.call.arg], at, at+1)
	case w.call.other >= 0:
		out.AppendRange(w.piece.rows.Cols[w.call.other], w.at, w.at+1)
	default:
		out.AppendNull()
	}
	return nil
}

// Add takes in rows under the cursor of those that enter the frame.
func (w *within) Add(rows columnar.Rows, lo, hi int) error {
	places, from := rows.Cols[w.place].Ints, w.sliding.adds.from
	if err := w.room(slices.Max(places[lo:hi])); err != nil {
		return err
	}
	for i := lo; i < hi; i++ {
		if !w.counts(rows, i) {
			continue
		}
		w.set.add(places[i])
		if w.valued {
			w.rows[places[i]-1] = from + int64(i)
		}
	}
	return nil
}

// room makes room for a place.
func (w *within) room(place int64) error {
	if place < 1 || place > MostOffset {
		return errors.New("a place of a row is none")
	}
	if bytes := w.set.grow(place); bytes > 0 {
		w.bytes = bytes
	}
	if more := len(w.set.words)*64 - len(w.rows); w.valued && more > 0 {
		w.rows = append(w.rows, make([]int64, more)...)
	}
	if size := w.bytes + 8*int64(cap(w.rows)); !w.reserved.Cover(size, LeastBytes) {
		w.reserved.Grow(size - w.reserved.Size())
		return w.reserved.CheckOne("the places of the rows of one window")
	}
	return nil
}

// counts reports whether a row of the frame counts.
func (w *within) counts(rows columnar.Rows, i int) bool {
	return !w.call.Present || !rows.Cols[w.call.arg].IsNull(i)
}

// Remove takes rows out that were added.
func (w *within) Remove(rows columnar.Rows, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if w.counts(rows, i) {
			w.set.remove(rows.Cols[w.place].Ints[i])
		}
	}
	return true
}

// Reset takes all rows out.
func (w *within) Reset() { w.set.reset() }

func (w *within) keep(next int64) int64 {
	switch f := w.call.frame; {
	case f.jumps:
		return f.reads(next)
	case w.valued && f.From.Unit == Whole:
		return min(next, f.start)
	case f.grows() && len(w.held) > 0:
		return min(next, w.held[0].to)
	}
	return min(next, w.begin)
}

func (w *within) close() {
	w.set.free()
	w.rows, w.bytes, w.held, w.begin = nil, 0, w.held[:0], 0
	w.reserved.Release()
}
