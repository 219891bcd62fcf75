package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
)

// lanes uploads the batches of the blocks that one worker goroutine reads.
type lanes struct {
	table  string
	blocks *Blocks
	all    []*lane // by scan
}

func (u *uploader) newWorker(ctx context.Context, p *engine.Pass) (engine.BlockWorker, error) {
	ls := &lanes{table: p.Table.Name, blocks: u.Blocks}
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
		if err := l.sendEnded(); err != nil {
			return err
		}
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
		first = cmp.Or(first, l.sendEnded())
	}
	for _, l := range ls.all {
		first = cmp.Or(first, l.out.close())
	}
	return first
}

func (ls *lanes) Close() error {
	for _, l := range ls.all {
		l.out.abandon()
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
	parts     *assemblies
	out       out

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
	to, err := u.out(ctx, n.ID, acked)
	if err != nil {
		return nil, err
	}
	first := u.Journal.Grown()[p.Table.Name].Batches
	if u.Piece != nil {
		first = u.Piece.First
	}
	l := &lane{scan: n.ID, table: p.Table.Name, first: first, journal: u.Journal, selection: selection, schema: schema, parts: &u.assemblies, out: to, ctx: ctx}
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
	part.Where = columnar.Only(s.Where, func(e *expr.Expr) bool { return e.Cost() < expr.Expensive })
	return &part
}

// upload sends the batch of a block with its last part, even an empty one, unless the cluster has it.
func (l *lane) upload(c scan.Chunk) error {
	if l.early == nil && l.has(c.Index()) {
		return nil
	}
	var sent error
	some := false
	err := l.selection.Each(c, func(rows columnar.Rows) error {
		some, sent = true, l.add(c, rows)
		return sent
	})
	switch {
	case sent != nil:
		return sent
	case err != nil:
		return fmt.Errorf("%s: %w", opOf(l.table), err)
	case !some:
		return l.add(c, columnar.NewRows(l.schema))
	}
	return nil
}

// has reports whether the cluster is known to have the batch of a block.
func (l *lane) has(block int64) bool { return l.journal.has(l.scan, l.first+uint64(block)) }

// add adds the rows of a part of a block to its batch, and sends it if that is all of it.
func (l *lane) add(c scan.Chunk, rows columnar.Rows) error {
	var large *cell
	if rows.ValueBytes() > protocol.MaxRow {
		large = l.largeCell(c, rows)
	}
	part, of := c.Part()
	a := l.parts.add(scanBlock{l.scan, c.Index()}, part, of, l.schema, rows, large)
	if a == nil {
		return nil
	}
	return l.send(a)
}

// sendEnded sends the batches whose last parts were known as such only when their files ended.
func (l *lane) sendEnded() error {
	for a := l.parts.ended(l.scan); a != nil; a = l.parts.ended(l.scan) {
		if err := l.send(a); err != nil {
			return err
		}
	}
	return nil
}

// send sends a batch, unless earlier blocks have all the rows that are needed.
func (l *lane) send(a *assembly) error {
	rows := a.rows
	if l.early != nil {
		needed, err := l.early.Yields(l.ctx, a.block, int64(rows.Len))
		if err != nil || !needed || l.has(a.block) {
			return err
		}
		rows = rows.Slice(0, min(rows.Len, int(l.early.First())))
	}
	number := l.first + uint64(a.block)
	if rows.Len > protocol.MaxRows {
		return fmt.Errorf("%s: block %d makes a batch of %d rows; %d are possible; smaller blocks help", opOf(l.table), number, rows.Len, protocol.MaxRows)
	}
	if err := l.out.put(number, rows, a.large); err != nil {
		return err
	}
	l.parts.free(a)
	return nil
}

// opOf names the upload of a table in errors.
func opOf(table string) string { return "upload table " + table }

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

// blame adds the cell to a refusal of its batch as too large.
func (c *cell) blame(err error) error {
	if c == nil || protocol.CodeOf(err) != protocol.TooLarge {
		return err
	}
	return fmt.Errorf("%w: %v", err, c)
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
