package generate

import (
	"context"

	"analyzer/datasets/generate/internal/text"
)

// Movies writes movies_metadata.csv, ratings.csv and credits.csv.
func Movies(ctx context.Context, o Options) error {
	if err := o.validate(); err != nil {
		return err
	}
	words, err := text.Load()
	if err != nil {
		return err
	}
	f := newFilms(o)
	metadata, ratings, credits := newMetadata(o, f, words), newRatings(o, f), newCredits(o, f, words)
	if err := words.Err(); err != nil {
		return err
	}
	return writeAll(ctx, o, metadata.table(), ratings.table(), credits.table())
}
