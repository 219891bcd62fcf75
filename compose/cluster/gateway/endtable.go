package gateway

import (
	"context"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// endTable tells every receiver of a scan's rows how many batches there are.
func (g *Gateway) endTable(ctx context.Context, body []byte) (any, []byte, error) {
	var r protocol.TableEnd
	if err := parse(body, &r); err != nil {
		return nil, nil, err
	}
	k, err := g.jobs.find(ctx, r.Job, ownerOf(ctx))
	if err != nil {
		return nil, nil, err
	}
	defer g.jobs.release(k)
	s, err := k.scan(r.Node, g.rt)
	if err != nil {
		return nil, nil, refused("%v", err)
	}
	messages, err := s.Ends(r.Batches)
	if err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	g.admission.credit.exchange(0, bytesOf(messages))
	g.forwarder.send(ctx, messages, func(err error) { done <- err })
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, nil, g.explain(ctx, r.Job, err)
	}
	return nothing{}, nil, nil
}

// bytesOf returns the bytes of the messages' bodies.
func bytesOf(messages []broker.Message) int64 {
	var n int64
	for _, m := range messages {
		n += int64(len(m.Body))
	}
	return n
}
