package order

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// PercentileConfig says which rows to keep.
type PercentileConfig struct {
	Column   string  `json:"column"`   // Int, Decimal or Float
	Quantile float64 `json:"quantile"` // from 0 to 1
}

// Percentile keeps the rows whose value is at or over the continuous quantile
// of all values. Of n values in order, counted from 0, that is the value at
// (n-1)·q; if (n-1)·q is not a whole number, it is interpolated between its two
// neighbours. Rows with null are dropped and do not count. NaN counts as a
// value above all others, but is never at or over the quantile.
type Percentile struct {
	rt     *operators.Runtime
	schema columnar.Schema
	at     int // position of the column
	cfg    PercentileConfig
	rows   *spill.Spool
	values *Sort // the column alone
	count  int64
	column columnar.Rows
	hits   []int32
	out    columnar.Rows
}

// NewPercentile returns a percentile filter.
func NewPercentile(rt *operators.Runtime, schema columnar.Schema, cfg PercentileConfig) (*Percentile, error) {
	at, err := schema.Positions([]string{cfg.Column})
	if err != nil {
		return nil, fmt.Errorf("percentile: %w", err)
	}
	switch t := schema[at[0]].Type; t {
	case columnar.Int, columnar.Decimal, columnar.Float:
	default:
		return nil, fmt.Errorf("percentile: column %q is %s, not a number", cfg.Column, t)
	}
	if !(cfg.Quantile >= 0 && cfg.Quantile <= 1) {
		return nil, fmt.Errorf("percentile: the quantile is %v, not from 0 to 1", cfg.Quantile)
	}
	values := columnar.Schema{{Name: "value", Type: columnar.Float}}
	sort, err := NewSort(rt, values, SortConfig{Order: []Key{{Column: "value"}}, Limit: -1})
	if err != nil {
		return nil, err
	}
	return &Percentile{rt: rt, schema: schema, at: at[0], cfg: cfg, values: sort, column: columnar.NewRows(values), out: columnar.NewRows(schema)}, nil
}

// Push takes rows in.
func (p *Percentile) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if p.rows == nil {
		p.rows = spill.New(spill.Config{
			Schema: p.schema, Partitions: 1, Scratch: p.rt.Scratch,
			Budget: p.rt.Budget, Holder: "percentile",
		})
	}
	if err := p.rows.AddTo(0, rows); err != nil {
		return err
	}
	p.column.Reset()
	v := rows.Cols[p.at]
	for i := range rows.Len {
		if !v.IsNull(i) {
			p.column.Cols[0].AppendFloat(floatOf(v, i))
		}
	}
	p.column.Len = p.column.Cols[0].Len
	p.count += int64(p.column.Len)
	return p.values.Push(ctx, 0, p.column, emit)
}

// floatOf returns a number as the nearest float.
func floatOf(v *columnar.Vector, i int) float64 {
	switch v.Type {
	case columnar.Float:
		return v.Floats[i]
	case columnar.Decimal:
		return number.Mean(decimal128.FromI64(v.Ints[i]), 1, number.One)
	}
	return float64(v.Ints[i])
}

// Finish emits the rows that are kept, in input order.
func (p *Percentile) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	return errors.Join(p.finish(ctx, emit), p.Close())
}

func (p *Percentile) finish(ctx context.Context, emit operators.Emit) error {
	threshold, err := p.threshold(ctx)
	if err != nil || p.rows == nil {
		return err
	}
	if err := p.rows.Seal(); err != nil {
		return err
	}
	return p.rows.Each(ctx, 0, func(rows columnar.Rows) error { return p.keep(ctx, rows, threshold, emit) })
}

// keep emits the rows that are at or over the threshold.
func (p *Percentile) keep(ctx context.Context, rows columnar.Rows, threshold float64, emit operators.Emit) error {
	v := rows.Cols[p.at]
	for lo := 0; lo < rows.Len; lo += operators.PageRows {
		p.hits = p.hits[:0]
		for i := lo; i < min(lo+operators.PageRows, rows.Len); i++ {
			if !v.IsNull(i) && floatOf(v, i) >= threshold {
				p.hits = append(p.hits, int32(i))
			}
		}
		if len(p.hits) == 0 {
			continue
		}
		p.out.Reset()
		p.out.AppendGather(rows, p.hits)
		if err := emit(p.out); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// threshold returns the quantile of the values, NaN if there are none.
func (p *Percentile) threshold(ctx context.Context) (float64, error) {
	at := float64(float64(p.count-1) * p.cfg.Quantile)
	lower := int64(at)
	low, high := math.NaN(), math.NaN()
	var seen int64
	err := p.values.Finish(ctx, 0, func(rows columnar.Rows) error {
		for i, f := range rows.Cols[0].Floats[:rows.Len] {
			switch seen + int64(i) {
			case lower:
				low = f
			case lower + 1:
				high = f
			}
		}
		seen += int64(rows.Len)
		return nil
	})
	return number.Interpolate(low, high, at-float64(lower)), err
}

// Close gives back memory and files; the operator can be used again.
func (p *Percentile) Close() error {
	err := p.values.Close()
	if p.rows != nil {
		err = errors.Join(err, p.rows.Close())
		p.rows = nil
	}
	p.count, p.out = 0, columnar.NewRows(p.schema)
	return err
}
