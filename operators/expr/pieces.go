package expr

import "errors"

const (
	// pieceBytes is about how many bytes of texts and lists the expressions of some rows make at once.
	pieceBytes = 4 << 20
	// firstPiece is of how many rows they are made first, as nobody knows then how long they are.
	firstPiece = 32
)

// Pieces says how many rows of a batch are computed at once, so that the texts and lists that
// expressions make of them take little memory however long they are. The zero value is all rows.
type Pieces struct {
	rows int // 0: all, as nothing is made that has no fixed size
}

// PiecesOf returns the pieces in which batches are computed by all of some evaluators.
func PiecesOf(all ...*Evaluator) Pieces {
	for _, ev := range all {
		if ev.varies {
			return Pieces{firstPiece}
		}
	}
	return Pieces{}
}

// Next returns how many rows to compute of those that are left.
func (p *Pieces) Next(left int) int {
	if p.rows == 0 {
		return left
	}
	return min(p.rows, left)
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
