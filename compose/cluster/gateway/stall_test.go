package gateway

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
)

// TestDownloadsThatAreNotRead asks for more answers than a client may have at a
// time, and reads none of them: they are cut off, and nobody else is.
func TestDownloadsThatAreNotRead(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.MaxDownloads, cfg.Stall = 4, time.Second })
	ann, bob := c.client(annToken), c.client(bobToken)
	spec := c.open(ann, request())
	node, _, err := spec.AnswerNode("q1")
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, spec.Plan.Nodes[node].Schema, 0, 100_000)
	const pages = 20 // twice as much as gRPC takes for a client that does not ask
	c.answerPages(spec, slices.Repeat([][]byte{page}, pages)...)
	ticket, err := json.Marshal(protocol.Ticket{Job: spec.ID, Query: "q1"})
	if err != nil {
		t.Fatal(err)
	}
	var open []flight.FlightService_DoGetClient
	for range 2 {
		get, err := ann.flight.DoGet(ann.ctx, &flight.Ticket{Ticket: ticket})
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, get)
	}
	waitFor(t, "two downloads", func() bool { return c.metrics.Downloads.Load() == 2 })
	if _, err := ann.get(protocol.Ticket{Job: spec.ID, Query: "q1"}); status.Code(err) != codes.Unavailable {
		t.Errorf("a third download of one client: %v", err)
	}
	if messages, err := bob.get(protocol.Ticket{Job: c.open(bob, request()).ID, Query: "q1"}); err != nil || len(messages) != pages+1 {
		t.Errorf("another client: %d messages, %v", len(messages), err)
	}
	waitFor(t, "the downloads to be cut off", func() bool { return c.metrics.Downloads.Load() == 0 })
	for _, get := range open {
		for err = nil; err == nil; {
			_, err = get.Recv()
		}
		if status.Code(err) != codes.Unavailable {
			t.Errorf("a download that was not read ended with %v", err)
		}
	}
}
