package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
)

// groups is a table with the states of its aggregates: what an operator holds
// in memory.
type groups struct {
	cfg      Config
	keyIn    []int // positions of the keys in the input
	args     []int // position of each aggregate's argument in rows, -1 for none
	stateIn  []int // position of each aggregate's first state column in states
	stateLen []int // number of its state columns
	at       []int // position of each aggregate's words in a record
	states   []state
	keyTypes []columnar.Type
	output   columnar.Schema // of states
	values   columnar.Schema
	table    *table
	reserved *budget.Reservation
	ids      []uint32
}

// newGroups lays out the records for a configuration.
func newGroups(cfg Config, reserved *budget.Reservation) (*groups, error) {
	g := &groups{cfg: cfg, reserved: reserved}
	for _, k := range cfg.Keys {
		i := cfg.Input.Index(k)
		if i < 0 {
			return nil, fmt.Errorf("aggregate: there is no key column %q", k)
		}
		g.keyIn = append(g.keyIn, i)
		g.keyTypes = append(g.keyTypes, cfg.Input[i].Type)
		g.output = append(g.output, cfg.Input[i])
	}
	g.values = append(g.values, g.output...)
	words := 0
	for i, a := range cfg.Aggs {
		var arg columnar.Type
		if cfg.FromStates {
			arg = cfg.ArgTypes[i]
		}
		if err := g.addState(a, arg, &words); err != nil {
			return nil, err
		}
	}
	g.table = newTable(newKeyCodec(g.keyTypes, false), words, reserved)
	return g, nil
}

// prepare encodes the keys of a batch and makes room for it in the table.
func (g *groups) prepare(keys []*columnar.Vector, in columnar.Rows, force bool) bool {
	bytes := g.table.keys.encode(keys, in.Len)
	if !g.table.room(in.Len, bytes, force) {
		return false
	}
	for i, s := range g.states {
		if !s.room(g.table, g.columns(in, i), in.Len, force) {
			return false
		}
	}
	return true
}

// columns returns what aggregate i reads of a batch: its argument, or its state.
func (g *groups) columns(in columnar.Rows, i int) []*columnar.Vector {
	if g.cfg.FromStates {
		return in.Cols[g.stateIn[i] : g.stateIn[i]+g.stateLen[i]]
	}
	if g.args[i] < 0 {
		return []*columnar.Vector{nil}
	}
	return in.Cols[g.args[i] : g.args[i]+1]
}

// take puts a prepared batch into the groups.
func (g *groups) take(in columnar.Rows, hashes []uint64) error {
	g.ids = g.table.lookup(g.ids, hashes, in.Len)
	for i, s := range g.states {
		at := g.table.keys.words() + g.at[i]
		cols := g.columns(in, i)
		var err error
		if g.cfg.FromStates {
			err = s.merge(g.table, at, g.ids, cols)
		} else {
			err = s.update(g.table, at, g.ids, cols[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// appendState appends a group as a row of states.
func (g *groups) appendState(id uint32, out *columnar.Rows) {
	rec := g.table.record(id)
	nk := len(g.keyIn)
	g.table.keys.decode(g.table, rec, out.Cols[:nk])
	col := nk
	for i, s := range g.states {
		at := g.table.keys.words() + g.at[i]
		s.appendState(rec[at:at+s.words()], out.Cols[col:col+g.stateLen[i]])
		col += g.stateLen[i]
	}
	out.Len++
}

// appendValue appends a group as a row of values.
func (g *groups) appendValue(id uint32, out *columnar.Rows) error {
	rec := g.table.record(id)
	nk := len(g.keyIn)
	g.table.keys.decode(g.table, rec, out.Cols[:nk])
	for i, s := range g.states {
		at := g.table.keys.words() + g.at[i]
		if err := s.appendValue(rec[at:at+s.words()], out.Cols[nk+i]); err != nil {
			return err
		}
	}
	out.Len++
	return nil
}

// emit hands out all groups in pages, as states or as values.
func (g *groups) emit(page *columnar.Rows, emit operators.Emit) error {
	for id := range uint32(g.table.count) {
		if g.cfg.ToStates {
			g.appendState(id, page)
		} else if err := g.appendValue(id, page); err != nil {
			return err
		}
		if page.Len < operators.PageRows && !bulky(page) {
			continue
		}
		if err := flush(page, emit); err != nil {
			return err
		}
	}
	return flush(page, emit)
}

func flush(page *columnar.Rows, emit operators.Emit) error {
	if page.Len == 0 {
		return nil
	}
	err := emit(*page)
	page.Reset()
	return err
}

// bulkyBytes is the most text or list items a page is to hold, so that few rows
// with long values do not make a large page.
const bulkyBytes = 1 << 20

func bulky(page *columnar.Rows) bool {
	for _, c := range page.Cols {
		if len(c.Data) > bulkyBytes || c.Child != nil && (c.Child.Len > bulkyBytes/8 || len(c.Child.Data) > bulkyBytes) {
			return true
		}
	}
	return false
}

// single appends the rows of a batch as if each were a group of its own.
func (g *groups) single(in columnar.Rows, out *columnar.Rows) {
	for i, k := range g.keyIn {
		out.Cols[i].AppendRange(in.Cols[k], 0, in.Len)
	}
	col := len(g.keyIn)
	for i, s := range g.states {
		cols := g.columns(in, i)
		if g.cfg.FromStates {
			for j, c := range cols {
				out.Cols[col+j].AppendRange(c, 0, in.Len)
			}
		} else {
			s.single(cols[0], in.Len, out.Cols[col:col+g.stateLen[i]])
		}
		col += g.stateLen[i]
	}
	out.Len += in.Len
}

// widen moves to keys that may hold nulls.
func (g *groups) widen() error {
	old := *g.table
	merge := g.cfg
	all := columnar.NewRows(g.output)
	for id := range uint32(old.count) {
		g.appendState(id, &all)
	}
	g.free()
	g.table.keys = newKeyCodec(g.keyTypes, true)
	g.table.words = g.table.keys.words() + old.words - old.keys.words()
	if all.Len == 0 {
		return nil
	}
	g.cfg.FromStates = true
	keyIn, stateIn := g.keyIn, g.stateIn
	defer func() { g.cfg, g.keyIn, g.stateIn = merge, keyIn, stateIn }()
	g.ownStates()
	keys := all.Cols[:len(keyIn)]
	g.prepare(keys, all, true)
	return g.take(all, columnar.HashRows(nil, keys, all.Len))
}

// ownStates makes the groups read states in the form they write them.
func (g *groups) ownStates() {
	g.keyIn = make([]int, len(g.keyIn))
	for i := range g.keyIn {
		g.keyIn[i] = i
	}
	g.stateIn = make([]int, len(g.states))
	at := len(g.keyIn)
	for i := range g.states {
		g.stateIn[i] = at
		at += g.stateLen[i]
	}
}

// nullKeys reports whether keys of a fixed form hold a null, which it cannot.
func (g *groups) nullKeys(keys []*columnar.Vector) bool {
	if g.table.keys.fixed == nil {
		return false
	}
	for _, k := range keys {
		if k.Valid != nil {
			return true
		}
	}
	return false
}

// reset forgets all groups and keeps the memory; free gives it back.
func (g *groups) reset() {
	g.table.reset()
	for _, s := range g.states {
		s.reset()
	}
}

func (g *groups) free() {
	g.table.free()
	for _, s := range g.states {
		s.free()
	}
}
