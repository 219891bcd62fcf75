package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"

	"analyzer/columnar/vfs"
)

// A file is written into a store as an upload in parts, which become a file when the upload is
// completed, and until then are seen by nobody. That is how files are staged there: MkdirTemp gives a
// directory that exists in this process alone, Create in it begins the upload of a file for the
// directory around it, Rename completes it, and RemoveAll aborts what was not completed. A process
// that is killed leaves no file; its parts stay until the store drops them.

// uploads are those that were begun. They are safe for concurrent use.
type uploads struct {
	mu     sync.Mutex
	count  int
	stages map[string]string  // the directories for which staging directories are
	begun  map[string]*upload // by the name of the file in a staging directory
}

// The sizes of parts. Stores want at least 5 MiB, and take 10,000 of them, so later ones are larger.
const (
	partBytes  = 5 << 20
	partsOfOne = 1000
	mostParts  = 10_000
	// partsInFlight is how many parts of a file are on their way, besides the one that is filled.
	partsInFlight = 2
)

// upload is a file on its way into a store. It is for one goroutine.
type upload struct {
	fs          *FS
	client      *minio.Client
	name        string // of the file that it becomes
	bucket, key string
	id          string
	stop        context.CancelFunc
	part        []byte
	size        int64
	sent        []*minio.CompletePart
	slots       chan struct{}
	sending     sync.WaitGroup
	failed      atomic.Pointer[error]
	closed      bool
}

// staged reports whether a name is that of a store.
func staged(name string) bool {
	_, _, ok := cutS3(name)
	return ok
}

// stage makes a staging directory in a directory of a store.
func (f *FS) stage(dir, pattern string) string {
	u := f.uploads
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count++
	name := vfs.Join(dir, strings.Replace(pattern, "*", fmt.Sprint(u.count), 1))
	u.stages[name] = dir
	return name
}

// create begins the upload of a file in a staging directory.
func (f *FS) create(name string) (vfs.File, error) {
	u := f.uploads
	u.mu.Lock()
	dir, ok := u.stages[vfs.Dir(name)]
	u.mu.Unlock()
	if !ok {
		return nil, wrap("create", name, fmt.Errorf("files of a store appear when they are complete: %w", fs.ErrPermission))
	}
	to := vfs.Join(dir, vfs.Base(name))
	bucket, key, _ := cutS3(to)
	if bucket == "" || key == "" {
		return nil, wrap("create", to, errors.New("the name has no key: s3://bucket/key"))
	}
	src, err := f.source(to)
	if err != nil {
		return nil, wrap("create", to, err)
	}
	view := *f
	ctx, stop := context.WithCancel(f.ctx)
	view.ctx = ctx
	up := &upload{fs: &view, client: src.(*store).client, name: to, bucket: bucket, key: key, stop: stop, slots: make(chan struct{}, partsInFlight)}
	err = view.again(to, func(ctx context.Context) (err error) {
		up.id, err = up.core().NewMultipartUpload(ctx, bucket, key, minio.PutObjectOptions{})
		return failure(err)
	})
	if err != nil {
		stop()
		return nil, wrap("create", to, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.begun[name] = up
	return up, nil
}

func (u *upload) core() minio.Core { return minio.Core{Client: u.client} }

func (u *upload) Name() string         { return u.name }
func (u *upload) Seekable() bool       { return false }
func (u *upload) Size() (int64, error) { return u.size, nil }

func (u *upload) Read([]byte) (int, error) { return 0, wrap("read", u.name, errors.ErrUnsupported) }

func (u *upload) ReadAt([]byte, int64) (int, error) {
	return 0, wrap("read at offset", u.name, errors.ErrUnsupported)
}

func (u *upload) failure() error {
	if p := u.failed.Load(); p != nil {
		return *p
	}
	return nil
}

// Write appends to the file. It waits while parts are on their way.
func (u *upload) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		if err = u.failure(); err != nil {
			break
		}
		size := partBytes * (1 + len(u.sent)/partsOfOne)
		m := min(len(p)-n, size-len(u.part))
		u.part = append(u.part, p[n:n+m]...)
		n += m
		u.size += int64(m)
		if len(u.part) == size {
			err = u.send()
		}
	}
	return n, wrap("write", u.name, err)
}

// send sends the part that is full, or the last one.
func (u *upload) send() error {
	if len(u.sent) == mostParts {
		return fmt.Errorf("it would have more than %d parts of up to %d MiB", mostParts, partBytes*(mostParts/partsOfOne)>>20)
	}
	select {
	case u.slots <- struct{}{}:
	case <-u.fs.ctx.Done():
		return context.Cause(u.fs.ctx)
	}
	data, part := u.part, &minio.CompletePart{PartNumber: len(u.sent) + 1}
	u.part, u.sent = nil, append(u.sent, part)
	u.sending.Go(func() {
		defer func() { <-u.slots }()
		sum := sha256.Sum256(data)
		o := minio.PutObjectPartOptions{Sha256Hex: hex.EncodeToString(sum[:]), DisableContentSha256: true}
		err := u.fs.again(u.name, func(ctx context.Context) error {
			kept, err := u.core().PutObjectPart(ctx, u.bucket, u.key, u.id, part.PartNumber, bytes.NewReader(data), int64(len(data)), o)
			part.ETag = kept.ETag
			return failure(err)
		})
		if err != nil {
			err = fmt.Errorf("part %d: %w", part.PartNumber, err)
			u.failed.CompareAndSwap(nil, &err)
		}
	})
	return nil
}

// Sync sends what was written, and waits until the store has it. A file that is synced and then
// written to has a part that may be too small for the store.
func (u *upload) Sync() error {
	err := u.failure()
	if err == nil && (len(u.part) > 0 || len(u.sent) == 0) {
		err = u.send()
	}
	u.sending.Wait()
	return wrap("write", u.name, errors.Join(err, u.failure()))
}

// Close ends the writing. The file is there only once it is renamed. Parts may still be on their way
// then, unless it was synced; whoever renames or removes it waits for them.
func (u *upload) Close() error {
	if u.closed {
		return wrap("close", u.name, fs.ErrClosed)
	}
	u.closed = true
	return nil
}

// complete makes the file visible, all of it at once.
func (u *upload) complete() error {
	parts := make([]minio.CompletePart, len(u.sent))
	for i, part := range u.sent {
		parts[i] = *part
	}
	u.sending.Wait()
	if err := u.failure(); err != nil || len(u.part) > 0 || len(u.sent) == 0 {
		return cmp.Or(err, errors.New("it was not synced"))
	}
	unsure := false // a request was sent whose outcome is not known
	err := u.fs.again(u.name, func(ctx context.Context) error {
		_, err := u.core().CompleteMultipartUpload(ctx, u.bucket, u.key, u.id, parts, minio.PutObjectOptions{})
		err = failure(err)
		unsure = unsure || err != nil && passing(err)
		return err
	})
	if err != nil && unsure {
		if err = vfs.Unsure(err); u.there() {
			err = nil // an answer was lost
		}
	}
	if err == nil {
		u.stop()
	}
	return err
}

// there reports whether the store has the file that the upload becomes.
func (u *upload) there() bool {
	var info minio.ObjectInfo
	err := u.fs.again(u.name, func(ctx context.Context) (err error) {
		info, err = u.client.StatObject(ctx, u.bucket, u.key, minio.StatObjectOptions{})
		return failure(err)
	})
	return err == nil && info.Size == u.size && strings.HasSuffix(strings.Trim(info.ETag, `"`), fmt.Sprintf("-%d", len(u.sent)))
}

// abortTime is how long the end of an upload may take that is not wanted.
const abortTime = 10 * time.Second

// abort drops the parts that the store has.
func (u *upload) abort() error {
	u.stop()
	u.sending.Wait()
	ctx, stop := context.WithTimeout(context.WithoutCancel(u.fs.ctx), abortTime)
	defer stop()
	view := *u.fs
	view.ctx = ctx
	err := view.again(u.name, func(ctx context.Context) error {
		return failure(u.core().AbortMultipartUpload(ctx, u.bucket, u.key, u.id))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return wrap("drop the parts of", u.name, err)
}

// rename completes the upload of a file.
func (f *FS) rename(from, to string) error {
	u := f.uploads
	u.mu.Lock()
	up := u.begun[from]
	u.mu.Unlock()
	if up == nil || !up.closed || up.name != to {
		return wrap("rename", from, fmt.Errorf("it is no complete upload of %s: %w", to, fs.ErrPermission))
	}
	err := up.complete()
	if err == nil {
		u.mu.Lock()
		delete(u.begun, from)
		u.mu.Unlock()
	}
	return wrap("complete", to, err)
}

// unstage aborts the uploads of a staging directory that were not completed.
func (f *FS) unstage(dir string) error {
	u := f.uploads
	u.mu.Lock()
	delete(u.stages, dir)
	var left []*upload
	for name, up := range u.begun {
		if vfs.Dir(name) == dir {
			left = append(left, up)
			delete(u.begun, name)
		}
	}
	u.mu.Unlock()
	var errs []error
	for _, up := range left {
		errs = append(errs, up.abort())
	}
	return errors.Join(errs...)
}
