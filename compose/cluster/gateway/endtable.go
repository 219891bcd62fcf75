package gateway

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
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
	f, err := k.feed(r.Node, g.rt)
	if err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}
	messages, err := f.ends(r.Batches)
	if err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	g.credit.exchange(0, bytesOf(messages))
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

// ends makes the messages that say how many batches a scan has.
func (f *feed) ends(batches uint64) ([]outgoing, error) {
	var out []outgoing
	_, ways := f.outlets()
	for _, way := range ways {
		for _, replica := range way.Receivers {
			e := envelope.Envelope{
				Job: f.spec.ID, Node: way.Node, Input: way.Input, Replica: replica,
				Sender: envelope.ScanSender(f.node.ID), Kind: envelope.End, ID: batches,
			}
			body, err := envelope.Append(nil, e, nil)
			if err != nil {
				return nil, err
			}
			out = append(out, outgoing{f.spec.Queue(way.Node, way.Input, replica), body})
		}
	}
	return out, nil
}

// bytesOf returns the bytes of the messages' bodies.
func bytesOf(messages []outgoing) int64 {
	var n int64
	for _, m := range messages {
		n += int64(len(m.body))
	}
	return n
}
