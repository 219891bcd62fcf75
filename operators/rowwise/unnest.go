package rowwise

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
)

// UnnestConfig says which list to take apart.
type UnnestConfig struct {
	Input  columnar.Schema
	Column string // a list
	As     string // the item's column, in place of the list's
}

// Unnest makes one row per item of a list, with the other columns repeated. An
// empty list and a null make none.
type Unnest struct {
	list int
	out  columnar.Rows
	rows []int32 // of the input, for each item of a page
	item []int32
}

// NewUnnest returns an unnest. It fails when the column is not a list.
func NewUnnest(_ *operators.Runtime, cfg UnnestConfig) (*Unnest, error) {
	at := cfg.Input.Index(cfg.Column)
	if at < 0 {
		return nil, fmt.Errorf("unnest: there is no column %q", cfg.Column)
	}
	schema := append(columnar.Schema{}, cfg.Input...)
	switch schema[at].Type {
	case columnar.TextList:
		schema[at] = columnar.Field{Name: cfg.As, Type: columnar.Text}
	case columnar.IntList:
		schema[at] = columnar.Field{Name: cfg.As, Type: columnar.Int}
	default:
		return nil, fmt.Errorf("unnest: column %q is %s, not a list", cfg.Column, schema[at].Type)
	}
	return &Unnest{list: at, out: columnar.NewRows(schema)}, nil
}

// Push emits a row for each item, in pages.
func (u *Unnest) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	lists := rows.Cols[u.list]
	for i := range rows.Len {
		if lists.IsNull(i) {
			continue
		}
		for j := lists.Offsets[i]; j < lists.Offsets[i+1]; j++ {
			u.rows = append(u.rows, int32(i))
			u.item = append(u.item, j)
			if len(u.rows) == operators.PageRows {
				if err := u.flush(ctx, rows, emit); err != nil {
					return err
				}
			}
		}
	}
	return u.flush(ctx, rows, emit)
}

func (u *Unnest) flush(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	if len(u.rows) == 0 {
		return ctx.Err()
	}
	u.out.Reset()
	for c, v := range u.out.Cols {
		if c == u.list {
			v.AppendGather(rows.Cols[c].Child, u.item)
		} else {
			v.AppendGather(rows.Cols[c], u.rows)
		}
	}
	u.out.Len = len(u.rows)
	u.rows, u.item = u.rows[:0], u.item[:0]
	return emit(u.out)
}

// Finish does nothing: no row is kept.
func (u *Unnest) Finish(ctx context.Context, _ int, _ operators.Emit) error { return ctx.Err() }

// Close does nothing.
func (u *Unnest) Close() error { return nil }
