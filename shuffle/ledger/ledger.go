package ledger

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"analyzer/shuffle/envelope"
)

// MaxMessages is how many messages one sender can send to one port: 64 TiB of
// them, if a message has 64 KiB.
const MaxMessages = 1 << 30

var (
	// ErrUnknown is wrapped by the error of a port or sender that is not one of
	// the ledger's.
	ErrUnknown = errors.New("unknown")

	// ErrContradiction is wrapped by the error of a message that cannot be true
	// if those before it are: an id beyond the end, an end before an id that was
	// seen, or a second, other end.
	ErrContradiction = errors.New("contradiction")
)

// Port is an input of a node of the plan, and who sends to it.
type Port struct {
	Node, Input int
	Senders     []envelope.Sender
}

// Ledger keeps book of all ports of one replica of a job. Ports are named by
// their position in the slice given to New. It has one user at a time.
type Ledger struct {
	ports       []port
	fingerprint uint64
}

type port struct {
	Port
	streams []stream // of Senders
}

// New returns a ledger without any messages. A port without senders, one that
// occurs twice or has a sender twice is an error.
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

// Record notes the message id of a sender. It is fresh unless it was recorded
// before. Errors wrap ErrUnknown or ErrContradiction and note nothing.
func (l *Ledger) Record(port int, from envelope.Sender, id uint64) (fresh bool, err error) {
	return l.note(port, from, id, (*stream).add)
}

// End notes that a sender sends n messages, with ids 0 to n-1. It is fresh
// unless it was noted before. Errors wrap ErrUnknown or ErrContradiction and note
// nothing.
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

// Seen reports whether the message id of a sender was recorded. It is false for
// what is unknown.
func (l *Ledger) Seen(port int, from envelope.Sender, id uint64) bool {
	s, err := l.stream(port, from)
	return err == nil && id <= math.MaxUint32 && s.seen.Contains(uint32(id))
}
