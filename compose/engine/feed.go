package engine

import (
	"context"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/exec"
)

// feed passes the rows of a file in order to an input of a stage.
type feed struct {
	pipeline *exec.Pipeline
	port     exec.Port
	turns    *scan.Turns // of the blocks of the file
}

// Push passes rows on, without a copy.
func (f *feed) Push(ctx context.Context, rows columnar.Rows) error {
	return rows.InParts(operators.PageRows, func(part columnar.Rows) error { return f.pipeline.Push(ctx, f.port, part) })
}

// Finish says that there are no more rows of the file.
func (f *feed) Finish(ctx context.Context) error { return f.pipeline.Finish(ctx, f.port) }

// inTurn passes on the rows of one worker's blocks when it is their turn in the file.
type inTurn struct {
	to    exec.Outlet
	turns *scan.Turns
	block int64
	begun bool
}

// Push waits until it is the block's turn and passes rows of the block on.
func (t *inTurn) Push(ctx context.Context, rows columnar.Rows) error {
	if err := t.await(ctx); err != nil {
		return err
	}
	return t.to.Push(ctx, rows)
}

func (t *inTurn) await(ctx context.Context) error {
	if t.begun {
		return nil
	}
	t.begun = true
	return t.turns.Await(ctx, t.block)
}

// end says that there are no more rows of the block.
func (t *inTurn) end(ctx context.Context) error {
	if err := t.await(ctx); err != nil {
		return err
	}
	t.turns.Finish(t.block)
	t.begun = false
	return nil
}

// Finish does nothing: one worker may be done before the others have read the file to its end.
func (*inTurn) Finish(context.Context) error { return nil }

// openFeeds makes the pipelines of the stages that have feeds.
func (e *embedded) openFeeds() error {
	for port, f := range e.feeds {
		s := e.plan.Stages[e.plan.Nodes[port.Node].Stage]
		if e.fed[s.ID] == nil {
			l, err := e.newPipeline(s, e.outlets)
			if err != nil {
				return err
			}
			e.fed[s.ID] = l
		}
		f.pipeline = e.fed[s.ID]
	}
	return nil
}

// endFeeds ends the inputs that a pass has fed.
func (e *embedded) endFeeds(ctx context.Context, p *Pass) error {
	for port, f := range e.feeds {
		from := e.plan.Nodes[port.Node].Inputs[port.Input].Node
		if e.plan.Nodes[from].Stage != p.Stage.ID {
			continue
		}
		if err := f.Finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// endFile tells those who wait for their turn that a file has no more blocks.
func (e *embedded) endFile(p *Pass, f scan.Ended) error {
	for port, feed := range e.feeds {
		from := e.plan.Nodes[port.Node].Inputs[port.Input].Node
		if e.plan.Nodes[from].Stage == p.Stage.ID {
			feed.turns.Skip(f.First+f.Blocks, f.Next)
		}
	}
	return nil
}
