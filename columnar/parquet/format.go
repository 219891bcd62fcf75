package parquet

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// Name is that of the format.
const Name = "Parquet"

// Format returns the format of Parquet files, which contain their types.
func Format() *input.Format {
	return &input.Format{
		Name: Name, Extensions: []string{".parquet"}, Calls: []string{"read_parquet", "parquet_scan"},
		Options: []string{"filename", "union_by_name", "hive_partitioning", "hive_types", "hive_types_autocast", "binary_as_string"}, Detected: []string{"compression"},
		Is: func(h stored.Head) bool { return is(h.Stored) }, Describe: describe, Open: openTable, Ranges: ranges,
	}
}

func describe(_ context.Context, open func() (vfs.File, error), a input.Asked) (_ *input.Description, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	p, err := Open(f, csv.DefaultBlockSize)
	if err != nil {
		return nil, err
	}
	if a.Texts {
		p.readAsTexts(func(Column) bool { return true })
	}
	size, err := f.Size()
	return &input.Description{File: f.Name(), Columns: columnsOf(p), Rows: p.Rows(), Bytes: size}, err
}

// ReasonNotFollowed is the reason of an InputError about a file that is to be followed.
const ReasonNotFollowed = "not-followed"

func openTable(_ context.Context, f vfs.File, t *columnar.Table, o input.Options) (input.Reader, error) {
	p, err := Open(f, cmp.Or(o.BlockSize, csv.DefaultBlockSize))
	if err != nil {
		return nil, err
	}
	if !p.cut(o.First, o.Blocks) {
		return nil, &csv.InputError{
			File: f.Name(), Reason: ReasonNotFollowed, Detail: "a Parquet file cannot be followed while it is read",
			Hint: "leave --follow out",
		}
	}
	p.readAsTexts(func(c Column) bool {
		return slices.ContainsFunc(t.Columns, func(of columnar.TableColumn) bool { return of.Header == c.Name && of.Type() == c.Type })
	})
	return &table{File: p, Counter: input.Counter{Size: p.size, Rows: p.Rows()}}, nil
}

// ranges says where a file can be cut: between row groups.
func ranges(_ context.Context, f vfs.File, _ *columnar.Table, blockSize int) (input.Ranges, error) {
	p, err := Open(f, blockSize)
	if err != nil {
		return input.Ranges{}, err
	}
	return p.ranges(), nil
}

func columnsOf(f *File) (all []input.Column) {
	for _, c := range f.columns {
		all = append(all, input.Column{Name: c.Name, Type: c.Type, In: c.In})
	}
	return all
}

// table is a file that is read for a scan.
type table struct {
	*File
	input.Counter
	input.Apart
}

func (t *table) Columns() []input.Column { return columnsOf(t.File) }

func (t *table) NewWorker() input.VectorWorker { return &tableWorker{t.File.NewWorker(), t} }

// Close does nothing: the caller closes the file.
func (t *table) Close() error { return nil }

type tableWorker struct {
	*Worker
	table *table
}

func (w *tableWorker) Next() error {
	if err := w.Worker.Next(); err != nil {
		return err
	}
	w.table.Count(w.Len())
	return nil
}
