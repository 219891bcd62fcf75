package join

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
)

// Operator joins input 0, the build side, with input 1, the probe side. It emits a row for each
// pair of a build row and a probe row with equal keys, in no particular order. If its kind
// keeps a side, it also emits a row for each row of that side without a partner. A null key
// equals nothing.
type Operator struct {
	rt       *operators.Runtime
	cfg      Config
	level    int // how often the rows were already split by partition
	build    side
	probe    side
	reserved *budget.Reservation
	rows     *columnar.Pages // of the build side
	keys     span            // of rows
	floor    int64           // bytes of rows that are kept whatever the budget says
	prober   prober
	ready    bool                // the prober has the build side
	grace    *grace              // set once the build side has outgrown the budget
	from     *partition          // the partition that this operator joins, if it is a child
	marked   *budget.Reservation // for the marks of a partition's probe rows
}

// LeastBytes is what a join keeps of its build side whatever the budget says.
const LeastBytes = 128 << 10

// New returns a join. Close gives back what it holds.
func New(rt *operators.Runtime, cfg Config) (*Operator, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return newOperator(rt, cfg, 0), nil
}

func newOperator(rt *operators.Runtime, cfg Config, level int) *Operator {
	if !cfg.isProduct() {
		cfg.Bounds = nil
	}
	o := &Operator{
		rt: rt, cfg: cfg, level: level,
		build:    newSide(cfg.Build, cfg.BuildKeys, columnar.Each(cfg.Bounds, func(b Bound) int { return b.Build }), cfg.BuildOut),
		probe:    newSide(cfg.Probe, cfg.ProbeKeys, columnar.Each(cfg.Bounds, func(b Bound) int { return b.Probe }), cfg.ProbeOut),
		reserved: rt.Budget.Reserve("join"), marked: rt.Budget.Reserve("join"),
	}
	o.rows, o.floor = columnar.NewPages(o.build.schema), LeastBytes
	o.keys, o.prober = newSpan(o.build), newProber(cfg, o.build)
	return o
}

// Push takes rows of an input. Matches of probe rows are emitted at once, unless the build side
// has outgrown the budget: then they are emitted when the probe side ends.
func (o *Operator) Push(ctx context.Context, input int, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if input == 0 {
		return o.pushBuild(ctx, rows, emit)
	}
	if o.grace == nil {
		return o.probeRows(ctx, rows, emit)
	}
	keyed, others := o.withKeys(rows, o.probe)
	if o.cfg.Kind.KeepsProbe() {
		if err := o.prober.emitProbe(ctx, rows, others, emit); err != nil {
			return err
		}
	}
	return o.grace.addProbe(keyed)
}

// probeRows emits the matches of probe rows with the build side in memory. It also emits the
// probe rows without a match, if they are kept.
func (o *Operator) probeRows(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	keeps := o.cfg.Kind.KeepsProbe()
	inPasses := o.from != nil && o.from.passes
	if keeps && !inPasses {
		o.prober.markProbe(int64(rows.Len))
	}
	if o.readied() {
		if err := o.prober.probe(ctx, rows, emit); err != nil {
			return err
		}
	}
	if !keeps {
		return nil
	}
	err := o.prober.emitProbe(ctx, rows, o.prober.unmarked(rows.Len), emit)
	if inPasses {
		o.prober.first += rows.Len
	}
	return err
}

func (o *Operator) pushBuild(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	all := rows
	rows, others := o.withKeys(all, o.build)
	if len(others) > 0 && o.cfg.Kind.KeepsBuild() {
		if err := o.emitOthers(ctx, all, others, emit); err != nil {
			return err
		}
	}
	for lo := 0; lo < rows.Len; {
		if o.grace != nil {
			return o.grace.addBuild(rows.Slice(lo, rows.Len))
		}
		hi := o.rows.Append(rows, lo)
		if o.keys.numbers {
			o.keys.add(rows.Cols[o.build.keys[0]].Ints[lo:hi])
		}
		lo = hi
		if !o.rows.Reserve(o.reserved, o.directoryBytes(), o.floor) {
			if err := o.overflow(ctx, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// directoryBytes is the memory of the build side's directory and of the marks of its rows.
func (o *Operator) directoryBytes() int64 {
	if o.cfg.isProduct() {
		return bytesPerRange * int64(o.rows.Len())
	}
	bytes := o.keys.directoryBytes(o.rows.Len(), o.rows.IDs())
	if o.cfg.Kind.KeepsBuild() {
		bytes += marksBytes(int64(o.rows.IDs()))
	}
	return bytes
}

// withKeys returns the kept columns of an input's rows without null keys, and the positions of
// the other rows in the input. The result borrows from rows or from the operator.
func (o *Operator) withKeys(rows columnar.Rows, s side) (keyed columnar.Rows, others []int32) {
	kept := rows.Project(s.from)
	nulls := false
	for _, k := range s.keys {
		nulls = nulls || kept.Cols[k].Valid != nil
	}
	if !nulls {
		return kept, nil
	}
	sel := make([]int32, 0, rows.Len)
	for i := range rows.Len {
		valid := true
		for _, k := range s.keys {
			valid = valid && !kept.Cols[k].IsNull(i)
		}
		if valid {
			sel = append(sel, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	if len(others) == 0 {
		return kept, nil
	}
	compact := columnar.NewRows(s.schema)
	compact.AppendGather(kept, sel)
	return compact, others
}

// emitOthers emits the build rows at the given positions, which have no partner.
func (o *Operator) emitOthers(ctx context.Context, rows columnar.Rows, at []int32, emit operators.Emit) error {
	pages, kept := columnar.NewPages(o.build.schema), rows.Project(o.build.from)
	for lo := 0; lo < len(at); {
		lo = pages.AppendGather(kept, at, lo)
	}
	return o.prober.emitBuild(ctx, pages, nil, emit)
}

// overflow makes room for more build rows.
func (o *Operator) overflow(ctx context.Context, emit operators.Emit) error {
	if o.from != nil && o.from.inPasses(o.rows.Len()) {
		return o.pass(ctx, emit)
	}
	return o.spill()
}

// Finish ends an input. After the build side, the probe side may be pushed. After the probe
// side, the operator is empty.
func (o *Operator) Finish(ctx context.Context, input int, emit operators.Emit) error {
	if input == 0 {
		if o.grace != nil {
			return o.grace.build.Seal()
		}
		return nil
	}
	var err error
	if o.grace != nil {
		err = o.grace.join(ctx, emit)
	} else {
		err = o.emitLeft(ctx, emit)
	}
	return errors.Join(err, o.Close())
}

// emitLeft emits the build rows in memory that have no partner, if they are kept. All probe
// rows must have been probed.
func (o *Operator) emitLeft(ctx context.Context, emit operators.Emit) error {
	if !o.cfg.Kind.KeepsBuild() || !o.readied() {
		return nil
	}
	return o.prober.emitBuild(ctx, o.rows, o.prober.builds, emit)
}

// readied makes the directory of the build side unless it exists, and reports false if the
// build side has no rows. The directory is not made before it is needed, because Share may make
// one for all replicas.
func (o *Operator) readied() bool {
	if !o.ready && o.rows.Len() > 0 {
		o.prober.build(o.rows, o.keys)
		o.ready = true
	}
	return o.ready
}

// empty forgets the build rows and keeps their memory for reuse.
func (o *Operator) empty() {
	o.rows.Reset()
	o.keys, o.ready = newSpan(o.build), false
}

// BuildHashes yields the key hashes of all build rows without null keys (columnar.HashRows over
// the key columns in their order), for a keyset. It may be called between Finish of the build side and
// Finish of the probe side. The slices are borrowed until yield returns, and may repeat hashes of equal
// keys. It reports whether all hashes were yielded: false if some are not in memory, or if yield
// returned false.
func (o *Operator) BuildHashes(yield func(hashes []uint64) bool) (complete bool) {
	if o.grace != nil {
		return false
	}
	var hashes []uint64
	for i := range o.rows.Count() {
		hashes = keyHashes(hashes, o.rows.Page(i), o.build.keys)
		if !yield(hashes) {
			return false
		}
	}
	return true
}

// Close gives back memory and files.
func (o *Operator) Close() error {
	o.rows.Release()
	o.keys, o.ready = newSpan(o.build), false
	o.reserved.Release()
	o.marked.Release()
	o.prober.release()
	if o.grace == nil {
		return nil
	}
	g := o.grace
	o.grace = nil
	if err := g.close(); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	return nil
}

// keyHashes returns the hashes of the keys of rows, in dst's memory if it suffices.
func keyHashes(dst []uint64, rows columnar.Rows, keys []int) []uint64 {
	return columnar.HashRows(dst, rows.Project(keys).Cols, rows.Len)
}
