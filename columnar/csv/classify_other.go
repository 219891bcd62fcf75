//go:build !amd64

package csv

func newClassifier(bool) classifier { return classifyPortable }
