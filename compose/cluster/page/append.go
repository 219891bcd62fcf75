package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// maxAppended bounds the bytes of a file appended by HTTP, as sent: the gateway stores the
// file until all of it has arrived.
const maxAppended = 1 << 30

// append appends a file to a table of an open job, as any client does. A file that does not
// fit is refused as a whole, so the gateway stores all of it before it sends any. The file is
// recognised by its bytes, so it counts once however often it is sent again, after any crash
// and at any gateway. read is nil if the file is in the table already.
func (us *uploads) append(ctx context.Context, j *client.Job, key uploadKey, body io.Reader) (read *protocol.TableRead, err error) {
	dir, err := us.files.MkdirTemp(us.dir, "analyzer-append-*")
	if err != nil {
		return nil, noRoom(err)
	}
	defer func() { err = errors.Join(err, us.files.RemoveAll(dir)) }()
	path := filepath.Join(dir, "file")
	known, err := us.spool(path, body, key.as)
	if err != nil {
		return nil, err
	}
	report, err := j.Append(ctx, client.Upload{
		Open: func(string) (vfs.File, error) {
			f, err := us.files.Open(path)
			return spooled{f, known}, err
		},
		Wanted:  func(t string) bool { return t == key.table },
		Workers: 1, MaxRejects: -1, MaxRejectShare: scan.AllButOne,
	})
	for _, t := range report.Tables {
		if err = because(err, t.Stats.Rejected); err == nil {
			read = &protocol.TableRead{Table: key.table, Rows: t.Stats.Rows, Rejected: t.Stats.Rejected, Warnings: t.Stats.Warnings}
		}
	}
	return read, err
}

// spool stores a file, and returns what identifies it: its bytes, and the client's
// idempotency key, with which a client can append the same bytes twice on purpose.
func (us *uploads) spool(path string, body io.Reader, as string) (known protocol.Fingerprint, err error) {
	f, err := us.files.Create(path)
	if err != nil {
		return known, noRoom(err)
	}
	sum := xxhash.New()
	known.Size, err = io.Copy(io.MultiWriter(disk{f}, sum), io.LimitReader(body, us.longest+1))
	if known.Size > us.longest {
		err = protocol.Errorf(protocol.Refused, "a file of more than %d bytes cannot be appended by HTTP: cut it into several, each with the header", us.longest)
	}
	_, _ = sum.WriteString(as)
	known.Sample = fmt.Sprintf("%016x", sum.Sum64())
	return known, errors.Join(err, f.Close())
}

// disk writes to a file of the gateway, and names the gateway in its errors.
type disk struct{ io.Writer }

func (d disk) Write(b []byte) (int, error) {
	n, err := d.Writer.Write(b)
	if err != nil {
		err = noRoom(err)
	}
	return n, err
}

func noRoom(err error) error {
	return protocol.Errorf(protocol.Trouble, "the gateway cannot keep what comes: %s", vfs.Tellable(err, ""))
}

// spooled is a file that was received by HTTP.
type spooled struct {
	vfs.File
	known protocol.Fingerprint
}

// Name returns the name for messages.
func (spooled) Name() string { return file{}.Name() }

// Fingerprint implements client.Known.
func (s spooled) Fingerprint() protocol.Fingerprint { return s.known }

// close closes an open job: nothing can be appended any more, and its last answers are
// computed.
func (p *Page) close(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	if !j.Spec.Open {
		return protocol.Errorf(protocol.Refused, "job %s does not stay open: its tables end with their files", j.Spec.ID)
	}
	if err := j.EndTables(r.Context(), nil); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, describe(j.Spec))
}
