package aggregate

import (
	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
)

// groups is a table with the states of its aggregates: what an operator holds
// in memory.
type groups struct {
	*layout
	mem    memory
	table  *table
	states []state
	at     []int // of each state's words behind the key
	most   int   // groups the memory has held

	batch  columnar.Rows
	key    []*columnar.Vector   // columns of the batch
	args   [][]*columnar.Vector // of each aggregate
	hashes []uint64             // of the batch's keys
	ids    []uint32             // of the batch's groups

	valuePage columnar.Rows
	statePage columnar.Rows
	single    columnar.Rows
}

func newGroups(l *layout, reserved *budget.Reservation) (*groups, error) {
	g := &groups{layout: l, mem: memory{reserved: reserved}, key: make([]*columnar.Vector, len(l.keys))}
	words := 0
	for i, a := range l.cfg.Aggs {
		s, err := newState(a, l.argTypes[i], &g.mem)
		if err != nil {
			return nil, err
		}
		g.states = append(g.states, s)
		g.at = append(g.at, words)
		g.args = append(g.args, make([]*columnar.Vector, max(1, len(l.inputs[i])))) // one nil for none
		words += s.words()
	}
	g.table = newTable(&g.mem, newKeys(l.keyTypes, &g.mem), words)
	g.single.Cols = make([]*columnar.Vector, len(l.stateSchema))
	return g, nil
}

// encode begins with a batch: it prepares the keys for being looked up.
func (g *groups) encode(in columnar.Rows) {
	g.batch = in
	for i, at := range g.keys {
		g.key[i] = in.Cols[at]
	}
	for i, input := range g.inputs {
		for j, at := range input {
			g.args[i][j] = in.Cols[at]
		}
	}
	if k, ok := g.table.keys.(*wordKeys); ok && !k.masked && nullable(g.key) {
		k.masked = true
		g.table.widen()
	}
	g.hashes = g.table.keys.encode(g.key, in.Len, g.hashes)
}

// fits reports whether there is room for all rows of the batch as new groups, or
// makes it with force.
func (g *groups) fits(force bool) bool { return g.table.fits(g.batch.Len, force) }

// take puts the batch into its groups, for which there is room.
func (g *groups) take() error {
	g.ids = g.table.lookup(g.hashes, g.ids)
	for i, s := range g.states {
		r, err := g.records(i, g.ids), error(nil)
		if g.cfg.FromStates {
			err = s.merge(r, g.args[i])
		} else {
			err = s.update(r, g.args[i][0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// records returns the words of an aggregate in some groups.
func (g *groups) records(i int, ids []uint32) records {
	return records{table: g.table, at: g.table.keys.words() + g.at[i], ids: ids}
}

// singles returns the rows of the batch as states, each a group of its own. They
// are valid until the next batch, which they borrow from.
func (g *groups) singles() (columnar.Rows, error) {
	out := g.single.Cols[copy(g.single.Cols, g.key):]
	for i, s := range g.states {
		if g.cfg.FromStates {
			copy(out, g.args[i])
		} else if err := s.single(g.args[i][0], g.batch.Len, out[:g.widths[i]]); err != nil {
			return columnar.Rows{}, err
		}
		out = out[g.widths[i]:]
	}
	g.single.Len = g.batch.Len
	return g.single, nil
}

// all returns the numbers of all groups.
func (g *groups) all() []uint32 {
	g.ids = grow(g.ids[:0], g.table.count)
	for i := range g.ids {
		g.ids[i] = uint32(i)
	}
	return g.ids
}

// emit hands out groups in pages, as states or as values.
func (g *groups) emit(ids []uint32, states bool, emit operators.Emit) error {
	page, fill := &g.valuePage, g.fillValues
	if states {
		page, fill = &g.statePage, g.fillStates
	}
	for len(ids) > 0 {
		n := g.pageOf(ids)
		if err := fill(page, ids[:n]); err != nil {
			return err
		}
		if err := emit(*page); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// bulkyBytes is about the most bytes of text and list items on a page of more
// than one row.
const bulkyBytes = 256 << 10

// pageOf returns how many groups go on one page.
func (g *groups) pageOf(ids []uint32) int {
	n := min(len(ids), operators.PageRows)
	bytes := 0
	for i, id := range ids[:n] {
		if bytes += g.size(id); bytes > bulkyBytes {
			return max(1, i)
		}
	}
	return n
}

// size returns about how many bytes a group takes beyond fixed-width columns.
func (g *groups) size(id uint32) int {
	rec := g.table.record(id)
	n := g.table.keys.size(rec)
	for i, s := range g.states {
		n += s.size(rec[g.table.keys.words()+g.at[i]:])
	}
	return n
}

// fillValues makes a page of the values of groups.
func (g *groups) fillValues(page *columnar.Rows, ids []uint32) error {
	g.fillKeys(page, g.valueSchema, ids)
	for i, s := range g.states {
		if err := s.appendValues(g.records(i, ids), page.Cols[len(g.keys)+i]); err != nil {
			return err
		}
	}
	return nil
}

// fillStates makes a page of the states of groups.
func (g *groups) fillStates(page *columnar.Rows, ids []uint32) error {
	g.fillKeys(page, g.stateSchema, ids)
	out := page.Cols[len(g.keys):]
	for i, s := range g.states {
		if err := s.appendStates(g.records(i, ids), out[:g.widths[i]]); err != nil {
			return err
		}
		out = out[g.widths[i]:]
	}
	return nil
}

// fillKeys begins a page with the keys of groups.
func (g *groups) fillKeys(page *columnar.Rows, schema columnar.Schema, ids []uint32) {
	if page.Cols == nil {
		*page = columnar.NewRows(schema)
	}
	page.Reset()
	page.Len = len(ids)
	g.table.keys.decode(records{table: g.table, ids: ids}, page.Cols[:len(g.keys)])
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
		s.reset()
	}
}

// free forgets all groups and gives back the memory.
func (g *groups) free() {
	g.table.free()
	for _, s := range g.states {
		s.free()
	}
	g.valuePage, g.statePage, g.most = columnar.Rows{}, columnar.Rows{}, 0
	g.mem.release()
}
