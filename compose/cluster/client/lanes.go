package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
)

// lanes uploads the batches of the blocks that one worker goroutine reads.
type lanes struct {
	cancel context.CancelFunc
	table  string
	blocks *Blocks
	all    []*lane // by scan
}

func (u *uploader) newWorker(ctx context.Context, p *engine.Pass) (engine.BlockWorker, error) {
	ctx, cancel := context.WithCancel(ctx)
	ls := &lanes{cancel: cancel, table: p.Table.Name, blocks: u.Blocks}
	for _, n := range p.Scans {
		l, err := u.newLane(ctx, n, p)
		if err != nil {
			return nil, errors.Join(err, ls.Close())
		}
		ls.all = append(ls.all, l)
	}
	return ls, nil
}

func (ls *lanes) Take(c scan.Chunk) error {
	ls.blocks.add(ls.table, c)
	for _, l := range ls.all {
		if err := l.upload(c); err != nil {
			return err
		}
	}
	return nil
}

// Finish waits until every batch is acknowledged.
func (ls *lanes) Finish(context.Context) error {
	var first error
	for _, l := range ls.all {
		first = cmp.Or(first, l.stream.close())
	}
	return first
}

func (ls *lanes) Close() error {
	ls.cancel()
	for _, l := range ls.all {
		<-l.stream.done
	}
	return nil
}

// lane turns the blocks of a table into the batches of one scan, for one worker goroutine.
type lane struct {
	scan      int // node
	table     string
	first     uint64 // the number of the file's first batch
	journal   *Journal
	selection *exec.Selection
	schema    columnar.Schema // of the batches
	stream    *stream

	ctx   context.Context
	early *engine.Pass // lets later blocks be skipped once the first ones have enough rows; nil: all are needed
}

func (u *uploader) newLane(ctx context.Context, n *physical.Node, p *engine.Pass) (*lane, error) {
	schema, err := protocol.UploadSchema(u.job.Spec, n.ID)
	if err != nil {
		return nil, err
	}
	part := uploaded(n.Scan, schema)
	selection, err := exec.NewSelection(u.rt, part, p.Schema, p.Sets[n.ID])
	if err != nil {
		return nil, err
	}
	acked := func(k uint64) { u.Journal.acked(n.ID, k) }
	s, err := newStream(ctx, u.job, n.ID, u.split(), acked)
	if err != nil {
		return nil, err
	}
	first := u.Journal.Grown()[p.Table.Name].Batches
	if u.Piece != nil {
		first = u.Piece.First
	}
	l := &lane{scan: n.ID, table: p.Table.Name, first: first, journal: u.Journal, selection: selection, schema: schema, stream: s, ctx: ctx}
	if p.First() >= 0 && len(part.Where) == len(n.Scan.Where) { // otherwise only the gateway would know how many rows a block yields
		l.early = p
	}
	return l, nil
}

// uploaded returns the part of a scan that runs here. It yields all columns that the gateway
// needs. Conditions that run text models are left to the gateways, of which there are more
// than clients.
func uploaded(s *physical.Scan, schema columnar.Schema) *physical.Scan {
	part := *s
	part.Columns = schema.Names()
	part.Where = slices.DeleteFunc(slices.Clone(s.Where), func(e *expr.Expr) bool { return e.Cost() >= expr.Expensive })
	return &part
}

// upload sends the batch of a block, even an empty one, unless earlier blocks have all the
// rows that are needed.
func (l *lane) upload(c scan.Chunk) error {
	b := batch{number: l.first + uint64(c.Index())}
	has := l.journal.has(l.scan, b.number)
	if has && l.early == nil {
		return nil
	}
	yield := 0
	err := l.selection.Each(c, func(rows columnar.Rows) error {
		if yield = rows.Len; l.early != nil {
			rows = rows.Slice(0, min(rows.Len, int(l.early.First())))
		}
		message, err := ipc.Append(l.stream.room(), l.schema, rows)
		if len(message) > protocol.MaxRow {
			b.cell = l.largeCell(c, rows)
		}
		if err == nil && (len(message) > protocol.MaxBatch || rows.Len > protocol.MaxRows) {
			err = b.tooLarge(rows.Len, len(message))
		}
		if err == nil {
			b.message = message
			b.header, b.body, err = ipc.Split(message)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("upload table %s: %w", l.table, err)
	}
	if l.early != nil {
		if needed, err := l.early.Yields(l.ctx, c.Index(), int64(yield)); err != nil || !needed {
			return err
		}
	}
	if has {
		return nil
	}
	return l.stream.put(b)
}

// cell is a cell too large for any message to a worker. That matters only if the plan sends
// it there, which only the gateway finds out.
type cell struct {
	table, column string
	line          int64
	bytes         int
}

func (c *cell) String() string {
	return fmt.Sprintf("table %s, line %d, column %q: a cell of %d bytes; %d are possible on a cluster", c.table, c.line, c.column, c.bytes, protocol.MaxRow)
}

// largeCell returns the first cell that is too large, or nil.
func (l *lane) largeCell(c scan.Chunk, rows columnar.Rows) *cell {
	for i := range rows.Len {
		for k, v := range rows.Cols {
			if l.schema[k].Type != columnar.Text || v.IsNull(i) {
				continue
			}
			if n := len(v.Bytes(i)); n > protocol.MaxRow {
				return &cell{l.table, l.schema[k].Name, c.Line(l.selection.Row(i)), n}
			}
		}
	}
	return nil
}

// tooLarge is the error of a batch too large for any gateway.
func (b *batch) tooLarge(rows, bytes int) error {
	if b.cell != nil {
		return errors.New(b.cell.String())
	}
	return fmt.Errorf("block %d makes a batch of %d rows in %d bytes, more than a batch can have; smaller blocks help", b.number, rows, bytes)
}
