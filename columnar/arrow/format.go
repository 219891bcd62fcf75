package arrow

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/ipc"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// Format returns the format of Arrow IPC files and streams, which contain their types.
func Format() *input.Format {
	return &input.Format{
		Name: "Arrow", Extensions: []string{".arrow", ".feather", ".arrows", ".ipc"}, Calls: []string{"read_arrow"},
		Options: []string{"filename", "union_by_name", "hive_partitioning", "hive_types", "hive_types_autocast"}, Detected: []string{"compression"},
		Is: func(h stored.Head) bool { return is(h.Stored) }, Describe: describe, Open: openTable, Ranges: ranges,
	}
}

// is reports whether a file with this beginning is an Arrow file or stream: a stream begins with a
// message whose metadata begins with the offset of a table.
func is(head []byte) bool {
	const begin = "\xff\xff\xff\xff"
	return hasMagic(head) || bytes.HasPrefix(head, []byte(begin)) && (len(head) < 8 || head[7] == 0)
}

func hasMagic(head []byte) bool { return bytes.HasPrefix(head, []byte(ipc.Magic)) }

func describe(_ context.Context, open func() (vfs.File, error), _ input.Asked) (_ *input.Description, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	a, err := openFile(f, csv.DefaultBlockSize)
	if err != nil {
		return nil, err
	}
	return &input.Description{File: f.Name(), Columns: a.inputs(), Rows: a.total, Bytes: a.source.size}, nil
}

const reasonNotFollowed = "not-followed"

func openTable(_ context.Context, f vfs.File, _ *columnar.Table, o input.Options) (input.Reader, error) {
	a, err := openFile(f, cmp.Or(o.BlockSize, csv.DefaultBlockSize))
	if err != nil {
		return nil, err
	}
	if !a.cut(o.First, o.Blocks) {
		return nil, &csv.InputError{
			File: f.Name(), Reason: reasonNotFollowed, Detail: "an Arrow file cannot be followed while it is read",
			Hint: "leave --follow out",
		}
	}
	return &table{file: a, Counter: input.Counter{Size: a.source.size, Rows: a.total}}, nil
}

// ranges says where a file can be cut: between batches.
func ranges(_ context.Context, f vfs.File, _ *columnar.Table, blockSize int) (input.Ranges, error) {
	a, err := openFile(f, blockSize)
	if err != nil {
		return input.Ranges{}, err
	}
	return a.ranges(), nil
}

func openFile(f vfs.File, blockSize int) (*file, error) {
	if !f.Seekable() {
		return nil, &csv.InputError{
			File: f.Name(), Reason: stored.ReasonUnknown, Detail: "an Arrow file is read at many places at once, and so not from a pipe",
			Hint: "save what comes from the pipe, and name that file",
		}
	}
	return open(f, blockSize)
}

func (f *file) inputs() (all []input.Column) {
	for _, c := range f.columns {
		all = append(all, input.Column{Name: c.Name, Type: c.typ, In: strings.ToUpper(c.In)})
	}
	return all
}

// table is a file that is read for a scan.
type table struct {
	*file
	input.Counter
	input.Apart
}

func (t *table) Columns() []input.Column { return t.inputs() }

func (t *table) NewWorker() input.VectorWorker { return newWorker(t.file, &t.Counter) }

// Close does nothing: the caller closes the file.
func (t *table) Close() error { return nil }
