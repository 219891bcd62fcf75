package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// pieceBlocks is how many blocks of a file make a piece. After each it is written down
// where to go on.
const pieceBlocks = 64

// kept is the note of a table that comes by HTTP: what is on the cluster of it, up to the
// end of a piece. Any gateway can go on there.
type kept struct {
	// Begun tells which file was begun, some of which may have come beyond that.
	Begun    *beginning   `json:"begun,omitempty"`
	Header   []byte       `json:"header,omitempty"` // of the file
	Offset   int64        `json:"offset"`           // bytes of the file, up to the end of a record
	Sum      []byte       `json:"sum"`              // of these bytes, as xxhash has it
	Batches  uint64       `json:"batches"`
	Rows     int64        `json:"rows"`
	Rejected []scan.Count `json:"rejected,omitempty"`
	Warnings []scan.Count `json:"warnings,omitempty"`

	version uint64 // of the note
	sent    bool   // batches of the file that is begun, some of them maybe
}

// beginning is what can be known of a file before all of it has come.
type beginning struct {
	Size int64  `json:"size"` // bytes; negative if nobody said
	Head uint64 `json:"head"` // the sum of its first bytes
}

// isOf reports whether what was begun may be this file.
func (l beginning) isOf(file beginning) bool {
	return l.Head == file.Head && (l.Size == file.Size || l.Size < 0 || file.Size < 0)
}

// headBytes is how many bytes of a file are looked at before any of it is sent.
const headBytes = 64 << 10

// digest returns the sum so far, to go on with.
func (k *kept) digest() (*xxhash.Digest, error) {
	sum := xxhash.New()
	if k.Offset == 0 {
		return sum, nil
	}
	return sum, sum.UnmarshalBinary(k.Sum)
}

// add counts what a piece has had.
func (k *kept) add(s *scan.Stats) {
	k.Batches += uint64(s.Blocks)
	k.Rows += s.Rows
	k.Rejected, k.Warnings = sum(k.Rejected, s.Rejected), sum(k.Warnings, s.Warnings)
}

// sum adds counts of the same things.
func sum(a, b []scan.Count) []scan.Count {
	out := slices.Clone(a)
	for _, c := range b {
		i := slices.IndexFunc(out, func(o scan.Count) bool { return o.What == c.What && o.Column == c.Column })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].Count += c.Count
	}
	slices.SortFunc(out, func(a, b scan.Count) int {
		return cmp.Or(strings.Compare(a.What, b.What), strings.Compare(a.Column, b.Column))
	})
	return out
}

// pieces cuts the bytes of a file, as they come, into files of their own that begin with
// its header. A piece begins where a record does and has so many blocks, so that it is a
// function of the file alone. What cannot be gone on with in its midst, since it is
// compressed, or rewritten as it is read, or has no header but its first record, is one
// piece.
type pieces struct {
	at    *kept // where the piece begins
	in    io.Reader
	block int64
	whole bool         // it is one piece
	begin []byte       // of the file, as long as the header is not known
	split csv.Splitter // finds it
	sum   *xxhash.Digest
	rest  []byte // read from in, and of no piece yet

	// Of the piece that is read:
	lead  []byte // of the header, that is to be read yet
	given int64  // bytes, those of the header of another piece included
	tail  []byte // what was given of the last block and behind it
	ended bool   // in has ended
}

// newPieces cuts a file from where a note says, which goes on with each piece that ends.
func newPieces(in io.Reader, table *columnar.Table, block int, at *kept) (*pieces, error) {
	split, ok := csv.NewSplitter(table.Dialect)
	sum, err := at.digest()
	return &pieces{at: at, in: in, block: int64(block), whole: table.Headless || !ok, split: split, sum: sum}, err
}

// fill reads until there are so many bytes, or all.
func (p *pieces) fill(need int) error {
	for len(p.rest) < need && !p.ended {
		buffer := make([]byte, 4<<10)
		n, err := p.in.Read(buffer)
		p.rest = append(p.rest, buffer[:n]...)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		p.ended = err != nil
	}
	return nil
}

// beginning returns what tells a file from others before any of it is taken. Its size is
// negative if nobody said it.
func (p *pieces) beginning(size int64) (beginning, error) {
	err := p.fill(headBytes)
	return beginning{size, xxhash.Sum64(p.rest[:min(headBytes, len(p.rest))])}, err
}

// next begins the next piece; it reports whether there is one.
func (p *pieces) next() (bool, error) {
	need := 1
	if p.at.Offset == 0 {
		need = csv.MagicBytes
	}
	if err := p.fill(need); err != nil {
		return false, err
	}
	if p.at.Offset == 0 {
		p.whole = p.whole || !csv.Plain(p.rest)
	} else {
		p.lead = p.at.Header
	}
	p.given, p.tail = 0, nil
	return len(p.rest) > 0 || p.at.Offset == 0, nil // a file that is empty is one, without a header
}

// blocks is how many of the piece are read; 0: all.
func (p *pieces) blocks() int64 {
	if p.whole {
		return 0
	}
	return pieceBlocks
}

// Read implements io.Reader for the piece.
func (p *pieces) Read(b []byte) (n int, err error) {
	switch {
	case len(p.lead) > 0:
		n = copy(b, p.lead)
		p.lead = p.lead[n:]
		p.given += int64(n)
		return n, nil
	case len(p.rest) > 0:
		n = copy(b, p.rest)
		p.rest = p.rest[n:]
	case p.ended:
		return 0, io.EOF
	default:
		n, err = p.in.Read(b)
		p.ended = errors.Is(err, io.EOF)
	}
	p.take(b[:n])
	return n, err
}

// take notes what is given of the file.
func (p *pieces) take(b []byte) {
	if p.whole {
		return
	}
	if p.at.Header == nil {
		p.begin = append(p.begin, b...)
		// Of a CR the next byte tells whether an LF belongs to it.
		if p.split.Write(b); p.split.Header() > 0 && int64(len(p.begin)) > p.split.Header() {
			p.at.Header, p.begin = bytes.Clone(p.begin[:p.split.Header()]), nil
		}
	}
	before := max(0, min(int64(len(b)), p.lastBlock()-p.given))
	_, _ = p.sum.Write(b[:before]) // it never fails
	p.tail = append(p.tail, b[before:]...)
	p.given += int64(len(b))
}

// lastBlock is where in the piece its last block begins.
func (p *pieces) lastBlock() int64 { return (pieceBlocks - 1) * p.block }

// end ends a piece, of which so many blocks were read that end there; it reports whether
// there may be another.
func (p *pieces) end(s *scan.Stats) (more bool, err error) {
	p.at.add(s)
	if p.whole || s.Blocks < pieceBlocks {
		return false, nil
	}
	// Of blank lines nobody says where they end.
	own := min(max(s.End-p.lastBlock(), 0), int64(len(p.tail)))
	_, _ = p.sum.Write(p.tail[:own]) // it never fails
	p.rest = append(bytes.Clone(p.tail[own:]), p.rest...)
	if p.at.Offset > 0 {
		p.given -= int64(len(p.at.Header))
	}
	p.at.Offset += p.given - int64(len(p.tail)) + own
	p.at.Sum, err = p.sum.MarshalBinary()
	return true, err
}

// run uploads a table from where its note says. The size of its file is negative if nobody
// said it. If the file is wrong and some of it was sent the job is ended, since nothing else
// could be sent in its place.
func (us *uploads) run(ctx context.Context, key uploadKey, body io.Reader, at kept, size int64) (*protocol.TableRead, error) {
	j, err := us.client.Job(ctx, key.job)
	if err != nil {
		return nil, err
	}
	if j.Spec.Open {
		return us.append(ctx, j, key, body)
	}
	cut, err := newPieces(body, j.Spec.Table(key.table), j.Spec.Block, &at)
	if err != nil {
		return nil, err
	}
	at.sent = at.Begun != nil || at.Offset > 0
	keep, err := us.mark(ctx, j, key.table, cut, &at, size)
	if err != nil {
		return nil, err
	}
	for more := true; more; {
		if more, err = us.piece(ctx, j, key.table, cut, &at); err == nil && more && keep {
			keep, err = us.keep(ctx, j, key.table, &at)
		}
		switch {
		case scan.IsInput(err):
			return nil, us.refused(ctx, j, key.table, err, &at, at.sent)
		case err != nil:
			return nil, err
		}
	}
	read := &protocol.TableRead{Table: key.table, Rows: at.Rows, Rejected: at.Rejected, Warnings: at.Warnings}
	all := scan.Stats{File: file{}.Name(), Progress: scan.Progress{Rows: at.Rows}, Rejected: at.Rejected}
	if err := all.CheckRejects(-1, scan.AllButOne); err != nil {
		return nil, us.refused(ctx, j, key.table, because(err, at.Rejected), &at, false)
	}
	return read, j.EndTable(ctx, at.Batches, *read)
}

// mark notes which file is begun, before any of it is sent: batches of two files would
// be a mixture of them. It reports whether there can be other notes.
func (us *uploads) mark(ctx context.Context, j *client.Job, table string, cut *pieces, at *kept, size int64) (bool, error) {
	if at.Offset > 0 {
		return true, nil // that what came before is the same was found out
	}
	file, err := cut.beginning(size)
	if err != nil {
		return false, err
	}
	if at.Begun != nil && !at.Begun.isOf(file) {
		return false, protocol.Errorf(protocol.Refused, "some of another file has come of table %s: send that again, or open another job", table)
	}
	if at.Begun != nil {
		return true, nil
	}
	at.Begun = &file
	return us.keep(ctx, j, table, at)
}

// piece uploads the next piece of a table, and reports whether there may be another.
func (us *uploads) piece(ctx context.Context, j *client.Job, table string, cut *pieces, at *kept) (more bool, err error) {
	if more, err := cut.next(); err != nil || !more {
		return false, err
	}
	sent := new(client.Blocks)
	report, err := j.Upload(ctx, client.Upload{
		Open:    func(string) (vfs.File, error) { return file{vfs.Stdin(cut), at.Offset}, nil },
		Wanted:  func(t string) bool { return t == table },
		Workers: 1, MaxRejects: -1, Blocks: sent,
		Piece: &client.Piece{First: at.Batches, Blocks: cut.blocks()},
	})
	at.sent = at.sent || len(sent.Read(table, 0)) > 0
	if err != nil {
		return false, err
	}
	return cut.end(&report.Tables[0].Stats)
}

// noteTime is how long it may take to write a note. A worker that computes takes longer,
// and then nothing more is noted: it is only to save somebody from sending bytes twice.
const noteTime = 5 * time.Second

// keep notes where to go on, and reports whether that can be done again.
func (us *uploads) keep(ctx context.Context, j *client.Job, table string, at *kept) (again bool, err error) {
	text, err := json.Marshal(at)
	if err != nil {
		return false, err
	}
	within, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	err = j.Keep(within, protocol.Note{Table: table, Version: at.version + 1, Text: text})
	switch {
	case err == nil:
		at.version++
		return true, nil
	case errors.Is(err, client.ErrOvertaken):
		return false, protocol.Errorf(protocol.Busy, "the table comes by another gateway as well")
	}
	return false, context.Cause(ctx)
}

// refused returns why a file is refused. Where no row of it can be on the cluster another
// file may come in its place, behind the batches that this one has had: all were
// acknowledged, or none sent. Else the job is ended, since the table cannot be had any more.
func (us *uploads) refused(ctx context.Context, j *client.Job, table string, err error, at *kept, rows bool) error {
	if !rows {
		if noted, _ := us.keep(ctx, j, table, &kept{Batches: at.Batches, version: at.version}); noted || !at.sent {
			return err
		}
	}
	why := fmt.Sprintf("table %s: %v", table, err)
	if failed := us.client.End(ctx, j.Spec.ID, protocol.PrintableReason(why)); failed == nil {
		err = fmt.Errorf("%w (the job was ended, since some of the table was there)", err)
	}
	return err
}

// file is a piece as a file.
type file struct {
	vfs.File
	at int64
}

// Name says where lines are counted from.
func (f file) Name() string {
	if f.at == 0 {
		return "the body"
	}
	return fmt.Sprintf("the body, behind byte %d", f.at)
}
