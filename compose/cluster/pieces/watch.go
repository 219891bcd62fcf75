package pieces

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
)

// Watch cuts pieces of what is new in the files of a directory: new files, and rows at the ends of
// files that grow, under their names or under others that they were given since, as logs are. Each row
// is in one piece, also if the process is killed at any moment and another Watch of the same place
// goes on. Only one Watch of a place may be used at a time, by one goroutine.
//
// A file is recognised by its name and by what it contains before the rows that were taken. A row is
// taken when its line has ended, or when the file has not changed for some time (Settled).
type Watch struct {
	ledger
	fs       vfs.FS
	dir      string
	pattern  string
	table    *columnar.Table
	now      func() time.Time
	consumed int64
}

// Settled is for how long a file must not have changed before a row without a line end is taken.
const Settled = 10 * time.Second

// maxPiece is how many bytes a piece has at most, apart from one row.
const maxPiece = 64 << 20

// Config says what a Watch looks at.
type Config struct {
	FS      vfs.FS // of the directory
	Own     vfs.FS // of the pieces and the state
	Dir     string
	Pattern string // of the names of files, as filepath.Match has it; "": all but those that begin with a dot
	Table   *columnar.Table
	Place   string // the path at which pieces are put; other files have names that begin with it
}

// NewWatch goes on where an earlier Watch of the same place was. A piece that it had cut is at the place
// then, unless it was taken from there.
func NewWatch(c Config) (*Watch, error) {
	if _, err := filepath.Match(c.Pattern, ""); err != nil {
		return nil, fault.WrongUsage("Next: name a directory, or files in one, such as logs/*.csv.", "the pattern %q: %w", c.Pattern, err)
	}
	if _, ok := csv.NewSplitter(c.Table.Dialect); !ok {
		err := fmt.Errorf("what is new of table %s cannot be found: its files are of another encoding, or have other quotes, comments or delimiters than CSV files usually have", c.Table.Name)
		return nil, fault.BadInput("Next: append each file by --table, when it is complete.", err)
	}
	w := &Watch{ledger: ledger{own: c.Own, place: c.Place}, fs: c.FS, pattern: c.Pattern, table: c.Table, now: time.Now}
	var err error
	if w.dir, err = filepath.Abs(c.Dir); err == nil {
		err = w.open()
	}
	if err != nil {
		return nil, fmt.Errorf("find out which rows of %s are in table %s: %w", c.Dir, c.Table.Name, err)
	}
	return w, nil
}

// Next puts the next piece at the place, which must be free, and reports whether there is one. The
// piece and what is known of it are durable then.
func (w *Watch) Next(ctx context.Context) (more bool, err error) {
	found, err := w.look(ctx)
	if err != nil {
		return false, fmt.Errorf("watch %s: %w", w.dir, err)
	}
	cut := newCutting(w)
	for _, f := range found {
		if err = cut.take(ctx, f); err != nil || cut.full {
			break
		}
	}
	if err = errors.Join(err, cut.close()); err != nil {
		return false, fmt.Errorf("watch %s: %w", w.dir, err)
	}
	if cut.file == nil {
		return false, nil
	}
	if err := w.save(cut.next); err != nil {
		return false, fmt.Errorf("keep a piece of %s: %w", w.dir, err)
	}
	w.consumed += cut.bytes
	return true, w.deliver()
}

// Bytes returns how many bytes of files this Watch has taken.
func (w *Watch) Bytes() int64 { return w.consumed }
