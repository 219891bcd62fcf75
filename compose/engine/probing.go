package engine

import (
	"context"

	"analyzer/columnar"
	"analyzer/operators/exec"
	"analyzer/operators/join"
	"analyzer/operators/query/physical"
)

// probing runs a stage of joins in the worker that reads their probe rows, over complete build
// sides, so that the rows need not be sent to the replica of their key.
type probing struct {
	pipeline *exec.Pipeline
	port     exec.Port
	exchange exec.Outlet // to the stage's replicas; carries no rows, only their end
}

func (p *probing) Push(ctx context.Context, rows columnar.Rows) error {
	return p.pipeline.Push(ctx, p.port, rows)
}

func (p *probing) Finish(ctx context.Context) error {
	if err := p.pipeline.Finish(ctx, p.port); err != nil {
		return err
	}
	return p.exchange.Finish(ctx)
}

// probedWhereRead reports whether a stage may run as probing: it has one input beside its
// build sides, and only its joins need all rows of a key in one place.
func (e *embedded) probedWhereRead(s *physical.Stage) bool {
	if s.Table != "" || !e.whole {
		return false
	}
	probes := 0
	for _, id := range s.Nodes {
		n, inputs := e.plan.Nodes[id], e.plan.Nodes[id].Inputs
		switch {
		case n.Join != nil && !n.Join.Kind.KeepsBuild() && inputs[0].Exchange != nil:
			inputs = inputs[1:]
		case !alone(s, n) || e.answers[id] != nil:
			return false
		}
		for _, in := range inputs {
			if in.Exchange != nil {
				probes++
			}
		}
	}
	return probes == 1
}

// newProbing returns nil if the stage behind a port is to be run by its replicas.
func (w *scanWorker) newProbing(port exec.Port, exchange exec.Outlet) (*probing, error) {
	s := w.e.plan.Stages[w.e.plan.Nodes[port.Node].Stage]
	if !w.e.probedWhereRead(s) {
		return nil, nil
	}
	whole, err := w.buildSides(s)
	if len(whole) == 0 {
		return nil, err
	}
	l, err := w.e.newPipeline(s, w.joined)
	if err != nil {
		return nil, err
	}
	w.probing = append(w.probing, l)
	for node, built := range whole {
		l.Probe(node, built)
	}
	return &probing{pipeline: l, port: port, exchange: exchange}, nil
}

// buildSides waits for the build sides of a stage's joins and returns them by node. It returns
// none if one of them cannot be shared, or depends on a table of this or a later phase.
func (w *scanWorker) buildSides(s *physical.Stage) (map[int]*join.Shared, error) {
	whole, phases := make(map[int]*join.Shared), w.e.plan.Phases()
	for _, id := range s.Nodes {
		n := w.e.plan.Nodes[id]
		if n.Join == nil {
			continue
		}
		if phases[n.Inputs[0].Node] >= w.phase {
			return nil, nil
		}
		built, err := w.e.builds.share(w.ctx, n)
		if err != nil || built == nil {
			return nil, err
		}
		whole[id] = built
	}
	return whole, nil
}

// joined returns the outlets of a stage that runs as probing. It counts the worker as one more
// sender to each of them.
func (w *scanWorker) joined(node int) ([]exec.Outlet, error) {
	for _, port := range w.e.ports[node] {
		if h := w.e.handed[port]; h != nil {
			h.join()
		}
		for _, q := range w.e.queues[port] {
			q.Join()
		}
	}
	return w.outlets(node)
}
