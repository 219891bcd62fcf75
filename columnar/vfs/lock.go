package vfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// FileLock is a lock on a file that ends with the process, however that ends.
type FileLock struct{ file *os.File }

// lockEvery is how often a lock that another process has is asked for again.
const lockEvery = 50 * time.Millisecond

// Lock takes the lock of a file of the operating system, which it makes. While
// another process has it, even a stopped one, Lock waits.
func Lock(ctx context.Context, name string) (*FileLock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return &FileLock{f}, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", name, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock %s: another process has it: %w", name, context.Cause(ctx)), f.Close())
		case <-time.After(lockEvery):
		}
	}
}

// Unlock gives the lock back.
func (l *FileLock) Unlock() error { return l.file.Close() }
