package answers

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers/staged"
)

// fileBuffer is how many bytes are written to a file at once.
const fileBuffer = 256 << 10

// NewDir writes a run's answers into a directory, one file per query. It makes the
// directory if there is none. The files appear together when Finish is called; with
// Options.Each, each appears when its answer ends.
func NewDir(fs vfs.FS, dir string, o Options) (Set, error) {
	if _, err := ParseFormat(string(o.Format)); err != nil {
		return nil, err
	}
	form, _ := o.Format.form()
	files, err := open(fs, dir, o)
	if err != nil {
		return nil, err
	}
	o.Queries, o.Width, o.Rows = 1, 0, 0
	return &directory{files: files, options: o, form: form}, nil
}

func open(fs vfs.FS, dir string, o Options) (*staged.Dir, error) {
	if o.File != "" {
		return staged.OpenFile(fs, vfs.Join(dir, o.File), o.Scratch)
	}
	return staged.Open(fs, dir, o.Scratch)
}

type directory struct {
	files   *staged.Dir
	options Options
	form    form

	given   bool   // files have appeared, or may have
	name    string // of the file being written
	file    vfs.File
	buffer  *bufio.Writer
	packer  io.WriteCloser // compresses what goes into the buffer
	encoder encoder
}

func (d *directory) Begin(query string, columns columnar.Schema) error {
	d.name = cmp.Or(d.options.File, query+d.form.extension)
	file, err := d.files.Create(d.name)
	if err != nil {
		return err
	}
	d.file, d.buffer = file, bufio.NewWriterSize(file, fileBuffer)
	if d.packer, err = compressed(d.buffer, d.options); err != nil {
		return d.wrap(err)
	}
	d.encoder = d.form.encoder(d.packer, d.options, true)
	return d.wrap(begin(d.encoder, query, columns))
}

func (d *directory) Write(rows columnar.Rows) error { return d.wrap(d.encoder.write(rows)) }

func (d *directory) End() error {
	if err := d.encoder.end(); err != nil {
		return d.wrap(err)
	}
	if err := d.encoder.finish(); err != nil {
		return d.wrap(err)
	}
	if err := d.packer.Close(); err != nil {
		return d.wrap(err)
	}
	if err := d.buffer.Flush(); err != nil {
		return d.wrap(err)
	}
	if err := d.wrap(d.file.Close()); err != nil || !d.options.Each {
		return err
	}
	d.given = true
	return d.files.Commit()
}

func (d *directory) Finish() error {
	d.given = true
	if err := d.files.Commit(); err != nil {
		return err
	}
	return d.files.Discard()
}

func (d *directory) Discard() error { return d.files.Discard() }

func (d *directory) Given() bool { return d.given }

func (d *directory) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("write %s: %w", d.name, err)
	}
	return nil
}

// PointSinkCommit is the failpoint at which an answer is complete and durable, and is
// about to get its name.
const PointSinkCommit = "sink-commit"

// Points returns all failpoints of this package.
func Points() []string { return []string{PointSinkCommit} }

// CrashFS returns a file system for NewDir that calls crash at each failpoint. It is fs
// itself if crash is nil.
func CrashFS(fs vfs.FS, crash func(point string)) vfs.FS {
	if crash == nil {
		return fs
	}
	return vfs.Inject(fs, func(op vfs.Op) error {
		if op.Kind == vfs.OpRename {
			crash(PointSinkCommit)
		}
		return nil
	})
}
