// Package inputs finds the files of a source's tables: the samples inside the
// program, the files of a directory under their usual names, single files, or
// standard input.
package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"analyzer/columnar"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/columnar/vfs/stop"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// Options says where to look for tables.
type Options struct {
	Dir    string            // "" for the samples inside the program
	Tables map[string]string // files of single tables, by table name
	FS     vfs.FS
	Stdin  io.Reader
	// Spool is the directory for copies of pipes, which are made if a run reads a pipe more
	// than once; "": the system's.
	Spool string
}

// Inputs says where each table is. Open may be called from any goroutine; Close is called
// once at the end.
type Inputs struct {
	options Options
	source  *datasets.Source
	places  map[string]*place
	groups  map[string][]string // by the name of a table of several files: the tables that they are
	total   int64
	unknown bool // the total size is unknown
}

// place is a file in a file system, or a stream.
type place struct {
	fs     vfs.FS
	name   string
	sample bool
	stream *stream
}

// File is a file that somebody else reads.
type File struct {
	Name string
	Size int64
}

// sizes are files of which only names and sizes are known.
type sizes struct {
	vfs.FS
	of map[string]int64
}

func (s sizes) Size(name string) (int64, error) { return s.of[name], nil }

// Elsewhere returns inputs of which nothing can be opened: others read the files of tables.
func Elsewhere(src *datasets.Source, files map[string]File) *Inputs {
	in := &Inputs{source: src, places: make(map[string]*place), groups: make(map[string][]string)}
	fs := sizes{vfs.ReadOnly(src.Samples), make(map[string]int64)}
	for table, f := range files {
		fs.of[f.Name] = f.Size
		in.places[table] = &place{fs: fs, name: f.Name}
	}
	return in
}

// Find looks for the tables of a source; times says how often each will be read. Missing
// files are an fault of kind Input that lists all of them; tables that do not exist
// are wrong usage.
func Find(src *datasets.Source, times map[string]int, o Options) (*Inputs, error) {
	in := &Inputs{options: o, source: src, places: make(map[string]*place), groups: make(map[string][]string)}
	if err := in.placeFiles(); err != nil {
		return nil, err
	}
	missing := columnar.Only(src.Tables, func(t *columnar.Table) bool { return in.places[t.Name] == nil && times[t.Name] > 0 })
	if err := in.search(missing); err != nil {
		return nil, err
	}
	in.Expect(times)
	return in, nil
}

// Expect says how often each table will be read from now on. All of them must have been
// looked for by Find, and a pipe that was to be read once cannot be read more often.
func (in *Inputs) Expect(times map[string]int) {
	in.total, in.unknown = 0, false
	for table, n := range times {
		for _, one := range in.tables(table) {
			if p := in.places[one]; p != nil { // or others read a sample
				in.measure(p, n)
			}
		}
	}
}

// Group says that a table consists of others, each of which has one of its files.
func (in *Inputs) Group(table string, parts []string) { in.groups[table] = parts }

func (in *Inputs) tables(table string) []string {
	if parts := in.groups[table]; parts != nil {
		return parts
	}
	return []string{table}
}

// placeFiles assigns the files that were named for single tables.
func (in *Inputs) placeFiles() error {
	streams, tables := 0, in.source.TableMap()
	for name, file := range in.options.Tables {
		if tables[name] == nil {
			_, err := in.source.Table(name)
			hint := fault.Hint(name, in.source.TableNames(), "Did you mean --table %s=FILE?", "Next: use one of these names.")
			return fault.WrongUsage(hint, "--table %s=%s: %w", name, file, err)
		}
		if file == "" {
			return fault.WrongUsage("Next: name a file, or - for standard input.", "--table %s=: there is no file name", name)
		}
		if file == Stdin {
			streams++
		}
		in.places[name] = &place{fs: in.options.FS, name: file}
	}
	if streams > 1 {
		return fault.WrongUsage("Next: save all but one of them to files.", "standard input can hold one table, not %d", streams)
	}
	return nil
}

// search looks for tables among the samples or in the directory.
func (in *Inputs) search(tables []*columnar.Table) error {
	if len(tables) == 0 {
		return nil
	}
	where := place{fs: in.options.FS, name: in.options.Dir}
	if in.options.Dir == "" {
		where = place{fs: vfs.ReadOnly(in.source.Samples), name: ".", sample: true}
	}
	names, err := namesIn(where.fs, where.name)
	if err != nil {
		return fault.BadInput("Next: name the directory that holds the files.", fmt.Errorf("look for the tables: %w", err))
	}
	var missing []error
	for _, t := range tables {
		name, ok := stored.Among(names, t.Files)
		if !ok {
			missing = append(missing, fmt.Errorf("there is no %s in %s, plain or compressed, for table %s",
				strings.Join(t.Files, " or "), where.name, t.Name))
			continue
		}
		in.places[t.Name] = &place{fs: where.fs, name: joined(where.name, name), sample: where.sample}
	}
	if len(missing) > 0 {
		return fault.BadInput("Next: put the files there, or name each with --table NAME=FILE; queries need those they read alone.",
			errors.Join(missing...))
	}
	return nil
}

// measure adds up how many bytes there are to read, or notes that this is unknown. A pipe has
// no size, and is copied if it is read more than once.
func (in *Inputs) measure(p *place, times int) {
	size, err := int64(0), errors.ErrUnsupported
	if p.name != Stdin {
		size, err = p.fs.Size(p.name)
	}
	in.total += int64(times) * size
	if err == nil {
		return
	}
	in.unknown = true
	if errors.Is(err, errors.ErrUnsupported) && p.stream == nil {
		p.stream = &stream{keep: times > 1, fs: in.options.FS, dir: in.options.Spool, open: func(ctx context.Context) (vfs.File, error) {
			if p.name == Stdin {
				return vfs.Stdin(stop.Reader(ctx, in.options.Stdin)), nil
			}
			return stop.Open(ctx, p.fs, p.name)
		}}
	}
}

// Total returns how many bytes of files a run will read; 0: unknown.
func (in *Inputs) Total() int64 {
	if in.unknown {
		return 0
	}
	return in.total
}

// Open opens the file of a table. Its errors are faults of kind Input. When ctx ends, a
// read that waits on a pipe fails.
func (in *Inputs) Open(ctx context.Context, table string) (vfs.File, error) {
	p := in.places[table]
	if p == nil {
		return nil, fmt.Errorf("open table %s: nobody looked for its file", table)
	}
	open := func() (vfs.File, error) { return OpenFile(vfs.With(ctx, p.fs), p.name) }
	if p.stream != nil {
		open = func() (vfs.File, error) { return p.stream.next(ctx) }
	}
	f, err := open()
	if err != nil {
		return nil, fault.BadInput(Hint(err, hintOf(p.name, err)), err)
	}
	return f, nil
}

// hintOf says what to check after an error of opening a file of the machine.
func hintOf(name string, err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "Next: name files of the directory, such as " + path.Join(filepath.ToSlash(name), "*.csv") + "."
	case errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "~"):
		return "Next: write the whole path; it is shells that know what ~ stands for."
	case errors.Is(err, fs.ErrNotExist):
		return "Next: check the name of the file."
	}
	return "Next: check the name and who may read the file."
}

// Hint says what to check after an error of files that their server is the reason of, and otherwise
// what is given.
func Hint(err error, otherwise string) string {
	if away, ok := errors.AsType[*remote.UnreachableError](err); ok {
		return away.Hint()
	}
	return otherwise
}

// Names returns the names of the files that were found, by table; that of a sample in the program is "".
func (in *Inputs) Names() map[string]string {
	names := make(map[string]string)
	for table, p := range in.places {
		if names[table] = p.name; p.sample {
			names[table] = ""
		}
	}
	return names
}

// TextOf returns the name of a file, or a part of it, as a value of a statement, which is UTF-8. Names are any bytes.
func TextOf(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

// Samples returns the tables that are read from the samples in the program, and whether all
// are.
func (in *Inputs) Samples() (tables []string, all bool) {
	for _, name := range in.source.TableNames() {
		if p := in.places[name]; p != nil && p.sample {
			tables = append(tables, name)
		}
	}
	return tables, len(tables) == len(in.places)
}

// TableOf returns the table that is read from the file of that name.
func (in *Inputs) TableOf(file string) string {
	for table, p := range in.places {
		if p.name == file || p.name == Stdin && file == vfs.Stdin(nil).Name() {
			return table
		}
	}
	return ""
}

// Again reports whether all tables can be read once more: none comes through a pipe.
func (in *Inputs) Again() bool {
	for _, p := range in.places {
		if p.stream != nil {
			return false
		}
	}
	return true
}

// Close removes the copies of pipes.
func (in *Inputs) Close() error {
	var errs []error
	for _, p := range in.places {
		if p.stream != nil {
			errs = append(errs, p.stream.close())
		}
	}
	return errors.Join(errs...)
}

// Compressed reports whether the name of a table's file, or of one of several, has the extension of
// a compressed file.
func (in *Inputs) Compressed(table string) bool {
	return slices.ContainsFunc(in.tables(table), func(one string) bool {
		p := in.places[one]
		if p == nil {
			return false
		}
		_, compressed := stored.CutExtension(p.name)
		return compressed
	})
}

// Size returns the size of a table's files; 0: unknown.
func (in *Inputs) Size(table string) (size int64) {
	for _, one := range in.tables(table) {
		p := in.places[one]
		if p == nil || p.name == Stdin {
			return 0
		}
		n, err := p.fs.Size(p.name)
		if err != nil {
			return 0
		}
		size += n
	}
	return size
}

// member is a file in a zip archive.
type member struct {
	vfs.File
	whole, name string
}

func (m member) Name() string   { return m.whole }
func (m member) Member() string { return m.name }

// Version implements vfs.Versioned.
func (m member) Version() string {
	if v, ok := m.File.(vfs.Versioned); ok {
		return v.Version()
	}
	return ""
}

// OpenFile opens a file, which may be one in a zip archive: a.zip/b.csv.
func OpenFile(files vfs.FS, name string) (vfs.File, error) {
	f, err := files.Open(name)
	archive, inner, ok := stored.CutMember(name)
	if err == nil || !ok {
		return f, err
	}
	whole, outer := files.Open(archive)
	if outer != nil {
		return nil, err
	}
	return member{whole, name, inner}, nil
}
