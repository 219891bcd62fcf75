//go:build !amd64

package scan

import "unicode/utf8"

func validUTF8(text []byte) bool { return utf8.Valid(text) }
