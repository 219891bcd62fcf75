package page

import (
	"bytes"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input/known"
	"analyzer/columnar/scan"
	"analyzer/columnar/stored"
)

// pieceBlocks is how many blocks of a file make a piece. After each piece, a note says where
// to resume.
const pieceBlocks = 64

// pieces cuts a file, as its bytes arrive, into smaller files that each begin with its
// header. A piece begins at the beginning of a record and has pieceBlocks blocks, so pieces
// are a function of the file alone. A file that cannot be resumed in the middle is a single
// piece: because it is compressed, or is rewritten while it is read, or has no header.
type pieces struct {
	at    *note // where the piece begins
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
func newPieces(in io.Reader, table *columnar.Table, block int, at *note) (*pieces, error) {
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
		need = stored.MagicBytes
	}
	if err := p.fill(need); err != nil {
		return false, err
	}
	if p.at.Offset == 0 {
		p.whole = p.whole || !known.Cuttable(p.rest)
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
