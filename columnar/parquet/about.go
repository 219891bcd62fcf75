package parquet

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar/vfs"
)

// About is what a file says of itself, as rows of texts for people. A text begins with a sign, but for those that the file
// does not say, which are empty.
type About struct {
	file   *File
	meta   *metadata.FileMetaData
	bounds []*Column // by stored column: that of which it is all; nil: its bounds are not read
}

// said is what the file says.
func said(v any) string { return "=" + strings.ToValidUTF8(fmt.Sprint(v), "\uFFFD") }

// maybe is one that it need not say.
func maybe[T any](v *T) string {
	if v == nil {
		return ""
	}
	return said(*v)
}

// AboutFile returns rows about f. Its errors are those of Open.
func AboutFile(f vfs.File, rows func(*About) [][]string) (all [][]string, err error) {
	a := new(About)
	if a.file, err = Open(f, 1); err != nil {
		return nil, err
	}
	a.bounds = make([]*Column, a.file.footer.schema.NumColumns())
	for i := range a.file.columns {
		if c := &a.file.columns[i]; c.root == nil && c.bounded() {
			a.bounds[c.leaf] = c
		}
	}
	err = a.file.source.guard(Column{}, 0, func() (err error) { // the footer has been checked, if not all that people are shown
		if a.meta, err = metadata.NewFileMetaData(a.file.footer.data, nil); err == nil {
			all = rows(a)
		}
		return err
	})
	return all, err
}

// Columns of the rows that an About has: the name of each and its type in SQL. The names are DuckDB's, those of its
// parquet_schema, parquet_metadata, parquet_file_metadata and parquet_kv_metadata.
const (
	FieldColumns = "name VARCHAR, type VARCHAR, type_length VARCHAR, repetition_type VARCHAR, num_children BIGINT, converted_type VARCHAR, scale BIGINT, precision BIGINT, field_id BIGINT, logical_type VARCHAR"
	ChunkColumns = "row_group_id BIGINT, row_group_num_rows BIGINT, row_group_num_columns BIGINT, row_group_bytes BIGINT, column_id BIGINT, file_offset BIGINT, num_values BIGINT, path_in_schema VARCHAR, type VARCHAR, " +
		"stats_min VARCHAR, stats_max VARCHAR, stats_null_count BIGINT, stats_distinct_count BIGINT, stats_min_value VARCHAR, stats_max_value VARCHAR, compression VARCHAR, encodings VARCHAR, " +
		"index_page_offset BIGINT, dictionary_page_offset BIGINT, data_page_offset BIGINT, total_compressed_size BIGINT, total_uncompressed_size BIGINT, bloom_filter_offset BIGINT"
	FileColumns = "created_by VARCHAR, num_rows BIGINT, num_row_groups BIGINT, format_version BIGINT, file_size_bytes BIGINT, footer_size BIGINT"
	PairColumns = "key BLOB, value BLOB"
)

// Fields has a row for each field of the schema, which begins with its root.
func (a *About) Fields() (rows [][]string) {
	nodes := nodesOf(nil, a.file.footer.schema.Root())
	for i, e := range a.meta.FileMetaData.Schema {
		logical := ""
		if t := nodes[i].LogicalType(); t != nil && t.IsValid() && !t.IsNone() {
			logical = said(t)
		}
		rows = append(rows, []string{
			said(e.Name), maybe(e.Type), maybe(e.TypeLength), maybe(e.RepetitionType), maybe(e.NumChildren), maybe(e.ConvertedType), maybe(e.Scale), maybe(e.Precision), maybe(e.FieldID), logical,
		})
	}
	return rows
}

// nodesOf appends a field of the schema and all below it, in the order of the file.
func nodesOf(nodes []schema.Node, node schema.Node) []schema.Node {
	nodes = append(nodes, node)
	if g, ok := node.(*schema.GroupNode); ok {
		for i := range g.NumFields() {
			nodes = nodesOf(nodes, g.Field(i))
		}
	}
	return nodes
}

// Chunks has a row for each stored column of each row group.
func (a *About) Chunks() (rows [][]string) {
	for g, group := range a.meta.RowGroups {
		for leaf, chunk := range group.Columns {
			row := []string{said(g), said(group.NumRows), said(len(group.Columns)), said(group.TotalByteSize), said(leaf), said(chunk.FileOffset)}
			m := chunk.MetaData
			if m == nil { // it is encrypted
				rows = append(rows, append(row, make([]string, strings.Count(ChunkColumns, ",")+1-len(row))...))
				continue
			}
			row = append(row, said(m.NumValues), said(strings.Join(m.PathInSchema, ", ")), said(m.Type))
			if s := m.Statistics; s == nil {
				row = append(row, make([]string, 6)...)
			} else {
				row = append(row, a.value(leaf, s.Min), a.value(leaf, s.Max), maybe(s.NullCount), maybe(s.DistinctCount), a.value(leaf, s.MinValue), a.value(leaf, s.MaxValue))
			}
			rows = append(rows, append(row,
				said(m.Codec), said(strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Encodings), " ", ", "), "[]")),
				maybe(m.IndexPageOffset), maybe(m.DictionaryPageOffset), said(m.DataPageOffset), said(m.TotalCompressedSize), said(m.TotalUncompressedSize), maybe(m.BloomFilterOffset),
			))
		}
	}
	return rows
}

// value is a bound of a stored column as a value of its type, as far as such bounds are read.
func (a *About) value(leaf int, stored []byte) string {
	c := a.bounds[leaf]
	if c == nil || stored == nil {
		return ""
	}
	b, err := c.boundsFrom(a.file.footer.schema.Column(leaf), stored, stored)
	if err != nil || b.least == nil {
		return ""
	}
	return said(string(b.least.AppendText(nil, 0)))
}

// File is a row about the file.
func (a *About) File() [][]string {
	return [][]string{{maybe(a.meta.CreatedBy), said(a.meta.NumRows), said(len(a.meta.RowGroups)), said(a.meta.FileMetaData.Version), said(a.file.size), said(len(a.file.footer.data))}}
}

// Pairs has the names and values that programs have written about the file, which may be any bytes.
func (a *About) Pairs() (rows [][]string) {
	for _, kv := range a.meta.FileMetaData.KeyValueMetadata {
		row := []string{"=" + kv.Key, ""}
		if kv.Value != nil {
			row[1] = "=" + *kv.Value
		}
		rows = append(rows, row)
	}
	return rows
}
