package vfs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Tellable returns the text of an error for people elsewhere, who must not learn where this
// machine keeps its files: it has their names, or their paths below one of dirs, only. An
// empty dir means the system's directory for temporary files.
func Tellable(err error, dirs ...string) string {
	text := err.Error()
	for _, dir := range dirs {
		if dir == "" {
			dir = os.TempDir()
		}
		text = strings.ReplaceAll(text, filepath.Clean(dir)+string(filepath.Separator), "")
	}
	for _, path := range pathsIn(err) {
		if filepath.IsAbs(path) {
			text = strings.ReplaceAll(text, path, filepath.Base(path))
		}
	}
	return text
}

// pathsIn returns the paths that errors of the file system in a tree of errors are about.
func pathsIn(err error) (paths []string) {
	switch e := err.(type) { //nolint:errorlint // each error of the tree is looked at by itself
	case *fs.PathError:
		paths = append(paths, e.Path)
	case *os.LinkError:
		paths = append(paths, e.Old, e.New)
	}
	switch e := err.(type) { //nolint:errorlint // as above
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			paths = append(paths, pathsIn(inner)...)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			paths = append(paths, pathsIn(inner)...)
		}
	}
	return paths
}
