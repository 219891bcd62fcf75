package worker

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
)

// A cut of a job is a job of its own that starts with the batches uploaded to the other
// job so far: its part holds copies of the logged rows of these batches, and its ledger
// says that they have come. From then on it is a job like any other, and the two jobs are
// independent.

// keeps reports whether the log of a port stays after its stage was computed.
func (p *Part) keeps(port ledger.Port) bool { return p.spec.Follow && isUpload(port) }

// isUpload reports whether a port receives uploads of clients, through gateways.
func isUpload(port ledger.Port) bool { return port.Senders[0].Kind == envelope.Scan }

// reach returns how many batches of each scan have come here without a gap, counted from
// the first. They are durable, so that a cut of them is possible even if the process dies.
func (p *Part) reach() map[int]uint64 {
	p.flush()
	out := make(map[int]uint64)
	for i, port := range p.ports {
		if !isUpload(port) {
			continue
		}
		batches := p.seen.Stats(i).Known
		if gaps := p.seen.Missing(i, 1); len(gaps) > 0 {
			batches = gaps[0].First
		}
		scan := port.Senders[0].Number
		if before, known := out[scan]; known {
			batches = min(batches, before)
		}
		out[scan] = batches
	}
	return out
}

// beginCut takes part in a cut. The job that is cut must have a part here.
func (w *Worker) beginCut(ctx context.Context, r *protocol.Request, spec *protocol.Spec) {
	of := w.member(spec.Cut.Of)
	if of == nil {
		w.refuse(r, protocol.Refused, fmt.Sprintf("there is no job %s here to make a cut of", spec.Cut.Of))
		return
	}
	of.do(func(p *Part) {
		from, err := p.excerpt(spec.Cut)
		if err != nil {
			w.refuse(r, protocol.Trouble, w.tellable(err))
			return
		}
		w.begin(ctx, r, spec, from)
	})
}

// excerpt is what a cut starts with: the logs of a job as they are now. Their segments are kept
// until it is closed, whatever the job commits meanwhile; if the job ends, they are gone.
type excerpt struct {
	store    *segment.Store
	release  func()               // lets the store delete segments again
	segments [][]*segment.Segment // by port
	numbers  []loggedNumbers      // of the messages in segments, in order
}

// excerpt notes the logs of all uploads. It is an error if a batch of the cut has not come.
func (p *Part) excerpt(c *protocol.Cut) (*excerpt, error) {
	come := p.reach()
	if p.stopped() || !p.spec.Follow {
		return nil, fmt.Errorf("job %s has ended, failed, or is not followed", p.spec.ID)
	}
	for scan, batches := range come {
		if batches < c.Batches[scan] { // a lost disk; they may come again
			return nil, fmt.Errorf("%d batches of scan %d have come, not %d", batches, scan, c.Batches[scan])
		}
	}
	e := &excerpt{store: p.store, segments: make([][]*segment.Segment, len(p.ports)), numbers: make([]loggedNumbers, len(p.ports))}
	for i, port := range p.ports {
		if !isUpload(port) {
			continue
		}
		var errs [2]error
		e.segments[i], errs[0] = p.segments(p.d.Logs[i])
		e.numbers[i].segments, errs[1] = p.segments(p.d.Logged[i].Segments)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, err
		}
		e.numbers[i].recent = slices.Clone(p.d.Logged[i].Recent) // the part goes on extending the last run
	}
	e.release = p.store.Pin()
	return e, nil
}

// segments returns committed segments by name.
func (p *Part) segments(names []string) ([]*segment.Segment, error) {
	out := make([]*segment.Segment, len(names))
	for i, name := range names {
		var err error
		if out[i], err = p.store.Segment(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// loggedNumbers are the numbers of the messages in a log: runs in segments, and those after them.
type loggedNumbers struct {
	segments []*segment.Segment
	recent   []entry
}

// all yields the numbers in sequence, or an error after which there are no more.
func (l loggedNumbers) all(store *segment.Store) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		going := true
		each := func(run entry) bool {
			for i := uint64(0); going && i < run[1]; i++ {
				going = yield(run[0]+i, nil)
			}
			return going
		}
		for _, s := range l.segments {
			err := eachEntry(store, s, each)
			if err != nil && going {
				yield(0, err)
				return
			}
			if !going {
				return
			}
		}
		for _, run := range l.recent {
			if !each(run) {
				return
			}
		}
	}
}

// close ends the use of an excerpt, if there is one.
func (e *excerpt) close() {
	if e != nil {
		e.release()
	}
}

// each hands the logged messages of a port to f, with their numbers. There may be thousands of
// segments, so one of the log is open at a time, and one of the numbers.
func (e *excerpt) each(port int, f func(number uint64, rows columnar.Rows) error) error {
	next, stop := iter.Pull2(e.numbers[port].all(e.store))
	defer stop()
	var buffer []byte
	for _, s := range e.segments[port] {
		r, err := e.store.Open(s)
		if err != nil {
			return err
		}
		err = eachMessage(r, &buffer, func(rows columnar.Rows) error {
			number, err, ok := next()
			if !ok {
				err = errors.New("there are more messages than numbers of them")
			}
			if err != nil {
				return err
			}
			return f(number, rows)
		})
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// copyLogs fills the log of a cut from an excerpt, if there is one.
func (p *Part) copyLogs(from *excerpt) (change segment.Change, err error) {
	if from == nil {
		return change, nil
	}
	for i, port := range p.ports {
		if !isUpload(port) {
			continue
		}
		if err := p.fill(i, p.spec.Cut.Batches[port.Senders[0].Number], from, &change); err != nil {
			return change, fmt.Errorf("copy what came to %s: %w", port, err)
		}
	}
	return change, nil
}

// fill gives a port the messages of a cut. The gateway says that there are no others, once
// all replicas take part.
func (p *Part) fill(port int, batches uint64, from *excerpt, change *segment.Change) error {
	for id := range batches {
		if _, err := p.seen.Record(port, p.ports[port].Senders[0], id); err != nil {
			return err
		}
	}
	p.d.Batches[port] = int64(batches)
	copied := int64(0)
	seg, err := p.writeSegment(p.spec.Upstream(p.ports[port]).Schema, func(w *segment.Writer) error {
		return from.each(port, func(number uint64, rows columnar.Rows) error {
			if number >= batches {
				return nil
			}
			copied += int64(rows.Len)
			return w.Append(0, rows)
		})
	})
	if err != nil {
		return err
	}
	p.d.Rows += copied
	p.d.Taken[port] = copied
	p.d.Logs[port] = []string{seg.Name()}
	change.Add = append(change.Add, seg)
	return nil
}
