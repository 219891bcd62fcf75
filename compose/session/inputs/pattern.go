package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"analyzer/columnar/vfs"
)

// anyDepth, between slashes, stands for any number of directories, also for none.
const anyDepth = "**"

// IsPattern reports whether a file name stands for several files unless a file has it.
func IsPattern(name string) bool {
	web := strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://") // whose names may have any characters, and which do not list them
	return !web && strings.ContainsAny(name, "*?[")
}

// Files returns the file that has a name or, if none has it and it is a pattern, those that match it, as Matching does.
// A pattern that no file matches is an error.
func Files(ctx context.Context, in vfs.FS, name string, most int) ([]string, error) {
	if _, err := in.Size(name); err == nil || name == Stdin || !IsPattern(name) {
		return []string{name}, nil
	}
	found, err := Matching(ctx, in, name, most)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no file has a name like %q", name)
	}
	return found, err
}

// PatternHint says what to do about an error of Files.
func PatternHint(err error) string { return Hint(err, "Next: check the pattern and the directory.") }

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

// tree is what local files are looked for in. File systems that read for others have their own.
type tree interface {
	Full(name string) string // the name of a file there, which may have been relative
	Size(name string) (int64, error)
	List(dir string) ([]string, error)
	// WalkDir follows a root that is a symbolic link.
	WalkDir(root string, do fs.WalkDirFunc) error
	IsDir(name string) bool // or of a symbolic link to one
}

// Full returns the full name of a file whose name may be relative to something that only its file
// system knows.
func Full(in vfs.FS, name string) string {
	if files, ok := in.(tree); ok {
		return files.Full(name)
	}
	return name
}

// here is the tree of the operating system.
type here struct{ vfs.FS }

func (here) Full(name string) string { return name }
func (here) WalkDir(root string, do fs.WalkDirFunc) error {
	return filepath.WalkDir(root+"/", do) // with a slash behind it, a link is followed
}

func (here) IsDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Matching returns the files that match a pattern, in the order of the names of their
// directories and then of their own. Behind ** it does not follow symbolic links to
// directories. It stops looking once it has found more files than most. A directory that it may not
// look into is an error: what is there may belong to the table.
func Matching(ctx context.Context, in vfs.FS, pattern string, most int) ([]string, error) {
	files, ok := in.(tree)
	if !ok {
		files = here{in}
	}
	pattern = files.Full(pattern)
	parts := partsOf(pattern)
	for _, part := range parts {
		if _, err := filepath.Match(part, ""); err != nil {
			return nil, fmt.Errorf("%q: %w", pattern, err)
		}
		if part != anyDepth && strings.Contains(part, anyDepth) {
			return nil, fmt.Errorf("in %q, ** stands beside other characters; between slashes it is any number of directories, as in '**/*.csv'", pattern)
		}
	}
	if remote, ok := in.(lister); ok && strings.Contains(pattern, "://") {
		return listed(remote, pattern, most)
	}
	deep := slices.Index(parts, anyDepth)
	if deep < 0 {
		return glob(files, parts)
	}
	roots, err := glob(files, parts[:deep])
	if err != nil {
		return nil, err
	}
	var all []string
	for _, root := range roots {
		found, err := below(ctx, files, root, parts[deep:], most-len(all))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// partsOf returns the names and patterns between the slashes of a pattern. An absolute one
// begins with the root.
func partsOf(pattern string) []string {
	volume := filepath.VolumeName(pattern)
	pattern = filepath.ToSlash(pattern[len(volume):])
	parts := slices.DeleteFunc(strings.Split(pattern, "/"), func(part string) bool { return part == "" })
	if strings.HasPrefix(pattern, "/") {
		parts = slices.Insert(parts, 0, volume+"/")
	}
	return parts
}

// glob returns what matches a pattern without **, in the order of the names of directories.
func glob(in tree, parts []string) ([]string, error) {
	fixed := slices.IndexFunc(parts, func(part string) bool { return strings.ContainsAny(part, `*?[\`) })
	if fixed < 0 {
		name := cmp.Or(filepath.Join(parts...), ".")
		if _, err := in.Size(name); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return []string{name}, nil
	}
	found := []string{cmp.Or(filepath.Join(parts[:fixed]...), ".")}
	for i, part := range parts[fixed:] {
		var next []string
		for _, dir := range found {
			names, err := entries(in, dir, i == 0)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if ok, _ := filepath.Match(part, name); ok { // which is a pattern, as Matching has made sure
					next = append(next, filepath.Join(dir, name))
				}
			}
		}
		found = next
	}
	return found, nil
}

// entries returns the names in a directory, and none where there is no directory. One that was not named, but
// found, need not be one that may be read from, such as a link that leads out of a source.
func entries(in tree, dir string, named bool) ([]string, error) {
	if in.IsDir(dir) {
		return in.List(dir)
	}
	_, err := in.Size(dir)
	if errors.Is(err, fs.ErrPermission) || named && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, err
	}
	return nil, nil
}

// below returns the files below a directory whose paths from there match the parts of a
// pattern, but not many more than most.
func below(ctx context.Context, in tree, root string, parts []string, most int) (files []string, err error) {
	if !in.IsDir(root) {
		return nil, nil
	}
	err = in.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir(), entry.Type()&fs.ModeSymlink != 0 && in.IsDir(path):
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

// namesIn returns the names in a directory, or what follows the name of one in those of remote files.
func namesIn(fs vfs.FS, dir string) (names []string, err error) {
	from, ok := fs.(lister)
	if !ok || !strings.Contains(dir, "://") {
		return fs.List(dir)
	}
	prefix := strings.TrimRight(dir, "/") + "/"
	err = from.ListFrom(prefix, func(name string) bool {
		if name = strings.TrimPrefix(name, prefix); !strings.Contains(name, "/") {
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	return names, err
}

// joined returns the name of a file in a directory.
func joined(dir, name string) string {
	if strings.Contains(dir, "://") {
		return strings.TrimRight(dir, "/") + "/" + name
	}
	return filepath.Join(dir, name)
}
