package worker

import (
	"errors"
	"fmt"
	"iter"

	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
)

// The log of a job that is followed is kept, and each commit adds a segment to it, which
// each later commit writes down again. So that a job can be fed in thousands of little
// bits, the last segments of a log become one when they are many and small.

// mergeBytes is what a segment has at most that is small. A row is copied as often as
// segments of that size have room for those that are merged, and no more.
const mergeBytes = 256 << 10

// mergeLog merges the last segments of a port's log, if that is due.
func (p *Part) mergeLog(port int, change *segment.Change) error {
	names := p.d.Logs[port]
	var small []*segment.Segment
	for i := len(names) - 1; i >= 0; i-- {
		s, err := p.store.Segment(names[i])
		if err != nil {
			return err
		}
		if s.Size > mergeBytes {
			break
		}
		small = append(small, s)
	}
	if len(small) < p.worker.Commit.Merge {
		return nil
	}
	merged, err := p.writeSegment(p.spec.Upstream(p.ports[port]).Schema, func(w *segment.Writer) error {
		for i := len(small) - 1; i >= 0; i-- {
			if err := p.copySegment(w, small[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("merge %d segments of a log: %w", len(small), err)
	}
	p.d.Logs[port] = append(names[:len(names)-len(small)], merged.Name())
	change.Add, change.Remove = append(change.Add, merged), append(change.Remove, small...)
	return nil
}

// copySegment appends the messages of a segment to another one, as one block.
func (p *Part) copySegment(w *segment.Writer, from *segment.Segment) (err error) {
	r, err := p.store.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var messages [][]byte
	rows := int64(0)
	for i, block := range from.Blocks {
		data, err := r.ReadMessage(i, nil)
		if err != nil {
			return err
		}
		rows += block.Rows
		for len(data) > 0 {
			_, rest, err := ipc.DecodeFirst(from.Schema, data)
			if err != nil {
				return err
			}
			messages, data = append(messages, data[:len(data)-len(rest)]), rest
		}
	}
	return w.AppendMessages(0, messages, rows)
}

// runs are numbers in some order in which many follow one another: of each run the first,
// and how many there are.
type runs [][2]uint64

func (r runs) add(numbers ...uint64) runs {
	for _, n := range numbers {
		if last := len(r) - 1; last >= 0 && r[last][0]+r[last][1] == n {
			r[last][1]++
			continue
		}
		r = append(r, [2]uint64{n, 1})
	}
	return r
}

// all yields the numbers in their order.
func (r runs) all() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for _, run := range r {
			for i := range run[1] {
				if !yield(run[0] + i) {
					return
				}
			}
		}
	}
}
