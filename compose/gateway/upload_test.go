package gateway

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/wire"
	"analyzer/compose/door"
	"analyzer/compose/job"
	"analyzer/shuffle/envelope"
)

// counts adds up what the workers were sent of a query that counts by shop, and
// checks that every shop came to one worker.
func (c *cluster) counts(spec *job.Spec) map[int64]int64 {
	c.Helper()
	out, at := make(map[int64]int64), make(map[int64]int)
	for _, w := range c.workers {
		w.mu.Lock()
		data := slices.Clone(w.data)
		w.mu.Unlock()
		for _, m := range data {
			if m.envelope.Kind != envelope.Data {
				continue
			}
			schema := spec.Plan.Nodes[spec.Plan.Nodes[m.envelope.Node].Inputs[m.envelope.Input].Node].Schema
			b, err := wire.Decode(schema.Arrow(), m.body, memory.DefaultAllocator)
			if err != nil {
				c.Fatal(err)
			}
			rows := columnar.View(schema, b)
			for i := range rows.Len {
				shop := rows.Cols[0].Ints[i]
				out[shop] += rows.Cols[1].Ints[i]
				if r, ok := at[shop]; ok && r != w.replica {
					c.Errorf("shop %d came to workers %d and %d", shop, r, w.replica)
				}
				at[shop] = w.replica
			}
		}
	}
	return out
}

// ids returns the ids of what a worker was sent, ascending.
func (w *fakeWorker) ids(kind envelope.Kind) []uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []uint64
	for _, m := range w.data {
		if m.envelope.Kind == kind {
			out = append(out, m.envelope.ID)
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryBatchReachesEveryWorkerOnce(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	p := ann.put(spec, scanOf(t, spec))
	p.send(p.batch(2, "1 tea 2 tea 1 air 3 salt"))
	p.send(p.batch(0, ""))
	p.send(p.batch(1, "1 salt 4 air 5 air"))
	p.send(p.batch(3, "9 air"))
	acks, err := p.finish()
	slices.Sort(acks)
	if err != nil || !slices.Equal(acks, []uint64{0, 1, 2, 3}) {
		t.Fatalf("answers %v, %v", acks, err)
	}
	if _, err := ann.act(door.ActionEndTable, door.TableEnd{Job: spec.ID, Node: scanOf(t, spec), Batches: 4}, nil); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the messages", func() bool {
		return len(c.workers[0].ids(envelope.End)) == 1 && len(c.workers[1].ids(envelope.End)) == 1 &&
			len(c.workers[0].ids(envelope.Data)) == 4 && len(c.workers[1].ids(envelope.Data)) == 4
	})
	for _, w := range c.workers {
		if ids := w.ids(envelope.Data); !slices.Equal(ids, []uint64{0, 1, 2, 3}) {
			t.Errorf("worker %d has messages %v", w.replica, ids)
		}
		if n := w.ids(envelope.End); n[0] != 4 {
			t.Errorf("worker %d was told of %d batches", w.replica, n[0])
		}
	}
	if got := fmt.Sprint(c.counts(spec)); got != "map[1:2 2:1 3:1]" {
		t.Errorf("counts %s", got)
	}
}
