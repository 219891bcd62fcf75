package gateway

import (
	"context"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// newPublisher returns a publisher of messages whose bytes count as held in credit. It
// releases the bytes of each message when the message is settled.
func newPublisher(b broker.Broker, c *credit, m *Metrics, crash func(point string)) *broker.Publisher {
	return broker.NewPublisher(b, envelope.MaxJoined, broker.Watch{
		Handed: func(sent broker.Message, left int) {
			m.Messages.Add(1)
			m.MessageBytes.Add(int64(len(sent.Body)))
			if left > 0 {
				crash(PointHalfForward)
			}
		},
		Again:   func(broker.Message) { m.Republished.Add(1) },
		Settled: func(sent broker.Message) { c.release(int64(len(sent.Body))) },
	})
}

// bytesOf returns the total size of the messages' bodies in bytes.
func bytesOf(messages []broker.Message) int64 {
	var n int64
	for _, m := range messages {
		n += int64(len(m.Body))
	}
	return n
}

// endTable tells every receiver of a scan's rows how many batches a split of its table has.
func (g *Gateway) endTable(ctx context.Context, k *knownJob, r *protocol.TableEnd) (any, error) {
	s, err := k.scan(r.Node, r.Split, g.rt)
	if err != nil {
		return nil, err
	}
	messages, err := s.Ends(r.Split, r.Batches)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	g.credit.exchange(0, bytesOf(messages))
	g.publisher.Publish(ctx, messages, func(err error) { done <- err })
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, g.explain(ctx, r.Job, err)
	}
	if r.Read != nil && r.Read.Keepable(k.spec) {
		g.caller.tell(0, protocol.Request{Action: protocol.ActionRead, Job: r.Job, Read: r.Read})
	}
	return nothing{}, nil
}
