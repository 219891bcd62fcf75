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

// maxAppended is how many bytes a file may have, as it is sent, that is appended by HTTP:
// the gateway keeps it until all of it has come.
const maxAppended = 1 << 30

// append appends a file to a table of an open job, as any client does. What does not fit is
// refused whole, so all of the file is kept before any of it is sent; and it is known by
// its bytes, so that whoever sends it again, after whatever crash and at whichever gateway,
// has it counted once. Nothing is returned of a file that is in the table already.
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
	journal, err := j.Journal(ctx)
	if err != nil {
		return nil, err
	}
	report, err := j.Append(ctx, client.Upload{
		Open: func(string) (vfs.File, error) {
			f, err := us.files.Open(path)
			return spooled{f, known}, err
		},
		Wanted:  func(t string) bool { return t == key.table },
		Workers: 1, MaxRejects: -1, MaxRejectShare: scan.AllButOne, Journal: journal,
	})
	for _, t := range report.Tables {
		if err = because(err, t.Stats.Rejected); err == nil {
			read = &protocol.TableRead{Table: key.table, Rows: t.Stats.Rows, Rejected: t.Stats.Rejected, Warnings: t.Stats.Warnings}
		}
	}
	return read, err
}

// spool keeps a file, and returns what it is known by: its bytes, and the name that the
// client has given to what it does, so that it can append the same bytes on purpose.
func (us *uploads) spool(path string, body io.Reader, as string) (known client.Fingerprint, err error) {
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

// disk is what is written to a file of the gateway.
type disk struct{ io.Writer }

func (d disk) Write(b []byte) (int, error) {
	n, err := d.Writer.Write(b)
	if err != nil {
		err = noRoom(err)
	}
	return n, err
}

func noRoom(err error) error {
	return protocol.Errorf(protocol.Trouble, "the gateway cannot keep what comes: %v", err)
}

// spooled is a file that came by HTTP.
type spooled struct {
	vfs.File
	known client.Fingerprint
}

// Name is for messages.
func (spooled) Name() string { return file{}.Name() }

// Fingerprint implements client.Known.
func (s spooled) Fingerprint() client.Fingerprint { return s.known }

// close closes a job that stays open: nothing can be appended to it any more, and its last
// answers come.
func (p *Page) close(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	if !j.Spec.Open {
		return protocol.Errorf(protocol.Refused, "job %s does not stay open: its tables end with their files", j.Spec.ID)
	}
	journal, err := j.Journal(r.Context())
	if err == nil {
		err = j.EndTables(r.Context(), journal)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, describe(j.Spec))
}
