package session

import (
	"errors"

	"analyzer/columnar"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session/inputs"
)

// Beginning says whether a job that failed on a cluster can be begun anew, as another one. The zero value
// is that of a job which is yet to be opened first.
type Beginning struct {
	engine.Answers              // where answers go; a job is not begun anew once one of them has begun
	next           func() error // begins the next answer, nil if that has begun
	begun          bool         // an answer has
	whole          bool         // files are read as wholes
	times          int
}

// mostBeginnings is how often a job is begun: a cluster that loses parts of jobs so often needs somebody
// who looks after it.
const mostBeginnings = 3

// Begin implements engine.Answers. An answer begins with its first rows, or its end.
func (b *Beginning) Begin(query string, columns columnar.Schema) error {
	b.next = func() error { return b.Answers.Begin(query, columns) }
	return nil
}

// Write implements engine.Answers.
func (b *Beginning) Write(rows columnar.Rows) error {
	if err := b.start(); err != nil {
		return err
	}
	return b.Answers.Write(rows)
}

// End implements engine.Answers.
func (b *Beginning) End() error {
	if err := b.start(); err != nil {
		return err
	}
	return b.Answers.End()
}

func (b *Beginning) start() error {
	start := b.next
	if b.next = nil; start == nil {
		return nil
	}
	b.begun = true
	return start()
}

// Discarded tells that nothing of the answers which have begun is left, as if none had.
func (b *Beginning) Discarded() { b.begun = false }

// Again reports whether to begin a job anew that has failed. So it is if a part of it was lost, or a file was cut
// within quotes, no answer has begun, and its inputs can be read once more.
func (b *Beginning) Again(err error, in *inputs.Inputs) bool {
	cut := errors.Is(err, client.ErrWithinQuotes)
	b.times++
	b.whole = b.whole || cut
	return (cut || errors.Is(err, protocol.ErrLost)) && !b.begun && b.times < mostBeginnings && in.Again()
}

// Sources returns how gateways read files for the next job: as wholes once one was cut within quotes.
func (b *Beginning) Sources(of map[string]protocol.Source) map[string]protocol.Source {
	if !b.whole {
		return of
	}
	return protocol.Whole(of)
}
