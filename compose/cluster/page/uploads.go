package page

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/quota"
)

// uploads are the tables that are being uploaded by HTTP.
//
// Each upload is one as any client makes it, from a pipe that requests write to, one after
// the other. It is cut into pieces, so that the same code makes the same batches from the
// same bytes, whoever runs it. When all of a piece is acknowledged, the job keeps a note of
// it. If this gateway dies, any other resumes at the note and makes the same batches of the
// rest again; workers take each batch once. A file that is a single piece has no notes, so
// its sender begins again with the first byte.
//
// For an open job, the pipe feeds an append instead of a plain upload.
type uploads struct {
	client *client.Client
	files  vfs.FS // for appended files
	dir    string
	// longest is how many bytes an appended file may have.
	longest int64
	places  *quota.Quota // counted in uploads that read the usual blocks
	stop    context.Context
	wait    sync.WaitGroup

	mu    sync.Mutex
	byKey map[uploadKey]*upload
}

func newUploads(stop context.Context, cfg Config, c *client.Client) *uploads {
	most := min(max(1, int(cfg.Memory/memoryOfUpload)), maxUploads)
	return &uploads{
		client: c, files: cfg.Files, dir: cfg.Dir, longest: maxAppended, stop: stop,
		places: quota.New("tables", most, cfg.Owner != nil, nil), byKey: make(map[uploadKey]*upload),
	}
}

type uploadKey struct {
	job   protocol.JobID
	table string
	as    string // the client's idempotency key for an append; "": none
}

// keyOf returns the key of the upload that a request belongs to.
func keyOf(r *http.Request, j *client.Job) uploadKey {
	key := uploadKey{job: j.Spec.ID, table: r.PathValue("table")}
	if j.Spec.Open {
		key.as = r.Header.Get("Idempotency-Key")
	}
	return key
}

const (
	// memoryOfUpload is how much of a gateway's memory each upload with usual blocks needs.
	// With one reader, an upload that sends all columns of its table takes some 40 MiB, for
	// its current blocks and for their batches until they are acknowledged. An upload with
	// larger blocks counts as several.
	memoryOfUpload = 64 << 20
	maxUploads     = 8
	// idle is how long an upload without requests is kept.
	idle  = 2 * time.Minute
	piece = 256 << 10
)

// find returns an upload, or nil if there is none.
func (us *uploads) find(key uploadKey) *upload {
	us.mu.Lock()
	defer us.mu.Unlock()
	return us.byKey[key]
}

// begin returns the upload of a table. Unless there is one already, it begins one where the
// note from says. size, that of the file, is negative if unknown.
func (us *uploads) begin(ctx context.Context, key uploadKey, spec *protocol.Spec, from note, size int64) (*upload, error) {
	u, err := us.tryBegin(ctx, key, spec, from, size)
	if protocol.CodeOf(err) == protocol.Busy && us.makeRoom(ctx, spec.Owner) {
		return us.tryBegin(ctx, key, spec, from, size)
	}
	return u, err
}

func (us *uploads) tryBegin(ctx context.Context, key uploadKey, spec *protocol.Spec, from note, size int64) (*upload, error) {
	owner, takes := spec.Owner, (spec.Block+usualBlock-1)/usualBlock
	if share := us.places.Share(); takes > share {
		return nil, protocol.Errorf(protocol.Refused, "the job reads %d bytes at a time, more than the %d that this gateway has memory for: give it more --memory, or submit with a smaller --block-size, or append with analyzer append", spec.Block, share*usualBlock)
	}
	sum, err := from.digest()
	if err != nil {
		return nil, err
	}
	us.mu.Lock()
	defer us.mu.Unlock()
	if u := us.byKey[key]; u != nil {
		return u, nil
	}
	if us.stop.Err() != nil {
		return nil, protocol.Errorf(protocol.Trouble, "the gateway is stopping")
	}
	if err := us.places.Take(owner, takes); err != nil {
		return nil, err
	}
	// The upload outlives the request that begins it, and keeps its token.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stopped := context.AfterFunc(us.stop, cancel)
	body, pipe := io.Pipe()
	u := &upload{table: key.table, owner: owner, pipe: pipe, open: spec.Open, slow: pieceTime, end: cancel, sum: sum, done: make(chan struct{})}
	u.at.Store(from.Offset)
	u.late = time.AfterFunc(idle, func() {
		cancel()
		us.forget(key, u)
	})
	us.byKey[key] = u
	us.wait.Go(func() {
		defer cancel()
		defer stopped()
		defer close(u.done)
		defer us.places.Give(owner, takes)
		// A reader of the pipe blocks until somebody writes to it or it is closed.
		defer context.AfterFunc(ctx, func() { _ = pipe.CloseWithError(errAbandoned) })()
		u.read, u.err = us.run(ctx, key, body, from, size)
		_ = body.CloseWithError(errThrough)
		if u.err != nil || spec.Open { // the next file may be for the same table
			us.forget(key, u)
		}
	})
	return u, nil
}

// makeRoom ends an upload whose last request failed and that no request continues, and
// reports whether there was one. It takes one of the same owner or, if the owner has none, of
// anybody. The notes of the upload stay.
func (us *uploads) makeRoom(ctx context.Context, owner string) bool {
	u := us.left(owner)
	if u == nil {
		return false
	}
	u.end()
	select {
	case <-u.done:
		return true
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return false
}

// left removes and returns an upload that may make room for another; nil if there is none.
func (us *uploads) left(owner string) *upload {
	us.mu.Lock()
	defer us.mu.Unlock()
	own := false
	for _, u := range us.byKey {
		own = own || u.owner == owner
	}
	for key, u := range us.byKey {
		if own && u.owner != owner || !u.sends.TryLock() {
			continue
		}
		failed := u.failed
		u.sends.Unlock()
		if failed {
			delete(us.byKey, key)
			return u
		}
	}
	return nil
}

func (us *uploads) forget(key uploadKey, u *upload) {
	us.mu.Lock()
	defer us.mu.Unlock()
	if us.byKey[key] == u {
		delete(us.byKey, key)
	}
}

// drop ends the uploads of a job.
func (us *uploads) drop(job protocol.JobID) {
	us.mu.Lock()
	defer us.mu.Unlock()
	for key, u := range us.byKey {
		if key.job == job {
			u.end()
			delete(us.byKey, key)
		}
	}
}

// close waits for all uploads and closes their client. The context stop has ended by then.
func (us *uploads) close() error {
	us.wait.Wait()
	us.mu.Lock()
	defer us.mu.Unlock()
	for _, u := range us.byKey {
		u.late.Stop()
	}
	return us.client.Close()
}
