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
	if begun && !sure {
		if err := verify(ctx, f, known, isKnown); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	j.sure[table], j.entry.Begun[table] = true, true
	j.mu.Unlock()
	if !begun {
		// Before anything is sent, or nobody would know that it was.
		j.keep()
	}
	if isKnown || !f.Seekable() {
		return func() {}, nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if print, err := fingerprint(ctx, f); err == nil {
			j.mu.Lock()
			j.entry.Files[table] = print
			j.mu.Unlock()
			j.keep() // at once: until then nobody can resume
		}
	}()
	return func() { <-done }, nil
}

// verify compares a file with the one whose upload began.
func verify(ctx context.Context, f vfs.File, known Fingerprint, isKnown bool) error {
	if !isKnown || !f.Seekable() {
		return fmt.Errorf("%s: %w", f.Name(), ErrUnknownFile)
	}
	now, err := fingerprint(ctx, f)
	if err != nil {
		return err
	}
	if now != known {
		return fmt.Errorf("%s: %w: it had %d bytes with hash %s and has %d with %s",
			f.Name(), ErrChanged, known.Size, known.Hash, now.Size, now.Hash)
	}
	return nil
}
