package worker

import (
	"errors"
	"fmt"

	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
)

// The log of a followed job is kept. Each commit adds a segment to it, and the manifest of
// every later commit lists that segment. So that a job can be fed in thousands of small
// pieces, the last segments of a log are merged when they are many and small.

// mergeBytes is the largest size, in bytes, of a segment that is merged. It bounds how often
// a row is copied, since a merged segment that outgrows it is not merged again.
const mergeBytes = 256 << 10

// mergeLog merges the last segments of a port's log if at least Commit.Merge are small.
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

// copySegment appends the messages of one segment to another, as one block.
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

// addNumbers adds to runs of consecutive numbers, each with its first number and their count.
func addNumbers(runs []entry, numbers []uint64) []entry {
	for _, n := range numbers {
		if last := len(runs) - 1; last >= 0 && runs[last][0]+runs[last][1] == n {
			runs[last][1]++
			continue
		}
		runs = append(runs, entry{n, 1})
	}
	return runs
}
