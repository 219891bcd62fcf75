package inputs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
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
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inputs.Matching(done, vfs.OS(), "**/a.csv", 100); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if files, _ := inputs.Matching(t.Context(), vfs.OS(), "**", 100); !slices.Contains(files, "e/broken") {
		t.Errorf("a file that cannot be read is left out: %q", files)
	}
}
