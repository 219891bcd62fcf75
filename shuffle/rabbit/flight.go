package rabbit

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// flight is the unconfirmed messages of one channel, and the listener that settles them.
type flight struct {
	p       *publisher
	session *session
	ended   chan struct{} // closed when the channel has ended
	turn    chan struct{} // signals that an alarm has begun or ended

	confirms chan amqp.Confirmation
	returns  chan amqp.Return
	blocks   chan amqp.Blocking
	closed   chan *amqp.Error

	mu       sync.Mutex
	requests map[uint64]*request // by delivery tag
	progress time.Time           // of the last confirm or alarm, or since requests is not empty
}

func newFlight(p *publisher, s *session, ch *amqp.Channel) *flight {
	return &flight{
		p: p, session: s, ended: make(chan struct{}), turn: make(chan struct{}, 1),
		confirms: ch.NotifyPublish(make(chan amqp.Confirmation, 256)),
		// Unbuffered: the library sends the confirm only after the return was taken.
		returns:  ch.NotifyReturn(make(chan amqp.Return)),
		blocks:   s.conn.NotifyBlocked(make(chan amqp.Blocking)),
		closed:   ch.NotifyClose(make(chan *amqp.Error, 1)),
		requests: make(map[uint64]*request),
		progress: time.Now(),
	}
}

// add registers a request before it is written.
func (f *flight) add(tag uint64, r *request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.requests) == 0 {
		f.progress = time.Now()
	}
	f.requests[tag] = r
}

// listen takes all notifications of the library until the channel has ended.
func (f *flight) listen() {
	defer close(f.ended)
	clock := time.NewTicker(f.p.cfg.ConfirmPatience / 8)
	defer clock.Stop()
	for {
		select {
		case c, open := <-f.confirms:
			if !open {
				f.end()
				return
			}
			f.confirm(c.DeliveryTag)
		case r, open := <-f.returns:
			if !open {
				f.returns = nil
				continue
			}
			f.giveBack(r)
		case b, open := <-f.blocks:
			if !open {
				f.blocks = nil
				continue
			}
			f.block(b)
		case <-clock.C:
			f.check()
		}
	}
}

// end ends the connection, which outlives the channel after an error of the channel
// alone, and takes the library's notifications of alarms until the connection is gone.
func (f *flight) end() {
	f.session.giveUp(f.session.lost(<-f.closed))
	if f.blocks == nil {
		return
	}
	for b := range f.blocks {
		f.block(b)
	}
}

// written notes the DeferredConfirmation of a message that was written.
func (f *flight) written(tag uint64, outcome *amqp.DeferredConfirmation) {
	f.note(tag, func(r *request) { r.outcome = outcome })
}

// confirm notes that a message is settled. It ignores the outcome in the library's
// notification, which can be wrong: when the broker refuses message 2 and then confirms
// all up to 3, as it does while a quorum queue has no leader, the library reports 2 as
// confirmed. The message's DeferredConfirmation has the right outcome.
func (f *flight) confirm(tag uint64) {
	f.note(tag, func(r *request) { r.settled, f.progress = true, time.Now() })
}

// note updates a request, and finishes it once it is settled and its outcome is known.
func (f *flight) note(tag uint64, change func(*request)) {
	f.mu.Lock()
	r, known := f.requests[tag]
	if known {
		change(r)
	}
	finished := known && r.settled && r.outcome != nil
	if finished {
		delete(f.requests, tag)
	}
	f.mu.Unlock()
	switch {
	case !finished:
	case r.outcome.Acked():
		f.p.finish(r, nil)
	default:
		f.p.finish(r, errRefused)
	}
}

var errRefused = errors.New("the broker refused it")

// giveBack notes that a message found no queue. Its confirm comes later.
func (f *flight) giveBack(r amqp.Return) {
	tag, err := strconv.ParseUint(r.MessageId, 10, 64)
	if err != nil {
		return // not one of ours
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if req := f.requests[tag]; req != nil {
		req.returned = true
	}
}

// block notes that an alarm begins or ends.
func (f *flight) block(b amqp.Blocking) {
	f.mu.Lock()
	f.progress = time.Now()
	f.mu.Unlock()
	if b.Active {
		f.p.cfg.Counters.Blocks.Add(1)
		f.p.link.log.Warn("the broker takes no messages", "reason", b.Reason)
		f.session.alarm.Store(&b.Reason)
	} else {
		f.p.link.log.Info("the broker takes messages again")
		f.session.alarm.Store(nil)
	}
	select {
	case f.turn <- struct{}{}:
	default: // a signal is already pending
	}
}

// check gives up the connection if nothing was confirmed for too long.
func (f *flight) check() {
	if f.session.alarm.Load() != nil {
		return
	}
	f.mu.Lock()
	waiting, since := len(f.requests), time.Since(f.progress)
	f.mu.Unlock()
	if waiting > 0 && since > f.p.cfg.ConfirmPatience {
		f.session.giveUp(fmt.Errorf("%d messages unconfirmed and nothing confirmed in %v", waiting, since))
	}
}

// abandon finishes all unconfirmed requests after the channel has ended.
func (f *flight) abandon() {
	why := f.session.lost(nil)
	f.mu.Lock()
	left := f.requests
	f.requests = nil
	f.mu.Unlock()
	for _, r := range left {
		f.p.finish(r, why)
	}
}
