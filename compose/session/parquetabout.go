package session

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"analyzer/columnar/input/known"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/sql"
)

// maxAbout bounds how many bytes of text an answer about files has: they become a part of the plan.
const maxAbout = 16 << 20

// aboutParquet is what the table functions about Parquet files answer: columns with their types, and rows of a file.
var aboutParquet = map[string]struct {
	columns string
	rows    func(*parquet.About) [][]string
}{
	"parquet_schema":        {parquet.FieldColumns, (*parquet.About).Fields},
	"parquet_metadata":      {parquet.ChunkColumns, (*parquet.About).Chunks},
	"parquet_kv_metadata":   {parquet.PairColumns, (*parquet.About).Pairs},
	"parquet_file_metadata": {parquet.FileColumns, (*parquet.About).File},
}

// parquet answers what Parquet files say of themselves.
func (l *listings) parquet(call *sql.Expr) (*sql.Query, error) {
	files, err := l.filesOf(call)
	if err != nil {
		return nil, err
	}
	about := aboutParquet[call.Text]
	form, names := "SELECT substr(file_name, 2) AS file_name", []string{"file_name"}
	for column := range strings.SplitSeq(about.columns, ", ") {
		name, typ, _ := strings.Cut(column, " ")
		value := fmt.Sprintf("nullif(%s, '')[2:]", name)
		if typ == "BLOB" {
			value = fmt.Sprintf("from_base64(%s)", value)
		}
		form += fmt.Sprintf(", CAST(%s AS %s) AS %s", value, typ, name)
		names = append(names, name)
	}
	columns, all := make([][]string, len(names)), 0
	for _, file := range files {
		rows, err := l.aboutFile(call, file, about.rows)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			for i, text := range append([]string{"=" + inputs.TextOf(file)}, row...) {
				columns[i] = append(columns[i], text)
				all += len(text)
			}
		}
		if all > maxAbout {
			return nil, l.of.badFile(call.At, "Next: name fewer files.", "the files say more of themselves than the %d bytes that %s reads at a time", maxAbout, call.Text)
		}
	}
	return l.formed(form+" FROM listed", rowsOf(call.At, names, columns))
}

// aboutFile returns rows about a file. What may be bytes is in base64.
func (l *listings) aboutFile(call *sql.Expr, file string, of func(*parquet.About) [][]string) (rows [][]string, err error) {
	f, err := inputs.OpenFile(vfs.With(l.ctx, l.of.fs), file)
	if err != nil {
		return nil, l.of.badFile(call.At, inputs.Hint(err, "Next: check the name of the file."), "%v", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if format, _, err := known.Of(f, ""); err == nil && format.Name != parquet.Name {
		return nil, l.of.badFile(call.At, "Next: DESCRIBE 'file' shows its columns.", "%s is a %s file and no Parquet file", file, format.Name)
	}
	if rows, err = parquet.AboutFile(f, of); call.Text == "parquet_kv_metadata" {
		for _, row := range rows {
			for i, text := range row {
				if text != "" {
					row[i] = "=" + base64.StdEncoding.EncodeToString([]byte(text[1:]))
				}
			}
		}
	}
	return rows, err
}
