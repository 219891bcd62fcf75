package gateway

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/membroker"
)

// Connections are cut, the broker crashes, refuses and forgets messages, and messages come
// in any order. Still every batch that was acknowledged to a client reaches every worker,
// and all copies of a message are equal.
func TestUploadsThroughTrouble(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { uploadThroughTrouble(t, seed) })
	}
}

func uploadThroughTrouble(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	server := membroker.New(membroker.Harsh(seed))
	c := startClusterOn(t, server, func(cfg *Config) { cfg.Patience, cfg.Timeout = 5*time.Second, 15*time.Second })
	ann := c.client(annToken)
	spec := c.open(ann, request())
	scan := scanOf(t, spec)
	const batches = 30
	sales := make([]string, batches)
	want := make(map[int64]int64)
	for k := range sales {
		for range rng.IntN(5) {
			shop := rng.Int64N(6)
			sales[k] += fmt.Sprintf("%d tea ", shop)
			want[shop]++
		}
	}
	acked := make(map[uint64]bool)
	for len(acked) < batches {
		p := ann.put(spec, scan)
		for k := range uint64(batches) {
			if !acked[k] {
				p.send(p.batch(k, sales[k]))
			}
			switch rng.IntN(25) {
			case 0:
				c.broker.Cut()
			case 1:
				server.Crash()
			}
		}
		acks, err := p.finish()
		if err != nil && status.Code(err) != codes.Unavailable {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, k := range acks {
			acked[k] = true
		}
	}
	if _, err := ann.act(protocol.ActionEndTable, protocol.TableEnd{Job: spec.ID, Node: scan, Batches: batches}, nil); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for _, w := range c.workers {
		waitFor(t, "all messages", func() bool {
			return len(slices.Compact(w.ids(envelope.Data))) == batches && len(w.ids(envelope.End)) > 0
		})
		w.with(func() { w.data = w.once(t) })
	}
	got := c.counts(spec)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("seed %d: counts %v, want %v", seed, got, want)
	}
}

// once returns one of each message; all copies must be the same.
func (w *fakeWorker) once(t *testing.T) []received {
	var out []received
	for _, m := range w.data {
		at := slices.IndexFunc(out, func(o received) bool { return o.envelope.ID == m.envelope.ID && o.envelope.Kind == m.envelope.Kind })
		if at < 0 {
			out = append(out, m)
		} else if !bytes.Equal(out[at].body, m.body) {
			t.Errorf("two messages %v differ", m.envelope)
		}
	}
	return out
}
