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

// pieceBlocks is how many blocks of a file make a piece. After each piece, a note says where
// to resume.
const pieceBlocks = 64

// kept is the note of a table that is uploaded by HTTP: it says what the cluster has of the
// table, up to the end of a piece. Any gateway can resume there.
type kept struct {
	// Begun identifies the file that was begun. The cluster may have more of it than Offset
	// says.
	Begun    *beginning   `json:"begun,omitempty"`
	Header   []byte       `json:"header,omitempty"` // of the file
	Offset   int64        `json:"offset"`           // bytes of the file before which everything is on the cluster; the end of a record
	Sum      []byte       `json:"sum"`              // xxhash64 state after these bytes
	Batches  uint64       `json:"batches"`
	Rows     int64        `json:"rows"`
	Rejected []scan.Count `json:"rejected,omitempty"`
	Warnings []scan.Count `json:"warnings,omitempty"`

	version uint64 // of the note
	sent    bool   // batches of the file were sent, or may have been
}

// beginning is what is known of a file before all of it has arrived.
type beginning struct {
	Size int64  `json:"size"` // bytes; negative if unknown
	Head uint64 `json:"head"` // hash of its first headBytes
}

// isOf reports whether the file that was begun may be this one.
func (l beginning) isOf(file beginning) bool {
	return l.Head == file.Head && (l.Size == file.Size || l.Size < 0 || file.Size < 0)
}

// headBytes is how many bytes of a file are hashed before any of it is sent.
const headBytes = 64 << 10

// digest returns the hash of the bytes so far, ready to be continued.
func (k *kept) digest() (*xxhash.Digest, error) {
	sum := xxhash.New()
	if k.Offset == 0 {
		return sum, nil
	}
	return sum, sum.UnmarshalBinary(k.Sum)
}

// add adds the counts of a piece.
func (k *kept) add(s *scan.Stats) {
	k.Batches += uint64(s.Blocks)
	k.Rows += s.Rows
	k.Rejected, k.Warnings = sum(k.Rejected, s.Rejected), sum(k.Warnings, s.Warnings)
}

// sum adds up counts of the same things.
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

// pieces cuts a file, as its bytes arrive, into smaller files that each begin with its
// header. A piece begins at the beginning of a record and has pieceBlocks blocks, so pieces
// are a function of the file alone. A file that cannot be resumed in the middle is a single
// piece: because it is compressed, or is rewritten while it is read, or has no header.
type pieces struct {
	at    *kept // where the piece begins
	in    io.Reader
	block int64
	whole bool         // the file is a single piece
	begin []byte       // the beginning of the file, until the header is known
	split csv.Splitter // finds the header
	sum   *xxhash.Digest
	rest  []byte // bytes read from in that no piece has used yet

	// State of the current piece:
	lead  []byte // the part of the repeated header that is still to be read
	given int64  // bytes read from the piece, including a repeated header
	tail  []byte // the bytes read from the last block on
	ended bool   // in is at its end
}

// newPieces cuts a file from where the note at says, and updates at with each piece that
// ends.
func newPieces(in io.Reader, table *columnar.Table, block int, at *kept) (*pieces, error) {
	split, ok := csv.NewSplitter(table.Dialect)
	sum, err := at.digest()
	return &pieces{at: at, in: in, block: int64(block), whole: table.Headless || !ok, split: split, sum: sum}, err
}

// fill reads until rest holds at least need bytes, or in ends.
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

// beginning identifies the file before any of it is sent. size is negative if unknown.
func (p *pieces) beginning(size int64) (beginning, error) {
	err := p.fill(headBytes)
	return beginning{size, xxhash.Sum64(p.rest[:min(headBytes, len(p.rest))])}, err
}

// next begins the next piece, and reports whether there is one.
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
	return len(p.rest) > 0 || p.at.Offset == 0, nil // an empty file is one piece, without a header
}

// blocks is how many blocks of the piece are read; 0: all.
func (p *pieces) blocks() int64 {
	if p.whole {
		return 0
	}
	return pieceBlocks
}

// Read implements io.Reader for the current piece.
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

// take records bytes of the file that Read returns.
func (p *pieces) take(b []byte) {
	if p.whole {
		return
	}
	if p.at.Header == nil {
		p.begin = append(p.begin, b...)
		// After a CR, the next byte tells whether an LF belongs to the line end.
		if p.split.Write(b); p.split.Header() > 0 && int64(len(p.begin)) > p.split.Header() {
			p.at.Header, p.begin = bytes.Clone(p.begin[:p.split.Header()]), nil
		}
	}
	before := max(0, min(int64(len(b)), p.lastBlock()-p.given))
	_, _ = p.sum.Write(b[:before]) // it never fails
	p.tail = append(p.tail, b[before:]...)
	p.given += int64(len(b))
}

// lastBlock is the offset in the piece at which its last block begins.
func (p *pieces) lastBlock() int64 { return (pieceBlocks - 1) * p.block }

// end ends a piece; s says what was read of it. It reports whether there may be another
// piece.
func (p *pieces) end(s *scan.Stats) (more bool, err error) {
	p.at.add(s)
	if p.whole || s.Blocks < pieceBlocks {
		return false, nil
	}
	// s.End is the end of the last record. It may lie before the last block, if only blank
	// lines follow.
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

// run uploads a table from where its note says. size, that of its file, is negative if
// unknown. If the file is invalid and some of it was sent, run ends the job, since nothing
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

// mark notes which file was begun before any of it is sent, so that the batches of two files
// cannot mix. It reports whether further notes can be written.
func (us *uploads) mark(ctx context.Context, j *client.Job, table string, cut *pieces, at *kept, size int64) (bool, error) {
	if at.Offset > 0 {
		return true, nil // the bytes sent before were compared already
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

// noteTime bounds the writing of a note. A worker that is computing takes longer; then no
// more notes are written, as they only save sending bytes twice.
const noteTime = 5 * time.Second

// keep writes the note of where to resume, and reports whether it can be written again.
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

// refused returns the error of a refused file. If no row of the file can be on the cluster,
// another file may take its place, numbered after the batches of this one: either all of
// those were acknowledged or none was sent. Otherwise it ends the job, since the table can no
// longer be completed.
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

// file presents a piece as a file.
type file struct {
	vfs.File
	at int64
}

// Name says which byte of the body line numbers count from.
func (f file) Name() string {
	if f.at == 0 {
		return "the body"
	}
	return fmt.Sprintf("the body, behind byte %d", f.at)
}
