package generate

import (
	"context"

	"analyzer/datasets/generate/internal/text"
)

// Row counts of the published files.
const (
	gameRows       = 97_410
	gameReviewRows = 6_417_106
)

// Steam writes games.csv, under the faulty header of the published file, and
// reviews.csv.
func Steam(ctx context.Context, o Options) error {
	if err := o.validate(); err != nil {
		return err
	}
	words, err := text.Load()
	if err != nil {
		return err
	}
	g := newGames(o, words)
	reviews := newGameReviews(o, g, words)
	if err := words.Err(); err != nil {
		return err
	}
	return writeAll(ctx, o, g.table(), reviews.table())
}
