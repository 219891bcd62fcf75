package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/quota"
)

// Table says how far the upload of a table is.
type Table struct {
	Table string `json:"table"`
	// Offset is how many bytes of the file have arrived: where to resume.
	Offset   int64 `json:"offset"`
	Complete bool  `json:"complete"`
	// Read is what the file held, once it is complete; nil if it had been appended before.
	Read *protocol.TableRead `json:"read,omitempty"`
	// Grown holds the totals of all files appended to a table of an open job. Half says that
	// a file was appended in part.
	Grown *client.Grown `json:"grown,omitempty"`
	Half  bool          `json:"half,omitempty"`
}

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
		places: quota.New("tables", most, cfg.Tokens, nil), byKey: make(map[uploadKey]*upload),
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

// upload is one table being uploaded.
type upload struct {
	table  string
	owner  string
	pipe   *io.PipeWriter
	sends  sync.Mutex // held by the request that sends
	failed bool       // the last request has failed; guarded by sends
	late   *time.Timer
	slow   time.Duration // how long a request may take to send one piece of its body
	end    context.CancelFunc

	at   atomic.Int64   // how many bytes have arrived: where to resume
	sum  *xxhash.Digest // of the bytes so far; guarded by sends
	done chan struct{}  // closed when read and err are set
	read *protocol.TableRead
	err  error
}

// find returns an upload, or nil if there is none.
func (us *uploads) find(key uploadKey) *upload {
	us.mu.Lock()
	defer us.mu.Unlock()
	return us.byKey[key]
}

// begin returns the upload of a table. Unless there is one already, it begins one where the
// note from says. size, that of the file, is negative if unknown.
func (us *uploads) begin(ctx context.Context, key uploadKey, spec *protocol.Spec, from kept, size int64) (*upload, error) {
	u, err := us.tryBegin(ctx, key, spec, from, size)
	if protocol.CodeOf(err) == protocol.Busy && us.makeRoom(ctx, spec.Owner) {
		return us.tryBegin(ctx, key, spec, from, size)
	}
	return u, err
}

func (us *uploads) tryBegin(ctx context.Context, key uploadKey, spec *protocol.Spec, from kept, size int64) (*upload, error) {
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
	u := &upload{table: key.table, owner: owner, pipe: pipe, slow: pieceTime, end: cancel, sum: sum, done: make(chan struct{})}
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

var (
	errAbandoned = errors.New("nobody has gone on with it")
	errThrough   = errors.New("no more of it is read")
)

// progress sends how far an upload is.
func (p *Page) progress(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	out, err := p.tableNow(r, j)
	if err != nil {
		return err
	}
	return writeTable(w, http.StatusOK, out)
}

// writeTable sends how far a table is, also in a header for callers that do not read the
// body.
func writeTable(w http.ResponseWriter, status int, t *Table) error {
	w.Header().Set("Upload-Offset", strconv.FormatInt(t.Offset, 10))
	return writeJSON(w, status, t)
}

// aboutTable returns a handler of requests about a table that the job reads.
func (p *Page) aboutTable(serve jobHandler) handler {
	return p.about(func(w http.ResponseWriter, r *http.Request, j *client.Job) error {
		name := r.PathValue("table")
		if tables := j.Spec.Plan.Tables(); !slices.Contains(tables, name) {
			return protocol.Errorf(protocol.Refused, "job %s reads no table %q; it reads %q", j.Spec.ID, name, tables)
		}
		if j.Spec.Cut != nil {
			return protocol.Errorf(protocol.Refused, "job %s answers for a part of another, and takes no tables", j.Spec.ID)
		}
		return serve(w, r, j)
	})
}

// tableNow returns how far a table is.
func (p *Page) tableNow(r *http.Request, j *client.Job) (*Table, error) {
	name := r.PathValue("table")
	out := &Table{Table: name}
	if u := p.uploads.find(keyOf(r, j)); u != nil {
		select {
		case <-u.done:
			return u.result()
		default:
			out.Offset = u.at.Load()
			return out, nil
		}
	}
	if j.Spec.Open {
		return grown(r.Context(), j, out)
	}
	s, err := p.client.Status(r.Context(), j.Spec.ID)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(s.Tables, func(t protocol.TableRead) bool { return t.Table == name }); i >= 0 {
		out.Complete, out.Read = true, &s.Tables[i]
		return out, nil
	}
	from, err := p.kept(r, j)
	out.Offset = from.Offset
	return out, err
}

// grown adds the totals of a table of an open job.
func grown(ctx context.Context, j *client.Job, out *Table) (*Table, error) {
	journal, err := j.Journal(ctx)
	if err != nil {
		return nil, err
	}
	g := journal.Grown()[out.Table]
	g.Known = nil
	out.Grown, out.Half = &g, journal.HalfSent(out.Table)
	return out, nil
}

// kept returns the job's note of the request's table.
func (p *Page) kept(r *http.Request, j *client.Job) (k kept, err error) {
	if j.Spec.Open {
		return k, nil
	}
	n, err := j.Note(r.Context(), r.PathValue("table"))
	if err != nil || n.Version == 0 {
		return k, err
	}
	if err := json.Unmarshal(n.Text, &k); err != nil {
		return k, fmt.Errorf("read the note of table %s: %w", n.Table, err)
	}
	k.version = n.Version
	return k, nil
}

// result returns the outcome of an upload that is done.
func (u *upload) result() (*Table, error) {
	if u.err != nil {
		return nil, u.err
	}
	return &Table{Table: u.table, Offset: u.at.Load(), Complete: true, Read: u.read}, nil
}

// upload receives part of a table's file, or all of it.
func (p *Page) upload(w http.ResponseWriter, r *http.Request, j *client.Job) error {
	part, err := parsePart(r)
	if err != nil {
		return err
	}
	if now, err := p.tableNow(r, j); err == nil && now.Complete {
		return writeTable(w, http.StatusOK, now) // sent again by a client that did not get the answer
	}
	key := keyOf(r, j)
	u := p.uploads.find(key)
	if u == nil {
		var from kept
		if from, err = p.kept(r, j); err == nil {
			u, err = p.uploads.begin(r.Context(), key, j.Spec, from, part.size)
		}
	}
	if err != nil {
		return err
	}
	if !u.sends.TryLock() {
		return protocol.Errorf(protocol.Busy, "another request is sending this table")
	}
	defer u.sends.Unlock()
	u.late.Stop()
	defer u.late.Reset(idle)
	err = u.take(w, r, part)
	if u.failed = err != nil; err != nil {
		return err
	}
	if !part.last {
		return writeTable(w, http.StatusAccepted, &Table{Table: u.table, Offset: u.at.Load()})
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	_ = u.pipe.Close() // io.EOF
	select {
	case <-u.done:
	case <-r.Context().Done():
		return nil // the upload goes on; a later request gets the result
	}
	out, err := u.result()
	if err != nil {
		return err
	}
	if out.Read == nil {
		return writeTable(w, http.StatusOK, out)
	}
	return writeTable(w, http.StatusCreated, out)
}

// take reads a part and writes it to the pipe. Bytes that had arrived before are compared and
// skipped.
func (u *upload) take(w http.ResponseWriter, r *http.Request, part part) error {
	have := u.at.Load()
	again := xxhash.New()
	switch {
	case part.from == have:
	case part.from == 0:
	default:
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", have))
		return &offsetError{have}
	}
	control := http.NewResponseController(w)
	buffer := make([]byte, piece)
	for at := part.from; ; {
		if err := control.SetReadDeadline(time.Now().Add(u.slow)); err != nil {
			return err
		}
		n, err := r.Body.Read(buffer)
		b := buffer[:n]
		if at < have { // all of the old bytes are compared before anything is added
			old := b[:min(int64(n), have-at)]
			_, _ = again.Write(old) // it never fails
			if at+int64(len(old)) == have && again.Sum64() != u.sum.Sum64() {
				return protocol.Errorf(protocol.Refused, "its first %d bytes are not those that came before", have)
			}
			b = b[len(old):]
		}
		if err := u.write(b); err != nil {
			return err
		}
		at += int64(n)
		switch {
		case errors.Is(err, io.EOF) && at < have:
			return protocol.Errorf(protocol.Refused, "it ends after %d bytes; before, there were %d", at, have)
		case errors.Is(err, io.EOF) && part.to >= 0 && at != part.to:
			return protocol.Errorf(protocol.Refused, "%d bytes came where %d were announced", at-part.from, part.to-part.from)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return protocol.Errorf(protocol.Trouble, "the body was cut off after %d bytes: %v; go on from byte %d", at-part.from, err, u.at.Load())
		case part.to >= 0 && at > part.to:
			return protocol.Errorf(protocol.Refused, "more came than the %d bytes that were announced", part.to-part.from)
		}
	}
}

// write writes bytes to the pipe, and waits until they are read.
func (u *upload) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	n, err := u.pipe.Write(b)
	u.at.Add(int64(n))
	_, _ = u.sum.Write(b[:n]) // it never fails
	if err == nil {
		return nil
	}
	select {
	case <-u.done: // then result has the reason
	case <-time.After(patience):
	}
	if _, failed := u.result(); failed != nil {
		return failed
	}
	return fmt.Errorf("read the body: %w", err)
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
