package segment

import (
	"errors"
	"fmt"

	"analyzer/columnar/vfs"
)

var (
	// ErrCorrupt is wrapped by the error for a file that does not contain what was written
	// to it. The error is a *CorruptError.
	ErrCorrupt = errors.New("corrupt")

	// ErrDiskFull is wrapped by the error of a write that failed for lack of space. The
	// error says where, and what to do.
	ErrDiskFull = errors.New("disk full")
)

// CorruptError gives the position in a file whose bytes are not those that were written.
type CorruptError struct {
	Path   string
	Offset int64  // in bytes, of the block
	Reason string // what is wrong with it
}

// Error names file, offset and reason.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: corrupt at byte %d: %s", e.Path, e.Offset, e.Reason)
}

// Unwrap returns ErrCorrupt.
func (e *CorruptError) Unwrap() error { return ErrCorrupt }

// wrongSize returns the error for a segment file whose size differs from the size written.
func wrongSize(segment *Segment, size int64) error {
	return &CorruptError{
		Path: segment.Path, Offset: min(size, segment.Size),
		Reason: fmt.Sprintf("file of %d bytes, %d were written", size, segment.Size),
	}
}

// fullDisk adds advice to the error of a write if the disk is full.
func fullDisk(dir, advice string, err error) error {
	if vfs.DiskFull(err) {
		return fmt.Errorf("%w: no room in %s, %s: %w", ErrDiskFull, dir, advice, err)
	}
	return err
}
