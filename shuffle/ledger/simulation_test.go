package ledger

import (
	"fmt"
	"math/rand/v2"

	"analyzer/shuffle/envelope"
)

// books is what a receiver needs of a ledger; mutants take its place.
type books interface {
	Record(port int, from envelope.Sender, id uint64) (bool, error)
	End(port int, from envelope.Sender, n uint64) (bool, error)
	Complete(port int) bool
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(data []byte) error
}

// parcel is a message of one sender with a value in place of rows.
type parcel struct {
	from  envelope.Sender
	end   bool
	id    uint64 // or how many there are
	value int
}

// receiver sums the values of one port's fresh parcels, which a ledger tells from
// duplicates, and commits in groups.
type receiver struct {
	books     books
	sum       int
	committed struct { // what survives a crash
		sum  int
		data []byte
	}
}

func newReceiver(b books) (*receiver, error) {
	r := &receiver{books: b}
	return r, r.commit()
}

func (r *receiver) take(p parcel) (fresh bool, err error) {
	if p.end {
		return r.books.End(0, p.from, p.id)
	}
	if fresh, err = r.books.Record(0, p.from, p.id); fresh {
		r.sum += p.value
	}
	return fresh, err
}

func (r *receiver) commit() (err error) {
	r.committed.sum = r.sum
	r.committed.data, err = r.books.MarshalBinary()
	return err
}

// crash stands for a new process or a failed commit: it restores the committed state, and
// everything since has to come again.
func (r *receiver) crash() error {
	r.sum = r.committed.sum
	return r.books.UnmarshalBinary(r.committed.data)
}

// world is a queue that delivers parcels to a receiver in any order, some more
// than once, and takes back the parcels of a group that was not acknowledged.
type world struct {
	rng   *rand.Rand
	queue []parcel
	truth int
}

// newWorld returns the parcels of two senders, and the sum of their values.
func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 1))}
	for _, from := range []envelope.Sender{left, right} {
		n := w.rng.IntN(8)
		for id := range n {
			value := 1 + w.rng.IntN(1000)
			w.truth += value
			w.queue = append(w.queue, parcel{from: from, id: uint64(id), value: value})
		}
		w.queue = append(w.queue, parcel{from: from, end: true, id: uint64(n)})
	}
	w.repeat()
	return w
}

// repeat adds parcels that were sent before.
func (w *world) repeat() {
	for _, p := range w.queue {
		if w.rng.IntN(3) == 0 {
			w.queue = append(w.queue, p)
		}
	}
	w.rng.Shuffle(len(w.queue), func(i, j int) { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] })
}

// run delivers everything, with failures on the way. The receiver must have the
// whole sum as soon as it says it is complete, and say so at the end.
func (w *world) run(r *receiver) error {
	failures := w.rng.IntN(4)
	for len(w.queue) > 0 {
		group := w.queue[:min(1+w.rng.IntN(4), len(w.queue))]
		for _, p := range group {
			if _, err := r.take(p); err != nil {
				return fmt.Errorf("take %+v: %w", p, err)
			}
			if r.books.Complete(0) && r.sum != w.truth {
				return fmt.Errorf("complete with a sum of %d, it is %d", r.sum, w.truth)
			}
		}
		if failures > 0 && w.rng.IntN(3) == 0 {
			failures--
			if err := w.interrupt(r, len(group)); err != nil {
				return err
			}
			continue
		}
		if err := r.commit(); err != nil {
			return err
		}
		w.queue = w.queue[len(group):]
	}
	if !r.books.Complete(0) || r.sum != w.truth {
		return fmt.Errorf("at the end, complete: %t, sum %d of %d", r.books.Complete(0), r.sum, w.truth)
	}
	return nil
}

// interrupt ends a group of parcels without acknowledging them. Either the commit failed,
// or it succeeded and the acknowledgement got lost.
func (w *world) interrupt(r *receiver, group int) (err error) {
	if w.rng.IntN(3) == 0 {
		err = r.commit()
	}
	if err == nil {
		err = r.crash()
	}
	w.rng.Shuffle(group, func(i, j int) { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] })
	return err
}
