package sim

import (
	"context"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/ipc"
	"analyzer/operators/keyset"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
)

// filter scatters a table as a gateway does that knows the keys of the build sides which
// its rows will probe, as far as these come directly from other scans.
func (l *loader) filter(ctx context.Context, t *Table) error {
	filters := l.in.Spec.Plan.Nodes[t.Scan].Scan.Filters
	sets := make([]*keyset.Set, len(filters))
	for i, f := range filters {
		if build, _ := l.in.Spec.Plan.BuildSide(f.Join); l.in.Spec.Senders(build)[0].Kind != envelope.Scan {
			continue
		}
		hashes, err := l.in.keysOf(f.Join)
		if err != nil {
			return err
		}
		b := keyset.NewBuilder(budget.New(0))
		b.Add(hashes)
		sets[i], t.Joins = b.Build(), append(t.Joins, f.Join)
	}
	err := l.scans[t.Scan].Know(sets)
	if t.Joins != nil && err == nil {
		t.Filtered, err = l.batches(ctx, t.Scan)
	}
	return err
}

// keysOf returns the distinct key hashes that are sent to the build side of a join.
func (in *Input) keysOf(join int) ([]uint64, error) {
	if hashes, known := in.Keys[join]; known {
		return hashes, nil
	}
	schema := in.Spec.Upstream(ledger.Port{Node: join}).Schema
	keys, err := schema.Positions(in.Spec.Plan.Nodes[join].Inputs[0].Exchange.Keys)
	if err != nil {
		return nil, err
	}
	var all, hashes []uint64
	for _, t := range in.Tables {
		for _, m := range slices.Concat(t.Batches...) {
			e, body, err := envelope.Decode(m.Body)
			if err != nil {
				return nil, err
			}
			if e.Node != join || e.Input != 0 || e.Rows == 0 {
				continue
			}
			rows, err := ipc.Decode(schema, body)
			if err != nil {
				return nil, err
			}
			hashes = columnar.HashRows(hashes, rows.Project(keys).Cols, e.Rows)
			all = append(all, hashes...)
		}
	}
	slices.Sort(all)
	in.Keys[join] = slices.Compact(all)
	return in.Keys[join], nil
}
