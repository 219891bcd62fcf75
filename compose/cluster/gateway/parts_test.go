package gateway

import (
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/envelope"
)

// parts cuts a batch into messages with so many bytes of its body each.
func parts(d *flight.FlightData, size int) []*flight.FlightData {
	first := &flight.FlightData{DataHeader: d.DataHeader, AppMetadata: d.AppMetadata}
	out := []*flight.FlightData{first}
	body := d.DataBody
	first.DataBody, body = body[:min(size, len(body))], body[min(size, len(body)):]
	for len(body) > 0 {
		n := min(size, len(body))
		out = append(out, &flight.FlightData{DataBody: body[:n]})
		body = body[n:]
	}
	return out
}

// allRowsOfSales is a query that lets all rows travel on.
func allRowsOfSales() *plan.Node {
	return plan.From("sales").Select("shop", "good").Sort(plan.Asc("shop"))
}

// A batch gives the same result in one message or in many, even if the first message has
// nothing of its body.
func TestABatchInParts(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	rows := "1 tea 2 " + strings.Repeat("salt", 1<<10) + " 3 pepper"
	for k, size := range []int{1 << 20, 1 << 10, 100, 0} {
		p := ann.put(spec, scanOf(t, spec))
		whole := p.batch(7, rows)
		if size == 0 {
			p.send(&flight.FlightData{DataHeader: whole.DataHeader, AppMetadata: whole.AppMetadata})
			p.send(&flight.FlightData{DataBody: whole.DataBody})
		} else {
			for _, d := range parts(whole, size) {
				p.send(d)
			}
		}
		p.send(p.batch(8, "4 tea"))
		if acks, err := p.finish(); err != nil || len(acks) != 2 {
			t.Fatalf("parts of %d bytes: answers %v, %v", size, acks, err)
		}
		for _, w := range c.workers {
			waitFor(t, "the messages", func() bool { return len(w.ids(envelope.Data)) == 2*(k+1) })
		}
	}
	for _, w := range c.workers {
		bodies := make(map[string]bool)
		w.mu.Lock()
		for _, m := range w.data {
			if m.envelope.ID == 7 {
				bodies[string(m.body)] = true
			}
		}
		w.mu.Unlock()
		if len(bodies) != 1 {
			t.Errorf("worker %d has %d different messages of one batch", w.replica, len(bodies))
		}
	}
}

// A batch whose parts make less or more than its body is refused, and nothing of it is
// held afterwards.
func TestBatchesWhosePartsDoNotFit(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.Stall = 200 * time.Millisecond })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	long := "1 " + strings.Repeat("tea", 1000)
	for name, change := range map[string]func(p *put, d []*flight.FlightData) []*flight.FlightData{
		"the end is missing": func(_ *put, d []*flight.FlightData) []*flight.FlightData { return d[:2] },
		"too much": func(_ *put, d []*flight.FlightData) []*flight.FlightData {
			d[1].DataBody = append(d[1].DataBody, make([]byte, 8<<10)...)
			return d
		},
		"an empty part": func(_ *put, d []*flight.FlightData) []*flight.FlightData { d[1].DataBody = nil; return d },
		"another batch in between": func(p *put, d []*flight.FlightData) []*flight.FlightData {
			return []*flight.FlightData{d[0], p.batch(9, "1 tea")}
		},
		"a part with a number": func(_ *put, d []*flight.FlightData) []*flight.FlightData {
			d[1].AppMetadata = protocol.EncodeNumber(0)
			return d
		},
	} {
		p := ann.put(spec, scanOf(t, spec))
		for _, d := range change(p, parts(p.batch(0, long), 1<<10)) {
			p.send(d)
		}
		if _, err := p.finish(); protocol.CodeOf(err) != protocol.BadBatch || status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := ann.put(spec, scanOf(t, spec))
	p.send(parts(p.batch(0, long), 1<<10)[0])
	if _, err := p.acked(); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "send it again") {
		t.Errorf("a client that does not go on is told %v", err)
	}
	waitFor(t, "nothing held", func() bool { return c.metrics.Held.Load() == 0 })
	c.alive()
}

// A batch longer than any may be is refused at its first message.
func TestABatchThatIsTooLong(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(parts(p.batch(0, "1 "+strings.Repeat("tea!", protocol.MaxBatch/4)), 1<<10)[0])
	if _, err := p.acked(); protocol.CodeOf(err) != protocol.TooLarge {
		t.Errorf("told %v", err)
	}
	c.alive()
}
