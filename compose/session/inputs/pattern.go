package inputs

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar/vfs"
)

// anyDepth, between slashes, stands for any number of directories, also for none.
const anyDepth = "**"

// IsPattern reports whether a file name stands for several files unless a file has it.
func IsPattern(name string) bool {
	web := strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://") // whose names may have any characters, and which do not list them
	return !web && strings.ContainsAny(name, "*?[")
}

// lister is implemented by file systems with files that only their names put into directories.
type lister interface {
	// ListFrom calls found with the names that begin like this until it returns false.
	ListFrom(prefix string, found func(name string) bool) error
}

// listed returns the files of a lister that match a pattern, in the order of their names, but not
// many more than most.
func listed(fs lister, pattern string, most int) (files []string, err error) {
	parts := strings.Split(pattern, "/")
	var wrong error
	err = fs.ListFrom(pattern[:strings.IndexAny(pattern, "*?[")], func(name string) bool {
		var ok bool
		if ok, wrong = matches(parts, strings.Split(name, "/")); ok {
			files = append(files, name)
		}
		return wrong == nil && len(files) <= most
	})
	slices.Sort(files)
	return files, cmp.Or(wrong, err)
}

// Matching returns the files that match a pattern, in the order of the names of their
// directories and then of their own. Behind ** it does not follow symbolic links to
// directories. It stops looking once it has found more files than most.
func Matching(ctx context.Context, in vfs.FS, pattern string, most int) ([]string, error) {
	parts := partsOf(pattern)
	for _, part := range parts {
		if part != anyDepth && strings.Contains(part, anyDepth) {
			return nil, fmt.Errorf("in %q, ** stands beside other characters; between slashes it is any number of directories, as in '**/*.csv'", pattern)
		}
	}
	if remote, ok := in.(lister); ok && strings.Contains(pattern, "://") {
		return listed(remote, pattern, most)
	}
	deep := slices.Index(parts, anyDepth)
	if deep < 0 {
		return filepath.Glob(pattern)
	}
	roots, err := filepath.Glob(cmp.Or(filepath.Join(parts[:deep]...), "."))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, root := range roots {
		found, err := below(ctx, root, parts[deep:], most-len(files))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// partsOf returns the names and patterns between the slashes of a pattern. An absolute one
// begins with the root.
func partsOf(pattern string) []string {
	pattern = filepath.ToSlash(pattern)
	parts := slices.DeleteFunc(strings.Split(pattern, "/"), func(part string) bool { return part == "" })
	if strings.HasPrefix(pattern, "/") {
		parts = slices.Insert(parts, 0, "/")
	}
	return parts
}

// below returns the files below a directory whose paths from there match the parts of a
// pattern, but not many more than most.
func below(ctx context.Context, root string, parts []string, most int) (files []string, err error) {
	if !isDir(root) {
		return nil, nil
	}
	// With a slash behind it, a root that is a symbolic link is followed.
	err = filepath.WalkDir(root+"/", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir(), entry.Type()&fs.ModeSymlink != 0 && isDir(path):
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		ok, err := matches(parts, strings.Split(filepath.ToSlash(name), "/"))
		if ok {
			files = append(files, path)
		}
		if len(files) > most {
			return fs.SkipAll
		}
		return err
	})
	return files, err
}

// isDir reports whether a name is that of a directory, or of a symbolic link to one.
func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// matches reports whether the names of a path match the parts of a pattern.
func matches(parts, names []string) (bool, error) {
	for ; len(parts) > 0 && parts[0] != anyDepth; parts, names = parts[1:], names[1:] {
		if len(names) == 0 {
			return false, nil
		}
		if ok, err := filepath.Match(parts[0], names[0]); !ok || err != nil {
			return false, err
		}
	}
	switch {
	case len(parts) == 0:
		return len(names) == 0, nil
	case len(parts) == 1:
		return len(names) > 0, nil
	}
	for ; len(names) > 0; names = names[1:] {
		if ok, err := matches(parts[1:], names); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
