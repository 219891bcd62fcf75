package client

import (
	"context"
	"fmt"

	"analyzer/columnar/vfs"
)

// begin is told that a table is about to be uploaded from f. It fails if something
// of the table may have been sent before, from a file that was, or may have been,
// another one. The caller calls wait before it closes f.
func (j *Journal) begin(ctx context.Context, table string, f vfs.File) (wait func(), err error) {
	if j == nil {
		return func() {}, nil
	}
	j.mu.Lock()
	known, isKnown := j.entry.Files[table]
	sure, begun := j.sure[table], j.entry.Begun[table]
	j.mu.Unlock()
	now, err := j.look(ctx, f, begun && !sure, known, isKnown)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	j.sure[table], j.entry.Begun[table] = true, true
	if !begun && f.Seekable() {
		known = now
		j.entry.Files[table] = now
	}
	j.mu.Unlock()
	if !begun {
		// Before anything is sent, or nobody would know that it was.
		j.keep()
	}
	if !f.Seekable() || known.All != "" {
		return func() {}, nil
	}
	return j.complete(ctx, table, f, known), nil
}

// look returns the fingerprint of a file, and fails if it must be the known one
// and may not be.
func (j *Journal) look(ctx context.Context, f vfs.File, must bool, known Fingerprint, isKnown bool) (now Fingerprint, err error) {
	if must && (!isKnown || !f.Seekable()) {
		return now, fmt.Errorf("%s: %w", f.Name(), ErrUnknownFile)
	}
	if !f.Seekable() {
		return now, nil
	}
	if now, err = fingerprint(ctx, f); err == nil && must && known.All != "" {
		now, err = now.complete(ctx, f)
	}
	if err == nil && must && !now.same(known) {
		err = fmt.Errorf("%s: %w: it had %d bytes, and now it has %d, which are others", f.Name(), ErrChanged, known.Size, now.Size)
	}
	return now, err
}

// complete completes a fingerprint while the file is uploaded.
func (j *Journal) complete(ctx context.Context, table string, f vfs.File, p Fingerprint) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if p, err := p.complete(ctx, f); err == nil {
			j.mu.Lock()
			j.entry.Files[table] = p
			j.mu.Unlock()
			j.keep()
		}
	}()
	return func() { <-done }
}
