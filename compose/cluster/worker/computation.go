package worker

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
)

// computation is a running computation of a stage. It can answer requests about the part
// meanwhile, since the part's next step has to wait.
type computation struct {
	part   *Part // only fields that never change are read
	cancel context.CancelFunc
	began  time.Time
	status protocol.Status // of the part, when the computation began
	at     int             // index of the stage in status
	frozen []*frozenNode   // of the part, when the computation began
	spec   []byte          // likewise
	done   atomic.Int64    // rows computed
	// scratch is where the stage spills, once it runs.
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
		logged, err := p.segments(p.d.Logs[i])
		if err != nil {
			return nil, err
		}
		for _, s := range logged {
			for _, b := range s.Blocks {
				st.Todo += b.Rows
			}
		}
		st.Todo += p.pending[i].rows
	}
	return c, nil
}

// now returns the current status of the part.
func (c *computation) now() protocol.Status {
	s := c.status
	s.Stages = slices.Clone(s.Stages)
	st := &s.Stages[c.at]
	st.Done, st.Took = c.done.Load(), c.part.worker.Now().Sub(c.began)
	if scratch := c.scratch.Load(); scratch != nil {
		st.Spilled += scratch.Stats().Bytes
	}
	s.Idle = c.part.clientIdle()
	if !c.part.opening() {
		s.State = protocol.Running
	}
	return s
}

// serve answers a request about the job, from any goroutine. It returns nil if the request
// has to wait for the part.
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
			out.Code, out.Error = protocol.Trouble, p.worker.tellable(err)
		}
	default:
		return nil
	}
	return out
}
