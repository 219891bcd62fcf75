package aggregate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
)

// groups is a table with the states of its aggregates: what an operator holds
// in memory.
type groups struct {
	*layout
	mem     memory
	table   *table
	states  []*state
	bulky   bool // groups may take much more memory in columns than their words
	most    int  // groups the memory has held
	inOrder bool // values of groups are wanted in order, and can be put off

	batch  columnar.Rows
	key    []*columnar.Vector   // columns of the batch
	args   [][]*columnar.Vector // of each aggregate
	hashes []uint64             // of the batch's keys
	refs   []uint32             // of the batch's groups

	valuePage columnar.Rows
	statePage columnar.Rows
	single    columnar.Rows
}

func newGroups(l *layout, reserved *budget.Reservation) (*groups, error) {
	g := &groups{layout: l, mem: memory{reserved: reserved}, key: make([]*columnar.Vector, len(l.keys))}
	words := 0
	for i, a := range l.cfg.Aggs {
		var s *state
		s, words = newState(a, l.forms[i], &g.mem, words)
		g.states = append(g.states, s)
		g.inOrder = g.inOrder || l.forms[i].pick != nil && !l.cfg.ToStates
		g.args = append(g.args, make([]*columnar.Vector, max(1, len(l.inputs[i])))) // one nil for none
	}
	g.table = newTable(&g.mem, newKeys(l.keyTypes, &g.mem), words)
	if g.table.words > pageWords {
		return nil, fmt.Errorf("aggregate: a group takes %d words, and can take %d", g.table.words, pageWords)
	}
	_, fixed := g.table.keys.(*wordKeys)
	g.bulky = !fixed || slices.ContainsFunc(l.stateSchema, func(f columnar.Field) bool {
		return f.Type.Item() != columnar.Invalid || f.Type == columnar.Text
	})
	g.single.Cols = make([]*columnar.Vector, len(l.stateSchema))
	return g, nil
}

// begin begins with a batch.
func (g *groups) begin(in columnar.Rows) {
	g.batch = in
	for i, at := range g.keys {
		g.key[i] = in.Cols[at]
	}
	for i, input := range g.inputs {
		for j, at := range input {
			g.args[i][j] = in.Cols[at]
		}
	}
}

// encode prepares the keys of the batch for being looked up.
func (g *groups) encode() {
	if k, ok := g.table.keys.(*wordKeys); ok && !k.masked && nullable(g.key) {
		k.masked = true
		g.table.widen()
	}
	g.hashes = g.table.keys.encode(g.key, g.batch.Len)
}

// fits reports whether there is room for all rows of the batch as new groups, or
// makes it with force.
func (g *groups) fits(force bool) bool { return g.table.fits(g.batch.Len, force) }

// take puts the batch into its groups, for which there is room.
func (g *groups) take() error {
	g.refs = g.table.lookup(g.hashes, g.refs)
	behind := g.records(g.refs)
	for i, s := range g.states {
		if !g.cfg.FromStates {
			s.update(behind, g.args[i][0])
			continue
		}
		for j, acc := range s.acc {
			if err := acc.merge(s.column(j, behind), g.args[i][j]); err != nil {
				return s.named(err)
			}
		}
	}
	return nil
}

// putOff makes room by what groups hold that can be put off until their values are made,
// where they cannot be taken apart.
func (g *groups) putOff(ctx context.Context, rt *operators.Runtime) error {
	if !g.inOrder {
		return nil
	}
	for _, s := range g.states {
		if v, ok := s.acc[0].(*values); ok {
			if err := v.makeRoom(ctx, rt, s.column(0, g.records(g.all()))); err != nil {
				return s.named(err)
			}
		}
	}
	g.mem.full = false
	return nil
}

// settle makes the values of what was put off.
func (g *groups) settle(ctx context.Context) error {
	for _, s := range g.states {
		if v, ok := s.acc[0].(*values); ok {
			if err := v.settle(ctx, func() picker { return s.form.pick(s.agg) }); err != nil {
				return s.named(err)
			}
		}
	}
	return nil
}

// drop forgets what was put off.
func (g *groups) drop() error {
	var errs []error
	for _, s := range g.states {
		if v, ok := s.acc[0].(*values); ok {
			errs = append(errs, v.drop())
		}
	}
	return errors.Join(errs...)
}

// records returns the words behind the key in some groups.
func (g *groups) records(refs []uint32) records {
	return records{pages: g.table.pages, refs: refs, at: g.table.keys.words()}
}

// singles returns the rows of the batch as states, each a group of its own. They
// are valid until the next batch, which they borrow from.
func (g *groups) singles() columnar.Rows {
	out := g.single.Cols[copy(g.single.Cols, g.key):]
	for i, s := range g.states {
		if g.cfg.FromStates {
			copy(out, g.args[i])
		} else {
			s.singles(g.args[i][0], g.batch.Len, out)
		}
		out = out[len(s.acc):]
	}
	g.single.Len = g.batch.Len
	return g.single
}

// all returns all groups.
func (g *groups) all() []uint32 {
	g.refs = g.table.all(g.refs)
	return g.refs
}

// emit hands out groups in pages, as states or as values.
func (g *groups) emit(refs []uint32, states bool, emit operators.Emit) error {
	page, schema, fill := &g.valuePage, g.valueSchema, g.appendValues
	if states {
		page, schema, fill = &g.statePage, g.stateSchema, g.appendStates
	}
	if page.Cols == nil {
		*page = columnar.NewRows(schema)
	}
	for len(refs) > 0 {
		n := g.pageOf(refs)
		page.Reset()
		// Column by column, but so few groups at a time that their records stay
		// in the processor's nearest cache.
		for lo := 0; lo < n; lo += fillGroups {
			if err := fill(page, refs[lo:min(lo+fillGroups, n)]); err != nil {
				return err
			}
		}
		if err := emit(*page); err != nil {
			return err
		}
		refs = refs[n:]
	}
	return nil
}

const fillGroups = 512

// bulkyBytes is about the most bytes of text and list items on a page of more
// than one row.
const bulkyBytes = 256 << 10

// pageOf returns how many groups go on one page.
func (g *groups) pageOf(refs []uint32) int {
	n := min(len(refs), operators.PageRows)
	if !g.bulky {
		return n
	}
	bytes := 0
	for i, ref := range refs[:n] {
		if bytes += g.size(ref); bytes > bulkyBytes {
			return max(1, i)
		}
	}
	return n
}

// size returns about how many bytes a group takes beyond fixed-width columns.
func (g *groups) size(ref uint32) int {
	rec := g.table.pages.rest(ref, 0)
	n := g.table.keys.size(rec)
	for _, s := range g.states {
		for j, acc := range s.acc {
			n += acc.size(rec[g.table.keys.words()+s.at[j]:])
		}
	}
	return n
}

// appendValues appends the values of groups to a page.
func (g *groups) appendValues(page *columnar.Rows, refs []uint32) error {
	g.appendKeys(page, refs)
	for i, s := range g.states {
		if err := s.appendValues(g.records(refs), page.Cols[len(g.keys)+i]); err != nil {
			return err
		}
	}
	return nil
}

// appendStates appends the states of groups to a page.
func (g *groups) appendStates(page *columnar.Rows, refs []uint32) error {
	g.appendKeys(page, refs)
	out := page.Cols[len(g.keys):]
	for _, s := range g.states {
		for j, acc := range s.acc {
			if err := acc.appendTo(s.column(j, g.records(refs)), out[j]); err != nil {
				return s.named(err)
			}
		}
		out = out[len(s.acc):]
	}
	return nil
}

func (g *groups) appendKeys(page *columnar.Rows, refs []uint32) {
	g.table.keys.decode(records{pages: g.table.pages, refs: refs}, page.Cols[:len(g.keys)])
	page.Len += len(refs)
}

// reset forgets all groups. The memory is kept for as many, but given back when
// it held far fewer than once: there it was of another shape than is needed now.
func (g *groups) reset() {
	g.mem.full = false
	if g.table.count < g.most/2 {
		g.free()
		return
	}
	g.most = max(g.most, g.table.count)
	g.table.reset()
	for _, s := range g.states {
		for _, acc := range s.acc {
			acc.reset()
		}
	}
}

// free forgets all groups and gives back the memory.
func (g *groups) free() {
	g.table.free()
	for _, s := range g.states {
		for _, acc := range s.acc {
			acc.free()
		}
	}
	g.valuePage, g.statePage, g.most = columnar.Rows{}, columnar.Rows{}, 0
	g.mem.release()
}
