package sim

import (
	"math/rand/v2"
	"slices"
	"strings"

	"analyzer/shuffle/broker"
)

// hub is the broker of a world. Nothing in it moves unless a step moves it.
type hub struct {
	rng    *rand.Rand
	queues map[string]*queue
	sorted []*queue // by name
	conns  []*conn
	tags   uint64
}

type queue struct {
	name      string
	ready     []msg
	consumers []*consumer // the first is served, the others wait for its end
	acked     []msg       // the last that were, for a broker that forgets
}

type msg struct {
	body        []byte
	redelivered bool
}

type consumer struct {
	conn    *conn
	queue   *queue
	handle  func(broker.Delivery)
	limit   int
	unacked map[uint64]msg
	done    chan struct{}
	err     error // once done is closed
}

func newHub(rng *rand.Rand) *hub { return &hub{rng: rng, queues: make(map[string]*queue)} }

func (h *hub) connect() *conn {
	c := &conn{hub: h}
	h.conns = append(h.conns, c)
	return c
}

func (h *hub) declare(name string) {
	if h.queues[name] != nil {
		return
	}
	q := &queue{name: name}
	h.queues[name] = q
	at, _ := slices.BinarySearchFunc(h.sorted, name, func(q *queue, name string) int { return strings.Compare(q.name, name) })
	h.sorted = slices.Insert(h.sorted, at, q)
}

func (h *hub) delete(name string) {
	if q := h.queues[name]; q != nil {
		delete(h.queues, name)
		h.sorted = slices.DeleteFunc(h.sorted, func(o *queue) bool { return o == q })
	}
}

// lose loses a queue with all that is in it.
func (h *hub) lose(q *queue) {
	h.delete(q.name)
	for _, k := range q.consumers {
		k.err = broker.ErrNoQueue
		close(k.done)
	}
	q.consumers = nil
}

// step lets one thing happen: a delivery, a confirmation, or that the broker
// notices a process's end. It reports whether anything could.
func (h *hub) step() bool {
	moves := 0
	for _, q := range h.sorted {
		if q.deliverable() {
			moves++
		}
	}
	for _, c := range h.conns {
		if c.movable() {
			moves++
		}
	}
	if moves == 0 {
		return false
	}
	h.move(h.rng.IntN(moves))
	return true
}

// move makes the i-th of the moves that are possible.
func (h *hub) move(i int) {
	for _, q := range h.sorted {
		if !q.deliverable() {
			continue
		}
		if i == 0 {
			h.deliver(q)
			return
		}
		i--
	}
	for _, c := range h.conns {
		if !c.movable() {
			continue
		}
		if i == 0 {
			c.move()
			return
		}
		i--
	}
}

func (q *queue) deliverable() bool {
	return len(q.ready) > 0 && len(q.consumers) > 0 && len(q.consumers[0].unacked) < q.consumers[0].limit
}

// deliver hands out a message; most often the first, sometimes any.
func (h *hub) deliver(q *queue) {
	i := 0
	if h.rng.IntN(4) == 0 {
		i = h.rng.IntN(len(q.ready))
	}
	m := q.ready[i]
	q.ready = slices.Delete(q.ready, i, i+1)
	h.tags++
	k := q.consumers[0]
	k.unacked[h.tags] = m
	if !k.conn.ghost {
		k.handle(broker.NewDelivery(q.name, m.body, m.redelivered, k, h.tags))
	}
}

// arrive puts a message into its queue, if that exists.
func (h *hub) arrive(p publish) bool {
	q := h.queues[p.queue]
	if q != nil {
		q.ready = append(q.ready, msg{body: p.body})
	}
	return q != nil
}

// requeue puts what a consumer holds back into its queue, in any order.
func (h *hub) requeue(k *consumer) {
	var back []msg
	for _, tag := range sortedTags(k.unacked) {
		m := k.unacked[tag]
		m.redelivered = true
		back = append(back, m)
	}
	clear(k.unacked)
	h.rng.Shuffle(len(back), func(i, j int) { back[i], back[j] = back[j], back[i] })
	at := h.rng.IntN(len(k.queue.ready) + 1)
	k.queue.ready = slices.Insert(k.queue.ready, at, back...)
}

func sortedTags(m map[uint64]msg) []uint64 {
	tags := make([]uint64, 0, len(m))
	for t := range m {
		tags = append(tags, t)
	}
	slices.Sort(tags)
	return tags
}

// comeBack lets some of what was acknowledged last be ready again, because the
// acknowledgement got lost.
func (h *hub) comeBack(q *queue) {
	for _, m := range q.acked {
		if h.rng.IntN(3) == 0 {
			m.redelivered = h.rng.IntN(2) == 0
			q.ready = append(q.ready, m)
		}
	}
	q.acked = nil
}

// crash restarts the broker: every connection is lost and made again, and some of
// what was acknowledged last comes again.
func (h *hub) crash() {
	for _, c := range slices.Clone(h.conns) {
		c.drop()
	}
	for _, q := range h.sorted {
		h.comeBack(q)
	}
}
