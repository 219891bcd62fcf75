package window

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/registry"
)

func init() { functions.Add(placeFunctions) }

// placeFunctions depend on the places of a row, its peers and its partition only.
func placeFunctions() []Function {
	whole, peers, row := Bound{Unit: Whole}, Bound{Unit: Peers}, Bound{Unit: Rows}
	return []Function{
		{
			Doc: registry.Windows.Doc("row_number", "()", "the number of the row in its partition, from 1 on",
				"row_number() OVER (ORDER BY n)", "1, 2, 3, 4"),
			Func: RowNumber, Within: rowNumberWithin, ByOrder: RowNumber, frame: always(Frame{From: whole, To: row}), make: ranks(rowNumber),
		},
		{
			Doc: registry.Windows.Doc("rank", "()", "the number of the first row among its peers, the rows that are equal in the window's order",
				"rank() OVER (ORDER BY s)", "2, 1, 2, 4"),
			Func: Rank, Within: rankWithin, ByOrder: Rank, frame: always(Frame{From: peers, To: row}), make: ranks(rank),
		},
		{
			Doc: registry.Windows.Doc("dense_rank rank_dense", "()", "how many different keys there are up to that of the row",
				"dense_rank() OVER (ORDER BY s)", "2, 1, 2, 3"),
			Func: DenseRank, frame: always(Frame{From: peers, To: row}), make: newDenseRank,
		},
		{
			Doc: registry.Windows.Doc("percent_rank", "()", "the share of the other rows that come before the row and its peers",
				"percent_rank() OVER (ORDER BY s)", "0.3333333333333333, 0, 0.3333333333333333, 1"),
			Func: PercentRank, Within: percentRankWithin, ByOrder: Rank, float: true, frame: always(Frame{From: peers, To: whole}), make: shares(percentRank),
		},
		{
			Doc: registry.Windows.Doc("cume_dist", "()", "the share of the rows that come up to the row and its peers",
				"cume_dist() OVER (ORDER BY s)", "0.75, 0.25, 0.75, 1"),
			Func: CumeDist, Within: cumeDistWithin, ByOrder: "count", float: true, frame: always(Frame{From: peers, To: whole}), peers: true, make: shares(cumeDist),
		},
		{
			Doc: registry.Windows.Doc("ntile", "(parts)", "which of so many equal parts of the partition the row is in",
				"ntile(2) OVER (ORDER BY n)", "1, 1, 2, 2"),
			Func: NTile, Within: nTileWithin, ByOrder: RowNumber, Number: parts, Far: true, frame: always(Frame{From: whole, To: whole}), make: newTiles,
		},
	}
}

// placed computes functions of the positions of a row, its peers and its partition.
type placed struct {
	append1 func(p *piece, i int, out *columnar.Vector)
}

func (e placed) append(p *piece, out *columnar.Vector) error {
	for i := range p.rows.Len {
		e.append1(p, i, out)
	}
	return nil
}

func (placed) keep(next int64) int64 { return next }
func (placed) close()                {}

func ranks(number func(p *piece, i int, n int64) int64) func(*Operator, *call) evaluator {
	return func(_ *Operator, c *call) evaluator {
		return placed{func(p *piece, i int, out *columnar.Vector) { out.AppendInt(number(p, i, c.N)) }}
	}
}

func rowNumber(p *piece, i int, _ int64) int64 { return p.lo + int64(i) - p.partition[i] + 1 }

func rank(p *piece, i int, _ int64) int64 { return p.peer[i] - p.partition[i] + 1 }

// parts is the number of ntile.
var parts = &Number{What: "the number of parts", Needed: true, Least: 1}

// tiles computes ntile.
type tiles struct {
	placed
	call *call
}

func newTiles(_ *Operator, c *call) evaluator { return tiles{call: c} }

func (e tiles) append(p *piece, out *columnar.Vector) error {
	for i := range p.rows.Len {
		n := e.call.N
		if e.call.far >= 0 {
			far := p.rows.Cols[e.call.far]
			if far.IsNull(i) {
				out.AppendNull()
				continue
			}
			n = far.Ints[i]
		}
		tile, err := tileOf(p.lo+int64(i)-p.partition[i], p.whole[i]-p.partition[i], n)
		if err != nil {
			return err
		}
		out.AppendInt(tile)
	}
	return nil
}

// tileOf returns which of n parts of some rows one at a place is in, from 0 on. The first parts have one row more
// than the others.
func tileOf(at, rows, n int64) (int64, error) {
	if n < 1 {
		return 0, fmt.Errorf("ntile is of 1 part or more, not of %d: %w", n, expr.ErrNoNumber)
	}
	least, longer := rows/n, rows%n
	if at < longer*(least+1) {
		return at/(least+1) + 1, nil
	}
	return longer + (at-longer*(least+1))/least + 1, nil
}

func shares(share func(p *piece, i int) float64) func(*Operator, *call) evaluator {
	return func(*Operator, *call) evaluator {
		return placed{func(p *piece, i int, out *columnar.Vector) { out.AppendFloat(share(p, i)) }}
	}
}

func percentRank(p *piece, i int) float64 {
	others := p.whole[i] - p.partition[i] - 1
	if others == 0 {
		return 0
	}
	return float64(p.peer[i]-p.partition[i]) / float64(others)
}

func cumeDist(p *piece, i int) float64 {
	return float64(p.peers[i]-p.partition[i]) / float64(p.whole[i]-p.partition[i])
}

// denseRank counts the distinct keys of a partition.
type denseRank struct{ partition, peer, count int64 }

func newDenseRank(*Operator, *call) evaluator { return &denseRank{partition: -1, peer: -1} }

func (d *denseRank) append(p *piece, out *columnar.Vector) error {
	for i := range p.rows.Len {
		if p.partition[i] != d.partition {
			d.partition, d.count = p.partition[i], 0
		}
		if p.peer[i] != d.peer || d.count == 0 {
			d.peer = p.peer[i]
			d.count++
		}
		out.AppendInt(d.count)
	}
	return nil
}

func (*denseRank) keep(next int64) int64 { return next }
func (d *denseRank) close()              { *d = denseRank{partition: -1, peer: -1} }
