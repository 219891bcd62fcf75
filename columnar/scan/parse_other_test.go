//go:build !amd64

package scan

func availableParsers() map[string]parsers { return map[string]parsers{"portable": portableParsers} }
