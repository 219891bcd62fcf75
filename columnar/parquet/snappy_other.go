//go:build !amd64

package parquet

const (
	decodesTags = false
	recent      = 0
)

type tagTable struct{}

var tags tagTable

func decodeTags(_ []byte, done, _ int, _ []byte, at int, _ *tagTable) (newDone, newAt int) {
	return done, at
}
