package segment

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

const stateAdvice = "free space there"

// Store is the committed state of one operator replica: segments, and a payload that
// belongs to them, such as the ledger of the batches that they contain. The caller must
// ensure that only one process at a time uses the directory.
//
// Writers may run concurrently; commits are serialised. A commit has these steps, and a
// crash may come after any of them:
//
//  1. Writer.Finish syncs the segment's file. The file needs no temporary name: a
//     segment that the manifest does not list does not exist.
//  2. The directory is synced. Otherwise the manifest could survive a crash without
//     the directory entries of the segments.
//  3. The new manifest is written next to the old one and synced.
//  4. It is renamed over the old one: from here on, the process sees the commit.
//  5. The directory is synced: from here on, a crash does not undo it.
//  6. The files of removed segments are deleted.
type Store struct {
	fs  vfs.FS
	dir string

	mu        sync.Mutex
	committed *manifest
	unwritten bool              // a new store, which has no manifest yet
	next      int               // number of the next segment file
	finished  map[*Segment]bool // durable, not committed
	garbage   []string          // files to delete
	pins      int               // while there are any, nothing is deleted
	broken    error             // why nothing can be written any more, such as vfs.ErrUnsure
}

// Change is a change of a store's state that a commit makes atomically.
type Change struct {
	Add     []*Segment // finished by writers of this store
	Remove  []*Segment // committed before; their files are deleted
	Payload []byte     // replaces the payload; any bytes
}

// NewWriter starts a segment. The segment becomes state with the commit that adds it. If no
// commit does, its file is deleted, at the latest when the store is opened again.
func (s *Store) NewWriter(schema columnar.Schema) (*Writer, error) {
	s.mu.Lock()
	path, err := s.nextLocked()
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return newWriter(&Writer{
		fs: s.fs, path: path, schema: schema, buffer: bufferSize, sync: true, written: s.finish, advice: stateAdvice,
	})
}

// nextLocked returns the path of a new segment. There is a manifest before there is a segment, so that a store
// that has lost its manifest is not mistaken for a new one.
func (s *Store) nextLocked() (path string, err error) {
	if s.broken != nil {
		return "", s.broken
	}
	if s.unwritten {
		if err := s.committed.write(s.fs, s.dir); err != nil {
			return "", s.failLocked(fmt.Errorf("begin the state in %s: %w", s.dir, err))
		}
		s.unwritten = false
	}
	path = filepath.Join(s.dir, segmentName(s.next))
	s.next++
	return path, nil
}

// finish is called with the result of writing a segment.
func (s *Store) finish(segment *Segment, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		return s.failLocked(err)
	}
	s.finished[segment] = true
	return nil
}

// failLocked prevents all further writes after an error that wraps vfs.ErrUnsure.
func (s *Store) failLocked(err error) error {
	if errors.Is(err, vfs.ErrUnsure) && s.broken == nil {
		s.broken = err
	}
	return err
}

// Commit makes a change durable: once it returns nil, no crash undoes the change. After an
// error that wraps vfs.ErrUnsure the change may or may not have been made, and the store
// refuses further writes. After any other error it was not made and can be retried.
func (s *Store) Commit(change Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	next, err := s.changedLocked(change)
	if err == nil {
		err = s.commitLocked(next, change)
	}
	if err != nil {
		return s.failLocked(fmt.Errorf("commit %d in %s: %w", s.committed.Generation+1, s.dir, err))
	}
	_ = s.sweepLocked() // the next commit retries failed deletions
	return nil
}

func (s *Store) commitLocked(next *manifest, change Change) error {
	if len(change.Add) > 0 {
		if err := s.fs.SyncDir(s.dir); err != nil {
			return vfs.Unsure(err)
		}
	}
	if err := next.write(s.fs, s.dir); err != nil {
		return err
	}
	s.committed, s.unwritten = next, false
	for _, segment := range change.Add {
		delete(s.finished, segment)
	}
	for _, segment := range change.Remove {
		s.garbage = append(s.garbage, segment.Path)
	}
	return nil
}

// changedLocked returns the manifest after a change.
func (s *Store) changedLocked(change Change) (*manifest, error) {
	segments := slices.Clone(s.committed.Segments)
	for _, segment := range change.Remove {
		at := slices.Index(segments, segment)
		if at < 0 {
			return nil, fmt.Errorf("remove segment %s: not part of the state", segment.Path)
		}
		segments = slices.Delete(segments, at, at+1)
	}
	for _, segment := range change.Add {
		if !s.finished[segment] || slices.Contains(segments, segment) {
			return nil, fmt.Errorf("add segment %s: not one that a writer of this store has finished", segment.Path)
		}
		segments = append(segments, segment)
	}
	return &manifest{
		Version:    manifestVersion,
		Generation: s.committed.Generation + 1,
		Next:       s.next,
		Segments:   segments,
		payload:    slices.Clone(change.Payload),
	}, nil
}

// sweepLocked deletes files that are no longer state. Failed deletions are retried by the
// next commit, by Close, and when the store is opened.
func (s *Store) sweepLocked() (err error) {
	if s.pins > 0 {
		return nil
	}
	s.garbage = slices.DeleteFunc(s.garbage, func(path string) bool {
		failed := s.fs.Remove(path)
		err = errors.Join(err, failed)
		return failed == nil
	})
	return err
}

// Pin keeps the files of committed segments, also of those that are removed, until release is
// called. Whoever holds a pin may open any of them, from any goroutine.
func (s *Store) Pin() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pins++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pins--
		_ = s.sweepLocked() // what fails is retried, as always
	}
}

// Segment returns the committed segment with the given name. If there is none, the error
// wraps ErrCorrupt: the commit from which the caller knows the name is lost.
func (s *Store) Segment(name string) (*Segment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, segment := range s.committed.Segments {
		if segment.Name() == name {
			return segment, nil
		}
	}
	return nil, &CorruptError{Path: filepath.Join(s.dir, manifestName), Reason: "it does not list " + name}
}

// Size returns the bytes of the committed segments.
func (s *Store) Size() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, segment := range s.committed.Segments {
		bytes += segment.Size
	}
	return bytes
}

// Payload returns the committed payload, which the caller must not change.
func (s *Store) Payload() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.committed.payload
}

// Open opens a segment of this store. A segment that is removed while it is open can still
// be read.
func (s *Store) Open(segment *Segment) (*Reader, error) { return openSegment(s.fs, segment) }

// Close deletes files that are not state. The state remains.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil
	}
	for segment := range s.finished {
		s.garbage = append(s.garbage, segment.Path)
	}
	clear(s.finished)
	s.broken = errors.New("the store is closed")
	if err := s.sweepLocked(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
