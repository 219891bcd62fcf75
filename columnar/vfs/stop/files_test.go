package stop

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
)

func TestPipeThatNobodyReads(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	go cancel(errStopped)
	if _, err := Files(ctx, vfs.OS()).Create(pipe); !errors.Is(err, errStopped) {
		t.Errorf("opening the pipe ended with %v", err)
	}
	reader, err := syscall.Open(pipe, syscall.O_RDONLY|syscall.O_NONBLOCK, 0) // lets the opening end
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(reader)
}

func TestPipeThatIsFull(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := syscall.Open(pipe, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(reader)
	ctx, cancel := context.WithCancelCause(context.Background())
	f, err := Files(ctx, vfs.OS()).Create(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	go cancel(errStopped)
	if _, err := f.Write(make([]byte, 1<<20)); !errors.Is(err, errStopped) {
		t.Errorf("the write ended with %v", err)
	}
}
