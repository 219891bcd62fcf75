package ledger

import (
	"fmt"
	"testing"

	"analyzer/shuffle/envelope"
)

var onePort = []Port{{Node: 1, Senders: []envelope.Sender{left, right}}}

const seeds = 2000

// simulate runs a world for each seed and returns how many went wrong, and how
// the first did.
func simulate(t *testing.T, run func(seed uint64) error) (wrong int, first error) {
	t.Helper()
	for seed := range uint64(seeds) {
		if err := run(seed); err != nil {
			if wrong++; first == nil {
				first = fmt.Errorf("seed %d: %w", seed, err)
			}
		}
	}
	return wrong, first
}

func runBooks(t *testing.T, mutate func(*Ledger) books) func(seed uint64) error {
	return func(seed uint64) error {
		r, err := newReceiver(mutate(newLedger(t, onePort)))
		if err != nil {
			return err
		}
		return newWorld(seed).run(r)
	}
}

func TestEverythingIsTakenExactlyOnce(t *testing.T) {
	if wrong, err := simulate(t, runBooks(t, func(l *Ledger) books { return l })); wrong > 0 {
		t.Errorf("%d of %d seeds go wrong; %v", wrong, seeds, err)
	}
}

// The simulation catches ledgers with typical mistakes.
func TestMutantsAreCaught(t *testing.T) {
	for name, mutate := range map[string]func(*Ledger) books{
		"the end counts messages": func(l *Ledger) books { return &countsMessages{Ledger: l} },
		"nothing is dropped":      func(l *Ledger) books { return dropsNothing{l} },
		"order is believed":       func(l *Ledger) books { return &believesOrder{Ledger: l, next: map[envelope.Sender]uint64{}} },
		"one end is enough":       func(l *Ledger) books { return &oneEnd{Ledger: l} },
		"the end is the last":     func(l *Ledger) books { return &endIsLast{Ledger: l, ended: map[envelope.Sender]bool{}} },
		"a failed commit is kept": func(l *Ledger) books { return keepsFailed{l} },
		"a crash forgets":         func(l *Ledger) books { return volatileLedger{l} },
		"the end is what came":    func(l *Ledger) books { return &endIsWhatCame{l} },
	} {
		if wrong, err := simulate(t, runBooks(t, mutate)); wrong == 0 {
			t.Errorf("%s: not caught in %d seeds", name, seeds)
		} else {
			t.Logf("%s: caught in %d of %d seeds; %v", name, wrong, seeds, err)
		}
	}
}

// countsMessages compares the number of messages that came, duplicates included, with the
// number that were sent.
type countsMessages struct {
	*Ledger
	came, there int
}

func (m *countsMessages) Record(port int, from envelope.Sender, id uint64) (bool, error) {
	m.came++
	return m.Ledger.Record(port, from, id)
}

func (m *countsMessages) End(port int, from envelope.Sender, n uint64) (bool, error) {
	fresh, err := m.Ledger.End(port, from, n)
	if fresh {
		m.there += int(n)
	}
	return fresh, err
}

func (m *countsMessages) Complete(port int) bool {
	return m.Stats(port).Ended == 2 && m.came >= m.there
}

type dropsNothing struct{ *Ledger }

func (m dropsNothing) Record(port int, from envelope.Sender, id uint64) (bool, error) {
	_, err := m.Ledger.Record(port, from, id)
	return true, err
}

// believesOrder takes a message for a duplicate when a later one has come.
type believesOrder struct {
	*Ledger
	next map[envelope.Sender]uint64
}

func (m *believesOrder) Record(port int, from envelope.Sender, id uint64) (bool, error) {
	_, err := m.Ledger.Record(port, from, id)
	fresh := id >= m.next[from]
	m.next[from] = max(m.next[from], id+1)
	return fresh, err
}

// oneEnd is complete when one of the senders is complete.
type oneEnd struct{ *Ledger }

func (m *oneEnd) Complete(port int) bool {
	for i := range m.ports[port].streams {
		if m.ports[port].streams[i].complete() {
			return true
		}
	}
	return false
}

// endIsLast believes that nothing comes after an end.
type endIsLast struct {
	*Ledger
	ended map[envelope.Sender]bool
}

func (m *endIsLast) End(port int, from envelope.Sender, n uint64) (bool, error) {
	m.ended[from] = true
	return m.Ledger.End(port, from, n)
}

func (m *endIsLast) Complete(int) bool { return len(m.ended) == 2 }

// keepsFailed takes messages that a failed commit has lost for duplicates.
type keepsFailed struct{ *Ledger }

func (m keepsFailed) UnmarshalBinary([]byte) error { return nil }

// volatileLedger does not come back after a crash.
type volatileLedger struct{ *Ledger }

func (m volatileLedger) UnmarshalBinary([]byte) error {
	empty, err := New(onePort)
	if err == nil {
		*m.Ledger = *empty
	}
	return err
}

// endIsWhatCame does not ask the sender how many messages there are.
type endIsWhatCame struct{ *Ledger }

func (m *endIsWhatCame) End(port int, from envelope.Sender, _ uint64) (bool, error) {
	s, err := m.stream(port, from)
	if err != nil {
		return false, err
	}
	return m.Ledger.End(port, from, s.bound())
}
