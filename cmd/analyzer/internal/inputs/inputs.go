// Package inputs finds the files of a data set's tables: the samples inside the
// program, the files of a directory under their usual names, single files, or
// standard input.
package inputs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/cmd/analyzer/internal/args"
	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/datasets"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// Options says where tables are looked for.
type Options struct {
	Dir    string            // "" for the samples inside the program
	Tables map[string]string // files of single tables by the table's name
	FS     vfs.FS
	Stdin  io.Reader
	// Spool names a directory for a copy of standard input, which is made when
	// a run reads it more than once; "" is the system's.
	Spool string
}

// Inputs is where each table is. Open may be called from any goroutine, Close
// once at the end.
type Inputs struct {
	options Options
	dataset *datasets.Dataset
	places  map[string]place
	stdin   *spool
	total   int64
	unknown bool // total does not count
}

// place is a file in a file system.
type place struct {
	fs     vfs.FS
	name   string
	sample bool
}

// Find looks for the tables of a data set that are needed. Missing files are an
// error of exit's status Input that lists all of them; tables that do not exist
// are wrong usage.
func Find(d *datasets.Dataset, needed []string, o Options) (*Inputs, error) {
	in := &Inputs{options: o, dataset: d, places: make(map[string]place)}
	if err := in.placeFiles(); err != nil {
		return nil, err
	}
	var missing []error
	for _, t := range d.Tables {
		if _, ok := in.places[t.Name]; ok || !slices.Contains(needed, t.Name) {
			continue
		}
		p, err := in.find(t)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		in.places[t.Name] = p
	}
	if len(missing) > 0 {
		return nil, exit.BadInput(
			"Next: put the files there, or name each with --table NAME=FILE; a table is only needed by queries that read it.",
			errors.Join(missing...))
	}
	return in, nil
}

// placeFiles takes the files named for single tables.
func (in *Inputs) placeFiles() error {
	streams := 0
	for name, file := range in.options.Tables {
		if _, err := in.dataset.Table(name); err != nil {
			return exit.WrongUsage(didYouMean(name, in.dataset), "--table %s=%s: %w", name, file, err)
		}
		if file == "" {
			return exit.WrongUsage("Next: name a file, or - for standard input.", "--table %s=: there is no file name", name)
		}
		if file == Stdin {
			streams++
			in.stdin = &spool{fs: in.options.FS, dir: in.options.Spool, from: in.options.Stdin}
		}
		in.places[name] = place{fs: in.options.FS, name: file}
	}
	if streams > 1 {
		return exit.WrongUsage("Next: save all but one of them to files.", "standard input can hold one table, not %d", streams)
	}
	return nil
}

func didYouMean(name string, d *datasets.Dataset) string {
	var known []string
	for _, t := range d.Tables {
		known = append(known, t.Name)
	}
	if s := args.Suggest(name, known); s != "" {
		return fmt.Sprintf("Did you mean --table %s=FILE?", s)
	}
	return "Next: use one of these names."
}

// find looks for a table among the samples or in the directory.
func (in *Inputs) find(t *columnar.Table) (place, error) {
	fsys, dir := in.options.FS, in.options.Dir
	if dir == "" {
		fsys, dir = vfs.ReadOnly(in.dataset.Samples), "."
	}
	names, err := fsys.List(dir)
	if err != nil {
		return place{}, fmt.Errorf("table %s: look into the directory: %w", t.Name, err)
	}
	for _, file := range t.Files {
		for _, extension := range []string{"", ".gz", ".zst"} {
			if slices.Contains(names, file+extension) {
				return place{fs: fsys, name: filepath.Join(dir, file+extension), sample: in.options.Dir == ""}, nil
			}
		}
	}
	return place{}, fmt.Errorf("table %s: there is no %s in %s, plain or as .gz or .zst", t.Name, strings.Join(t.Files, " or "), dir)
}

// Expect says how often each table will be opened. Standard input has to be
// copied to be opened more than once.
func (in *Inputs) Expect(times map[string]int) {
	for table, n := range times {
		p := in.places[table]
		if p.name == Stdin {
			in.stdin.keep = n > 1
			in.unknown = true
			continue
		}
		size, err := p.fs.Size(p.name)
		if err != nil {
			in.unknown = true // what is wrong with the file, Open will say
		}
		in.total += int64(n) * size
	}
}

// Total returns how many bytes of files a run will read, or 0 if that is not
// known.
func (in *Inputs) Total() int64 {
	if in.unknown {
		return 0
	}
	return in.total
}

// Open opens the file of a table. Its errors are of exit's status Input.
func (in *Inputs) Open(table string) (vfs.File, error) {
	p, ok := in.places[table]
	if !ok {
		return nil, fmt.Errorf("open table %s: nobody looked for its file", table)
	}
	if p.name == Stdin {
		return in.stdin.open()
	}
	f, err := p.fs.Open(p.name)
	if err != nil {
		hint := "Next: check the name and who may read the file."
		if errors.Is(err, fs.ErrNotExist) {
			hint = "Next: check the name of the file."
		}
		return nil, exit.BadInput(hint, fmt.Errorf("open table %s: %w", table, err))
	}
	return f, nil
}

// Samples reports whether a table is one of the samples inside the program.
func (in *Inputs) Samples() bool {
	for _, p := range in.places {
		if p.sample {
			return true
		}
	}
	return false
}

// TableOf returns the table that was read from the file of that name.
func (in *Inputs) TableOf(file string) string {
	for table, p := range in.places {
		if p.name == file || p.name == Stdin && file == stdinName() {
			return table
		}
	}
	return ""
}

func stdinName() string { return vfs.Stdin(nil).Name() }

// Close removes the copy of standard input, if there is one.
func (in *Inputs) Close() error {
	if in.stdin == nil {
		return nil
	}
	return in.stdin.close()
}
