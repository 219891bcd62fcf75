package join

import (
	"context"
	"hash/maphash"
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
)

const (
	// blockRows is how many probe rows are looked up at once: few enough for their hashes and
	// entries to stay in the L1 cache.
	blockRows = 2048
	// maxPageBytes is roughly the most bytes of variable-size values that are emitted at once,
	// unless a single row takes more.
	maxPageBytes = 4 << 20
)

// output is a column that is emitted.
type output struct {
	build bool // it is taken from the build side
	at    int  // position among the kept columns of the build side, or in the probe rows
}

// prober looks probe rows up in a complete build side and emits matches.
type prober struct {
	rows      *columnar.Pages // the build side
	directory directory
	product   bool
	bounds    []Bound // of a product, between columns that are kept of the build side and those of probe rows
	ranges    *ranges // of a product, instead of the directory
	buildKeys []int
	probeKeys []int // positions in probe rows
	outputs   []output

	hashes       []uint64
	entries      []uint64
	pairs        pairs
	all          pairs // with all rows of runs
	longestBuild int64 // bytes of the longest variable-size value of each build column emitted, summed
	longest      int64 // upper bound of the same for a whole output row
	kind         Kind
	builds       marks // which build rows have a partner, by row number, if the join keeps build rows
	probes       marks // likewise for probe rows, by number
	first        int   // number of the first of the current probe rows
	alone        []int32
	own          columnar.Rows
	page         columnar.Rows // what is emitted: own vectors, or views of the probe rows
}

// pairs are rows that belong together.
type pairs struct {
	pos []int32  // in the probe rows
	ids []uint32 // row numbers in the build side
}

// add adds the pairs of a probe row with build rows.
func (p *pairs) add(row int32, ids []uint32) {
	if len(ids) == 1 { // as beside the value of a subquery
		p.pos, p.ids = append(p.pos, row), append(p.ids, ids[0])
		return
	}
	p.ids = append(p.ids, ids...)
	for range ids {
		p.pos = append(p.pos, row)
	}
}

func newProber(cfg Config, build side) prober {
	p := prober{
		kind: cfg.Kind, buildKeys: build.keys, probeKeys: cfg.ProbeKeys, own: columnar.NewRows(cfg.Schema()),
		product: cfg.isProduct(), bounds: slices.Clone(cfg.Bounds),
	}
	for i, at := range build.bounds {
		b := &p.bounds[i]
		b.Strict = b.Strict && hasWord(cfg.Build[b.Build].Type) // otherwise different values may have one word
		b.Build = at
	}
	for i, at := range build.out {
		p.outputs = append(p.outputs, p.outputOf(at, cfg.Build[cfg.BuildOut[i]].Type))
	}
	for _, at := range cfg.ProbeOut {
		p.outputs = append(p.outputs, output{at: at})
	}
	p.page.Cols = make([]*columnar.Vector, len(p.outputs))
	return p
}

// outputOf returns where a column of the build side is best taken from. A key is taken from the
// probe row, which is already in the cache, if equal values have equal bits and every row has a
// partner.
func (p *prober) outputOf(at int, t columnar.Type) output {
	if key := slices.Index(p.buildKeys, at); key >= 0 && t != columnar.Float && t != columnar.FloatList && p.kind == Inner {
		return output{at: p.probeKeys[key]}
	}
	return output{build: true, at: at}
}

// build makes the directory of the build side, whose keys are in a span. The build side must
// not change while the directory is used.
func (p *prober) build(rows *columnar.Pages, keys span) {
	p.rows, p.longestBuild = rows, 0
	if p.kind.KeepsBuild() {
		p.builds = p.builds.reset(int64(rows.IDs()))
	}
	p.fill(rows, keys)
	for _, o := range p.outputs {
		if o.build {
			longest := int64(0)
			for i := range rows.Count() {
				longest = max(longest, rows.Page(i).Cols[o.at].LongestVarying())
			}
			p.longestBuild += longest
		}
	}
}

// fill makes the directory: by number, or else of the keys' hashes and, if different keys
// crowd in it, of hashes that nobody could foresee. For a product it makes ranges instead.
func (p *prober) fill(rows *columnar.Pages, keys span) {
	if p.product {
		p.ranges = newRanges(rows, p.bounds)
		return
	}
	if keys.isClose(rows.Len(), rows.IDs()) {
		p.directory.resetNumbers(keys, rows.IDs())
		for i := rows.Count() - 1; i >= 0; i-- {
			p.directory.insertNumbers(rows.Page(i).Cols[p.buildKeys[0]].Ints, int(columnar.RowID(i, 0)))
		}
		p.group(rows)
		return
	}
	if p.fillHashed(rows, nil); p.crowded(rows) {
		secret := maphash.MakeSeed()
		p.fillHashed(rows, &secret)
	}
	p.group(rows)
}

func (p *prober) fillHashed(rows *columnar.Pages, secret *maphash.Seed) {
	p.directory.reset(rows.Len(), rows.IDs())
	p.directory.secret = secret
	for i := rows.Count() - 1; i >= 0; i-- {
		page := rows.Page(i)
		p.hash(page.Project(p.buildKeys).Cols, page.Len)
		p.directory.insert(p.hashes, int(columnar.RowID(i, 0)))
	}
}

// hash makes p.hashes those of keys in the directory.
func (p *prober) hash(keys []*columnar.Vector, rows int) {
	if secret := p.directory.secret; secret != nil {
		p.hashes = columnar.HashSecretly(p.hashes, *secret, keys, rows)
		return
	}
	p.hashes = columnar.HashRows(p.hashes, keys, rows)
	tableHash(p.hashes)
}

// probe emits the matches of probe rows, page by page.
func (p *prober) probe(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	p.longest = p.longestRow(rows)
	if p.ranges != nil {
		return p.inRanges(ctx, rows, emit)
	}
	for lo := 0; lo < rows.Len; lo += blockRows {
		hi := min(lo+blockRows, rows.Len)
		p.lookUp(rows, lo, hi)
		if err := p.follow(ctx, rows, lo, emit); err != nil {
			return err
		}
	}
	return p.flush(ctx, rows, emit)
}

// lookUp finds the entries of probe rows lo to hi.
func (p *prober) lookUp(rows columnar.Rows, lo, hi int) {
	n := hi - lo
	keys := columnar.Each(p.probeKeys, func(k int) *columnar.Vector { return rows.Cols[k].Slice(lo, hi) })
	p.entries = slices.Grow(p.entries[:0], n)[:n]
	if p.directory.byKey != nil {
		p.directory.findNumbers(keys[0].Ints, p.entries)
	} else {
		p.hash(keys, n)
		p.directory.find(p.hashes, p.entries)
	}
	for _, k := range keys {
		for i, valid := range k.Valid {
			if !valid {
				p.entries[i] = 0
			}
		}
	}
}

// follow collects the pairs that the entries lead to, and emits full pages.
func (p *prober) follow(ctx context.Context, rows columnar.Rows, lo int, emit operators.Emit) error {
	for i, e := range p.entries {
		if e == 0 {
			continue
		}
		for id, more := uint32(e), e&entryMore != 0; ; {
			p.pairs.pos, p.pairs.ids = append(p.pairs.pos, int32(lo+i)), append(p.pairs.ids, id)
			if len(p.pairs.pos) == operators.PageRows {
				if err := p.flush(ctx, rows, emit); err != nil {
					return err
				}
			}
			if !more {
				break
			}
			if id, more = p.directory.after(id); !more {
				break
			}
		}
	}
	return nil
}

// flush emits the collected pairs whose keys are really equal. The hashes alone do not decide
// that.
func (p *prober) flush(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	n := len(p.pairs.pos)
	if p.directory.byKey == nil {
		for i, k := range p.probeKeys {
			n = p.rows.Match(p.buildKeys[i], rows.Cols[k], p.pairs.pos[:n], p.pairs.ids[:n])
		}
	}
	p.pairs.pos, p.pairs.ids = p.pairs.pos[:n], p.pairs.ids[:n]
	if len(p.directory.runs) == 0 {
		return p.emitPairs(ctx, rows, &p.pairs, emit)
	}
	pos, ids := p.pairs.pos, p.pairs.ids
	p.pairs.pos, p.pairs.ids = pos[:0], ids[:0]
	return p.withRuns(ctx, rows, pos, ids, emit)
}

// emitPairs emits pairs, and forgets them.
func (p *prober) emitPairs(ctx context.Context, rows columnar.Rows, of *pairs, emit operators.Emit) error {
	pos, ids := of.pos, of.ids
	of.pos, of.ids = pos[:0], ids[:0]
	p.mark(pos, ids)
	return p.emitPages(ctx, rows, pos, ids, emit)
}

// emitPages emits rows of both sides next to each other, on as many pages as they need. Without
// pos or ids, the rows come from one side only, and the columns of the other are null.
func (p *prober) emitPages(ctx context.Context, rows columnar.Rows, pos []int32, ids []uint32, emit operators.Emit) error {
	for len(pos) > 0 || len(ids) > 0 {
		n := p.fitting(rows, pos, ids)
		some, of := min(n, len(pos)), min(n, len(ids))
		if err := p.emit(rows, pos[:some], ids[:of], emit); err != nil {
			return err
		}
		pos, ids = pos[some:], ids[of:]
	}
	return ctx.Err()
}

func (p *prober) longestRow(rows columnar.Rows) int64 {
	most := p.longestBuild
	for _, o := range p.outputs {
		if !o.build {
			most += rows.Cols[o.at].LongestVarying()
		}
	}
	return most
}

// fitting returns how many of the pairs fit on one page. It measures each value only if the
// longest values could make the page too large.
func (p *prober) fitting(rows columnar.Rows, pos []int32, ids []uint32) int {
	pairs := min(max(len(pos), len(ids)), operators.PageRows)
	if p.longest*int64(pairs) <= maxPageBytes {
		return pairs
	}
	var bytes int64
	for i := range pairs {
		for _, o := range p.outputs {
			switch {
			case o.build && ids != nil:
				v, at := p.rows.Value(o.at, ids[i])
				bytes += v.VaryingBytes(at)
			case !o.build && pos != nil:
				bytes += rows.Cols[o.at].VaryingBytes(int(pos[i]))
			}
		}
		if bytes > maxPageBytes {
			return max(i, 1)
		}
	}
	return pairs
}

// emit emits pairs of rows as one page.
func (p *prober) emit(rows columnar.Rows, pos []int32, ids []uint32, emit operators.Emit) error {
	p.page.Len = max(len(pos), len(ids))
	run := pos != nil && isRun(pos)
	for i, o := range p.outputs {
		own := p.own.Cols[i]
		if run && !o.build {
			p.page.Cols[i] = rows.Cols[o.at].Slice(int(pos[0]), int(pos[0])+len(pos))
			continue
		}
		own.Reset()
		switch {
		case o.build && ids != nil:
			p.rows.GatherColumn(own, o.at, ids)
		case !o.build && pos != nil:
			own.AppendGather(rows.Cols[o.at], pos)
		default:
			for range p.page.Len {
				own.AppendNull()
			}
		}
		p.page.Cols[i] = own
	}
	err := emit(p.page)
	clear(p.page.Cols)
	return err
}

// isRun reports whether positions, which ascend or repeat, are consecutive numbers.
func isRun(pos []int32) bool {
	first := pos[0]
	if int(pos[len(pos)-1]-first) != len(pos)-1 {
		return false
	}
	for i, p := range pos {
		if p != first+int32(i) {
			return false
		}
	}
	return true
}

// release gives up all memory.
func (p *prober) release() {
	p.rows, p.directory, p.ranges = nil, directory{}, nil
	p.hashes, p.entries, p.pairs, p.all = nil, nil, pairs{}, pairs{}
	p.builds, p.probes, p.first, p.alone = nil, nil, 0, nil
	for i, v := range p.own.Cols {
		p.own.Cols[i] = columnar.NewVector(v.Type)
	}
}
