package pieces

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
)

// found is a file of the directory.
type found struct {
	name string
	now  stat
	at   int // its position among the files of the state; -1: it is new
}

// looking is one look at the directory.
type looking struct {
	w       *Watch
	byName  map[string]int
	claimed []bool  // which files of the state were found, or are elsewhere
	begun   []found // those
	others  []found // files that are, by their names, none of the state
}

// look returns the files that may have new rows: those that were begun, and then new ones, by name.
func (w *Watch) look(ctx context.Context) ([]found, error) {
	names, err := w.fs.List(w.dir)
	if err != nil {
		return nil, err
	}
	l := looking{w: w, byName: make(map[string]int, len(w.state.Files)), claimed: make([]bool, len(w.state.Files))}
	for i, f := range w.state.Files {
		dir, name := filepath.Split(f.Path)
		if l.claimed[i] = filepath.Clean(dir) != w.dir; !l.claimed[i] { // others are watched apart
			l.byName[name] = i
		}
	}
	for _, name := range names {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err := l.visit(name); err != nil {
			return nil, err
		}
	}
	if err := l.renamed(); err != nil {
		return nil, err
	}
	return l.result()
}

// matches reports whether files of a name are watched.
func (w *Watch) matches(name string) bool {
	if w.pattern == "" {
		return !strings.HasPrefix(name, ".")
	}
	ok, _ := filepath.Match(w.pattern, name) // NewWatch has tried it
	return ok
}

// openFile opens a file of the directory; nil: it is none that can be read again, or has gone.
func (w *Watch) openFile(name string) (f vfs.File, now stat, err error) {
	f, err = w.fs.Open(filepath.Join(w.dir, name))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EISDIR):
		return nil, stat{}, nil
	case err != nil:
		return nil, stat{}, err
	case !f.Seekable():
		return nil, stat{}, f.Close()
	}
	if now.Size, err = f.Size(); err == nil {
		now.Written, err = vfs.Written(f)
	}
	if err != nil {
		return nil, stat{}, errors.Join(err, f.Close())
	}
	return f, now, nil
}

// visit looks at one file.
func (l *looking) visit(name string) error {
	at, known := l.byName[name]
	if !known && !l.w.matches(name) && len(l.w.state.Files) == 0 {
		return nil // no file of the state can have been given this name
	}
	f, now, err := l.w.openFile(name)
	if err != nil || f == nil {
		return err
	}
	is := false
	if known {
		one := l.w.state.Files[at]
		if is = one.Whole == now && now.Written != 0; !is {
			is, err = one.is(f, now.Size)
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !is {
		l.others = append(l.others, found{name, now, -1})
		return nil
	}
	l.claimed[at] = true
	l.begun = append(l.begun, found{name, now, at})
	return nil
}

// renamed finds the files of the state that have other names now.
func (l *looking) renamed() error {
	lost := make(map[uint64][]int) // by the hash of the head
	lengths := make(map[int64]bool)
	for i, f := range l.w.state.Files {
		if !l.claimed[i] && f.Taken > 0 {
			lost[f.Head] = append(lost[f.Head], i)
			lengths[min(f.Taken, headBytes)] = true
		}
	}
	if len(lost) == 0 {
		return nil
	}
	for i := range l.others {
		if err := l.identify(&l.others[i], lost, lengths); err != nil {
			return err
		}
	}
	return nil
}

// identify looks for the file of the state that one of the directory is.
func (l *looking) identify(o *found, lost map[uint64][]int, lengths map[int64]bool) (err error) {
	f, now, err := l.w.openFile(o.name)
	if err != nil || f == nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	head, err := vfs.ReadPart(f, 0, min(now.Size, headBytes))
	if err != nil {
		return err
	}
	for n := range lengths {
		if n > int64(len(head)) {
			continue
		}
		for _, at := range lost[xxhash.Sum64(head[:n])] {
			one := l.w.state.Files[at]
			if l.claimed[at] || min(one.Taken, headBytes) != n {
				continue
			}
			if is, err := one.is(f, now.Size); err != nil || is {
				l.claimed[at], o.at = is, at
				return err
			}
		}
	}
	return nil
}

// result returns what was found, unless a file is not what it was.
func (l *looking) result() ([]found, error) {
	all := l.begun
	var fresh []found
	for _, o := range l.others {
		switch at, known := l.byName[o.name]; {
		case o.at >= 0:
			all = append(all, o)
		case !l.w.matches(o.name):
		case known && !l.claimed[at] && l.w.state.Files[at].Taken > 0:
			return nil, l.w.changed(l.w.state.Files[at])
		default:
			fresh = append(fresh, o)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return strings.Compare(a.name, b.name) })
	return append(all, fresh...), nil
}

// changed is the error of a file whose rows were taken and that has others now. It may be another file,
// but then its rows could be old ones that somebody has mended.
func (w *Watch) changed(f file) error {
	err := fmt.Errorf("%s: its first %d bytes are in table %s, and it has others now", f.Path, f.Taken, w.table.Name)
	return fault.BadInput("Next: if all of its rows are new ones, give it another name; if not, move it away.", err)
}

// A file is recognised by so many bytes at its beginning, and so many before the rows that are new.
const (
	headBytes = 4 << 10
	tailBytes = 64 << 10
)

// is reports whether a file begins with the bytes that were taken of f.
func (f *file) is(other vfs.File, size int64) (bool, error) {
	if size < f.Taken {
		return false, nil
	}
	head, tail, err := hashesOf(other, f.Taken)
	return head == f.Head && tail == f.Tail, err
}

// hashesOf returns hashes of the first and the last of the bytes of a file before an offset.
func hashesOf(f vfs.File, end int64) (head, tail uint64, err error) {
	first, err := vfs.ReadPart(f, 0, min(end, headBytes))
	if err != nil {
		return 0, 0, err
	}
	last, err := vfs.ReadPart(f, max(0, end-tailBytes), min(end, tailBytes))
	return xxhash.Sum64(first), xxhash.Sum64(last), err
}
