package vfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// FileLock is a lock on a file. The system releases it when the process ends, however it ends.
type FileLock struct{ file *os.File }

// lockEvery is the interval between attempts to take a lock that another process holds.
const lockEvery = 50 * time.Millisecond

// Lock locks a file of the operating system, which it creates if necessary, for its owner
// alone. It waits while another process holds the lock, even a stopped one.
func Lock(ctx context.Context, name string) (*FileLock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|noFollow, privateFile)
	if err != nil {
		return nil, err
	}
	for {
		err := tryLock(f)
		if err == nil {
			return &FileLock{f}, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", name, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock %s: another process has it: %w", name, context.Cause(ctx)), f.Close())
		case <-time.After(lockEvery):
		}
	}
}

// Unlock releases the lock.
func (l *FileLock) Unlock() error { return l.file.Close() }
