package aggregate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
)

// groups is a table with the states of its aggregates: all that an operator holds in memory.
type groups struct {
	*layout
	mem      memory
	table    *table
	codes    codes
	states   []*state            // in the order of layout.owners
	results  []*state            // of each aggregate, with the columns of one of the states
	most     int                 // most groups that the memory has held
	collects bool                // the values of groups are collected, and can be put off
	made     *budget.Reservation // of results that are alone on a page, until they are emitted

	batch  columnar.Rows
	stored bool                 // the batch consists of states in the form of a spool
	coded  bool                 // the groups of the batch are found by codes
	key    []*columnar.Vector   // columns of the batch
	args   [][]*columnar.Vector // of each state: the arguments of its aggregate, or its columns
	hashes []uint64             // of the batch's keys, or of those that codes does not know
	refs   []uint32             // of the batch's groups

	valueKeys  []*columnar.Vector // key columns of a page of results, nil for one that is not emitted
	page       columnar.Rows      // what is emitted
	storedPage columnar.Rows
	single     columnar.Rows
	singleKey  columnar.Vector

	storedSchema columnar.Schema // schema of a spool: byte keys in one column, and the states
}

func newGroups(l *layout, b *budget.Budget) (*groups, error) {
	g := &groups{layout: l, mem: memory{reserved: b.Reserve("aggregate")}, made: b.Reserve("results of a group"), key: make([]*columnar.Vector, len(l.keys))}
	words := 0
	for _, i := range l.owners {
		var s *state
		s, words = newState(l.cfg.Aggs[i], l.forms[i], &g.mem, words)
		g.states = append(g.states, s)
		g.collects = g.collects || s.collector() != nil
		g.args = append(g.args, make([]*columnar.Vector, max(len(s.acc), s.reads)))
	}
	sharing := make([]int, len(g.states))
	for i, a := range l.cfg.Aggs {
		of := l.stateOf[i]
		g.results = append(g.results, g.states[of].sharing(a, l.forms[i], sharing[of]))
		sharing[of]++
	}
	g.table = newTable(&g.mem, newKeys(l.keyTypes, &g.mem), words)
	if g.table.words+mostWidth > pageWords {
		return nil, fmt.Errorf("aggregate: a group takes %d words, and can take %d", g.table.words, pageWords)
	}
	g.codes.mem = &g.mem
	_, fixed := g.table.keys.(*wordKeys)
	if g.storedSchema = l.stateSchema; !fixed {
		g.storedSchema = append(columnar.Schema{{Name: "key", Type: columnar.Bytes}}, l.stateSchema[len(l.keys):]...)
	}
	return g, nil
}

// begin makes rows of the input the current batch.
func (g *groups) begin(in columnar.Rows) {
	g.batch, g.stored = in, false
	for i, at := range g.keys {
		g.key[i] = in.Cols[at]
	}
	for i, input := range g.inputs {
		for j, at := range input {
			g.args[i][j] = in.Cols[at]
		}
	}
	g.coded = g.codes.begin(g.key, in.Len)
}

// decodable returns how many of the batch's first rows have keys of at most decodedBytes, and at least 1, if those that
// are coded are decoded.
func (g *groups) decodable() int {
	n := g.batch.Len
	if g.stored {
		return n
	}
	for _, v := range g.key {
		if v.Dictionary == nil || v.Dictionary.Offsets == nil {
			continue
		}
		left := int64(decodedBytes)
		for i := range n {
			if left -= v.VaryingBytes(i); left < 0 {
				n = max(i, 1)
				break
			}
		}
	}
	return n
}

// decode makes columns of all keys of the batch that are coded, which must be decodable.
func (g *groups) decode() {
	if g.coded = false; g.stored {
		return
	}
	for i, v := range g.key {
		if v.Dictionary != nil {
			g.key[i] = g.codes.decoded(i, v.Dictionary, v.Places)
		}
	}
}

// beginStored makes rows of a spool the current batch.
func (g *groups) beginStored(in columnar.Rows) {
	g.batch, g.stored, g.coded = in, true, false
	at := len(in.Cols)
	for i := len(g.args) - 1; i >= 0; i-- {
		at -= len(g.states[i].acc)
		copy(g.args[i], in.Cols[at:])
	}
	copy(g.key, in.Cols[:at])
}

// encode prepares the keys of the batch for lookup.
func (g *groups) encode() {
	if !g.coded {
		g.decode()
	}
	if k, ok := g.table.keys.(*byteKeys); ok && g.stored {
		g.hashes = k.encodeStored(g.batch.Cols[0])
		return
	}
	key, rows := g.key, g.batch.Len
	if g.coded {
		key, rows = g.codes.unknown(g.key)
	}
	if g.table.mustWiden(key) {
		g.table.widen()
		if g.codes.forget(); g.coded {
			key, rows = g.codes.unknown(g.key)
		}
	}
	g.hashes = g.table.keys.encode(key, rows)
}

// fits reports whether there is room for all keys that were encoded as new groups. With force it
// makes room even beyond the budget.
func (g *groups) fits(force bool) bool { return g.table.fits(len(g.hashes), force) }

// take adds the batch to its groups, for which there must be room.
func (g *groups) take() error {
	g.refs = g.table.lookup(g.hashes, g.refs)
	refs := g.refs
	if g.coded {
		refs = g.codes.find(refs, g.batch.Len)
	}
	behind := g.records(refs)
	behind.same = len(g.keys) == 0
	for i, s := range g.states {
		if !g.ofStates() {
			if err := s.update(behind, g.args[i][:s.reads]); err != nil {
				return s.named(err)
			}
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

// ofStates reports whether the batch consists of states.
func (g *groups) ofStates() bool { return g.stored || g.cfg.FromStates }

// collecting names the functions whose states grow with the rows of a group.
func (g *groups) collecting() string {
	var names []string
	for _, s := range g.states {
		if slices.ContainsFunc(s.form.fields(s.agg), isBulky) {
			names = append(names, s.agg.Name)
		}
	}
	return strings.Join(append(names, "aggregate")[:max(1, len(names))], ", ")
}

// records returns the words after the key in some groups.
func (g *groups) records(refs []uint32) records {
	return records{pages: g.table.pages, refs: refs, at: g.table.keys.words()}
}

// singles returns the rows of the batch as states, each a group of its own. They are valid
// until the next batch, and borrow from the present one.
func (g *groups) singles() (columnar.Rows, error) {
	return g.withStates(append(g.single.Cols[:0], g.key...))
}

// storedSingles is singles in the form of a spool. The keys must be encoded.
func (g *groups) storedSingles() (columnar.Rows, error) {
	if g.stored {
		return g.batch, nil
	}
	k, ok := g.table.keys.(*byteKeys)
	if !ok {
		return g.singles()
	}
	g.singleKey = k.stored()
	return g.withStates(append(g.single.Cols[:0], &g.singleKey))
}

// withStates returns keys followed by the states of the batch's rows.
func (g *groups) withStates(keys []*columnar.Vector) (columnar.Rows, error) {
	cols := slices.Grow(keys, len(g.stateSchema))
	for i, s := range g.states {
		n := len(cols)
		cols = cols[:n+len(s.acc)]
		if g.cfg.FromStates {
			copy(cols[n:], g.args[i])
		} else {
			if err := s.singles(g.args[i][:s.reads], g.batch.Len, cols[n:]); err != nil {
				return columnar.Rows{}, s.named(err)
			}
		}
	}
	g.single = columnar.Rows{Len: g.batch.Len, Cols: cols}
	return g.single, nil
}

// all returns all groups.
func (g *groups) all() []uint32 {
	g.refs = g.table.all(g.refs)
	return g.refs
}

// paging says how groups become rows on pages.
type paging struct {
	schema columnar.Schema
	keys   func(page *columnar.Rows, refs []uint32) // appends the keys of groups, of states only
	fill   func(page *columnar.Rows, refs []uint32) error
	// alone is called for a group that has collected much, before it is put on a page of its own.
	alone func(ref uint32, emit operators.Emit) error
}

// asResults, asStates and asStored are how results are emitted, and states, and states are stored in the form of
// a spool.
func (g *groups) asResults(ctx context.Context, rt *operators.Runtime) paging {
	return paging{schema: g.valueSchema, fill: g.appendValues, alone: func(ref uint32, _ operators.Emit) error { return g.ready(ctx, rt, ref) }}
}

func (g *groups) asStates() paging {
	return g.ofStatesWith(g.stateSchema, func(page *columnar.Rows, refs []uint32) { g.appendKeys(page, page.Cols[:len(g.keys)], refs) })
}

func (g *groups) asStored() paging {
	k, ok := g.table.keys.(*byteKeys)
	if !ok {
		return g.asStates()
	}
	return g.ofStatesWith(g.storedSchema, func(page *columnar.Rows, refs []uint32) {
		k.appendStored(records{pages: g.table.pages, refs: refs}, page.Cols[0])
		page.Len += len(refs)
	})
}

func (g *groups) ofStatesWith(schema columnar.Schema, keys func(*columnar.Rows, []uint32)) paging {
	p := paging{schema: schema, keys: keys, fill: func(page *columnar.Rows, refs []uint32) error {
		keys(page, refs)
		return g.appendBehind(page.Cols, refs)
	}}
	p.alone = func(ref uint32, emit operators.Emit) error { return g.inParts(p, ref, emit) }
	return p
}

// emit emits all groups in pages. States of a group come in several rows if it has collected much.
func (g *groups) emit(ctx context.Context, rt *operators.Runtime, emit operators.Emit) error {
	if !g.cfg.ToStates {
		return g.inPages(g.all(), &g.page, g.asResults(ctx, rt), emit)
	}
	if err := g.inPages(g.all(), &g.page, g.asStates(), emit); err != nil {
		return err
	}
	return g.handBack(ctx, g.asStates(), emit)
}

// store emits groups in pages, as states in the form of a spool.
func (g *groups) store(refs []uint32, emit operators.Emit) error {
	return g.inPages(refs, &g.storedPage, g.asStored(), emit)
}

func (g *groups) inPages(refs []uint32, page *columnar.Rows, as paging, emit operators.Emit) error {
	if page.Cols == nil {
		*page = columnar.NewRows(as.schema)
	}
	bulky := slices.ContainsFunc(as.schema, isBulky)
	for len(refs) > 0 {
		n := min(len(refs), operators.PageRows)
		if bulky || g.collects {
			n = g.pageOf(refs[:n], bulky)
		}
		if n == 1 && g.collects && g.collected(refs[0]) > bulkyBytes {
			if err := as.alone(refs[0], emit); err != nil {
				return err
			}
		}
		page.Reset()
		// Column by column, but so few groups at a time that their records stay in the
		// processor's L1 cache.
		for lo := 0; lo < n; lo += fillGroups {
			if err := as.fill(page, refs[lo:min(lo+fillGroups, n)]); err != nil {
				return err
			}
		}
		if err := emit(*page); err != nil {
			return err
		}
		if refs = refs[n:]; g.made.Size() > 0 {
			*page = columnar.NewRows(as.schema)
			g.made.Release()
		}
	}
	return nil
}

const fillGroups = 512

// bulkyBytes is roughly the most bytes of text and list items on a page of more than one row.
const bulkyBytes = 256 << 10

// pageOf returns how many of some groups go on one page. It matters for bulky columns, which may take much more
// memory than words. A group that has collected much is alone on its page.
func (g *groups) pageOf(refs []uint32, bulky bool) int {
	bytes := 0
	for i, ref := range refs {
		size := g.size(ref)
		if bytes += size; bytes > bulkyBytes && bulky || size > bulkyBytes {
			return max(1, i)
		}
	}
	return len(refs)
}

// size returns roughly how many bytes a group takes beyond fixed-width columns.
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

// isBulky reports whether a column holds texts, rows or lists, which may be of any size.
func isBulky(f columnar.Field) bool {
	return f.Type.Kind().Varies() && f.Type != columnar.FloatSum
}

// appendValues appends the results of groups to a page.
func (g *groups) appendValues(page *columnar.Rows, refs []uint32) error {
	out := page.Cols
	g.valueKeys = g.valueKeys[:0]
	for _, read := range g.read {
		var v *columnar.Vector
		if read {
			v, out = out[0], out[1:]
		}
		g.valueKeys = append(g.valueKeys, v)
	}
	g.appendKeys(page, g.valueKeys, refs)
	for i, s := range g.results {
		if err := s.appendValues(g.records(refs), out[i]); err != nil {
			return err
		}
	}
	return nil
}

// appendBehind appends the states of groups to the last columns.
func (g *groups) appendBehind(cols []*columnar.Vector, refs []uint32) error {
	out := cols[len(cols)-(len(g.stateSchema)-len(g.keys)):]
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

func (g *groups) appendKeys(page *columnar.Rows, keys []*columnar.Vector, refs []uint32) {
	page.Len += len(refs)
	if slices.ContainsFunc(keys, func(v *columnar.Vector) bool { return v != nil }) {
		g.table.keys.decode(records{pages: g.table.pages, refs: refs}, keys)
	}
}

// reset forgets all groups. It keeps the memory for the next ones, unless the memory held far
// fewer groups than before: then its shape no longer fits.
func (g *groups) reset() {
	if g.table.count < g.most/2 {
		g.free()
		return
	}
	g.most = max(g.most, g.table.count)
	g.table.reset()
	g.codes.forget()
	for _, s := range g.states {
		for _, acc := range s.acc {
			acc.reset()
		}
	}
	g.mem.full, g.mem.outgrown = false, false
}

// free forgets all groups and gives back the memory.
func (g *groups) free() {
	g.table.free()
	g.codes.free()
	for _, s := range g.states {
		for _, acc := range s.acc {
			acc.free()
		}
	}
	g.page, g.storedPage, g.most = columnar.Rows{}, columnar.Rows{}, 0
	g.mem.release()
	g.made.Release()
}
