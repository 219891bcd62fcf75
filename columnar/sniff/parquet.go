package sniff

import (
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// lookParquet describes a Parquet file from its metadata; nil if it is not one.
func lookParquet(open func() (vfs.File, error)) (_ *File, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if is, err := parquet.Is(f); !is || err != nil {
		return nil, err
	}
	p, err := parquet.Open(f, csv.DefaultBlockSize)
	if err != nil {
		return nil, err
	}
	out := &File{Name: f.Name(), Parquet: true, Uniform: 1}
	for i, c := range p.Columns() {
		format, ok := FormatOf(c.Type)
		if c.Type == columnar.TextList {
			format, ok = columnar.FormatTexts, true
		}
		if !ok {
			out.Unread = append(out.Unread, c.String())
			continue
		}
		out.Columns = append(out.Columns, Column{Name: c.Name, Format: format, field: i + 1})
	}
	names := make([]string, len(out.Columns))
	for i, c := range out.Columns {
		names[i] = c.Name
	}
	for i, name := range unique(names) {
		out.Columns[i].Name = name
	}
	return out, nil
}
