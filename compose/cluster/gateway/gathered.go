package gateway

import (
	"sync"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// gathered are batches of an upload whose messages are not published yet, but will be together. Where most rows of a
// block are left out or aggregated, its messages are small, and each costs the broker and its receiver more than what
// is in it. The messages' bytes are held in credit.
type gathered struct {
	most int // as many batches are published

	mu       sync.Mutex
	batches  []begun
	messages []broker.Message
	bytes    int64
}

// begun is a batch, and when the gateway had all of it.
type begun struct {
	number uint64
	at     time.Time
}

const (
	// gatheredBatches is how many batches are gathered at most.
	gatheredBatches = protocol.Window
	// gatheredBytes is up to how many bytes the messages of a batch have, in the mean, that are gathered: others
	// gain little by company.
	gatheredBytes = envelope.MaxJoined / 4
)

// add adds a batch with its messages of so many bytes, and reports whether it is time to publish.
func (g *gathered) add(b begun, messages []broker.Message, bytes int64) (full bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.batches, g.messages, g.bytes = append(g.batches, b), append(g.messages, messages...), g.bytes+bytes
	return len(g.batches) >= g.most || g.bytes >= gatheredBytes*int64(len(messages))
}

// take returns what was gathered, and forgets it.
func (g *gathered) take() ([]begun, []broker.Message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	batches, messages := g.batches, g.messages
	g.batches, g.messages, g.bytes = nil, nil, 0
	return batches, messages
}

// since says when the first batch was ready that is gathered now; the zero time: there is none.
func (g *gathered) since() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.batches) == 0 {
		return time.Time{}
	}
	return g.batches[0].at
}
