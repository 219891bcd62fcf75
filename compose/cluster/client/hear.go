package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"

	"analyzer/compose/cluster/protocol"
)

// Bind asks the gateways which files below their sources a request reads and, of a statement, for
// its plan.
//
// What is wrong with the statement or a file is the error that a session or a scan has.
func (c *Client) Bind(ctx context.Context, r protocol.BindRequest) (*protocol.Bound, error) {
	var bound *protocol.Bound
	r.Readers = len(c.gateways)
	err := c.hear(ctx, "have a gateway find the files", c.choice(), func() (any, string) { return r, protocol.ActionBind }, func(n *protocol.News) (moved, last bool, err error) {
		bound = n.Bound
		return false, bound != nil, nil
	})
	if err == nil {
		err = checkSources(bound.Sources)
	}
	return bound, err
}

func checkSources(sources map[string]protocol.Source) error {
	for table, s := range sources {
		all := s.All()
		if len(all) == 0 || slices.ContainsFunc(all, func(f protocol.SourceFile) bool { return f.Name == "" }) {
			return fmt.Errorf("the gateway names no file for table %s", table)
		}
	}
	return nil
}

// choice chooses gateways that read files, for one call: that with the fewest such calls of this client, and
// none again before all have been tried.
type choice struct {
	of    *Client
	tried []*gateway
}

func (c *Client) choice() *choice { return &choice{of: c} }

// take returns a gateway, at which the call is at work until give.
func (h *choice) take() *gateway {
	c := h.of
	c.reading.Lock()
	defer c.reading.Unlock()
	if len(h.tried) == len(c.gateways) {
		h.tried = nil
	}
	var least *gateway
	for range c.gateways {
		g := c.next()
		if !slices.Contains(h.tried, g) && (least == nil || g.reads < least.reads) {
			least = g
		}
	}
	h.tried = append(h.tried, least)
	least.reads++
	return least
}

func (h *choice) give(g *gateway) {
	h.of.reading.Lock()
	defer h.of.reading.Unlock()
	g.reads--
}

// hear asks one gateway after the other for an action that may take long, and passes on its news
// until one of them is the last. What request returns is asked for anew at each gateway.
func (c *Client) hear(ctx context.Context, op string, from *choice, request func() (any, string), tell func(*protocol.News) (moved, last bool, err error)) error {
	var own error // of the caller, or in what it asked for
	err := c.againBy(ctx, op, true, from.take, func(g *gateway) (moved bool, err error) {
		defer from.give(g)
		asked, action := request()
		body, err := json.Marshal(asked)
		if err != nil {
			own = err
			return true, nil
		}
		if len(body) > protocol.MaxRequest {
			own = fmt.Errorf("%s: a request of %d bytes; %d are possible", op, len(body), protocol.MaxRequest)
			return true, nil
		}
		ctx, cancel := context.WithCancel(protocol.Speaking(protocol.WithToken(ctx, c.cfg.Token)))
		defer cancel()
		silent := time.AfterFunc(actionPatience, cancel)
		defer silent.Stop()
		stream, err := g.flight.DoAction(ctx, &flight.Action{Type: action, Body: body})
		if err != nil {
			return false, err
		}
		for {
			r, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				err = errEnded
			}
			if err != nil {
				return moved, err
			}
			silent.Reset(actionPatience)
			c.met.Store(true)
			n := new(protocol.News)
			if own = json.Unmarshal(r.Body, n); own != nil {
				own = fmt.Errorf("%s: read what gateway %s says: %w", op, g.addr, own)
				return true, nil
			}
			if n.Fault != nil {
				own = n.Fault.Err()
				return true, nil
			}
			var last bool
			if moved, last, own = tell(n); last || own != nil {
				return true, nil
			}
		}
	})
	return errors.Join(err, own)
}
