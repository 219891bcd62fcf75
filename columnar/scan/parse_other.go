//go:build !amd64

package scan

// newParsers returns the fastest parsers, or the portable ones.
func newParsers(bool) parsers { return portableParsers }
