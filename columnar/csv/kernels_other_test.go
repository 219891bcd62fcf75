//go:build !amd64

package csv

func otherExtractors() map[string]extractor { return nil }
