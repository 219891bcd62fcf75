package ledger

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"analyzer/shuffle/envelope"
)

// MaxMessages is how many messages one sender can send to one port. That is 64 TiB at
// 64 KiB each.
const MaxMessages = 1 << 30

var (
	// ErrUnknown is wrapped by the error of a port or sender that the ledger does
	// not have.
	ErrUnknown = errors.New("unknown")

	// ErrContradiction is wrapped by the error of a message that contradicts earlier
	// ones: an id beyond the end, an end at or below an id that was seen, or a second,
	// different end; also of an id or end beyond MaxMessages.
	ErrContradiction = errors.New("contradiction")
)

// Port is an input of a node of the plan, and who sends to it.
type Port struct {
	Node, Input int
	Senders     []envelope.Sender
}

// Ledger records the messages of all ports of one replica of a job. A port is identified
// by its position in the slice given to New. A Ledger has one user at a time.
type Ledger struct {
	ports       []port
	fingerprint uint64
}

type port struct {
	Port
	streams []stream // one for each of Senders
}

// New returns a ledger without any messages. Errors: a port without senders, a port that
// occurs twice, a sender that occurs twice in one port.
func New(ports []Port) (*Ledger, error) {
	l := &Ledger{ports: make([]port, len(ports))}
	for i, p := range ports {
		if len(p.Senders) == 0 {
			return nil, fmt.Errorf("ledger: nobody sends to %s", p)
		}
		for _, q := range ports[:i] {
			if p.Node == q.Node && p.Input == q.Input {
				return nil, fmt.Errorf("ledger: %s occurs twice", p)
			}
		}
		for j, s := range p.Senders {
			if slices.Contains(p.Senders[:j], s) {
				return nil, fmt.Errorf("ledger: %s sends twice to %s", s, p)
			}
		}
		p.Senders = slices.Clone(p.Senders)
		l.ports[i] = port{Port: p, streams: newStreams(len(p.Senders))}
	}
	l.fingerprint = fingerprint(ports)
	return l, nil
}

// String returns "node 3 input 1".
func (p Port) String() string { return fmt.Sprintf("node %d input %d", p.Node, p.Input) }

// Record records a sender's message by its id. The message is fresh unless it was
// recorded before. Errors wrap ErrUnknown or ErrContradiction and change nothing.
func (l *Ledger) Record(port int, from envelope.Sender, id uint64) (fresh bool, err error) {
	return l.note(port, from, id, (*stream).add)
}

// End records that a sender sends n messages, with ids 0 to n-1. That is fresh unless it
// was recorded before. Errors wrap ErrUnknown or ErrContradiction and change nothing.
func (l *Ledger) End(port int, from envelope.Sender, n uint64) (fresh bool, err error) {
	return l.note(port, from, n, (*stream).finish)
}

func (l *Ledger) note(port int, from envelope.Sender, n uint64, in func(*stream, uint64) (bool, error)) (fresh bool, err error) {
	s, err := l.stream(port, from)
	if err != nil {
		return false, err
	}
	if fresh, err = in(s, n); err != nil {
		return false, fmt.Errorf("%s from %s: %w", l.ports[port], from, err)
	}
	return fresh, nil
}

func (l *Ledger) stream(port int, from envelope.Sender) (*stream, error) {
	if port < 0 || port >= len(l.ports) {
		return nil, fmt.Errorf("%w port %d of %d", ErrUnknown, port, len(l.ports))
	}
	p := &l.ports[port]
	at := slices.Index(p.Senders, from)
	if at < 0 {
		return nil, fmt.Errorf("%w sender %s to %s", ErrUnknown, from, p)
	}
	return &p.streams[at], nil
}

// Complete reports whether a port has everything its senders send.
func (l *Ledger) Complete(port int) bool {
	for i := range l.ports[port].streams {
		if !l.ports[port].streams[i].complete() {
			return false
		}
	}
	return true
}

// Seen reports whether a sender's message was recorded. It is false for an unknown port
// or sender.
func (l *Ledger) Seen(port int, from envelope.Sender, id uint64) bool {
	s, err := l.stream(port, from)
	return err == nil && id <= math.MaxUint32 && s.seen.Contains(uint32(id))
}
