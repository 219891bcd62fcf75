package client

import (
	"context"
	"fmt"

	"analyzer/columnar/vfs"
)

// begin is told that a table is about to be uploaded from f. It fails if something
// of the table may have been sent before, from a file that was, or may have been,
// another one.
func (j *Journal) begin(ctx context.Context, table string, f vfs.File) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	known, isKnown := j.entry.Files[table]
	sure, begun := j.sure[table], j.entry.Begun[table]
	j.mu.Unlock()
	now, err := j.look(ctx, f, begun && !sure, known, isKnown)
	if err != nil {
		return err
	}
	j.mu.Lock()
	j.sure[table], j.entry.Begun[table] = true, true
	if !begun && f.Seekable() {
		j.entry.Files[table] = now
	}
	j.mu.Unlock()
	if !begun {
		// Before anything is sent, or nobody would know that it was.
		j.keep()
	}
	return nil
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
	if now, err = fingerprint(ctx, f); err == nil && must && now != known {
		err = fmt.Errorf("%s: %w: it had %d bytes, and now it has %d, or it was written to", f.Name(), ErrChanged, known.Size, now.Size)
	}
	return now, err
}
