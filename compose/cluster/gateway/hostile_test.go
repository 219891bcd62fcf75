package gateway

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// alive checks that the gateway still serves others.
func (c *cluster) alive() {
	c.Helper()
	bob := c.client(bobToken)
	spec := c.open(bob, request())
	p := bob.put(spec, scanOf(c.T, spec))
	p.send(p.batch(0, "1 tea"))
	if acks, err := p.finish(); err != nil || len(acks) != 1 {
		c.Errorf("another client: answers %v, %v", acks, err)
	}
}

func TestUploadsThatDoNotBeginWell(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	scan := scanOf(t, spec)
	good := command(protocol.Put{Job: spec.ID, Node: scan})
	header := func(s columnar.Schema) []byte {
		h, err := ipc.Schema(s.Arrow())
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	whole, err := protocol.UploadSchema(spec, scan)
	if err != nil {
		t.Fatal(err)
	}
	for name, messages := range map[string][]*flight.FlightData{
		"nothing":         {},
		"no descriptor":   {{DataHeader: header(whole)}},
		"a path":          {{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: []string{"../etc"}}}},
		"an odd command":  {{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: []byte("drop")}}},
		"no schema":       {{FlightDescriptor: good}},
		"an empty schema": {{FlightDescriptor: good}, {}},
		"other columns":   {{FlightDescriptor: good, DataHeader: header(whole[:1])}},
		"another order":   {{FlightDescriptor: good, DataHeader: header(columnar.Schema{whole[1], whole[0]})}},
		"another type":    {{FlightDescriptor: good, DataHeader: header(columnar.Schema{whole[0], {Name: "good", Type: columnar.Float}})}},
		"another name":    {{FlightDescriptor: good, DataHeader: header(columnar.Schema{whole[0], {Name: "../good", Type: columnar.Text}})}},
		"odd bytes":       {{FlightDescriptor: good, DataHeader: []byte("\xff\xff\xff\xff\xff\xff\xff\x7f")}},
		"a long header":   {{FlightDescriptor: good, DataHeader: make([]byte, maxHeader+1)}},
		"a long command":  {{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: make([]byte, maxDescriptor+1)}}},
	} {
		p := &put{client: ann, stream: ann.rawPut()}
		for _, m := range messages {
			p.send(m)
		}
		_, err := p.finish()
		code := status.Code(err)
		if name == "nothing" || name == "no schema" {
			if err != nil {
				t.Errorf("%s: %v", name, err) // the client left, that is all
			}
			continue
		}
		if code != codes.InvalidArgument && code != codes.Internal {
			t.Errorf("%s: %v", name, err)
		}
		if strings.HasPrefix(name, "another") && protocol.CodeOf(err) != protocol.BadBatch {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.alive()
}

func TestBatchesThatAreNone(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	scan := scanOf(t, spec)
	sample := ann.put(spec, scan).batch(0, "1 tea 2 salt")
	latin := ann.put(spec, scan).batch(0, "1 t\xe9a")
	split := ann.put(spec, scan).batch(0, "1 \xc3 2 \xa9") // one letter over two values
	with := func(change func(d *flight.FlightData)) *flight.FlightData {
		d := &flight.FlightData{
			DataHeader: []byte(string(sample.DataHeader)), DataBody: []byte(string(sample.DataBody)), AppMetadata: sample.AppMetadata,
		}
		change(d)
		return d
	}
	for name, d := range map[string]*flight.FlightData{
		"no number":        with(func(d *flight.FlightData) { d.AppMetadata = nil }),
		"a long number":    with(func(d *flight.FlightData) { d.AppMetadata = make([]byte, 9) }),
		"no header":        with(func(d *flight.FlightData) { d.DataHeader = nil }),
		"no body":          with(func(d *flight.FlightData) { d.DataBody = nil }),
		"a short body":     with(func(d *flight.FlightData) { d.DataBody = d.DataBody[:8] }),
		"a longer body":    with(func(d *flight.FlightData) { d.DataBody = append(d.DataBody, make([]byte, 64)...) }),
		"a short header":   with(func(d *flight.FlightData) { d.DataHeader = d.DataHeader[:40] }),
		"a schema":         with(func(d *flight.FlightData) { d.DataHeader, _ = ipc.Schema(salesTable.Schema().Arrow()) }),
		"no UTF-8":         latin,
		"a letter in two":  split,
		"overlapping":      overlapping(t, sample),
		"many rows":        manyRows(sample),
		"falling offsets":  with(func(d *flight.FlightData) { binary.LittleEndian.PutUint32(d.DataBody[16:], 9) }),
		"negative offsets": with(func(d *flight.FlightData) { binary.LittleEndian.PutUint32(d.DataBody[16:], 1<<31) }),
	} {
		p := ann.put(spec, scan)
		p.send(d)
		_, err := p.finish()
		if protocol.CodeOf(err) != protocol.BadBatch || status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := c.metrics.Messages.Load(); n != 0 {
		t.Errorf("%d messages were sent on", n)
	}
	c.alive()
}

// overlapping returns a batch whose two columns share bytes, so that few bytes decode to
// much data.
func overlapping(t *testing.T, sample *flight.FlightData) *flight.FlightData {
	t.Helper()
	header := []byte(string(sample.DataHeader))
	// The buffers are pairs of position and bytes at the end of the header: two of
	// shop, three of good. The bytes of good are made those of shop.
	pairs := header[len(header)-5*16:]
	if binary.LittleEndian.Uint64(pairs[16:]) != 0 || binary.LittleEndian.Uint64(pairs[24:]) != 16 {
		t.Fatalf("the buffers lie elsewhere: %x", pairs)
	}
	binary.LittleEndian.PutUint64(pairs[4*16:], 0)
	binary.LittleEndian.PutUint64(pairs[4*16+8:], 16)
	return &flight.FlightData{DataHeader: header, DataBody: sample.DataBody[:len(sample.DataBody)-8], AppMetadata: sample.AppMetadata}
}

// manyRows returns a batch that says it has a great many rows.
func manyRows(sample *flight.FlightData) *flight.FlightData {
	header := []byte(string(sample.DataHeader))
	binary.LittleEndian.PutUint64(header[56:], 1<<40)
	return &flight.FlightData{DataHeader: header, DataBody: sample.DataBody, AppMetadata: sample.AppMetadata}
}

// Any number of bits of a batch may be wrong: it is taken, or refused, and the
// gateway lives.
func TestBatchesWithFlippedBits(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	scan := scanOf(t, spec)
	rng := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 300 {
		p := ann.put(spec, scan)
		d := p.batch(uint64(i), "1 tea 2 salt 3 pepper")
		for range 1 + rng.IntN(3) {
			part := d.DataHeader
			if rng.IntN(2) == 0 {
				part = d.DataBody
			}
			part[rng.IntN(len(part))] ^= 1 << rng.IntN(8)
		}
		p.send(d)
		if _, err := p.finish(); err != nil {
			refused++
			if reason := protocol.CodeOf(err); reason != protocol.BadBatch && reason != protocol.TooLarge {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
	if refused == 0 {
		t.Error("none was refused")
	}
	c.alive()
}

func TestAMessageOverTheLimit(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(&flight.FlightData{DataBody: make([]byte, protocol.MaxMessage), AppMetadata: protocol.EncodeNumber(0)})
	if _, err := p.finish(); status.Code(err) != codes.ResourceExhausted { // by gRPC itself
		t.Errorf("told %v", err)
	}
	if _, err := ann.actBytes(protocol.ActionOpen, make([]byte, protocol.MaxRequest+1), nil); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a long request is told %v", err)
	}
	if _, err := ann.actBytes(protocol.ActionOpen, make([]byte, 12<<20), nil); err == nil {
		t.Error("a very long request was taken")
	}
	c.alive()
}

// Connections that send nothing, nonsense, or half a message.
func TestConnectionsThatAreNone(t *testing.T) {
	c := startCluster(t, nil)
	rng := rand.New(rand.NewPCG(3, 4))
	const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	var open []net.Conn
	for i := range 60 {
		conn, err := net.Dial("tcp", c.addr)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
		noise := make([]byte, rng.IntN(200))
		for j := range noise {
			noise[j] = byte(rng.Uint32())
		}
		switch i % 4 {
		case 0: // silent
		case 1:
			conn.Write(noise)
		case 2:
			io.WriteString(conn, preface[:rng.IntN(len(preface))])
		case 3:
			fmt.Fprintf(conn, "%s%s", preface, noise)
		}
	}
	c.alive()
	for _, conn := range open {
		conn.Close()
	}
	c.alive()
}

// A client that goes away in the middle leaves nothing behind.
func TestClientsThatGoAway(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	c.server.Block(true)
	for range 10 {
		ctx, leave := context.WithCancel(ann.ctx)
		gone := &client{T: t, flight: ann.flight, ctx: ctx}
		p := gone.put(spec, scanOf(t, spec))
		p.send(p.batch(0, "1 tea"))
		waitFor(t, "the batch", func() bool { return c.metrics.Held.Load() > 0 })
		leave()
		waitFor(t, "the end of the upload", func() bool { return c.metrics.Streams.Load() == 0 })
	}
	c.server.Block(false)
	waitFor(t, "nothing held", func() bool { return c.metrics.Held.Load() == 0 })
	c.alive()
}

// Who connects and makes no call shuts nobody out, and is soon sent away; who has made a
// call stays.
func TestStrangersShutNobodyOut(t *testing.T) {
	c := startCluster(t, func(cfg *Config) { cfg.MaxConnections = 16 })
	ann := c.client(annToken)
	list := func() error { _, err := ann.act(protocol.ActionList, struct{}{}, nil); return err }
	if err := list(); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Int64
	var watching sync.WaitGroup
	for range 40 {
		conn, err := net.Dial("tcp", c.addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")); err != nil {
			t.Fatal(err)
		}
		watching.Go(func() {
			_, _ = io.Copy(io.Discard, conn)
			ended.Add(1)
			_ = conn.Close()
		})
	}
	waitFor(t, "most strangers sent away", func() bool { return ended.Load() >= 38 })
	if err := list(); err != nil {
		t.Errorf("who was there before: %v", err)
	}
	if _, err := c.client(bobToken).act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Errorf("who comes later: %v", err)
	}
	watching.Wait() // the last ones had their time
	if err := list(); err != nil {
		t.Error(err)
	}
}
