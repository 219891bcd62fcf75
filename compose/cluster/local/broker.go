package local

import (
	"context"
	"fmt"

	"analyzer/process"
	"analyzer/shuffle/rabbit/node"
)

// brokerNode is the broker of a cluster, its own or not.
type brokerNode struct {
	url  string
	node *node.Node // nil: it is not ours
}

// openBroker starts a node in a directory, a temporary one if it is "", unless
// there is a broker already.
func openBroker(ctx context.Context, url, dir string) (*brokerNode, error) {
	if url != "" {
		return &brokerNode{url: url}, nil
	}
	node, err := node.Start(ctx, node.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	return &brokerNode{url: node.URL(), node: node}, nil
}

// keep starts the broker again when it dies, until the context ends.
func (b *brokerNode) keep(ctx context.Context, notice func(string)) error {
	if b.node == nil {
		return nil
	}
	var backoff process.Backoff
	for {
		select {
		case <-b.node.Done():
		case <-ctx.Done():
			return nil
		}
		notice("the broker died; starting it again")
		if err := b.node.Restart(ctx); err == nil {
			backoff = process.Backoff{}
		} else if ctx.Err() == nil {
			notice(fmt.Sprintf("the broker does not start: %v", err))
		}
		if !backoff.Wait(ctx) {
			return nil
		}
	}
}

func (b *brokerNode) stop() error {
	if b.node == nil {
		return nil
	}
	return b.node.Stop()
}
