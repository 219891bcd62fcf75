package answers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"

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
	target, exists, err := vacant(fsys, filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	o.Queries = 1
	parent := filepath.Dir(target)
	if err := fsys.MkdirAll(parent); err != nil {
		return nil, fmt.Errorf("make directory %s: %w", parent, err)
	}
	staging, err := fsys.MkdirTemp(parent, ".analyzer-*")
	if err != nil {
		return nil, fmt.Errorf("prepare to write into %s: %w", dir, err)
	}
	t := &tree{fs: fsys, target: target, staging: staging, root: filepath.Join(staging, "tree"), empty: exists, options: o, form: form}
	if err := t.wrap(fsys.MkdirAll(t.root)); err != nil {
		return nil, errors.Join(err, t.Discard())
	}
	return t, nil
}

// vacant returns the path of an empty or missing directory, at the end of the symbolic links that dir may be.
func vacant(fsys vfs.FS, dir string) (path string, exists bool, err error) {
	path, inPlace, err := fsys.Target(dir)
	if inPlace {
		err = syscall.ENOTDIR
	}
	if exists = errors.Is(err, syscall.EISDIR); err != nil && !exists {
		return "", false, fmt.Errorf("write into %s: %w", dir, err)
	}
	names, err := fsys.List(path)
	switch {
	case len(names) > 0:
		return "", false, fmt.Errorf("the directory %s is not empty: %w", dir, fs.ErrExist)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", false, fmt.Errorf("write into %s: %w", dir, err)
	}
	return path, exists, nil
}

// tree writes one file after the other.
type tree struct {
	fs      vfs.FS
	target  string
	staging string // only its owner can read it
	root    string // in staging: what becomes the target, with the modes of a user's directories
	empty   bool   // the target exists
	form    form
	options Options

	query      string
	schema     columnar.Schema
	names      []string // of the columns in the names of directories
	keys, rest []int    // positions of the columns in the names of directories, and of the others
	path, next []byte
	text       []byte   // of a value
	given      bool     // files have appeared, or may have
	file       vfs.File // of the current directory; nil: none yet
	buffer     *bufio.Writer
	packer     io.WriteCloser
	encoder    encoder
}

func (t *tree) Begin(query string, columns columnar.Schema) error {
	t.query = query
	for _, name := range t.options.Writing.Partition {
		at := columns.IndexFold(name)
		if at < 0 {
			return fmt.Errorf("write into %s: there is no column %q", t.target, name)
		}
		t.keys, t.names = append(t.keys, at), append(t.names, string(appendForPath(nil, []byte(columns[at].Name))))
	}
	for i, c := range columns {
		if !slices.Contains(t.keys, i) {
			t.rest, t.schema = append(t.rest, i), append(t.schema, c)
		}
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
		t.text = v.AppendText(t.text[:0], i)
		dst = appendForPath(dst, t.text)
	}
	return dst
}

// appendForPath appends a name or a value as it stands in the name of a directory.
func appendForPath(dst, text []byte) []byte {
	for _, b := range text {
		if isPlainInPath(b) {
			dst = append(dst, b)
		} else {
			dst = fmt.Appendf(dst, "%%%02X", b)
		}
	}
	return dst
}

func isPlainInPath(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '-' || b == '_' || b == '.'
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
	dir := filepath.Join(t.root, filepath.FromSlash(string(t.path)))
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
	if err := t.fs.Rename(t.root, t.target); err != nil {
		return fmt.Errorf("write %s: %w", t.target, err)
	}
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
