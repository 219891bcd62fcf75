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

// newProbing returns nil if the stage behind a port is to be run by its replicas.
func (w *scanWorker) newProbing(port exec.Port, exchange exec.Outlet) (*probing, error) {
	n := w.e.plan.Nodes[port.Node]
	if n.Inputs[port.Input].Exchange.Kind != physical.Joined {
		return nil, nil
	}
	s := w.e.plan.Stages[n.Stage]
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
// none if one of them cannot be shared.
func (w *scanWorker) buildSides(s *physical.Stage) (map[int]*join.Shared, error) {
	whole := make(map[int]*join.Shared)
	for _, id := range s.Nodes {
		n := w.e.plan.Nodes[id]
		if n.Join == nil {
			continue
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
