package gateway

import (
	"context"
	"encoding/json"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/peer"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
)

// DoGet sends the answer to a query, starting from the page in the ticket.
func (g *Gateway) DoGet(ticket *flight.Ticket, stream flight.FlightService_DoGetServer) error {
	var t protocol.Ticket
	if err := json.Unmarshal(ticket.GetTicket(), &t); err != nil {
		return refused("read the ticket: %v", err)
	}
	if t.Page < 0 {
		return refused("there is no page %d", t.Page)
	}
	ctx := stream.Context()
	owner := OwnerOf(ctx)
	if err := g.downloads.Take(owner, 1); err != nil {
		return err
	}
	defer g.downloads.Give(owner, 1)
	k, err := g.jobs.find(ctx, t.Job, owner)
	if err != nil {
		return err
	}
	node, replica, err := k.spec.AnswerNode(t.Query)
	if err != nil {
		return refused("%v", err)
	}
	return g.sendPages(stream, &t, replica, k.spec.Plan.Nodes[node].Schema)
}

func (g *Gateway) sendPages(stream flight.FlightService_DoGetServer, t *protocol.Ticket, replica int, schema columnar.Schema) error {
	for n, first := t.Page, true; ; n++ {
		if g.stopping() {
			return errStopping
		}
		page, err := g.page(stream.Context(), t, replica, n)
		if err != nil {
			return err
		}
		if first {
			header, err := ipc.Schema(schema.Arrow())
			if err == nil {
				err = g.sendOrCut(stream, &flight.FlightData{DataHeader: header})
			}
			if err != nil {
				return err
			}
			first = false
		}
		if n >= page.Pages {
			return nil
		}
		if err := g.sendPage(stream, n, page.Data); err != nil {
			return err
		}
	}
}

// page asks a replica for one page of an answer. A page past the last has no data.
func (g *Gateway) page(ctx context.Context, t *protocol.Ticket, replica, n int) (*protocol.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Timeout)
	defer cancel()
	r, err := g.caller.ask(ctx, replica, protocol.Request{Action: protocol.ActionPage, Job: t.Job, Query: t.Query, Page: n, Onlooker: t.Onlooker})
	if err == nil {
		err = bereaved(t.Job, r)
	}
	switch {
	case protocol.CodeOf(err) == protocol.JobEnded:
		g.jobs.forget(t.Job)
	case err == nil && !r.Ready:
		err = protocol.Errorf(protocol.NotReady, "the answer to %s is not ready", t.Query)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (g *Gateway) sendPage(stream flight.FlightService_DoGetServer, n int, body []byte) error {
	header, data, err := ipc.Split(body)
	if err != nil {
		return err
	}
	d := &flight.FlightData{DataHeader: header, DataBody: data, AppMetadata: protocol.EncodeNumber(uint64(n))}
	if err := g.sendOrCut(stream, d); err != nil {
		return err
	}
	g.metrics.Pages.Add(1)
	return nil
}

// sendOrCut sends a message. It cuts off a client that reads so slowly that the message
// waits longer than Config.Stall to be sent, since a waiting message takes memory.
func (g *Gateway) sendOrCut(stream flight.FlightService_DoGetServer, d *flight.FlightData) error {
	late := time.AfterFunc(g.cfg.Stall, func() { g.hangUp(stream.Context()) })
	defer late.Stop()
	return stream.Send(d)
}

// hangUp closes the connection of a call: gRPC itself can only end a call, and keeps its
// unsent data until the client reads it.
func (g *Gateway) hangUp(ctx context.Context) {
	if p, ok := peer.FromContext(ctx); ok {
		g.connections.Cut(p.Addr.String())
	}
}
