package inputs_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/fence"
	"analyzer/compose/session/inputs"
)

// TestMatching finds files at any depth, each once, and in order.
func TestMatching(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"a.csv", "d/a.csv", "d/b-c/a.csv", "d/b/a.csv", "d/b/b/a.csv", "d/b/b/b.txt", "d/[x]/y.csv", "e/f/d/a.csv", ".hidden/h.csv",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("..", "d/loop"), os.Symlink("a.csv", "d/link.csv"), os.Symlink("nowhere", "e/broken")); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"d/*.csv":               "d/a.csv d/link.csv",
		"d/**/*.csv":            "d/[x]/y.csv d/a.csv d/b/a.csv d/b/b/a.csv d/b-c/a.csv d/link.csv",
		"**/a.csv":              "a.csv d/a.csv d/b/a.csv d/b/b/a.csv d/b-c/a.csv e/f/d/a.csv",
		"./**/h.csv":            ".hidden/h.csv",
		"d/b/**":                "d/b/a.csv d/b/b/a.csv d/b/b/b.txt",
		"d/**/b/*":              "d/b/a.csv d/b/b/a.csv d/b/b/b.txt",
		"**/b/**/a.csv":         "d/b/a.csv d/b/b/a.csv",
		"**/**/y.csv":           "d/[x]/y.csv",
		`d/\[x\]/**`:            "d/[x]/y.csv",
		"[de]/**/d/?.csv":       "e/f/d/a.csv",
		"none/**/*.csv":         "",
		"a.csv/**":              "",
		here + "/e/**/*.csv":    here + "/e/f/d/a.csv",
		"d/loop/[b-e]/**/?.csv": "d/loop/d/[x]/y.csv d/loop/d/a.csv d/loop/d/b/a.csv d/loop/d/b/b/a.csv d/loop/d/b-c/a.csv d/loop/e/f/d/a.csv",
		"d/b/loop/**":           "",
		"d/**/a.csv/none":       "",
		"d//**//b//**//a.csv":   "d/b/a.csv d/b/b/a.csv",
	} {
		files, err := inputs.Matching(t.Context(), vfs.OS(), pattern, 100)
		if got := strings.Join(files, " "); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", pattern, got, err, want)
		}
	}
	if files, err := inputs.Matching(t.Context(), vfs.OS(), "**/a.csv", 2); err != nil || len(files) != 3 {
		t.Errorf("of more than two: %q, %v", files, err)
	}
	for _, pattern := range []string{"d/**.csv", "**b/a.csv", "d/***/a.csv", "d/**/[", "[/**"} {
		if files, err := inputs.Matching(t.Context(), vfs.OS(), pattern, 100); err == nil {
			t.Errorf("%s: %q", pattern, files)
		}
	}
	denied := vfs.Inject(vfs.OS(), func(op vfs.Op) error {
		if op.Kind == vfs.OpList && op.Name == "d/b" {
			return fs.ErrPermission
		}
		return nil
	})
	for _, pattern := range []string{"d/*/a.csv", "d/b/*.csv", "?/*/*/*.csv"} {
		if files, err := inputs.Matching(t.Context(), denied, pattern, 100); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s in a directory that may not be read: %q, %v", pattern, files, err)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inputs.Matching(done, vfs.OS(), "**/a.csv", 100); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if files, _ := inputs.Matching(t.Context(), vfs.OS(), "**", 100); !slices.Contains(files, "e/broken") {
		t.Errorf("a file that cannot be read is left out: %q", files)
	}
}

// TestMatchingStaysBelowASource looks for files in a file system that shows what lies below some directories.
func TestMatchingStaysBelowASource(t *testing.T) {
	top := t.TempDir()
	source := filepath.Join(top, "source")
	for _, name := range []string{"secret.csv", "source/x.csv", "source/2026/a/y.csv", "source/2026/a-b/z.csv"} {
		name = filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("2026", filepath.Join(source, "year")), os.Symlink(top, filepath.Join(source, "out"))); err != nil {
		t.Fatal(err)
	}
	s, err := fence.Open([]string{source}, vfs.NewMem())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	in := s.At(source)
	for pattern, want := range map[string]string{
		"*.csv": "x.csv", "2026/*/*.csv": "2026/a/y.csv 2026/a-b/z.csv", source + "/year/*/y*": "year/a/y.csv", "*/*.csv": "", "none/*": "",
	} {
		found, err := inputs.Matching(t.Context(), in, pattern, 100)
		for i, name := range found {
			found[i], _ = filepath.Rel(source, name)
		}
		if got := strings.Join(found, " "); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", pattern, got, err, want)
		}
	}
	for _, pattern := range []string{"../*", "/*", top + "/sour*/x.csv", source + "/../*.csv", "out/*"} {
		if found, err := inputs.Matching(t.Context(), in, pattern, 100); !errors.Is(err, fence.ErrOutside) {
			t.Errorf("%s: %q, %v", pattern, found, err)
		}
	}
}
