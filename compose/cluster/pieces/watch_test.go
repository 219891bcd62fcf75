package pieces

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

const place = "/jobs/job.t.piece"

// world is a directory that is watched, and the table that gets its rows.
type world struct {
	t     *testing.T
	logs  *vfs.Mem
	own   *vfs.Mem
	rng   *rand.Rand
	files map[string]string // in the directory
	rows  int               // that were written
	table map[string]bool   // the pieces in it
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, logs: vfs.NewMem(), own: vfs.NewMem(), rng: rand.New(rand.NewPCG(seed, 5)), files: make(map[string]string), table: make(map[string]bool)}
	w.must(w.logs.MkdirAll("/logs/sub"))
	w.must(w.own.MkdirAll("/jobs"))
	w.must(w.own.SyncDir("/"))
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// put writes a file.
func (w *world) put(name, text string) {
	w.files[name] = text
	w.must(vfs.Replace(w.logs, "/logs/"+name, []byte(text)))
}

// grow adds rows to a file, the last of which may have no line end yet.
func (w *world) grow(name string) {
	text := w.files[name]
	if text == "" {
		text = "n,s\n"
	}
	for range w.rng.IntN(6) {
		if !strings.HasSuffix(text, "\n") {
			text += " more\n"
		}
		w.rows++
		text += fmt.Sprintf("%d,\"x%s\"", w.rows, strings.Repeat("\n\"\"y", w.rng.IntN(3)))
		if w.rng.IntN(4) > 0 {
			text += "\n"
		}
	}
	w.put(name, text)
}

// step changes the directory as programs do that write logs and export tables.
func (w *world) step() {
	switch w.rng.IntN(8) {
	case 0: // another export
		w.grow(fmt.Sprintf("%d.csv", w.rng.IntN(5)))
	case 1: // the log has a new name, and so have those before it
		for n := 50; n >= 0; n-- {
			if text, ok := w.files[logName(n)]; ok {
				delete(w.files, logName(n))
				w.must(w.logs.Remove("/logs/" + logName(n)))
				w.put(logName(n+1), text)
			}
		}
	case 2: // the log is copied and begins anew
		if text := w.files[logName(0)]; text != "" {
			w.put(fmt.Sprintf("copy.%d", len(w.files)), text)
			w.put(logName(0), "")
		}
	default:
		w.grow(logName(0))
	}
}

func logName(n int) string {
	if n == 0 {
		return "log.csv"
	}
	return fmt.Sprintf("log.csv.%d", n)
}

// watch takes pieces until there are none, or until an operation on the disk fails.
func (w *world) watch(own vfs.FS) error {
	watch, err := NewWatch(Config{FS: w.logs, Own: own, Dir: "/logs", Table: &columnar.Table{Name: "t"}, Place: place})
	for more := true; err == nil && more; {
		if err = w.send(own); err == nil {
			more, err = watch.Next(w.t.Context())
		}
	}
	return err
}

// send puts the piece at the place into the table, which holds no piece twice.
func (w *world) send(own vfs.FS) error {
	text, err := vfs.ReadFile(own, place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		w.table[string(text)] = true
		err = own.Remove(place)
	}
	return err
}

// check fails unless each row whose line has ended is in the table once.
func (w *world) check(seed uint64) {
	w.t.Helper()
	var want, got []string
	for _, text := range w.files {
		want = append(want, rowsOfText(text)...)
	}
	for text := range w.table {
		got = append(got, rowsOfText(text)...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		w.t.Fatalf("seed %d: %d rows are in the table, not %d:\n%q\nnot\n%q", seed, len(got), len(want), got, want)
	}
}

// rowsOfText returns the rows of a file that have ended: in these files each begins with a number.
func rowsOfText(text string) (rows []string) {
	for line := range strings.Lines(strings.TrimPrefix(text, "n,s\n")) {
		if line[0] >= '0' && line[0] <= '9' {
			rows = append(rows, line)
		} else if len(rows) > 0 {
			rows[len(rows)-1] += line
		}
	}
	if n := len(rows) - 1; n >= 0 && !strings.HasSuffix(rows[n], "\n") || n >= 0 && strings.Count(rows[n], `"`)%2 == 1 {
		rows = rows[:n]
	}
	return rows
}

// TestEachRowOnce changes a directory at random while whoever watches it is killed, with a disk that
// loses what was not synced.
func TestEachRowOnce(t *testing.T) {
	seeds := uint64(100)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		w := newWorld(t, seed)
		for range 40 {
			w.step()
			if w.rng.IntN(3) == 0 {
				continue
			}
			if w.rng.IntN(2) == 0 {
				w.must(w.watch(w.own))
				continue
			}
			if w.watch(vfstest.Inject(w.own, vfstest.FailFrom(1+w.rng.Int64N(30)))) != nil {
				w.own.Crash(w.rng)
			}
		}
		w.must(w.watch(w.own))
		w.check(seed)
		if names, err := w.own.List("/jobs"); err != nil || !slices.Equal(names, []string{"job.t.piece.watch"}) {
			t.Fatalf("seed %d: there are %q, error %v", seed, names, err)
		}
	}
}

// TestRefuse takes back a piece, whatever operation fails.
func TestRefuse(t *testing.T) {
	const bad, good = "n,s\n1,bad\n2,x\n", "n,s\n1,good\n2,x\n3,y\n"
	for n := int64(1); ; n++ {
		w := newWorld(t, 0)
		w.put("a.csv", "n,s\n0,first\n")
		w.must(w.watch(w.own))
		w.put("b.csv", bad)
		refuse := func(own vfs.FS) error {
			watch, err := NewWatch(Config{FS: w.logs, Own: own, Dir: "/logs", Table: &columnar.Table{Name: "t"}, Place: place})
			if err != nil {
				return err
			}
			if text, err := vfs.ReadFile(own, place); err == nil && strings.Contains(string(text), "bad") {
				return refuse(own, place)
			}
			if more, err := watch.Next(t.Context()); err != nil || !more {
				return err
			}
			f, err := openCut(own, place)
			if err != nil {
				return err
			}
			if name := f.Name(); name != "/logs/b.csv" {
				t.Errorf("%d: a piece of %s", n, name)
			}
			return errors.Join(f.Close(), refuse(own, place))
		}
		failing := vfstest.Inject(w.own, vfstest.FailFrom(n))
		done := refuse(failing) == nil
		if !done {
			w.own.Crash(w.rng)
			w.must(refuse(w.own))
		}
		w.put("b.csv", good)
		w.must(w.watch(w.own))
		w.check(uint64(n))
		if done {
			return
		}
	}
}

// onDisk watches a real directory, whose files have times.
func onDisk(t *testing.T, pattern string, headless bool) (w *Watch, dir string) {
	t.Helper()
	dir, own := t.TempDir(), t.TempDir()
	w, err := NewWatch(Config{FS: vfs.OS(), Own: vfs.Private(), Dir: dir, Pattern: pattern, Table: &columnar.Table{Name: "t", Dialect: columnar.Dialect{Headless: headless}}, Place: filepath.Join(own, "piece")})
	if err != nil {
		t.Fatal(err)
	}
	return w, dir
}

// nextPiece returns the next piece, and takes it away; "": there is none.
func nextPiece(t *testing.T, w *Watch) string {
	t.Helper()
	if more, err := w.Next(t.Context()); err != nil || !more {
		if err != nil {
			t.Fatal(err)
		}
		return ""
	}
	text, err := os.ReadFile(w.place)
	if err == nil {
		err = os.Remove(w.place)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write writes a file as somebody did who has been away for some time.
func write(t *testing.T, dir, name, text string, ago time.Duration) {
	t.Helper()
	path, when := filepath.Join(dir, name), time.Now().Add(-ago)
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, when, when)); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, w *Watch, pieces ...string) {
	t.Helper()
	for _, want := range append(pieces, "") {
		if got := nextPiece(t, w); got != want {
			t.Fatalf("the piece is %q, not %q", got, want)
		}
	}
}

func TestRowWithoutLineEnd(t *testing.T) {
	w, dir := onDisk(t, "", false)
	write(t, dir, "a.csv", "n\n1\n2", time.Second)
	expect(t, w, "n\n1\n")
	write(t, dir, "a.csv", "n\n1\n22", Settled)
	expect(t, w, "n\n22\n")
	write(t, dir, "a.csv", "n\n1\n22\r\n3\n", 0)
	expect(t, w, "n\n3\n")
	write(t, dir, "b.csv", "n\n4", time.Hour)
	expect(t, w, "n\n4\n")
	write(t, dir, "b.csv", "n\n45\n", 0)
	if _, err := w.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "went on within its last row") {
		t.Errorf("error %v", err)
	}
}

func TestOtherFiles(t *testing.T) {
	w, dir := onDisk(t, "*.csv", false)
	write(t, dir, "a.txt", "n\n1\n", 0)
	write(t, dir, ".b.csv.tmp", "n\n2\n", 0)
	if err := os.Mkdir(filepath.Join(dir, "c.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	expect(t, w)
	write(t, dir, "d.csv", "n\n3\n", 0)
	write(t, dir, "e.csv", "N\n4\n", 0) // files with another header are another piece
	write(t, dir, "f.csv", "n", time.Hour)
	write(t, dir, "g.csv", "", time.Hour)
	expect(t, w, "n\n3\n", "N\n4\n")
}

// TestRotated goes on with a log that has a name that is not watched now.
func TestRotated(t *testing.T) {
	w, dir := onDisk(t, "*.csv", false)
	write(t, dir, "log.csv", "n\n1\n2", 0)
	expect(t, w, "n\n1\n")
	write(t, dir, "log.csv.1", "n\n1\n2\n3\n", 0)
	write(t, dir, "log.csv", "n\n4\n", 0)
	expect(t, w, "n\n2\n3\n4\n")
	write(t, dir, "log.csv.2", "n\n1\n2\n3\n5\n", 0)
	write(t, dir, "log.csv.1", "n\n4\n6\n", 0)
	write(t, dir, "log.csv", "n\n", 0)
	expect(t, w, "n\n6\n5\n")
}

func TestHeadless(t *testing.T) {
	w, dir := onDisk(t, "", true)
	write(t, dir, "a", "1\n", 0)
	write(t, dir, "b", "2\n3", 0)
	expect(t, w, "1\n2\n")
	write(t, dir, "b", "2\n3\n", 0)
	expect(t, w, "3\n")
}

func TestChangedFile(t *testing.T) {
	w, dir := onDisk(t, "", false)
	write(t, dir, "a.csv", "n\n1\n2\n", 0)
	expect(t, w, "n\n1\n2\n")
	for _, text := range []string{"n\n1\n3\n", "n\n1\n"} {
		write(t, dir, "a.csv", text, 0)
		if _, err := w.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "its first 6 bytes are in table t") {
			t.Errorf("%q: error %v", text, err)
		}
	}
	write(t, dir, "a.csv", "n\n1\n2\n4\n", 0)
	expect(t, w, "n\n4\n")
}

// TestWholeFiles takes files that cannot be cut as they are, when nobody writes them any more.
func TestWholeFiles(t *testing.T) {
	const packed = "\x1f\x8b\x08\x00\x00\x00\x00\x00"
	w, dir := onDisk(t, "", false)
	write(t, dir, "a.csv", "n\n1\n", 0)
	write(t, dir, "b.csv.gz", packed, 0)
	expect(t, w, "n\n1\n")
	write(t, dir, "a.csv", "n\n1\n2\n", 0)
	write(t, dir, "b.csv.gz", packed, Settled)
	write(t, dir, "c.csv.gz", packed+"c", Settled)
	write(t, dir, "d.csv", "n\n3\n", 0)
	expect(t, w, "n\n2\n", packed, packed+"c", "n\n3\n")
	write(t, dir, "c.csv.gz", packed+"cc", Settled)
	if _, err := w.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "its first 9 bytes are in table t") {
		t.Errorf("error %v", err)
	}
}

func TestPattern(t *testing.T) {
	if _, err := NewWatch(Config{FS: vfs.OS(), Own: vfs.OS(), Dir: "/", Pattern: "[", Table: &columnar.Table{}, Place: filepath.Join(t.TempDir(), "p")}); err == nil {
		t.Error("a pattern that is none is taken")
	}
}
