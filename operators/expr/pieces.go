package expr

import "errors"

const (
	// pieceBytes is about how many bytes the expressions of some rows make at once: of texts and lists, and of values of
	// a fixed size.
	pieceBytes = 4 << 20
	// firstPiece is of how many rows texts and lists are made first, as nobody knows then how long they are.
	firstPiece = 32
	// leastPiece is how many rows are worth computing at once, however many expressions there are.
	leastPiece = 64
	valueBytes = 8
	// LeastBytes is how many bytes each part of an expression makes at least, of values of a fixed size.
	LeastBytes = leastPiece * valueBytes
)

// Pieces says how many rows of a batch are computed at once, so that what expressions make of them takes little memory,
// however many they are and however long texts and lists are.
type Pieces struct {
	rows int // for texts and lists; 0: none are made
	most int
}

// PiecesOf returns the pieces in which batches are computed by all of some evaluators.
func PiecesOf(all ...*Evaluator) Pieces {
	p, made := Pieces{}, 1
	for _, ev := range all {
		made += ev.parts
		if ev.varies {
			p.rows = firstPiece
		}
	}
	p.most = max(pieceBytes/valueBytes/made, leastPiece)
	return p
}

// Next returns how many rows to compute of those that are left.
func (p *Pieces) Next(left int) int {
	if p.rows > 0 {
		left = min(p.rows, left)
	}
	return min(p.most, left)
}

// Again takes note of how many bytes were made of so many rows, or of the error, and reports whether they
// must be computed again, fewer at once, since all of them made too much.
func (p *Pieces) Again(rows, made int, err error) bool {
	switch {
	case rows > 1 && errors.Is(err, ErrMuchText):
		p.rows = rows / 2
		return true
	case made > pieceBytes:
		p.rows = max(1, rows*(pieceBytes>>10)/(made>>10))
	case made <= pieceBytes/4 && rows == p.rows:
		p.rows *= 4
	}
	return false
}
