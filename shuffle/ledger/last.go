package ledger

import (
	"math"

	"analyzer/shuffle/envelope"
)

// Seen reports whether the message id of a sender was recorded. It is false for
// what is unknown.
func (l *Ledger) Seen(port int, from envelope.Sender, id uint64) bool {
	s, err := l.stream(port, from)
	return err == nil && id <= math.MaxUint32 && s.seen.Contains(uint32(id))
}

// TakeBack forgets what was recorded last, which is tentative still: a message
// that turned out not to be one that can be used. It does nothing when there is
// nothing to forget.
func (l *Ledger) TakeBack() {
	if last := len(l.tentative) - 1; last >= 0 {
		e := l.tentative[last]
		e.stream.undo(e)
		l.tentative = l.tentative[:last]
	}
}
