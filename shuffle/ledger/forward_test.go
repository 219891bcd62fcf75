package ledger

import (
	"errors"
	"testing"

	"analyzer/shuffle/envelope"
)

// forwarder forwards what it receives: one message for each that it gets, published before
// the commit. It must keep the ids to be correct.
type forwarder struct {
	*receiver
	byArrival bool
	next      uint64 // id of the next message by order of arrival
	durable   uint64 // next, as committed
	out       []parcel
}

func (f *forwarder) take(p parcel) error {
	fresh, err := f.receiver.take(p)
	if err != nil || !fresh || p.end {
		return err
	}
	if f.byArrival {
		p.id = f.next
		f.next++
	}
	p.from = envelope.StageSender(2, p.from.Replica)
	f.out = append(f.out, p)
	return nil
}

// forward runs a world through a forwarder and on to a receiver.
func forward(t *testing.T, seed uint64, byArrival bool) error {
	w := newWorld(seed)
	first, err := newReceiver(newLedger(t, onePort))
	if err != nil {
		return err
	}
	f := &forwarder{receiver: first, byArrival: byArrival}
	w.queue, err = f.forward(w)
	if err != nil {
		return err
	}
	senders := []envelope.Sender{envelope.StageSender(2, 0), envelope.StageSender(2, 1)}
	if byArrival {
		senders = senders[:1]
	}
	last, err := newReceiver(newLedger(t, []Port{{Node: 2, Senders: senders}}))
	if err != nil {
		return err
	}
	w.repeat()
	return w.run(last)
}

// forward returns what the forwarder publishes, some of it twice after crashes
// between publishing and committing.
func (f *forwarder) forward(w *world) ([]parcel, error) {
	crashes := 3
	for len(w.queue) > 0 {
		group := w.queue[:min(1+w.rng.IntN(4), len(w.queue))]
		for _, p := range group {
			if err := f.take(p); err != nil {
				return nil, err
			}
		}
		if crashes > 0 && w.rng.IntN(2) == 0 {
			crashes--
			if err := f.crash(); err != nil {
				return nil, err
			}
			f.next = f.durable
			w.rng.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
			continue
		}
		if err := f.commit(); err != nil {
			return nil, err
		}
		f.durable = f.next
		w.queue = w.queue[len(group):]
	}
	if !f.books.Complete(0) {
		return nil, errors.New("the forwarder is not complete")
	}
	return append(f.out, f.ends()...), nil
}

func (f *forwarder) ends() []parcel {
	if f.byArrival {
		for i := range f.out {
			f.out[i].from = envelope.StageSender(2, 0)
		}
		return []parcel{{from: envelope.StageSender(2, 0), end: true, id: f.next}}
	}
	var ends []parcel
	for replica := range 2 {
		p := parcel{from: envelope.StageSender(2, replica), end: true}
		for _, sent := range f.out {
			if sent.from == p.from {
				p.id = max(p.id, sent.id+1)
			}
		}
		ends = append(ends, p)
	}
	return ends
}

// Forwarded messages keep the ids that they came with. Ids by order of arrival would denote
// other messages after a crash.
func TestIdsByArrivalAreCaught(t *testing.T) {
	if wrong, err := simulate(t, func(seed uint64) error { return forward(t, seed, false) }); wrong > 0 {
		t.Errorf("ids that are kept: %d of %d seeds go wrong; %v", wrong, seeds, err)
	}
	if wrong, err := simulate(t, func(seed uint64) error { return forward(t, seed, true) }); wrong == 0 {
		t.Errorf("ids by arrival: not caught in %d seeds", seeds)
	} else {
		t.Logf("ids by arrival: caught in %d of %d seeds; %v", wrong, seeds, err)
	}
}
