package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// Duplicates holds the rows of tables with keys that are rejected because an earlier row of
// the file has the same key. They are on disk until Close.
type Duplicates struct {
	Tables map[string]*scan.Duplicates // by name; only of tables that have a key

	fs    vfs.FS
	dir   string
	files []vfs.File
}

// DuplicateReadings is how often FindDuplicates reads each table that has a key.
const DuplicateReadings = 2

// FindDuplicates looks for rows with equal keys in those tables of o.Plan that have a key. It
// runs a plan of its own within o's memory limit, before o.Plan runs, so that the scans of
// o.Plan read only valid rows. Which rows are valid thus depends only on the file and the
// table, and not on the query.
func FindDuplicates(ctx context.Context, o Options) (d *Duplicates, err error) {
	d = &Duplicates{Tables: make(map[string]*scan.Duplicates), fs: o.FS}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	for _, name := range o.Plan.Tables() {
		t := o.Tables[name]
		if t == nil || len(t.Key) == 0 {
			continue
		}
		if d.Tables[t.Name], err = d.find(ctx, o, t); err != nil {
			return nil, fmt.Errorf("look for rows of table %s with equal keys: %w", t.Name, err)
		}
	}
	return d, nil
}

// find finds the duplicates of one table.
func (d *Duplicates) find(ctx context.Context, o Options, t *columnar.Table) (*scan.Duplicates, error) {
	all := *t
	all.Key = nil
	place := t.FreeName("place")
	all.Columns = append(slices.Clone(t.Columns), columnar.TableColumn{Name: place, Header: place, Format: columnar.FormatPosition})
	tables := plan.Tables{t.Name: &all}
	p, err := physical.New(nil, []*plan.Query{{Name: "duplicates", Root: duplicatesOf(t, place)}}, tables)
	if err != nil {
		return nil, err
	}
	found, err := d.create(o.SpillDir)
	if err != nil {
		return nil, err
	}
	_, err = Run(ctx, Options{
		Plan: p, Tables: tables, Open: o.Open, Progress: o.Progress,
		Replicas: o.Replicas, Memory: o.Memory, FS: o.FS, SpillDir: o.SpillDir,
		BlockSize: o.BlockBytes(), MaxRejects: -1,
	}, RowsTo(func(rows columnar.Rows) error { return found.Add(rows.Cols[0].Ints[:rows.Len]) }))
	if err == nil {
		err = found.Complete()
	}
	return found, err
}

// duplicatesOf returns a plan for the positions of all rows but the first with their key. place
// is the column of positions.
func duplicatesOf(t *columnar.Table, place string) *plan.Node {
	first, times := t.FreeName("first"), t.FreeName("times")
	same := columnar.Each(t.Key, func(name string) plan.Pair { return plan.On(name, name) })
	repeated := plan.From(t.Name).Aggregate(t.Key,
		plan.Agg{Func: plan.Min, Args: []string{place}, Name: first}, plan.Agg{Func: plan.Count, Name: times},
	).Filter(expr.Gt(expr.Col(times), expr.Int(1)))
	return repeated.Join(plan.From(t.Name), same...).
		Filter(expr.Ne(expr.Col(place), expr.Col(first))).
		Select(place).Sort(plan.Asc(place))
}

// create makes a file for the positions of duplicates.
func (d *Duplicates) create(parent string) (*scan.Duplicates, error) {
	if d.dir == "" {
		dir, err := d.fs.MkdirTemp(parent, segment.ScratchPattern)
		if err != nil {
			return nil, err
		}
		d.dir = dir
	}
	f, err := d.fs.Create(filepath.Join(d.dir, fmt.Sprint(len(d.files))))
	if err != nil {
		return nil, err
	}
	d.files = append(d.files, f)
	return scan.NewDuplicates(f), nil
}

// Close removes the files. No scan may use d.Tables afterwards.
func (d *Duplicates) Close() error {
	if d == nil || d.dir == "" {
		return nil
	}
	var err error
	for _, f := range d.files {
		err = errors.Join(err, f.Close())
	}
	return errors.Join(err, d.fs.RemoveAll(d.dir))
}
