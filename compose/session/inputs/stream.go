package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"analyzer/columnar/vfs"
)

// stream is a pipe that can be read once or, if keep is set, a copy of it that can be read
// repeatedly.
type stream struct {
	open func(context.Context) (vfs.File, error)
	keep bool
	fs   vfs.FS // for the copy
	dir  string

	mu     sync.Mutex
	opened bool
	name   string
	copied string // directory with the copy
}

// next opens the pipe or its copy.
func (s *stream) next(ctx context.Context) (vfs.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keep && s.copied != "" {
		return s.openCopyLocked()
	}
	if s.opened {
		return nil, fmt.Errorf("%s was read already", s.name)
	}
	s.opened = true
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	s.name = f.Name()
	if !s.keep {
		return f, nil
	}
	if err := errors.Join(s.copyLocked(f), f.Close()); err != nil {
		return nil, fmt.Errorf("copy %s, which this run reads more than once: %w", s.name, err)
	}
	return s.openCopyLocked()
}

func (s *stream) path() string { return filepath.Join(s.copied, "copy") }

func (s *stream) copyLocked(from io.Reader) error {
	dir, err := s.fs.MkdirTemp(s.dir, "analyzer-pipe-*")
	if err != nil {
		return err
	}
	s.copied = dir
	to, err := s.fs.Create(s.path())
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 256<<10))
	return errors.Join(err, to.Close())
}

func (s *stream) openCopyLocked() (vfs.File, error) {
	f, err := s.fs.Open(s.path())
	if err != nil {
		return nil, err
	}
	return &renamed{File: f, name: s.name}, nil
}

// close removes the copy.
func (s *stream) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copied == "" {
		return nil
	}
	err := s.fs.RemoveAll(s.copied)
	s.copied = ""
	return err
}

// renamed is the copy of a pipe that reports the pipe's name in messages.
type renamed struct {
	vfs.File
	name string
}

func (f *renamed) Name() string { return f.name }
