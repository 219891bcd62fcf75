package answers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// NewTree writes an answer into a new directory, with a directory for each value of the columns of
// Options.Writing.Partition, such as year=2024/month=1, and a file in each. Rows with equal values of
// these columns must follow each other; the files do not have these columns. The directory, which must
// not exist or be empty, appears when Finish is called.
func NewTree(fsys vfs.FS, dir string, o Options) (Set, error) {
	form, ok := o.Format.form()
	if !ok {
		return nil, fmt.Errorf("there is no format %q", o.Format)
	}
	names, err := fsys.List(dir)
	exists := err == nil
	switch {
	case err == nil && len(names) > 0:
		return nil, fmt.Errorf("the directory %s is not empty: %w", dir, fs.ErrExist)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("write into %s: %w", dir, err)
	}
	o.Queries = 1
	parent := filepath.Dir(filepath.Clean(dir))
	if err := fsys.MkdirAll(parent); err != nil {
		return nil, fmt.Errorf("make directory %s: %w", parent, err)
	}
	staging, err := fsys.MkdirTemp(parent, ".analyzer-*")
	if err != nil {
		return nil, fmt.Errorf("prepare to write into %s: %w", dir, err)
	}
	return &tree{fs: fsys, target: filepath.Clean(dir), staging: staging, empty: exists, options: o, form: form}, nil
}

// tree writes one file after the other.
type tree struct {
	fs      vfs.FS
	target  string
	staging string
	empty   bool // the target exists
	form    form
	options Options

	query      string
	schema     columnar.Schema
	names      []string // of the columns in the names of directories
	keys, rest []int    // positions of the columns in the names of directories, and of the others
	path, next []byte
	given      bool     // files have appeared, or may have
	file       vfs.File // of the current directory; nil: none yet
	buffer     *bufio.Writer
	packer     io.WriteCloser
	encoder    encoder
}

func (t *tree) Begin(query string, columns columnar.Schema) error {
	t.query = query
	for _, name := range t.options.Writing.Partition {
		at := slices.IndexFunc(columns, func(c columnar.Field) bool { return strings.EqualFold(c.Name, name) })
		if at < 0 || columns[at].Type.Kind() == columnar.KindList {
			return fmt.Errorf("write into %s: %q is no column by which files can be divided", t.target, name)
		}
		t.keys, t.names = append(t.keys, at), append(t.names, url.PathEscape(columns[at].Name))
	}
	for i, c := range columns {
		if !slices.Contains(t.keys, i) {
			t.rest, t.schema = append(t.rest, i), append(t.schema, c)
		}
	}
	if len(t.rest) == 0 {
		return fmt.Errorf("write into %s: no column is left for the files", t.target)
	}
	return nil
}

func (t *tree) Write(rows columnar.Rows) error {
	begin := 0
	for i := range rows.Len {
		if t.next = t.appendPath(t.next[:0], rows, i); bytes.Equal(t.next, t.path) && t.file != nil {
			continue
		}
		if err := t.write(rows, begin, i); err != nil {
			return err
		}
		if err := t.open(); err != nil {
			return err
		}
		begin = i
	}
	return t.write(rows, begin, rows.Len)
}

// appendPath appends the directory of a row.
func (t *tree) appendPath(dst []byte, rows columnar.Rows, i int) []byte {
	for k, at := range t.keys {
		if k > 0 {
			dst = append(dst, '/')
		}
		dst = append(append(dst, t.names[k]...), '=')
		v := rows.Cols[at]
		if v.IsNull(i) {
			dst = append(dst, "__HIVE_DEFAULT_PARTITION__"...)
			continue
		}
		begin := len(dst)
		dst = v.AppendText(dst, i)
		if bytes.ContainsFunc(dst[begin:], func(r rune) bool { return !isPlainInPath(r) }) {
			dst = append(dst[:begin], url.PathEscape(string(dst[begin:]))...)
		}
	}
	return dst
}

func isPlainInPath(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' || r == '_' || r == '.'
}

func (t *tree) write(rows columnar.Rows, begin, end int) error {
	if begin == end {
		return nil
	}
	return t.wrap(t.encoder.write(rows.Project(t.rest).Slice(begin, end)))
}

// open begins the file of the next directory.
func (t *tree) open() error {
	if err := t.close(); err != nil {
		return err
	}
	t.path, t.next = t.next, t.path
	dir := filepath.Join(t.staging, filepath.FromSlash(string(t.path)))
	name := filepath.Join(dir, "data_0"+t.form.extension+extensionOf(t.options))
	if _, err := t.fs.List(dir); err == nil {
		return t.wrap(errors.New("its rows do not follow each other"))
	}
	if err := t.fs.MkdirAll(dir); err != nil {
		return t.wrap(err)
	}
	file, err := t.fs.Create(name)
	if err != nil {
		return t.wrap(err)
	}
	t.file, t.buffer = file, bufio.NewWriterSize(file, fileBuffer)
	if t.packer, err = compressed(t.buffer, t.options); err != nil {
		return t.wrap(err)
	}
	t.encoder = t.form.encoder(t.packer, t.options, true)
	return t.wrap(begin(t.encoder, t.query, t.schema))
}

// extensionOf returns the extension of files that are compressed as a whole.
func extensionOf(o Options) string {
	if o.Format == Parquet || o.Format == Arrow {
		return ""
	}
	return map[string]string{"gzip": ".gz", "zstd": ".zst"}[o.Writing.Compression]
}

// close completes the current file.
func (t *tree) close() error {
	if t.file == nil {
		return nil
	}
	for _, step := range []func() error{t.encoder.end, t.encoder.finish, t.packer.Close, t.buffer.Flush, t.file.Sync} {
		if err := step(); err != nil {
			return t.wrap(err)
		}
	}
	err := t.file.Close()
	t.file = nil
	return t.wrap(err)
}

func (t *tree) End() error { return t.close() }

func (t *tree) Finish() error {
	t.given = true
	if t.empty {
		if err := t.fs.Remove(t.target); err != nil {
			return t.wrap(err)
		}
	}
	if err := t.fs.Rename(t.staging, t.target); err != nil {
		return fmt.Errorf("write %s: %w", t.target, err)
	}
	t.staging = ""
	if err := t.fs.SyncDir(filepath.Dir(t.target)); err != nil {
		return fmt.Errorf("write %s: %w", t.target, vfs.Unsure(err))
	}
	return nil
}

func (t *tree) Discard() (err error) {
	if t.file != nil {
		err = t.file.Close()
		t.file = nil
	}
	if t.staging != "" {
		err = errors.Join(err, t.fs.RemoveAll(t.staging))
		t.staging = ""
	}
	return err
}

func (t *tree) Given() bool { return t.given }

func (t *tree) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(t.target, string(t.path)), err)
	}
	return nil
}
