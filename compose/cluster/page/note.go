package page

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/scan"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// note is what a job keeps about a table that is uploaded by HTTP: it says what the cluster has
// of the table, up to the end of a piece. Any gateway can resume there.
type note struct {
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
func (n *note) digest() (*xxhash.Digest, error) {
	sum := xxhash.New()
	if n.Offset == 0 {
		return sum, nil
	}
	return sum, sum.UnmarshalBinary(n.Sum)
}

// add adds the counts of a piece.
func (n *note) add(s *scan.Stats) {
	n.Batches += uint64(s.Blocks)
	n.Rows += s.Rows
	n.Rejected, n.Warnings = sum(n.Rejected, s.Rejected), sum(n.Warnings, s.Warnings)
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

// note returns the job's note of the request's table.
func (p *Page) note(r *http.Request, j *client.Job) (out note, err error) {
	if j.Spec.Open {
		return out, nil
	}
	n, err := j.Note(r.Context(), r.PathValue("table"), nil)
	if err != nil || n.Version == 0 {
		return out, err
	}
	if err := json.Unmarshal(n.Text, &out); err != nil {
		return out, fmt.Errorf("read the note of table %s: %w", n.Table, err)
	}
	out.version = n.Version
	return out, nil
}

// mark notes which file was begun before any of it is sent, so that the batches of two files
// cannot mix. It reports whether further notes can be written.
func (us *uploads) mark(ctx context.Context, j *client.Job, table string, cut *pieces, at *note, size int64) (bool, error) {
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
	return us.writeNote(ctx, j, table, at)
}

// noteTime bounds the writing of a note. A worker that is computing takes longer; then no
// more notes are written, as they only save sending bytes twice.
const noteTime = 5 * time.Second

// writeNote writes the note of where to resume, and reports whether it can be written again.
func (us *uploads) writeNote(ctx context.Context, j *client.Job, table string, at *note) (again bool, err error) {
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
