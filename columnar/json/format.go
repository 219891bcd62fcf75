package json

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// Format returns the format of JSON files.
func Format() *input.Format {
	return &input.Format{
		Name: "JSON", Extensions: []string{".json", ".jsonl", ".ndjson"}, Text: true,
		Calls:    []string{"read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto"},
		Options:  []string{"columns", "types", "filename", "hive_partitioning", "hive_types", "hive_types_autocast", "ignore_errors", "all_varchar", "dateformat", "timestampformat", "sample_size", "auto_detect"},
		Detected: []string{"format", "compression", "maximum_object_size", "maximum_depth", "map_inference_threshold", "field_appearance_threshold", "union_by_name"},
		Is:       func(h stored.Head) bool { return is(h.Text) }, Describe: describe, Open: openTable, Ranges: ranges,
	}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// is reports whether a file begins with an object that has keys, alone or in an array.
func is(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if bytes.HasPrefix(head, []byte("[")) {
		if head = bytes.TrimLeft(head[1:], " \t\r\n"); len(head) == 0 {
			return true
		}
	}
	if !bytes.HasPrefix(head, []byte("{")) {
		return false
	}
	if head = bytes.TrimLeft(head[1:], " \t\r\n"); len(head) == 0 {
		return true
	}
	if head[0] == '}' {
		return true
	}
	p := newParser(head)
	end := -1
	if head[0] == '"' {
		end, _ = p.text(0)
	}
	if end < 0 {
		return head[0] == '"' && p.wrong.at == 0 // the key is longer than the beginning
	}
	end = p.space(end)
	return end == len(head) || head[end] == ':'
}

// openTable opens a file for a scan of a table.
func openTable(_ context.Context, f vfs.File, t *columnar.Table, o input.Options) (input.Reader, error) {
	var headers []string
	want := make(map[string]bool, len(o.Wanted))
	for _, name := range o.Wanted {
		want[name] = true
	}
	var wanted []bool
	for _, c := range t.Columns {
		if c.Format != columnar.FormatPosition {
			headers, wanted = append(headers, c.Header), append(wanted, o.Wanted == nil || want[c.Name])
		}
	}
	tree := treeOf(headers, func(i int) bool { return wanted[i] })
	return open(f, o.Options, headers, tree)
}

// ranges says where a file can be cut: before any block if each object is on a line of its own.
func ranges(_ context.Context, f vfs.File, _ *columnar.Table, blockSize int) (at input.Ranges, err error) {
	r, err := openFor(f, csv.Options{})
	if err != nil {
		return at, err
	}
	if r.inLines() {
		at, err = input.Anywhere(f, blockSize)
	}
	return at, errors.Join(err, r.Close())
}

// open opens a file whose rows have the columns of a tree.
func open(f vfs.File, o csv.Options, headers []string, tree *node) (*reader, error) {
	r := &reader{name: f.Name(), headers: headers, tree: tree, blockSize: o.BlockSize, most: o.MaxRecord}
	if r.blockSize == 0 {
		r.blockSize = csv.DefaultBlockSize
	}
	if r.most == 0 {
		r.most = csv.DefaultMaxRecord
	}
	var err error
	if r.source, err = stored.Open(f, stored.Options{BlockSize: r.blockSize, Blocks: o.Blocks, First: o.First}); err != nil {
		return nil, err
	}
	r.lines = newLines(o.First, max(o.Before.Line, 1))
	if err := r.begin(o.Blocks > 0); err != nil {
		return nil, errors.Join(err, r.source.Close())
	}
	if o.First > 0 && !r.inLines() {
		return nil, errors.Join(fmt.Errorf("read %s from block %d on: it can be read as a whole only", f.Name(), o.First), r.source.Close())
	}
	return r, nil
}
