package inputs

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"analyzer/columnar/vfs"
)

// spool is a stream that can be opened once, or, if it was told to keep, a copy
// of it that can be opened often.
type spool struct {
	fs   vfs.FS
	dir  string
	from io.Reader
	keep bool

	mu     sync.Mutex
	opened bool
	copied string // directory with the copy
}

func (s *spool) open() (vfs.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.keep {
		if s.opened {
			return nil, fmt.Errorf("%s was read already", stdinName())
		}
		s.opened = true
		return vfs.Stdin(s.from), nil
	}
	if s.copied == "" {
		if err := s.copyLocked(); err != nil {
			return nil, fmt.Errorf("copy %s, which this run reads more than once: %w", stdinName(), err)
		}
	}
	f, err := s.fs.Open(s.path())
	if err != nil {
		return nil, err
	}
	return named{f}, nil
}

func (s *spool) path() string { return filepath.Join(s.copied, "stdin") }

func (s *spool) copyLocked() error {
	dir, err := s.fs.MkdirTemp(s.dir, "analyzer-stdin-*")
	if err != nil {
		return err
	}
	s.copied = dir
	f, err := s.fs.Create(s.path())
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{f}, s.from)
	return errors.Join(err, f.Close())
}

func (s *spool) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copied == "" {
		return nil
	}
	err := s.fs.RemoveAll(s.copied)
	s.copied = ""
	return err
}

// named is the copy under the stream's name, which messages show.
type named struct{ vfs.File }

func (named) Name() string { return stdinName() }
