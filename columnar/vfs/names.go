package vfs

import (
	"path"
	"path/filepath"
	"strings"
)

// cutScheme divides the address of a file elsewhere, such as s3://bucket/key, into its scheme and
// the rest. A path has no scheme.
func cutScheme(name string) (scheme, rest string) {
	at := strings.Index(name, "://")
	if at <= 1 { // a letter alone is a drive
		return "", name
	}
	return name[:at+len("://")], name[at+len("://"):]
}

// Join returns the name of a file in a directory, of which either may be an address.
func Join(dir, name string) string {
	if scheme, rest := cutScheme(dir); scheme != "" {
		return scheme + path.Join(rest, filepath.ToSlash(name))
	}
	return filepath.Join(dir, name)
}

// Dir returns the directory of a file, whose name may be an address.
func Dir(name string) string {
	if scheme, rest := cutScheme(name); scheme != "" {
		return scheme + path.Dir(rest)
	}
	return filepath.Dir(name)
}

// Base returns the last part of the name of a file, which may be an address.
func Base(name string) string {
	if scheme, rest := cutScheme(name); scheme != "" {
		return path.Base(rest)
	}
	return filepath.Base(name)
}
