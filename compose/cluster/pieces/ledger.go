package pieces

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar/vfs"
)

// ledger keeps what was taken of files, beside the place of the pieces.
type ledger struct {
	own   vfs.FS
	place string
	state state
}

// state is what is durable beside the place of the pieces.
type state struct {
	// Pieces is how many were cut. The last one is at place, on its way there, or gone.
	Pieces int64  `json:"pieces"`
	Files  []file `json:"files"`
	// Last is the last piece.
	Last struct {
		Known  int          `json:"known"`  // how many Files there were before it
		Before map[int]file `json:"before"` // those of which it has rows, as they were, by position
	} `json:"last"`
}

// file is a file of which rows were taken.
type file struct {
	Path  string `json:"path"`
	Taken int64  `json:"taken"`           // how many bytes of it are in pieces
	Head  uint64 `json:"head"`            // hash of the first of these bytes
	Tail  uint64 `json:"tail"`            // and of the last
	Ended bool   `json:"ended,omitempty"` // the last of these rows has no line end
	Whole stat   `json:"whole,omitzero"`  // how the file was when all of it had been taken
}

// stat says whether a file has changed.
type stat struct {
	Size    int64 `json:"size"`
	Written int64 `json:"written"` // in nanoseconds since 1970; 0: not known
}

// open reads the state, puts the last piece at its place if that was still to be done, and removes
// one that the state does not have.
func (l *ledger) open() error {
	text, err := vfs.ReadFile(l.own, l.path())
	switch {
	case err == nil:
		err = json.Unmarshal(text, &l.state)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	if err = l.own.Remove(l.staged(l.state.Pieces + 1)); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.deliver())
}

func (l *ledger) path() string { return l.place + ".watch" }

// staged is where a piece is written before the state has it.
func (l *ledger) staged(piece int64) string { return l.place + "." + strconv.FormatInt(piece, 10) }

// deliver puts the last piece at its place, unless that was done before.
func (l *ledger) deliver() error {
	err := l.own.Rename(l.staged(l.state.Pieces), l.place)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = l.own.SyncDir(filepath.Dir(l.place))
	}
	return err
}

// save makes a state the durable one. A piece that it has and that is staged is delivered, now or when
// the ledger is opened again.
func (l *ledger) save(s state) error {
	text, err := json.Marshal(s)
	if err == nil {
		err = vfs.Replace(l.own, l.path(), text)
	}
	if err == nil {
		l.state = s
	}
	return err
}

// sources describes what the last piece was cut from.
func (l *ledger) sources() string {
	var all []file
	for _, f := range l.state.Files[l.state.Last.Known:] {
		all = append(all, file{Path: f.Path})
	}
	for at, f := range l.state.Last.Before {
		all = append(all, file{Path: l.state.Files[at].Path, Taken: f.Taken})
	}
	if len(all) == 0 {
		return l.place
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	first := all[0].Path
	if all[0].Taken > 0 {
		first += fmt.Sprintf(", behind byte %d", all[0].Taken)
	}
	switch len(all) {
	case 1:
		return first
	case 2:
		return first + ", and another file"
	}
	return fmt.Sprintf("%s, and %d other files", first, len(all)-1)
}

// openCut opens the piece of watched files at a place, with a name that says what it was cut from. Places
// in it are those of the piece.
func openCut(own vfs.FS, place string) (vfs.File, error) {
	l := ledger{own: own, place: place}
	if err := l.open(); err != nil {
		return nil, err
	}
	f, err := own.Open(place)
	if err != nil {
		return nil, err
	}
	return piece{f, l.sources()}, nil
}

type piece struct {
	vfs.File
	name string
}

// Name returns what the piece was cut from.
func (p piece) Name() string { return p.name }

// Stat describes the file, whose time tells pieces of equal rows apart.
func (p piece) Stat() (fs.FileInfo, error) {
	f, ok := p.File.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil, fmt.Errorf("find out when %s was written: %w", p.File.Name(), errors.ErrUnsupported)
	}
	return f.Stat()
}

// refuse takes back the piece at a place, which does not fit its table: it is removed, and what it had
// is new again.
func refuse(own vfs.FS, place string) error {
	l := ledger{own: own, place: place}
	if err := l.open(); err != nil {
		return err
	}
	last := l.staged(l.state.Pieces)
	if err := own.Rename(place, last); err != nil {
		return err
	}
	before := state{Pieces: l.state.Pieces + 1, Files: slices.Clone(l.state.Files[:l.state.Last.Known])}
	for at, f := range l.state.Last.Before {
		f.Path = before.Files[at].Path
		before.Files[at] = f
	}
	before.Last.Known = len(before.Files)
	if err := l.save(before); err != nil {
		return err
	}
	return own.Remove(last)
}
