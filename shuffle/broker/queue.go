package broker

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kind says how the broker keeps the messages of a queue.
type Kind uint8

// The kinds of queues.
const (
	// Classic queues live on one node of the broker.
	Classic Kind = iota
	// Quorum queues are replicated and synced to disk on a majority of nodes:
	// for brokers of several nodes, and where power may fail.
	Quorum
)

// kinds are the names of the kinds, as RabbitMQ has them too.
var kinds = []string{Classic: "classic", Quorum: "quorum"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// ParseKind is the inverse of Kind.String.
func ParseKind(s string) (Kind, error) {
	if k := slices.Index(kinds, s); k >= 0 {
		return Kind(k), nil
	}
	return 0, fmt.Errorf("queue type %q: want %s", s, strings.Join(kinds, " or "))
}

// Queue describes a queue. Its messages survive a restart of the broker unless
// it is exclusive.
type Queue struct {
	// Name is what Publish and Consume call it, up to 255 bytes.
	Name string
	Kind Kind
	// SingleActive delivers to one consumer only, as long as that one lives;
	// others stand by.
	SingleActive bool
	// Exclusive makes the queue one of the declaring Broker alone: nobody else
	// may consume from it, and it is gone, with what is in it, when the
	// connection is lost. The Broker declares it again, empty, when it has
	// reconnected. For replies. Must be classic.
	Exclusive bool
}

// Validate reports all that is wrong with a description.
func (q Queue) Validate() error {
	var errs []error
	if q.Name == "" || len(q.Name) > 255 {
		errs = append(errs, errors.New("name must have 1 to 255 bytes"))
	}
	if q.Kind > Quorum {
		errs = append(errs, fmt.Errorf("unknown %v", q.Kind))
	}
	if q.Exclusive && q.Kind != Classic {
		errs = append(errs, errors.New("an exclusive queue must be classic"))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("queue %q: %w", q.Name, err)
	}
	return nil
}
