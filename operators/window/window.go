package window

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/order"
)

// Config says what to compute over which order.
type Config struct {
	Keys  []string    `json:"keys,omitempty"` // of the partitions
	Order []order.Key `json:"order,omitempty"`
	Ties  []order.Key `json:"ties,omitempty"` // order rows that agree in Order; the other columns follow
	Calls []Call      `json:"calls"`
	// Columns are those of the input that are emitted, of a plan those of its node; nil: all.
	Columns []string `json:"-"`
}

// byKey reports whether what a call computes depends on the keys of the order, and not only on the order of rows.
func (c *Config) byKey() bool {
	return slices.ContainsFunc(c.Calls, func(call Call) bool {
		f := functionOf(call.Func)
		return call.frame().byKey() || f != nil && f.byValue
	})
}

// held returns the names of the columns of a schema that are read behind the sort: those that are emitted, and those
// that partitions, peers and calls are made of.
func (c *Config) held(schema columnar.Schema) []string {
	names := schema.Names()
	if c.Columns == nil {
		return names
	}
	need := append(slices.Clone(c.Columns), c.Keys...)
	for _, call := range c.Calls {
		need = append(append(need, call.Reads()...), call.Default)
	}
	for _, k := range c.Order {
		if c.byKey() {
			need = append(need, k.Column)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(need, name) })
}

// Operator adds the columns of its calls to the rows of one input, and emits the rows by
// partition and order.
type Operator struct {
	rt     *operators.Runtime
	schema columnar.Schema // of the rows behind the sort
	passed int             // how many columns of these are emitted
	order  []order.Key
	sort   *order.Sort
	tape   *tape
	marks  *marks

	calls  []*call
	frames []*frame
	group  int // the position on the tape of the number of the peers of a row, -1 if no frame needs it
	// What must be known before a row can be evaluated: the end of its partition, its last
	// peer, or a number of rows after it.
	whole, peers bool
	ahead        int64

	done     int64 // number of rows that were emitted
	finished bool  // all rows are on the tape
	run      piece // rows of one block, of which piece are the next
	piece    piece
	views    []*columnar.Vector // the columns of the tape for the rows of the run, then of the piece
	main     *cursor
	ends     *cursor // to find the ends of peers
	page     columnar.Rows
	most     int // most rows of the next page
}

// The first page has firstRows rows. Other pages have at most about pageBytes of computed
// values, since each row may get a text of any length, or a list of its whole partition.
const (
	firstRows = 1
	pageBytes = 1 << 20
	// valueBytes is the most that a value of a list takes, beyond what its kind varies by.
	valueBytes = 17
)

// call is a Call with its evaluator.
type call struct {
	Call
	arg   int // position of the argument, -1 for none
	other int // position of the default, -1 for none
	far   int // position of the number, -1 if it is the same for all rows
	frame *frame
	eval  evaluator
	// longest is, of a call whose value has those of all rows of its frame, the most bytes that a row
	// has added to one so far; 0 for others.
	longest int64
}

// evaluator computes the values of a call, one piece after the other.
type evaluator interface {
	// append appends the values of the rows of a piece.
	append(p *piece, out *columnar.Vector) error
	// keep returns the first row that the evaluator may read again when next is the next row to
	// be evaluated. It is at most next.
	keep(next int64) int64
	close()
}

// New returns a window over rows of a schema. It fails when the calls do not fit the schema.
func New(rt *operators.Runtime, schema columnar.Schema, cfg Config) (*Operator, error) {
	by := columnar.Each(cfg.Keys, func(c string) order.Key { return order.Key{Column: c} })
	by = append(append(by, cfg.Order...), cfg.Ties...)
	held := cfg.held(schema)
	sort, err := order.NewSort(rt, schema, order.SortConfig{Order: by, Limit: -1, Columns: held})
	if err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	types := columnar.Each(cfg.Order, func(k order.Key) columnar.Type { return schema[schema.Index(k.Column)].Type })
	made := make(columnar.Schema, len(cfg.Calls))
	for i, c := range cfg.Calls {
		t, err := c.Type(schema, types)
		if err != nil {
			return nil, fmt.Errorf("window: %w", err)
		}
		made[i] = columnar.Field{Name: c.Name, Type: t}
	}
	at, err := schema.Positions(held)
	if err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	o := &Operator{rt: rt, schema: schema.Project(at), order: cfg.Order, sort: sort}
	if err := o.hold(&cfg, made); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	for _, c := range cfg.Calls {
		if err := o.addCall(c); err != nil {
			return nil, fmt.Errorf("window: %w", err)
		}
	}
	return o, nil
}

// hold makes the tape and the page, on which the columns that calls make follow those that are emitted.
func (o *Operator) hold(cfg *Config, made columnar.Schema) error {
	emitted := cfg.Columns
	if emitted == nil {
		emitted = o.schema.Names()
	}
	passed, err := o.schema.Positions(emitted)
	if err != nil {
		return err
	}
	partitions, err := o.schema.Positions(cfg.Keys)
	if err != nil {
		return err
	}
	var keys []int
	for _, k := range cfg.Order {
		if cfg.byKey() {
			keys = append(keys, o.schema.Index(k.Column))
		}
	}
	// On the tape, one more column follows those of the rows. It says whether a row is the
	// first of its peers. If a frame counts groups, another one has their number.
	marked := append(o.schema[:len(o.schema):len(o.schema)], columnar.Field{Name: "first peer", Type: columnar.Bool})
	o.group = -1
	if slices.ContainsFunc(cfg.Calls, func(c Call) bool { f := c.frame(); return f.From.Unit == Groups || f.To.Unit == Groups }) {
		o.group = len(marked)
		marked = append(marked, columnar.Field{Name: "group", Type: columnar.Int})
	}
	o.tape = &tape{rt: o.rt, schema: marked, reserved: o.rt.Budget.Reserve("window")}
	o.marks = &marks{partitions: partitions, keys: keys, numbers: o.group >= 0, last: columnar.NewRows(o.schema)}
	o.main, o.ends = o.tape.cursor(), o.tape.cursor()
	for range marked {
		o.views = append(o.views, new(columnar.Vector))
	}
	for _, c := range passed {
		o.page.Cols = append(o.page.Cols, o.views[c])
	}
	o.passed, o.most = len(passed), firstRows
	o.page.Cols = append(o.page.Cols, columnar.NewRows(made).Cols...)
	return nil
}

func (o *Operator) addCall(c Call) (err error) {
	own := &call{Call: c, arg: -1, other: o.schema.Index(c.Default), far: o.schema.Index(c.Far), frame: o.frameOf(c.frame())}
	if f := functionOf(c.Func); f != nil {
		o.peers = o.peers || f.peers
		if f.Takes {
			own.arg = o.schema.Index(c.Args[0])
		}
		own.eval = f.make(o, own)
	} else if own.eval, err = newAggregate(o, own); err != nil {
		return err
	} else if c.agg().Gathers() {
		own.arg, own.longest = o.schema.Index(c.Args[0]), valueBytes
	}
	o.calls = append(o.calls, own)
	return nil
}

// Push takes rows in.
func (o *Operator) Push(ctx context.Context, input int, rows columnar.Rows, emit operators.Emit) error {
	return o.sort.Push(ctx, input, rows, emit)
}

// Finish computes and emits the rows.
func (o *Operator) Finish(ctx context.Context, input int, emit operators.Emit) error {
	err := o.sort.Finish(ctx, input, func(rows columnar.Rows) error {
		for _, c := range o.calls {
			if c.longest > 0 {
				c.longest = max(c.longest, valueBytes+int64(len(c.Param))+rows.Cols[c.arg].LongestVarying())
			}
		}
		o.tape.add(o.marks.mark(rows, o.tape.rows))
		if err := o.advance(ctx, emit); err != nil {
			return err
		}
		return o.tape.trim(o.needed())
	})
	if err == nil {
		o.finished = true
		err = o.advance(ctx, emit)
	}
	return errors.Join(err, o.Close())
}

// Close gives back memory and files. The operator can be used again.
func (o *Operator) Close() error {
	err := errors.Join(o.sort.Close(), o.tape.close())
	for _, c := range o.calls {
		c.eval.close()
		c.longest = min(c.longest, valueBytes)
	}
	for _, f := range o.frames {
		f.reset()
	}
	o.marks.reset()
	o.done, o.finished, o.run, o.piece, o.most = 0, false, piece{}, piece{}, firstRows
	for _, v := range o.views {
		*v = columnar.Vector{}
	}
	for _, v := range o.page.Cols[o.passed:] {
		v.Reset()
	}
	return err
}

// known returns the row up to which, not including it, rows can be evaluated.
func (o *Operator) known() int64 {
	if o.finished {
		return o.tape.rows
	}
	partition := o.marks.lastStart()
	switch {
	case o.whole:
		return partition
	case o.peers:
		return max(partition, min(o.marks.peer, o.tape.rows-o.ahead))
	}
	return max(partition, o.tape.rows-o.ahead)
}

// needed returns the first row that may still be read.
func (o *Operator) needed() int64 {
	need := o.done
	for _, c := range o.calls {
		need = min(need, c.eval.keep(o.done))
	}
	for _, f := range o.frames {
		need = min(need, f.keep(o.done))
	}
	return need
}

// advance evaluates and emits all rows that are known.
func (o *Operator) advance(ctx context.Context, emit operators.Emit) error {
	for known := o.known(); o.done < known; {
		at, err := o.main.seek(o.done)
		if err != nil {
			return err
		}
		rows := o.main.rows.Slice(at, int(min(known, o.main.to)-o.main.from))
		if err := o.begin(rows); err != nil {
			return err
		}
		for from := 0; from < rows.Len; from += o.page.Len {
			if err := o.evaluate(rows, from, o.fitting(from, min(rows.Len, from+o.most))); err != nil {
				return err
			}
			if err := errors.Join(emit(o.page), ctx.Err()); err != nil {
				return err
			}
			o.done += int64(o.page.Len)
			made := columnar.Rows{Len: o.page.Len, Cols: o.page.Cols[o.passed:]}
			o.most = max(1, int(min(operators.PageRows, int64(o.page.Len)*pageBytes/max(made.ValueBytes(), 1))))
		}
	}
	return nil
}

// begin makes the run of rows of a block, and their frames.
func (o *Operator) begin(rows columnar.Rows) error {
	o.view(rows, 0, rows.Len)
	if err := o.place(rows.Cols[len(o.schema)].Bools[:rows.Len], columnar.Rows{Len: rows.Len, Cols: o.views}); err != nil {
		return err
	}
	for _, f := range o.frames {
		if err := f.move(&o.run); err != nil {
			return err
		}
	}
	return nil
}

func (o *Operator) view(rows columnar.Rows, from, to int) {
	for i, v := range o.views {
		v.View(rows.Cols[i], from, to)
	}
}

// fitting returns the end of those rows of the run, of some and at least the first one, whose values have at most pageBytes
// as far as they have those of all rows of their frames.
func (o *Operator) fitting(from, to int) int {
	left := int64(pageBytes)
	for i := from; i < to; i++ {
		for _, c := range o.calls {
			if c.longest > 0 {
				left -= c.longest * (c.frame.all.end[i] - c.frame.all.begin[i])
			}
		}
		if left < 0 && i > from {
			return i
		}
	}
	return to
}

// evaluate makes a page of some rows of the run.
func (o *Operator) evaluate(rows columnar.Rows, from, to int) error {
	o.view(rows, from, to)
	o.piece = o.run.part(from, to)
	for _, f := range o.frames {
		f.take(&o.run, from, to)
	}
	o.page.Len = to - from
	for i, c := range o.calls {
		out := o.page.Cols[o.passed+i]
		out.Reset()
		if err := c.eval.append(&o.piece, out); err != nil {
			return fmt.Errorf("window: %w", err)
		}
	}
	return nil
}
