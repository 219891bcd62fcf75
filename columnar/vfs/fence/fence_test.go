//go:build unix

package fence

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
)

// shed makes a directory with a source in it, a secret beside that, and links of all kinds.
func shed(t *testing.T) (source, secret string, s *Sources) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	source, secret = filepath.Join(top, "data"), filepath.Join(top, "secret.csv")
	do := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	do(os.MkdirAll(filepath.Join(source, "2026", "a-b"), 0o700), os.MkdirAll(filepath.Join(source, "2026", "a"), 0o700), os.Mkdir(filepath.Join(top, "data2"), 0o700))
	for _, name := range []string{secret, filepath.Join(top, "data2", "x.csv"), filepath.Join(source, "x.csv"), filepath.Join(source, "2026", "a", "y.csv"), filepath.Join(source, "2026", "a-b", "z.csv")} {
		do(os.WriteFile(name, []byte("in "+filepath.Base(name)), 0o600))
	}
	do(
		os.Symlink("x.csv", filepath.Join(source, "inside.csv")), os.Symlink("../secret.csv", filepath.Join(source, "up.csv")),
		os.Symlink(secret, filepath.Join(source, "absolute.csv")), os.Symlink("..", filepath.Join(source, "out")),
		os.Symlink("2026", filepath.Join(source, "year")), syscall.Mkfifo(filepath.Join(source, "pipe"), 0o600),
	)
	s, err = Open([]string{source}, vfs.ReadOnly(os.DirFS(top)))
	do(err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return source, secret, s
}

func TestOnlyWhatIsBelowASourceIsRead(t *testing.T) {
	source, secret, s := shed(t)
	in := s.At(source)
	for name, want := range map[string]string{
		filepath.Join(source, "x.csv"): "in x.csv", "x.csv": "in x.csv", "./2026/a/../a/y.csv": "in y.csv", "inside.csv": "in x.csv",
		filepath.Join(source, "year", "a", "y.csv"): "in y.csv", source + "/../data/x.csv": "in x.csv",
	} {
		f, err := in.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, want %q", name, text, err, want)
		}
		if f.Name() != filepath.Clean(in.Full(name)) && !strings.Contains(f.Name(), "..") || !f.Seekable() {
			t.Errorf("%s is called %s", name, f.Name())
		}
		if n, err := in.Size(name); err != nil || n != int64(len(want)) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	for _, name := range []string{
		secret, "../secret.csv", source + "/../secret.csv", source + "2/x.csv", "up.csv", "absolute.csv", "out/secret.csv", "out/data/x.csv",
		"/etc/passwd", "s3://bucket/x.csv", "https://example.org/x.csv", "",
	} {
		if name == "" {
			continue
		}
		_, opened := in.Open(name)
		_, sized := in.Size(name)
		for _, err := range []error{opened, sized} {
			if !errors.Is(err, ErrOutside) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, name := range []string{"pipe", "2026", "."} {
		if _, err := in.Open(name); err == nil || errors.Is(err, ErrOutside) {
			t.Errorf("%s, which is no regular file: %v", name, err)
		}
	}
	if _, err := s.At("").Open("x.csv"); !errors.Is(err, ErrOutside) {
		t.Errorf("a relative name without a place: %v", err)
	}
	if _, err := in.Open("gone.csv"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(source, "gone.csv")) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestWalksStayBelowASource(t *testing.T) {
	source, _, s := shed(t)
	in := s.At(source)
	var seen []string
	if err := in.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		seen = append(seen, filepath.Base(path))
		return err
	}); err != nil || !slices.Contains(seen, "z.csv") || slices.Contains(seen, "secret.csv") {
		t.Errorf("walked over %q, %v", seen, err)
	}
	if err := in.WalkDir("out", func(path string, _ fs.DirEntry, _ error) error {
		t.Errorf("walked to %s", path)
		return nil
	}); !errors.Is(err, ErrOutside) {
		t.Errorf("walk through a link that leads out: %v", err)
	}
	if in.IsDir("out") || !in.IsDir("year") || in.IsDir("x.csv") {
		t.Error("IsDir")
	}
}

func TestNamesOfRemoteFiles(t *testing.T) {
	s, err := Open([]string{"s3://bucket/prefix/", "https://example.org/data"}, vfs.NewMem())
	if err != nil {
		t.Fatal(err)
	}
	for name, below := range map[string]bool{
		"s3://bucket/prefix/a.csv": true, "s3://bucket/prefix/b//c?.csv": true, "https://example.org/data/2026/a.csv": true,
		"s3://bucket/prefix": false, "s3://bucket/prefix/": false, "s3://bucket/prefix2/a.csv": false, "s3://bucket/other/a.csv": false,
		"s3://bucket/prefix/../other/a.csv": false, "s3://other/prefix/a.csv": false, "http://example.org/data/a.csv": false,
		"https://example.org/data/../x": false, "https://example.org/data/%2e%2E/x": false, "https://example.org/data/..%2fx": false,
		"https://example.org/data/a?b": false, "https://example.org/data/a#b": false, "https://example.org@evil.org/data/a": false,
		"https://example.org.evil.org/data/a": false, `https://example.org/data/..\x`: false, "/data/a.csv": false,
	} {
		if err := s.Check(name); (err == nil) != below || err != nil && !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := s.At("s3://bucket/prefix/").Full("./2026/*.csv"); got != "s3://bucket/prefix/2026/*.csv" {
		t.Errorf("a relative name became %s", got)
	}
	for _, prefix := range []string{"s3://bucket/pre", "s3://bucket/prefix", "s3://bucket/prefix/../x", "s3://other/"} {
		if err := s.At("").ListFrom(prefix, nil); !errors.Is(err, ErrOutside) {
			t.Errorf("list %s: %v", prefix, err)
		}
	}
	if _, err := Open([]string{"https://example.org/a/../b"}, vfs.NewMem()); err == nil {
		t.Error("a source with .. was taken")
	}
}

func TestWritingToAnOpenFileIsNoticed(t *testing.T) {
	source, _, s := shed(t)
	name := filepath.Join(source, "x.csv")
	still := s.At("").Snapshot(0)
	f, err := still.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); !errors.Is(err, remote.ErrChanged) {
		t.Errorf("closed with %v", err)
	}
	if _, err := still.Open(name); !errors.Is(err, remote.ErrChanged) {
		t.Errorf("opened again in the snapshot: %v", err)
	}
	if f, err = s.At("").Open(name); err != nil || f.Close() != nil {
		t.Errorf("opened as it is now: %v", err)
	}
}

// Places below sources are sources of their own: links do not lead from them to others.
func TestPlacesBelowSources(t *testing.T) {
	source, _, s := shed(t)
	if err := os.Symlink("../x.csv", filepath.Join(source, "2026", "link.csv")); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{filepath.Join(source, "2026"), filepath.Join(source, "year"), source + "/2026/../2026/"} {
		within, err := s.Below([]string{place})
		if err != nil {
			t.Fatal(err)
		}
		in := within.At(place)
		for name, want := range map[string]error{"a/y.csv": nil, "link.csv": ErrOutside, "../x.csv": ErrOutside, source + "/x.csv": ErrOutside} {
			f, err := in.Open(name)
			if !errors.Is(err, want) || err == nil && f.Close() != nil {
				t.Errorf("%s below %s: %v, want %v", name, place, err, want)
			}
		}
		if err := within.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, place := range []string{filepath.Dir(source), source + "/../data2", filepath.Join(source, "out"), "s3://bucket/x", "2026"} {
		if within, err := s.Below([]string{place}); !errors.Is(err, ErrOutside) && !strings.Contains(fmt.Sprint(err), "escapes") {
			t.Errorf("%s is a place below %s: %v, %v", place, source, within, err)
		}
	}
	far, err := Open([]string{"s3://bucket/prefix/"}, vfs.NewMem())
	if err != nil {
		t.Fatal(err)
	}
	within, err := far.Below([]string{"s3://bucket/prefix/ann/", "s3://bucket/prefix/b"})
	if err != nil {
		t.Fatal(err)
	}
	for name, below := range map[string]bool{"s3://bucket/prefix/ann/a.csv": true, "s3://bucket/prefix/b/x/y": true, "s3://bucket/prefix/a.csv": false, "s3://bucket/prefix/bc/a.csv": false} {
		if err := within.Check(name); (err == nil) != below {
			t.Errorf("%s: %v", name, err)
		}
	}
}
