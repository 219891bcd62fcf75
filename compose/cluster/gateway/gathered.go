package gateway

import (
	"context"
	"sync"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// gathered are batches of an upload or an Inlet whose messages are not published yet, but will be together. Where
// most rows of a block are left out or aggregated, its messages are small, and each costs the broker and its receiver
// more than what is in it.
type gathered struct {
	g    *Gateway
	ctx  context.Context                  // of the messages
	most int                              // as many batches are published
	done func(batches []begun, err error) // as for broker.Publisher

	mu       sync.Mutex
	batches  []begun
	messages []broker.Message
	bytes    int64 // of messages, held in credit
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

// acquire waits until n bytes may be held.
func (a *gathered) acquire(n int64) error {
	if a.g.credit.try(n) {
		return nil
	}
	a.publish() // others may wait for what these hold
	return a.g.credit.acquire(a.ctx, n)
}

// add adds a batch whose messages take the place of held bytes, and reports whether it is one that waits for others.
func (a *gathered) add(b begun, held int64, messages []broker.Message) (waits bool) {
	bytes := bytesOf(messages)
	a.g.credit.exchange(held, bytes)
	a.mu.Lock()
	a.batches, a.messages, a.bytes = append(a.batches, b), append(a.messages, messages...), a.bytes+bytes
	full := len(a.batches) >= a.most || a.bytes >= gatheredBytes*int64(len(messages))
	a.mu.Unlock()
	if full {
		a.publish()
	}
	return !full
}

// publish hands what is gathered to the broker.
func (a *gathered) publish() {
	a.mu.Lock()
	batches, messages := a.batches, a.messages
	a.batches, a.messages, a.bytes = nil, nil, 0
	a.mu.Unlock()
	a.g.publisher.Publish(a.ctx, messages, func(err error) {
		if err == nil {
			for _, b := range batches {
				a.g.metrics.BatchTook.Observe(time.Since(b.at))
			}
		}
		a.done(batches, err)
	})
}

// since says when the first batch was there that waits; the zero time: there is none.
func (a *gathered) since() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.batches) == 0 {
		return time.Time{}
	}
	return a.batches[0].at
}
