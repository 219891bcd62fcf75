package join

import (
	"context"

	"analyzer/columnar"
	"analyzer/operators"
)

// marks holds a bit for each row.
type marks []uint64

func marksBytes(rows int64) int64 { return 8 * ((rows + 63) / 64) }

// reset returns marks for a number of rows, none of them set, in m's memory if it suffices.
func (m marks) reset(rows int64) marks { return columnar.Zeroed(m, int(marksBytes(rows)/8)) }

func (m marks) set(i int) { m[i>>6] |= 1 << (i & 63) }

func (m marks) has(i int) bool { return m[i>>6]>>(i&63)&1 != 0 }

// markProbe clears the marks of probe rows, and prepares for the given number of them.
func (p *prober) markProbe(rows int64) {
	p.probes, p.first = p.probes.reset(rows), 0
}

// mark marks both rows of each pair as having a partner.
func (p *prober) mark(pos []int32, ids []uint32) {
	if p.kind.KeepsBuild() {
		for _, id := range ids {
			p.builds.set(int(id))
		}
	}
	if p.kind.KeepsProbe() {
		for _, at := range pos {
			p.probes.set(p.first + int(at))
		}
	}
}

// unmarked returns which of the next probe rows have no partner.
func (p *prober) unmarked(rows int) []int32 {
	p.alone = p.alone[:0]
	for i := range rows {
		if !p.probes.has(p.first + i) {
			p.alone = append(p.alone, int32(i))
		}
	}
	return p.alone
}

// emitProbe emits the probe rows at the given positions, without a partner.
func (p *prober) emitProbe(ctx context.Context, rows columnar.Rows, at []int32, emit operators.Emit) error {
	if len(at) == 0 {
		return nil
	}
	p.longest = p.longestRow(rows)
	return p.emitPages(ctx, rows, at, nil, emit)
}

// emitBuild emits the build rows that are not marked, without a partner.
func (p *prober) emitBuild(ctx context.Context, rows *columnar.Pages, marked marks, emit operators.Emit) error {
	before := p.rows
	p.rows = rows
	defer func() { p.rows = before }()
	for i := range rows.Count() {
		p.pairs.ids, p.longest = p.pairs.ids[:0], 0
		for row := range rows.Page(i).Len {
			if id := columnar.RowID(i, row); marked == nil || !marked.has(int(id)) {
				p.pairs.ids = append(p.pairs.ids, id)
			}
		}
		for _, o := range p.outputs {
			if o.build {
				p.longest += rows.Page(i).Cols[o.at].LongestVarying()
			}
		}
		if err := p.emitPages(ctx, columnar.Rows{}, nil, p.pairs.ids, emit); err != nil {
			return err
		}
	}
	p.pairs.ids = p.pairs.ids[:0]
	return nil
}
