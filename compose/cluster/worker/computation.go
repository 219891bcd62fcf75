package worker

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
)

// computation is a stage that is being computed. It knows what others may ask of the
// part meanwhile, whose steps have to wait.
type computation struct {
	part   *Part // of which what never changes is read
	cancel context.CancelFunc
	began  time.Time
	status protocol.Status // of the part, when it began
	at     int             // the stage's place in it
	frozen []*frozenNode   // likewise
	spec   []byte          // likewise
	done   atomic.Int64    // rows
	// scratch is what the stage spills into, once it runs.
	scratch atomic.Pointer[segment.Scratch]
}

func (p *Part) newComputation(stage int, cancel context.CancelFunc) (*computation, error) {
	c := &computation{
		part: p, cancel: cancel, began: p.worker.Now(), status: p.Status(), frozen: slices.Clone(p.d.Frozen), spec: p.d.Spec,
	}
	c.at = slices.IndexFunc(c.status.Stages, func(s protocol.Stage) bool { return s.Stage == stage })
	st := &c.status.Stages[c.at]
	st.Phases = map[protocol.Phase]int{protocol.Computing: 1}
	for i := range p.ports {
		if p.stageOf(i) != stage {
			continue
		}
		for _, name := range p.d.Logs[i] {
			seg, err := p.store.Segment(name)
			if err != nil {
				return nil, err
			}
			for _, b := range seg.Blocks {
				st.Todo += b.Rows
			}
		}
	}
	return c, nil
}

// now is the status of the part.
func (c *computation) now() protocol.Status {
	s := c.status
	s.Stages = slices.Clone(s.Stages)
	st := &s.Stages[c.at]
	st.Done, st.Took = c.done.Load(), c.part.worker.Now().Sub(c.began)
	if scratch := c.scratch.Load(); scratch != nil {
		st.Spilled += scratch.Stats().Bytes
	}
	s.Idle = c.part.clientIdle()
	return s
}

// serve answers a request about the job from any goroutine; nil if it has to wait for
// the part.
func (c *computation) serve(r *protocol.Request) *protocol.Response {
	p := c.part
	p.heard(r)
	out := new(protocol.Response)
	switch r.Action {
	case protocol.ActionOpen, protocol.ActionDescribe:
		out.Data, out.Memory = c.spec, p.worker.Runtime.Budget.Limit()
	case protocol.ActionStatus:
		out.Status = new(c.now())
	case protocol.ActionKeys: // not ready
	case protocol.ActionPage:
		if err := p.servePage(c.frozen, r, out); err != nil {
			out.Code, out.Error = protocol.Trouble, err.Error()
		}
	default:
		return nil
	}
	return out
}

// heard notes a sign of life of the job's client.
func (p *Part) heard(r *protocol.Request) {
	switch r.Action {
	case protocol.ActionStatus, protocol.ActionKeys, protocol.ActionPage:
		if !r.Onlooker {
			p.client.Store(p.worker.Now().UnixNano())
		}
	}
}

// clientIdle is how long nothing came of the job's client.
func (p *Part) clientIdle() time.Duration {
	return time.Duration(max(p.worker.Now().UnixNano()-p.client.Load(), 0))
}
