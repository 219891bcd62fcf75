package segment

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// ScratchPattern is the pattern for names of scratch directories. One that is left over after
// a crash is recognised by it and may be deleted.
const ScratchPattern = "analyzer-spill-*"

// Scratch is a directory of segments that exist only during a run. Nothing in it is synced.
// It is safe for concurrent use; Close comes last.
type Scratch struct {
	*directory
	own *Stats // statistics of a part, guarded by mu; nil for the whole
}

// directory is the state that all parts of a scratch directory share.
type directory struct {
	fs     vfs.FS
	parent string
	buffer int // bytes that each writer collects for one write

	mu     sync.Mutex
	dir    string // made with the first segment
	next   int
	stats  Stats
	closed bool
}

// Stats counts what was written to a scratch directory.
type Stats struct {
	Files int   // segments finished
	Bytes int64 // their total size
}

func (s *Stats) add(segment *Segment) {
	s.Files++
	s.Bytes += segment.Size
}

// NewScratch returns a scratch directory below parent, which must exist; an empty parent
// means the system's directory for temporary files. The directory is made when the first
// segment is written.
func NewScratch(fs vfs.FS, parent string) *Scratch {
	return &Scratch{directory: &directory{fs: fs, parent: parent, buffer: bufferSize}}
}

// Part returns the same directory with its own Stats: segments written through the part
// count there and for the whole. Close only the whole.
func (s *Scratch) Part() *Scratch { return &Scratch{directory: s.directory, own: new(Stats)} }

// NewWriter starts a segment with a new name. If the disk is full, errors wrap ErrDiskFull.
func (s *Scratch) NewWriter(schema columnar.Schema) (*Writer, error) {
	path, err := s.newPath()
	if err != nil {
		return nil, err
	}
	return newWriter(&Writer{
		fs: s.fs, path: path, schema: schema, buffer: s.buffer, written: s.count, advice: spillAdvice,
	})
}

const spillAdvice = "free space or choose another --spill-dir"

func (s *Scratch) newPath() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", errors.New("write segment: the scratch directory is closed")
	}
	if s.dir == "" {
		dir, err := s.fs.MkdirTemp(s.parent, ScratchPattern)
		if err != nil {
			return "", fmt.Errorf("make the scratch directory: %w", fullDisk(s.parent, spillAdvice, err))
		}
		s.dir = dir
	}
	s.next++
	return filepath.Join(s.dir, fmt.Sprintf("segment-%06d.arrow", s.next)), nil
}

// count is called with the result of writing a segment.
func (s *Scratch) count(segment *Segment, err error) error {
	if err == nil {
		s.mu.Lock()
		s.stats.add(segment)
		if s.own != nil {
			s.own.add(segment)
		}
		s.mu.Unlock()
	}
	return err
}

// Open opens a segment of this directory.
func (s *Scratch) Open(segment *Segment) (*Reader, error) { return openSegment(s.fs, segment) }

// Remove deletes a segment that is no longer needed, to free space.
func (s *Scratch) Remove(segment *Segment) error { return s.fs.Remove(segment.Path) }

// Stats returns what was written so far, including removed segments.
func (s *Scratch) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil {
		return *s.own
	}
	return s.stats
}

// Close deletes the directory and all segments in it. No writer may be in use. A second call
// does nothing.
func (s *Scratch) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.dir == "" {
		return nil
	}
	if err := s.fs.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("remove the scratch directory: %w", err)
	}
	return nil
}
