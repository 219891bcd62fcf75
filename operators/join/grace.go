package join

import (
	"context"
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// partitions is the number of partitions into which a side is split.
const partitions = 64

// grace joins more rows than memory holds. Both sides are split by key hash,
// and an operator of its own joins each partition. That operator may become a
// grace join too.
//
// Kitsuregawa, Tanaka, Moto-oka: Application of hash to data base machine and
// its architecture. New Generation Computing 1, 1983.
type grace struct {
	operator *Operator
	build    *spill.Spool
	probe    *spill.Spool // made with the first probe row
	hashes   []uint64
	child    *Operator
}

// spill moves the build side to a spool.
func (o *Operator) spill() error {
	g := &grace{operator: o}
	g.build = g.newSpool(o.build.schema)
	o.grace = g
	o.prober.release()
	if err := o.rows.Drain(o.reserved, g.addBuild); err != nil {
		return err
	}
	o.reserved.Release()
	return nil
}

func (g *grace) newSpool(schema columnar.Schema) *spill.Spool {
	rt := g.operator.rt
	return spill.New(spill.Config{
		Schema: schema, Partitions: partitions, Scratch: rt.Scratch, Budget: rt.Budget, Holder: "join",
	})
}

func (g *grace) addBuild(rows columnar.Rows) error {
	return g.add(g.build, rows, g.operator.build.keys)
}

func (g *grace) addProbe(rows columnar.Rows) error {
	if g.probe == nil {
		g.probe = g.newSpool(g.operator.probe.schema)
	}
	return g.add(g.probe, rows, g.operator.probe.keys)
}

func (g *grace) add(s *spill.Spool, rows columnar.Rows, keys []int) error {
	if rows.Len == 0 {
		return nil
	}
	g.hashes = keyHashes(g.hashes, rows, keys)
	return s.Add(rows, g.hashes, columnar.SeedSpill+uint64(g.operator.level))
}

// join joins all partitions. All probe rows must have been added.
func (g *grace) join(ctx context.Context, emit operators.Emit) error {
	kind := g.operator.cfg.Kind
	if g.probe == nil {
		if !kind.KeepsBuild() {
			return nil
		}
		g.probe = g.newSpool(g.operator.probe.schema)
	}
	if err := g.probe.Seal(); err != nil {
		return err
	}
	g.hashes = nil
	var all int64
	for p := range partitions {
		all += g.build.Rows(p)
	}
	for p := range partitions {
		rows := g.build.Rows(p)
		if rows == 0 && !kind.KeepsProbe() || g.probe.Rows(p) == 0 && !kind.KeepsBuild() {
			continue
		}
		from := &partition{grace: g, number: p, build: rows, single: rows*10 > all*9 || g.operator.level >= maxLevel}
		if err := g.joinPartition(ctx, from, emit); err != nil {
			return err
		}
	}
	return nil
}

func (g *grace) joinPartition(ctx context.Context, from *partition, emit operators.Emit) error {
	child := g.openChild()
	child.from = from
	err := g.build.Each(ctx, from.number, func(rows columnar.Rows) error { return child.pushBuild(ctx, rows, emit) })
	if err != nil {
		return err
	}
	if err := child.Finish(ctx, 0, emit); err != nil {
		return err
	}
	if child.grace == nil && child.rows.Len() == 0 && !child.cfg.Kind.KeepsProbe() {
		return nil
	}
	if from.passes {
		child.rewind()
	}
	err = g.probe.Each(ctx, from.number, func(rows columnar.Rows) error { return child.Push(ctx, 1, rows, emit) })
	if err != nil {
		return err
	}
	if child.grace != nil {
		return child.Finish(ctx, 1, emit)
	}
	if err := child.emitLeft(ctx, emit); err != nil {
		return err
	}
	child.empty()
	child.marked.Release()
	return nil
}

// openChild returns the operator that joins one partition after the other. Its
// input and output are the columns that are kept.
func (g *grace) openChild() *Operator {
	if g.child == nil {
		o := g.operator
		g.child = newOperator(o.rt, Config{
			Kind:  o.cfg.Kind,
			Build: o.build.schema, BuildKeys: o.build.keys, BuildOut: o.build.out,
			Probe: o.probe.schema, ProbeKeys: o.probe.keys, ProbeOut: o.probe.out,
			Bounds: o.keptBounds(),
		}, o.level+1)
		g.child.floor = o.floor
	}
	return g.child
}

// keptBounds are the bounds between columns that are kept.
func (o *Operator) keptBounds() []Bound {
	kept := slices.Clone(o.cfg.Bounds)
	for i := range kept {
		kept[i].Build, kept[i].Probe = o.build.bounds[i], o.probe.bounds[i]
	}
	return kept
}

// close gives back memory and files.
func (g *grace) close() error {
	var err error
	if g.child != nil {
		err = g.child.Close()
	}
	err = errors.Join(err, g.build.Close())
	if g.probe != nil {
		err = errors.Join(err, g.probe.Close())
	}
	return err
}
