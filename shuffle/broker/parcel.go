package broker

import (
	"context"
	"iter"
	"slices"
)

// item is one message and the batch it belongs to.
type item struct {
	message Message
	of      *batch
}

// parcel is what the broker gets as one message: items for one queue, their bodies
// concatenated.
type parcel struct {
	message Message
	items   []item
	tries   int // failed attempts
}

func newParcel(items []item) *parcel {
	x := &parcel{message: items[0].message, items: items}
	if len(items) == 1 {
		return x
	}
	bodies := make([][]byte, len(items))
	for i, it := range items {
		bodies[i] = it.message.Body
	}
	x.message.Body = slices.Concat(bodies...)
	return x
}

// batches yields each batch of a parcel with the number of its messages in the parcel.
func (x *parcel) batches() iter.Seq2[*batch, int] {
	return func(yield func(*batch, int) bool) {
		for rest := x.items; len(rest) > 0; {
			n := slices.IndexFunc(rest, func(i item) bool { return i.of != rest[0].of })
			if n < 0 {
				n = len(rest)
			}
			if !yield(rest[0].of, n) {
				return
			}
			rest = rest[n:]
		}
	}
}

// wanted reports whether somebody still waits for a message of the parcel.
func (x *parcel) wanted() bool {
	return slices.ContainsFunc(x.items, func(i item) bool { return i.of.ctx.Err() == nil })
}

// during returns a context that ends with ctx, or when nobody waits for the parcel any
// more. The caller must call cancel.
func (x *parcel) during(ctx context.Context) (in context.Context, cancel func()) {
	in, end := context.WithCancelCause(ctx)
	look := func() {
		if !x.wanted() {
			end(context.Cause(x.items[0].of.ctx))
		}
	}
	look()
	var stops []func() bool
	for b := range x.batches() {
		stops = append(stops, context.AfterFunc(b.ctx, look))
	}
	return in, func() {
		for _, stop := range stops {
			stop()
		}
		end(nil)
	}
}

// line counts the parcels in flight to one queue, and holds the messages that wait for
// them to be confirmed.
type line struct {
	flying  int // parcels in flight
	waiting []item
	bytes   int // of waiting bodies
}

// ready reports whether a parcel can be sent: nothing is in flight, or the waiting
// messages fill a parcel, so that waiting longer gains nothing.
func (l *line) ready(join int) bool {
	return len(l.waiting) > 0 && (l.flying == 0 || l.bytes >= join)
}

// take makes a parcel of waiting messages: the first, and more as long as they make at
// most join bytes.
func (l *line) take(join int) *parcel {
	n, bytes := 0, 0
	for n < len(l.waiting) && (n == 0 || bytes+len(l.waiting[n].message.Body) <= join) {
		bytes += len(l.waiting[n].message.Body)
		n++
	}
	x := newParcel(l.waiting[:n:n])
	l.waiting, l.bytes = l.waiting[n:], l.bytes-bytes
	return x
}

// pack returns the parcels of a batch that can be sent now. Its other messages wait in
// the lines of their queues.
func (p *Publisher) pack(b *batch, messages []Message) []*parcel {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*parcel
	if p.join == 0 || p.closed {
		for _, m := range messages {
			out = append(out, newParcel([]item{{m, b}}))
		}
		return out
	}
	var fresh []string // queues for which nothing else is in flight or waits
	for _, m := range messages {
		l := p.lines[m.Queue]
		if l == nil {
			l = new(line)
			p.lines[m.Queue] = l
			fresh = append(fresh, m.Queue)
		}
		l.waiting = append(l.waiting, item{m, b})
		l.bytes += len(m.Body)
		if l.flying > 0 && l.bytes >= p.join {
			p.dueLocked(m.Queue)
		}
	}
	for _, queue := range fresh {
		for l := p.lines[queue]; len(l.waiting) > 0; l.flying++ {
			out = append(out, l.take(p.join))
		}
	}
	return out
}

func (p *Publisher) dueLocked(queue string) {
	if !slices.Contains(p.due, queue) {
		p.due = append(p.due, queue)
	}
	p.wakeLocked()
}

// takeDue returns parcels of all waiting messages that can be sent.
func (p *Publisher) takeDue() []*parcel {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*parcel
	for _, queue := range p.due {
		for l := p.lines[queue]; l != nil && l.ready(p.join); l.flying++ {
			out = append(out, l.take(p.join))
		}
	}
	p.due = nil
	return out
}

// arrived is told that a parcel is settled, and lets the messages behind it go.
func (p *Publisher) arrived(x *parcel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[x.message.Queue]
	if l == nil {
		return
	}
	l.flying--
	switch {
	case l.ready(p.join):
		p.dueLocked(x.message.Queue)
	case l.flying == 0:
		delete(p.lines, x.message.Queue)
	}
}
