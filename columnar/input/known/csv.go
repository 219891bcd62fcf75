package known

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// csvFormat is the format of all text that has no other one. Package sniff finds out about its
// columns.
func csvFormat() *input.Format {
	return &input.Format{
		Name: "CSV", Extensions: []string{".csv", ".tsv", ".psv", ".tab", ".tbl"}, Calls: []string{"read_csv", "read_csv_auto"}, Text: true, Parts: true,
		Open: func(ctx context.Context, f vfs.File, t *columnar.Table, o input.Options) (input.Reader, error) {
			o.Dialect, o.SkipBlank = t.Dialect, true
			r, err := csv.Open(ctx, f, o.Options)
			if err != nil {
				return nil, err
			}
			return csvReader{r}, nil
		},
		Ranges: func(ctx context.Context, f vfs.File, t *columnar.Table, blockSize int) (at input.Ranges, err error) {
			r, err := csv.Open(ctx, f, csv.Options{Dialect: t.Dialect})
			if err != nil {
				return at, err
			}
			if r.Anywhere() {
				at, err = input.Anywhere(f, blockSize)
			}
			return at, errors.Join(err, r.Close())
		},
	}
}

// workbookFormat is the format of Excel workbooks, of which package stored makes CSV.
func workbookFormat() *input.Format {
	f := csvFormat()
	f.Name, f.Extensions, f.Calls, f.Text = "Excel", []string{".xlsx", ".xlsm"}, []string{"read_xlsx"}, false
	f.Options = []string{
		"sheet", "header", "skip", "nullstr", "columns", "types", "dtypes", "column_types", "names", "column_names", "normalize_names", "dateformat", "timestampformat",
		"all_varchar", "filename", "union_by_name", "hive_partitioning", "hive_types", "hive_types_autocast", "decimal_separator", "thousands",
	}
	f.Written = &columnar.Dialect{Delimiter: ",", Quote: `"`}
	f.Is = func(h stored.Head) bool { return h.Workbook }
	return f
}

type csvReader struct{ *csv.Reader }

func (r csvReader) Columns() (all []input.Column) {
	for _, name := range r.Header() {
		all = append(all, input.Column{Name: name})
	}
	return all
}

func (r csvReader) NewWorker() input.CellWorker { return &csvWorker{reader: r.Reader} }

type csvWorker struct {
	csv.Block
	reader *csv.Reader
}

func (w *csvWorker) Next(ctx context.Context) error { return w.reader.Next(ctx, &w.Block) }

// Succeed takes over the memory of another worker.
func (w *csvWorker) Succeed(before input.CellWorker) {
	if b, ok := before.(*csvWorker); ok {
		w.Block = b.Block
	}
}
